//! What was drawn, to be looked at.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use kempe2d::{BodyDef, BodyId, Draw, DrawOptions, JointDef, Role, Settings, Shape, Vec2, World};
use std::f64::consts::FRAC_PI_2;

/// Of marks, as the options have it unless they say otherwise.
pub const SIZE: f64 = 0.1;

pub fn at(x: f64, y: f64) -> Vec2 {
    Vec2::new(x, y)
}

/// Everything that was drawn.
#[derive(Default)]
pub struct Seen {
    pub lines: Vec<(Vec2, Vec2, Role)>,
    pub circles: Vec<(Vec2, f64, Role)>,
    pub labels: Vec<(Vec2, String, Role)>,
}

impl Draw for Seen {
    fn line(&mut self, from: Vec2, to: Vec2, role: Role) {
        assert!(from.is_finite() && to.is_finite());
        self.lines.push((from, to, role));
    }

    fn circle(&mut self, center: Vec2, radius: f64, role: Role) {
        assert!(center.is_finite() && radius.is_finite() && radius >= 0.0);
        self.circles.push((center, radius, role));
    }

    fn label(&mut self, at: Vec2, text: &str, role: Role) {
        assert!(at.is_finite());
        self.labels.push((at, text.to_owned(), role));
    }
}

pub fn near(a: Vec2, b: Vec2) -> bool {
    (a - b).length() < 1e-6
}

impl Seen {
    pub fn of(world: &World, options: DrawOptions) -> Self {
        let mut seen = Self::default();
        world.draw_with(&mut seen, &options);
        seen
    }

    /// Of the joints alone.
    pub fn joints(world: &World) -> Self {
        Self::of(world, DrawOptions { bodies: false, ..DrawOptions::default() })
    }

    pub fn count(&self, role: Role) -> usize {
        self.lines.iter().filter(|line| line.2 == role).count()
    }

    /// There is this line, in one direction or the other.
    #[track_caller]
    pub fn line_at(&self, a: Vec2, b: Vec2, role: Role) {
        assert!(self.has_line(a, b, role), "no {role:?} {a:?} to {b:?}: {:#?}", self.lines);
    }

    pub fn has_line(&self, a: Vec2, b: Vec2, role: Role) -> bool {
        self.lines.iter().any(|(from, to, as_what)| {
            let there = near(*from, a) && near(*to, b) || near(*from, b) && near(*to, a);
            there && *as_what == role
        })
    }

    #[track_caller]
    pub fn circle_at(&self, center: Vec2, radius: f64, role: Role) {
        let same = |(at, r, as_what): &(Vec2, f64, Role)| {
            near(*at, center) && (r - radius).abs() < 1e-9 && *as_what == role
        };
        assert!(self.circles.iter().any(same), "no {role:?} at {center:?}: {:#?}", self.circles);
    }
}

/// A world without gravity, its ground, a box at (0, 2) and one at (2, 2) turned by a quarter.
pub fn boxes() -> (World, BodyId, [BodyId; 2]) {
    let settings = Settings { gravity: Vec2::ZERO, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let ground = world.ground().unwrap();
    let mut add = |position, rotation| {
        let shapes = vec![(Shape::rectangle(0.5, 0.25), 1.0)];
        world.add_body(&BodyDef { position, rotation, shapes, ..BodyDef::dynamic() }).unwrap()
    };
    let boxes = [add(at(0.0, 2.0), 0.0), add(at(2.0, 2.0), FRAC_PI_2)];
    (world, ground, boxes)
}

pub fn drawn(world: &mut World, def: &JointDef) -> Seen {
    let joint = world.add_joint(def).unwrap();
    let seen = Seen::joints(world);
    world.remove_joint(joint).unwrap();
    seen
}
