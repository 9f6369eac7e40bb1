//! Replays, plots and films of three small motions that are worked out here.
//!
//! `cargo run -p kempe-picture --example pictures -- FOLDER`

mod crank;
mod crowd;
mod pendulum;

use kempe_picture::{Gif, JointFrame, Look, Panel, Plot, Replay, Scale, Series, Theme};
use serde_json::json;
use std::error::Error;
use std::path::{Path, PathBuf};

fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> Result<(), Box<dyn Error>> {
    let bytes = bytes.as_ref();
    std::fs::write(folder.join(name), bytes)?;
    println!("{name}: {} bytes", bytes.len());
    Ok(())
}

/// Where some bodies and joints were, to compare with what a page shows.
fn places(replay: &Replay) -> serde_json::Value {
    let frames = (0..replay.times.len()).step_by(97);
    let places = frames.map(|frame| {
        let point = |point: kempe2d::Vec2| [point.x, point.y];
        let ends = |joint: &JointFrame| [point(joint.a), point(joint.b)];
        let joints: Vec<_> = replay.joint_frames[frame].iter().map(ends).collect();
        json!({ "time": replay.times[frame], "bodies": replay.poses[frame], "joints": joints })
    });
    places.collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("name a folder to write to")?);
    std::fs::create_dir_all(&folder)?;

    let pendulum = pendulum::replay();
    write(&folder, "pendulum.html", pendulum.html()?)?;
    write(&folder, "pendulum.json", places(&pendulum).to_string())?;
    let look = Look { forces: true, names: true, ..Look::default() };
    let still = pendulum.still(pendulum.times.len() / 5, look, 640.0)?;
    write(&folder, "pendulum.svg", still.svg(Theme::Auto))?;
    write(&folder, "pendulum.png", still.png(Theme::Dark, 2.0)?)?;

    let angles = Plot {
        title: "A double pendulum".to_owned(),
        x_label: "time (s)".to_owned(),
        panels: pendulum.panels.clone(),
        ..Plot::default()
    };
    write(&folder, "angles.svg", angles.svg(Theme::Auto))?;
    write(&folder, "angles.png", angles.png(Theme::Light, 2.0)?)?;
    write(&folder, "angles-dark.png", angles.png(Theme::Dark, 2.0)?)?;
    let path = Plot {
        title: "Where the ends of the arms go".to_owned(),
        x_label: "x (m)".to_owned(),
        panels: vec![Panel::new("y (m)", pendulum::paths(&pendulum))],
        equal_aspect: true,
        ..Plot::default()
    };
    write(&folder, "path.svg", path.svg(Theme::Auto))?;
    write(&folder, "path.png", path.png(Theme::Light, 2.0)?)?;
    let orders = Plot {
        title: "Error of two schemes after a second".to_owned(),
        x_label: "step (s)".to_owned(),
        x_scale: Scale::Log,
        panels: vec![Panel {
            scale: Scale::Log,
            ..Panel::new("error (rad)", pendulum::convergence())
        }],
        ..Plot::default()
    };
    write(&folder, "convergence.svg", orders.svg(Theme::Auto))?;
    write(&folder, "convergence.png", orders.png(Theme::Dark, 2.0)?)?;
    let nothing = Plot {
        title: "Nothing, one point, and a constant".to_owned(),
        panels: vec![
            Panel::new("nothing", vec![Series::new("empty", vec![])]),
            Panel::new("a point", vec![Series::new("alone", vec![[0.5, 3e-9]])]),
            Panel::new("a constant", vec![Series::new("flat", vec![[0.0, 2e6], [1.0, 2e6]])]),
        ],
        ..Plot::default()
    };
    write(&folder, "nothing.svg", nothing.svg(Theme::Auto))?;
    write(&folder, "nothing.png", nothing.png(Theme::Light, 1.0)?)?;

    let crank = crank::replay();
    write(&folder, "crank.html", crank.html()?)?;
    write(&folder, "crank.json", places(&crank).to_string())?;
    let gif = Gif { theme: Theme::Light, ..Gif::default() };
    write(&folder, "crank.gif", crank.gif(&gif)?)?;
    let film = Gif { theme: Theme::Dark, fps: 20.0, ..Gif::default() };
    write(&folder, "pendulum.gif", pendulum.gif(&film)?)?;
    write(&folder, "crank.png", crank.still(40, look, 640.0)?.png(Theme::Light, 2.0)?)?;

    write(&folder, "crowd.html", crowd::replay().html()?)?;
    Ok(())
}
