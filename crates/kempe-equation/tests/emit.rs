//! Programs written out as Rust: the text, and what cannot be written. That the text compiles and
//! does the same is tested in `kempe2d`, whose trait it implements.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use kempe_equation::{EmitError, Program, gallery::GALLERY};

const PAGE: &str = include_str!("../docs/language.md");

fn parse(source: &str) -> Program {
    Program::parse(source).unwrap_or_else(|errors| panic!("{source}\n{errors}"))
}

fn rust(source: &str) -> String {
    parse(source).to_rust("Joint").unwrap_or_else(|error| panic!("{source}\n{error}"))
}

/// What a function of the text has in it.
fn body<'t>(text: &'t str, function: &str) -> &'t str {
    let start = text.find(&format!("    fn {function}")).unwrap();
    let rest = &text[start..];
    &rest[rest.find("{\n").unwrap() + 2..rest.find("\n    }\n").unwrap()]
}

const ROPE: &str = r#"// Written by `Program::to_rust` of kempe-equation.

use kempe2d::{BodyId, Constraint, Counts, JointDef, Limit, Pose, Real, UserJoint, Vec2};

/// A joint that was written as a program:
///
/// ```kempe
/// body a, b
/// vector anchor = [1, 0]
/// scalar longest = 2
/// limit longest 0 inf
/// constraint |b.position - (a.position + relative a anchor)|
/// limit constraint 0 longest
/// axis turn = b.rotation - a.rotation
/// ```
///
/// Its bodies, in this order: `a`, `b`.
///
/// Its axes:
/// - 0, the axis `turn`
/// - 1, row 1 of the constraint, limited by `joint`
#[derive(Clone, Debug, PartialEq)]
pub struct Rope {
    /// `vector anchor`, `[1, 0]` by default.
    pub anchor: Vec2,
    /// `scalar longest`, `2` by default.
    pub longest: f64,
    /// Directions for where a length is zero: the last there were, (0, 0) at first.
    pub remembered: [Vec2; 1],
}

impl Default for Rope {
    fn default() -> Self {
        Self { anchor: Vec2::new(1.0, 0.0), longest: 2.0, remembered: [Vec2::ZERO; 1] }
    }
}

#[allow(dead_code, reason = "not everybody needs all of them")]
impl Rope {
    /// A joint over the bodies `a`, `b`, with the limits of the program.
    pub fn joint(self, bodies: &[BodyId]) -> JointDef {
        let row_1_limit = Limit::new(0.0, self.longest);
        let mut joint = UserJoint::new(self).joint(bodies);
        joint.axis_mut(1).limit = Some(row_1_limit);
        joint
    }

    /// From what `parameters` gives, for a registry.
    pub fn from_parameters(numbers: &[f64]) -> Option<Self> {
        let mut numbers = numbers.iter().copied();
        let mut next = || numbers.next();
        let made = Self {
            anchor: Vec2::new(next()?, next()?),
            longest: next()?,
            remembered: [Vec2::new(next()?, next()?)],
        };
        next().is_none().then_some(made)
    }
}

impl Constraint for Rope {
    fn name(&self) -> &str {
        "rope"
    }

    fn counts(&self) -> Counts {
        Counts { bodies: 2, hold: 0, velocity: 0, axes: 2 }
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let a = &bodies[0];
        let b = &bodies[1];
        out[0] = b.rotation - a.rotation;
        out[1] = guarded_length(b.position - a.point(self.anchor), self.remembered[0]);
    }

    fn validate(&self) -> Result<(), String> {
        if self.parameters().iter().any(|number| number.is_nan()) {
            return Err("a parameter is not a number".to_owned());
        }
        check("longest 0 inf", self.longest, 0.0, f64::INFINITY)?;
        Ok(())
    }

    fn prepare(&mut self, bodies: &[Pose], _time: f64) {
        let a = &bodies[0];
        let b = &bodies[1];
        remember(b.position - a.point(self.anchor), &mut self.remembered[0]);
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.anchor.x, self.anchor.y, self.longest, self.remembered[0].x, self.remembered[0].y]
    }
}

/// A vector whose square is below this counts as zero.
const TINY: f64 = 1e-30;

/// Refuses a value that is not between its bounds.
fn check(limit: &str, value: f64, lower: f64, upper: f64) -> Result<(), String> {
    if (lower..=upper).contains(&value) {
        return Ok(());
    }
    Err(format!("`limit {limit}` fails: {value} is not between {lower} and {upper}"))
}

/// Keeps the direction of `u`, if it has one.
fn remember(u: Vec2, last: &mut Vec2) {
    let length = u.length();
    if length * length > TINY && length.is_finite() {
        *last = u * (1.0 / length);
    }
}

/// |u|; where it is zero it grows along `last`.
fn guarded_length<S: Real>(u: Vec2<S>, last: Vec2) -> S {
    let square = u.length_squared();
    S::constant(TINY).choose(square, u.dot(Vec2::constant(last)), square.sqrt())
}
"#;

#[test]
fn a_whole_text() {
    let rope = parse(
        "body a, b
vector anchor = [1, 0]
scalar longest = 2
limit longest 0 inf
constraint |b.position - (a.position + relative a anchor)|
limit constraint 0 longest
axis turn = b.rotation - a.rotation
",
    );
    assert_eq!(rope.to_rust("Rope").unwrap(), ROPE);
}

#[test]
fn parts_keep_their_names_and_are_written_once() {
    let text = rust(
        "body a, b
         scalar reach = 2
         let del = b.position - a.position
         let along = relative a [1, 0]
         constraint { along dot del - reach, (along cross del)^3, sin(a.rotation) * del.x }
         axis squared = del dot del",
    );
    assert_eq!(
        body(&text, "equations"),
        "        let a = &bodies[0];
        let b = &bodies[1];
        let del = b.position - a.position;
        let along = a.direction(Vec2::X);
        let t1 = along.cross(del);
        out[0] = del.dot(along) - S::constant(self.reach);
        out[1] = t1 * t1 * t1;
        out[2] = a.sin * del.x;
        out[3] = del.dot(del);"
    );
}

#[test]
fn what_depends_on_parameters_is_computed_in_f64() {
    let text = rust(
        "body a
         scalar hertz = 2, phase = 0, lift = 1
         constraint a.position.y - lift * exp(phase) * sin(2 * pi * hertz * time + phase^2)",
    );
    assert!(text.contains("S::constant(self.lift * Real::exp(self.phase))"), "{text}");
    assert!(text.contains("S::constant(std::f64::consts::TAU * self.hertz)"), "{text}");
    assert!(text.contains("time: S"), "{text}");
}

#[test]
fn velocity_rows_and_equal_bounds() {
    let text = rust(
        "body a, b
         scalar speed = 1
         constraint b.position.x
         limit constraint time time
         velocity constraint b.angularVel - a.angularVel
         limit velocity constraint speed speed",
    );
    assert!(text.contains("Counts { bodies: 2, hold: 1, velocity: 1, axes: 0 }"));
    assert!(body(&text, "equations").ends_with("out[0] = b.position.x - time;"));
    assert_eq!(
        body(&text, "velocity_equations"),
        "        let a_angular_velocity = velocities[0][2];
        let b_angular_velocity = velocities[1][2];
        out[0] = b_angular_velocity - a_angular_velocity - S::constant(self.speed);"
    );
}

#[test]
fn driven_parameters_are_state() {
    let text = rust(
        "body a
         scalar speed = 1, angle -> speed + time
         constraint a.rotation - angle",
    );
    assert!(text.contains("    pub since: Option<f64>,\n"));
    assert_eq!(
        body(&text, "driven"),
        "        let since = self.since.unwrap_or_default();
        let elapsed = self.since.map_or(S::zero(), |since| time - S::constant(since));
        let at = |value: f64, rate: f64| S::constant(value) + S::constant(rate) * elapsed;
        at(self.angle, self.speed + since)"
    );
    assert_eq!(
        body(&text, "prepare"),
        "        self.angle = self.driven(time);\n        self.since = Some(time);"
    );
    assert!(body(&text, "equations").contains("let angle = self.driven(time);"));
    assert!(body(&text, "parameters").contains("numbers.extend(self.since);"));
}

#[test]
fn defaults_are_given_where_all_parameters_have_one() {
    let with = |declared: &str| rust(&format!("body a  {declared}  axis q = a.rotation"));
    assert!(with("").contains("#[derive(Clone, Debug, PartialEq, Default)]\npub struct Joint;"));
    assert!(with("scalar s = 0").contains("PartialEq, Default)]\npub struct Joint {"));
    assert!(with("scalar s = 1").contains("        Self { s: 1.0 }\n"));
    let matrix = with("matrix m = [1 2; 3 inf], n = [0 0; 0 -pi]");
    assert!(matrix.contains("m: [[1.0, 2.0], [3.0, f64::INFINITY]]"));
    assert!(matrix.contains("n: [[0.0, 0.0], [0.0, -std::f64::consts::PI]]"));
    let without = with("scalar s = 1, t");
    assert!(!without.contains("Default"));
}

#[test]
fn a_check_of_numbers_alone_is_kept() {
    let text = rust("body a  axis q = a.rotation  limit 2 + 1 0 2");
    assert_eq!(
        body(&text, "validate"),
        "        check(\"2 + 1 0 2\", 3.0, 0.0, 2.0)?;\n        Ok(())"
    );
}

#[test]
fn names_are_those_of_rust() {
    let text = rust(
        "body self, Bodies
         scalar jointMin, joint_min, type, θ, remembered
         axis q = self.rotation - Bodies.rotation + jointMin * joint_min * type * θ * remembered",
    );
    for field in ["joint_min", "joint_min_2", "type_", "theta", "remembered_2"] {
        assert!(text.contains(&format!("    pub {field}: f64,\n")), "{field}\n{text}");
    }
    assert!(text.contains("let self_ = &bodies[0];"));
    assert!(text.contains("let bodies_2 = &bodies[1];"));
    let lower = parse("body a  axis q = a.rotation").to_rust("hinge").unwrap();
    assert!(lower.contains("#[allow(non_camel_case_types)]"));
}

#[test]
fn whatever_is_in_a_comment_stays_in_one() {
    let text = rust(
        "# ``` */ \u{202e} \u{7} \r# ````x\n\tbody a # \"\\\n  axis q = a.rotation # */ fn main() {}",
    );
    assert!(text.contains("/// `````kempe\n"), "{text}");
    let docs = text.lines().filter(|line| line.starts_with("///"));
    assert!(docs.clone().count() > 5);
    assert!(!text.contains(['\u{202e}', '\u{7}', '\r', '\t']));
    assert!(!text.lines().any(|line| line.starts_with("fn main")));
}

#[test]
fn names_that_no_type_can_have() {
    let program = parse("body a  axis q = a.rotation");
    for name in ["", "2D", "a b", "fn", "Self", "Vec2", "Real", "Pose<S>", "A;", "_"] {
        let error = program.to_rust(name).unwrap_err();
        assert_eq!(error, EmitError::TypeName { name: name.to_owned() });
    }
    let error = program.to_rust("a b").unwrap_err();
    assert_eq!(error.to_string(), "`a b` cannot be the name of the Rust type");
}

#[track_caller]
fn refused(source: &str, expected: EmitError, message: &str) {
    let error = parse(source).to_rust("Joint").unwrap_err();
    assert_eq!(error, expected);
    assert_eq!(error.to_string(), message);
}

#[test]
fn what_a_joint_from_rust_cannot_do() {
    refused(
        "body a  constraint { a.rotation, a.position.x }
         limit constraint { 0, 0 } { 0, 1 + time }",
        EmitError::MovingBounds { row: "row 2 of the constraint".to_owned() },
        "row 2 of the constraint has bounds that move, which the limit of an axis cannot",
    );
    refused(
        "body a  scalar top = 1 -> 1  axis q = a.rotation  limit q 0 top",
        EmitError::MovingBounds { row: "the axis `q`".to_owned() },
        "the axis `q` has bounds that move, which the limit of an axis cannot",
    );
    refused(
        "body a  velocity constraint a.velocity  limit velocity constraint [0, -1] [0, 1]",
        EmitError::VelocityRange { row: "row 2 of the velocity constraint".to_owned() },
        "row 2 of the velocity constraint has bounds that are not equal, \
         which a velocity equation cannot",
    );
    refused(
        "body a  axis q = a.rotation  limit  a.position.x 0\n inf",
        EmitError::MovingCheck { limit: "a.position.x 0 inf".to_owned() },
        "`limit a.position.x 0 inf` depends on more than parameters that stay",
    );
    refused(
        "scalar s  axis q = s",
        EmitError::Size { bodies: 0, rows: 1 },
        "a joint has at least 1 body and 1 to 32 rows, the program 0 and 1",
    );
    let rows = vec!["a.rotation"; 30].join(", ");
    refused(
        &format!(
            "body a  constraint {{ {rows} }}  axis q = a.rotation  velocity constraint a.velocity"
        ),
        EmitError::Size { bodies: 1, rows: 33 },
        "a joint has at least 1 body and 1 to 32 rows, the program 1 and 33",
    );
}

#[test]
fn the_gallery_can_be_written_and_no_line_is_too_long() {
    for example in GALLERY {
        let text = rust(example.source);
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let longest = code.max_by_key(|line| line.len()).unwrap();
        assert!(longest.len() <= 100, "{}: {longest}", example.name);
        assert_eq!(text, rust(example.source), "the same every time");
    }
}

/// The page shows the equations of the program before them.
#[test]
fn the_page_shows_what_is_written() {
    let section = PAGE.split("## Writing a joint out as Rust").nth(1).unwrap();
    let block = |language: &str| {
        let start = section.find(&format!("```{language}\n")).unwrap() + language.len() + 4;
        &section[start..start + section[start..].find("```").unwrap()]
    };
    let text = parse(block("kempe")).to_rust("Rod").unwrap();
    for line in block("text").lines().filter(|line| *line != "…") {
        assert!(text.contains(line), "`{line}` is not in\n{text}");
    }
}
