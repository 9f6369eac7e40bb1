//! Joints from text that were written out as Rust: the files in `emitted` are what
//! `Program::to_rust` gives, and they do what the text does.
//!
//! After a change of the writer, `KEMPE_BLESS=1 cargo test -p kempe-peers --test emitted` writes the
//! files anew.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

#[path = "emitted/harness.rs"]
mod harness;
#[path = "emitted/scenes.rs"]
mod scenes;

mod emitted {
    pub(crate) mod angle;
    pub(crate) mod bead_on_ellipse;
    pub(crate) mod bead_on_parabola;
    pub(crate) mod breathing_distance;
    pub(crate) mod cam;
    pub(crate) mod distance;
    pub(crate) mod driven_crank;
    pub(crate) mod everything;
    pub(crate) mod gear;
    pub(crate) mod line;
    pub(crate) mod motor;
    pub(crate) mod moving;
    pub(crate) mod pivot;
    pub(crate) mod prismatic;
    pub(crate) mod pulley;
    pub(crate) mod pulley_2;
    pub(crate) mod pulley_3;
    pub(crate) mod rack_and_pinion;
    pub(crate) mod rolling_disc;
    pub(crate) mod skate;
    pub(crate) mod watt_coupler;
    pub(crate) mod weld;
}

use harness::{Emitted, block, case, close, fixed, rows, same_rows, scalar, vector};
use kempe2d::equation::{self, BodyState, Program};
use kempe2d::{BodyId, Constraint, JointDef, Pose, Vec2};

macro_rules! emitted {
    ($($module:ident :: $name:ident),* $(,)?) => {
        $(impl Emitted for emitted::$module::$name {
            fn made(numbers: &[f64]) -> Option<Self> {
                Self::from_parameters(numbers)
            }

            fn over(self, bodies: &[BodyId]) -> JointDef {
                self.joint(bodies)
            }
        })*

        /// (name of the file, name of the type)
        const FILES: &[(&str, &str)] = &[$((stringify!($module), stringify!($name))),*];
    };
}

emitted!(
    angle::Angle,
    bead_on_ellipse::BeadOnEllipse,
    bead_on_parabola::BeadOnParabola,
    breathing_distance::BreathingDistance,
    cam::Cam,
    distance::Distance,
    driven_crank::DrivenCrank,
    everything::Everything,
    gear::Gear,
    line::Line,
    motor::Motor,
    moving::Moving,
    pivot::Pivot,
    prismatic::Prismatic,
    pulley::Pulley,
    pulley_2::Pulley2,
    pulley_3::Pulley3,
    rack_and_pinion::RackAndPinion,
    rolling_disc::RollingDisc,
    skate::Skate,
    watt_coupler::WattCoupler,
    weld::Weld,
);

/// Every operation and function of the language, and names that Rust does not have.
const EVERYTHING: &str = "\
body frame, self, Type
vector anchorA = [0.5, -0.25], fn = [1, 2]
matrix m = [2 0.5; -0.5 1], n = [1 2; 3 4]
scalar θ = 0.3, A_B = 1.5, aB = -0.5, longest = 3, _ = 0.25

let del = self.position + relative self anchorA - frame.position
let near = relative (-frame.rotation) (Type.position - self.position)
let bend = Type.rotation - 2 * self.rotation + θ
let back = -(self.rotation - frame.rotation)
let size = 2 + |del|
limit |m * fn| 0.1 (inf)
limit m.xx + _ (-10) longest
limit min(abs(θ), exp(A_B)) 0 choose(aB, 1, 2)
constraint {
  m * del + relative θ anchorA
  relative bend near - relative back fn
  (transpose m * n * (del outer near) - 0.5 * m).xy / size
  sin(bend) + cos(bend) * tan(0.3 * bend)
  asin(clamp(del.x / 8, -0.9, 0.9)) + acos(near.y / 16)
  sqrt(size) + exp(-size) + ln(size) - sign(del.x) * abs(del.y)
  min(del.x, near.x) + max(A_B, near.y) - _
  choose(del.y, del, near * aB)
  size^2 + size^-3 + size^2.5 + size^(0.1 * del.x) - (A_B + 3)^θ
  unit del cross near + (unit fn) dot perp near + |near| * atan2(del.y, del.x)
  0.7 cross del - del cross 0.3 + perp (unit near)
  pi * A_B - bend * cos(A_B * pi / 4) + sin(2 * A_B)
}
velocity constraint {
  (self.velocity - Type.velocity) dot (unit near) + 3 * sin(time) - frame.angularVel
  m * frame.velocity + Type.angularVel cross del
}
limit velocity constraint { θ, 1, 2 } { θ, 1, 2 }
axis turn = bend / 3
limit turn (-pi) pi
axis reach = |del + near|
limit reach min(A_B, 1) longest
axis loose = near.x * time
";

/// Driven parameters of every type, and bounds that move together.
const MOVING: &str = "\
body a, b
scalar turning = 0.2
vector drift = [0.3, -0.1] -> [0, sin(time)]
vector place = [0.1, 0.2] -> drift
matrix frame = [1 0; 0 1] -> [0 -turning; turning 0] * frame
scalar phase = 0.5 -> 2 * time

constraint { frame * (b.position - a.position) - place, |b.position - a.position - place| }
limit constraint { place, phase } { place, phase }
axis turn = b.rotation - a.rotation - phase
";

fn program(name: &str) -> Program {
    let source = match name {
        "everything" => EVERYTHING,
        "moving" => MOVING,
        _ => equation::gallery::find(name).unwrap().source,
    };
    Program::parse(source).unwrap()
}

#[test]
fn files_are_what_the_programs_give() {
    for (name, type_name) in FILES {
        let text = program(name).to_rust(type_name).unwrap();
        let path = format!("{}/tests/emitted/{name}.rs", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("KEMPE_BLESS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let file = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(file == text, "{name}: run with KEMPE_BLESS=1 to write the files anew");
    }
}

#[test]
fn the_whole_gallery_is_there() {
    for example in equation::gallery::GALLERY {
        assert!(FILES.iter().any(|(name, _)| *name == example.name), "{}", example.name);
    }
}

#[test]
fn everything_has_the_same_rows() {
    let case = case("everything", vec![], vec![fixed(), block(1.0, 0.0), block(0.0, 2.0)]);
    same_rows::<emitted::everything::Everything>(&case);
}

#[test]
fn what_moves_has_the_same_rows() {
    let case = case("moving", vec![], vec![fixed(), block(1.0, 0.0)]);
    same_rows::<emitted::moving::Moving>(&case);
}

/// Driven parameters of every type, over time.
#[test]
fn what_moves_moves_alike() {
    let case = case("moving", vec![], vec![fixed(), block(1.0, 0.0)]);
    let mut instance = case.instance();
    let mut joint: emitted::moving::Moving = case.joint();
    let mut time = 0.0;
    let poses = [Pose::new(Vec2::ZERO, 0.0); 2];
    joint.prepare(&poses, time);
    for _ in 0..60 {
        instance.advance(&[BodyState::default(); 2], time, 1.0 / 60.0).unwrap();
        time += 1.0 / 60.0;
        joint.prepare(&poses, time);
        let numbers = joint.parameters();
        let mut expected = Vec::new();
        for parameter in instance.program().parameters() {
            let value = instance.get(&parameter.name).unwrap().unwrap();
            expected.extend_from_slice(&value.components()[..parameter.kind.components()]);
        }
        for (number, expected) in numbers.iter().zip(expected) {
            close(*number, expected, "a parameter");
        }
    }
    assert_eq!(joint.since, Some(time));
}

/// Where a length is zero, the direction is the last that there was.
#[test]
fn directions_are_remembered() {
    let case = case(
        "distance",
        vec![
            ("anchor1", vector(0.0, 0.0)),
            ("anchor2", vector(0.0, 0.0)),
            ("jointMin", scalar(0.0)),
            ("jointMax", scalar(1.0)),
        ],
        vec![fixed(), block(1.0, 0.0)],
    );
    let mut joint: emitted::distance::Distance = case.joint();
    let mut instance = case.instance();
    let mut states = [BodyState::default(); 2];
    assert_eq!(rows(&joint, &states, 0.0)[0].2, [0.0; 6], "there was none yet");
    for position in [[0.6, 0.8], [0.0, 0.0]] {
        states[1].position = position;
        let poses = states.map(|state| Pose::new(state.position.into(), state.rotation));
        instance.advance(&states, 0.0, 0.0).unwrap();
        joint.prepare(&poses, 0.0);
        let expected = instance.evaluate(&states, 0.0).unwrap();
        let (value, _, jacobian) = &rows(&joint, &states, 0.0)[0];
        close(*value, expected.value[0], "|u|");
        for (j, expected) in jacobian.iter().zip(&expected.jacobian[0]) {
            close(*j, *expected, "J");
        }
        assert!((jacobian[3] - 0.6).abs() < 1e-12);
    }
}

#[test]
fn parameters_are_tested() {
    let mut cam = emitted::cam::Cam::default();
    assert_eq!(cam.validate(), Ok(()));
    cam.lift = 0.5;
    let reason = "`limit lift (-base) base` fails: 0.5 is not between -0.3 and 0.3";
    assert_eq!(cam.validate(), Err(reason.to_owned()));
    cam.lift = f64::NAN;
    assert_eq!(cam.validate(), Err("a parameter is not a number".to_owned()));
    let (mut world, bodies) = case("cam", vec![], vec![fixed(), fixed(), block(0.0, 1.0)]).world();
    assert!(world.add_joint(&cam.joint(&bodies)).is_err());
    assert!(emitted::cam::Cam::from_parameters(&[1.0; 6]).is_none());
    assert!(emitted::cam::Cam::from_parameters(&[1.0; 7]).is_some());
    assert!(emitted::cam::Cam::from_parameters(&[1.0; 8]).is_none());
}
