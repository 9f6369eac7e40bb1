//! Ways of solving.

use kempe2d::{Direct, Method};

/// How a world is stepped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    /// In real time.
    RealTime {
        /// Steps a second.
        hertz: f64,
        /// Sub-steps of each.
        substeps: u32,
        /// Which islands are solved as a whole.
        direct: Direct,
    },
    /// By the reference solver, in steps of 1/240 s for at most 3 s.
    Reference(Method),
}

/// A way of solving with a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solver {
    /// As it is written.
    pub name: &'static str,
    /// How it steps.
    pub way: Way,
}

const fn real(name: &'static str, hertz: f64, substeps: u32, direct: Direct) -> Solver {
    Solver { name, way: Way::RealTime { hertz, substeps, direct } }
}

const fn reference(name: &'static str, method: Method) -> Solver {
    Solver { name, way: Way::Reference(method) }
}

/// All of them.
pub const SOLVERS: [Solver; 12] = [
    real("default", 60.0, 4, Direct::Auto),
    real("default_240", 240.0, 4, Direct::Auto),
    real("default_30", 30.0, 2, Direct::Auto),
    real("lanes", 60.0, 4, Direct::Never),
    real("lanes_240", 240.0, 4, Direct::Never),
    real("lanes_30", 30.0, 2, Direct::Never),
    real("whole", 60.0, 4, Direct::Always),
    reference("theta", Method::Theta { k: 0.5 }),
    reference("alpha", Method::GeneralizedAlpha { radius: 0.8 }),
    reference("rattle2", Method::Rattle { order: 2 }),
    reference("rattle4", Method::Rattle { order: 4 }),
    reference("rattle6", Method::Rattle { order: 6 }),
];

impl Solver {
    /// Whether it runs in real time.
    pub fn is_real_time(&self) -> bool {
        matches!(self.way, Way::RealTime { .. })
    }
}
