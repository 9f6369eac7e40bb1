//! A scene as a picture of a fixed shape, with marks and forces that suit its size.

use super::scene::Scene;
use kempe2d::{Draw, DrawOptions, Role, Svg, Vec2};

/// Width and height of what is shown, in pixels of the picture.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 420.0;

/// Where things are.
struct Bounds {
    low: Vec2,
    high: Vec2,
}

impl Bounds {
    fn add(&mut self, point: Vec2, around: f64) {
        self.low = Vec2::new(self.low.x.min(point.x - around), self.low.y.min(point.y - around));
        self.high = Vec2::new(self.high.x.max(point.x + around), self.high.y.max(point.y + around));
    }
}

impl Draw for Bounds {
    fn line(&mut self, from: Vec2, to: Vec2, _role: Role) {
        self.add(from, 0.0);
        self.add(to, 0.0);
    }

    fn circle(&mut self, center: Vec2, radius: f64, _role: Role) {
        self.add(center, radius);
    }

    fn label(&mut self, at: Vec2, _text: &str, _role: Role) {
        self.add(at, 0.0);
    }
}

pub fn svg(scene: &Scene) -> String {
    let world = &scene.world;
    let far = Vec2::new(f64::MAX, f64::MAX);
    let mut bounds = Bounds { low: far, high: -far };
    world.draw_with(&mut bounds, &DrawOptions { size: 0.05, ..DrawOptions::default() });
    let extent = bounds.high - bounds.low;
    // Metres of a pixel, with a fifth to spare for marks and forces.
    let pixel = (extent.x / WIDTH).max(extent.y / HEIGHT) * 1.2;
    let forces = world.joints().filter_map(|(id, _)| world.joint_forces(id)).flatten();
    let largest = forces.map(|each| each.force.length()).fold(1e-9, f64::max);
    let options = DrawOptions {
        forces: true,
        force_scale: 60.0 * pixel / largest,
        size: 8.0 * pixel,
        ..DrawOptions::default()
    };
    let mut svg = Svg::new();
    world.draw_with(&mut svg, &options);
    // Points without a size keep the frame.
    let middle = (bounds.low + bounds.high) * 0.5;
    let half = Vec2::new(WIDTH, HEIGHT) * (0.5 * pixel);
    svg.circle(middle + half, 0.0, Role::Static);
    svg.circle(middle - half - Vec2::Y * (24.0 * pixel), 0.0, Role::Static);
    svg.label(middle - half - Vec2::Y * (24.0 * pixel), scene.caption, Role::Center);
    svg.finish(WIDTH as u32 + 32)
}
