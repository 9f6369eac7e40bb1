//! What a story hands back: its world, a caption, and the figures that show that it works.

use kempe2d::World;

pub type Fallible<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// A measured number beside what it should be.
#[derive(Clone, Debug)]
pub struct Figure {
    pub label: &'static str,
    pub value: f64,
    pub expected: f64,
    pub tolerance: f64,
    pub unit: &'static str,
}

impl Figure {
    /// NaN is not.
    pub fn is_right(&self) -> bool {
        (self.value - self.expected).abs() <= self.tolerance
    }
}

#[derive(Clone, Debug)]
pub struct Scene {
    pub world: World,
    pub caption: &'static str,
    pub figures: Vec<Figure>,
}

impl Scene {
    pub fn new(world: World, caption: &'static str) -> Self {
        Self { world, caption, figures: Vec::new() }
    }

    /// The same with a number, what it should be, and how far off it may be.
    #[must_use]
    pub fn figure(
        mut self,
        label: &'static str,
        value: f64,
        expected: f64,
        tolerance: f64,
        unit: &'static str,
    ) -> Self {
        self.figures.push(Figure { label, value, expected, tolerance, unit });
        self
    }
}
