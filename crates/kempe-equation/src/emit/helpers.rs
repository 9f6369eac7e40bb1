//! The functions that a text brings along, each only where it is called.

const TINY: &str = "\
/// A vector whose square is below this counts as zero.
const TINY: f64 = 1e-30;
";

/// By how it is called, a function.
const HELPERS: &[(&str, &str)] = &[
    (
        " check(",
        "\
/// Refuses a value that is not between its bounds.
fn check(limit: &str, value: f64, lower: f64, upper: f64) -> Result<(), String> {
    if (lower..=upper).contains(&value) {
        return Ok(());
    }
    Err(format!(\"`limit {limit}` fails: {value} is not between {lower} and {upper}\"))
}
",
    ),
    (
        " remember(",
        "\
/// Keeps the direction of `u`, if it has one.
fn remember(u: Vec2, last: &mut Vec2) {
    let length = u.length();
    if length * length > TINY && length.is_finite() {
        *last = u * (1.0 / length);
    }
}
",
    ),
    (
        "guarded_length(",
        "\
/// |u|; where it is zero it grows along `last`.
fn guarded_length<S: Real>(u: Vec2<S>, last: Vec2) -> S {
    let square = u.length_squared();
    S::constant(TINY).choose(square, u.dot(Vec2::constant(last)), square.sqrt())
}
",
    ),
    (
        "guarded_unit(",
        "\
/// The direction of `u`; where it has none, `last`.
fn guarded_unit<S: Real>(u: Vec2<S>, last: Vec2) -> Vec2<S> {
    let (tiny, square) = (S::constant(TINY), u.length_squared());
    let length = square.sqrt();
    let x = tiny.choose(square, S::constant(last.x), u.x / length);
    let y = tiny.choose(square, S::constant(last.y), u.y / length);
    Vec2::new(x, y)
}
",
    ),
    (
        "guarded_angle(",
        "\
/// The angle of (x, y); where it has none, that of `last`.
fn guarded_angle<S: Real>(y: S, x: S, last: Vec2) -> S {
    let (tiny, square) = (S::constant(TINY), x * x + y * y);
    let y = tiny.choose(square, S::constant(last.y), y);
    let x = tiny.choose(square, S::constant(last.x), x);
    y.atan2(x)
}
",
    ),
];

/// The functions that a text calls, in front of it the number that they need.
pub(super) fn called_by(text: &str) -> Vec<&'static str> {
    let called = HELPERS.iter().filter(|(call, _)| text.contains(call));
    let mut helpers: Vec<&str> = called.map(|(_, helper)| *helper).collect();
    if helpers.iter().any(|helper| helper.contains("TINY")) {
        helpers.insert(0, TINY);
    }
    helpers
}
