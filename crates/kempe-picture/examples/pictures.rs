//! x
use kempe_picture::*;
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::path::PathBuf::from(std::env::args().nth(1).ok_or("a folder")?);
    std::fs::create_dir_all(&folder)?;
    let t = |i: u32| 0.002 * f64::from(i);
    let plot = Plot {
        title: "A double pendulum: angles, and the energy that must stay".into(),
        x_label: "time (s)".into(),
        panels: vec![
            Panel::new("angle (rad)", vec![
                Series::new("first arm θ₁", (0..5000).map(|i| [t(i), t(i).sin() + 0.3*(7.0*t(i)).sin()]).collect()),
                Series::new("second arm θ₂", (0..5000).map(|i| [t(i), 2.0*(1.3*t(i)).cos() ]).collect()),
            ]),
            Panel { scale: Scale::Log, ..Panel::new("drift of energy (J)", vec![
                Series::new("real time", (0..5000).map(|i| [t(i), 1e-3 *(1.1+t(i).sin())]).collect()),
                Series::new("reference", (0..5000).map(|i| [t(i), 1e-11*t(i)]).collect()),
            ])},
        ],
        ..Plot::default()
    };
    for (n, th) in [("light", Theme::Light), ("dark", Theme::Dark)] { std::fs::write(folder.join(format!("plot-{n}.png")), plot.png(th, 2.0)?)?; }
    std::fs::write(folder.join("plot.svg"), plot.svg(Theme::Auto))?;
    let path = Plot { title: "Paths".into(), x_label: "x (m)".into(), equal_aspect: true,
        panels: vec![Panel::new("y (m)", vec![Series::new("tip", (0..5000).map(|i| [t(i).sin()*2.0, t(i).cos()*(3.0*t(i)).sin()]).collect()), Series::new("circle", (0..500).map(|i| [(30.0*t(i)).sin(), (30.0*t(i)).cos()]).collect())])], ..Plot::default() };
    std::fs::write(folder.join("path.png"), path.png(Theme::Light, 1.0)?)?;
    Ok(())
}
