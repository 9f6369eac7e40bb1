//! Many discs that go round: more than a page holds in full.

use kempe_picture::{Replay, ReplayBody};
use kempe2d::Shape;

pub fn replay() -> Replay {
    let (bodies, frames) = (5000, 300);
    let pose = |body: usize, frame: usize| {
        let ring = 1.0 + 0.12 * (body as f64).sqrt();
        let angle = 2.399_963 * body as f64 + 0.02 * frame as f64 * 3.0 / ring;
        [ring * angle.cos(), ring * angle.sin(), angle]
    };
    let size = |body: usize| 0.03 + 0.01 * (body % 3) as f64;
    Replay {
        title: "Five thousand discs </script><b>& names that must not break the page".to_owned(),
        about: "<img src=x onerror=\"document.title='broken'\"> is text here".to_owned(),
        bodies: (0..bodies)
            .map(|body| ReplayBody {
                shapes: vec![Shape::circle(size(body))],
                ..Default::default()
            })
            .collect(),
        times: (0..frames).map(|frame| frame as f64 / 30.0).collect(),
        poses: (0..frames)
            .map(|frame| (0..bodies).map(|body| pose(body, frame)).collect())
            .collect(),
        ..Replay::default()
    }
}
