//! Programs that are deep, long or many: what the limits of the compiler are for.

use super::token::random_token;
use crate::random::Random;

/// What opens, what stands innermost, and what closes.
const NESTS: [(&str, &str, &str); 22] = [
    ("(", "1", ")"),
    ("-", "1", ""),
    ("+", "1", ""),
    ("- ", "a.rotation", ""),
    ("unit ", "a.position", ""),
    ("unit -", "a.position", ""),
    ("perp -", "a.position", ""),
    ("|", "1", "|"),
    ("|1 + ", "1", "|"),
    ("2^", "2", ""),
    ("2^-", "a.rotation", ""),
    ("[1 ", "1", "]"),
    ("{", "1", "}"),
    ("sin(", "a.rotation", ")"),
    ("sqrt(1+", "a.rotation", ")"),
    ("choose(time, 1, ", "a.rotation", ")"),
    ("atan2(1, ", "a.rotation", ")"),
    ("relative -1 ", "a.position", ""),
    ("relative (", "a.rotation", ") [1 0]"),
    ("let q = 1 in (", "a.rotation", ")"),
    ("let q = ", "1", " in q"),
    ("transpose ([1 2; 3 4] * ", "[1 2; 3 4]", ")"),
];

/// Links of long chains, and what stands around the chain.
const CHAINS: [(&str, &str, &str, &str); 22] = [
    ("constraint ", "a.rotation", "+a.rotation", ""),
    ("constraint ", "1", "-time", ""),
    ("constraint ", "time", "*time", ""),
    ("constraint ", "time", "/time", ""),
    ("constraint ", "a.rotation", "*a.rotation", ""),
    ("constraint ", "a.position.x", "/a.position.y", ""),
    ("constraint |", "a.position", "+a.position*time", "|"),
    ("constraint unit(", "a.position", "*time", ")"),
    ("constraint perp(", "a.position", "*time", ")"),
    ("constraint perp(", "a.position", "*a.rotation", ")"),
    ("constraint ", "[1 2; 3 4]", "*[1 a.rotation; 3 4]", "*a.position"),
    ("constraint ", "a.position", " cross a.rotation", ""),
    ("constraint ", "1", " dot time", ""),
    ("constraint ", "1", " outer time", ""),
    ("constraint ", "a.angularVel", "+a.angularVel", ""),
    ("velocity constraint ", "a.angularVel", "*time", ""),
    ("velocity constraint ", "a.velocity.x", "+time*a.velocity.x", ""),
    ("velocity constraint ", "a.angularVel", "*a.angularVel", ""),
    ("constraint {", "a.rotation", " a.rotation", "}"),
    ("constraint {", "a.angularVel", ", a.angularVel", "}"),
    ("constraint min(1, ", "a.rotation", "+|a.rotation|*2", ")"),
    ("constraint sin(", "a.rotation", ")+sin(a.rotation", ")"),
];

/// Declarations that may stand many times; `@` is a number that counts them.
const MANY: [&str; 20] = [
    "let v@ = 1\n",
    "let v@ = time * @\n",
    "axis q@ = a.rotation\n",
    "axis q@ = sin(@ * a.rotation)\n",
    "scalar s@\n",
    "vector s@ = [1 2] -> [time @]\n",
    "matrix s@\n",
    "body c@\n",
    "limit 0 0 1\n",
    "limit a.rotation (-inf) inf\n",
    "limit @ 1 0\n",
    "constraint |a.position| - @\n",
    "constraint a.rotaton\n",
    "velocity constraint a.velocity.x\n",
    "let a = @\n",
    "let v = @ in\n",
    "axis w@ = a.angularVel\n",
    "@",
    "@x ",
    "# @\n",
];

/// Lets inside one expression: each binds a name that the next uses.
const LETS: [(&str, &str); 9] = [
    ("let v = v * v in ", "let v = a.rotation in "),
    ("let v = v + sin(v) in ", "let v = a.rotation in "),
    ("let v@ = @ * time in ", "let v = time in "),
    ("let v = relative a v in ", "let v = a.position in "),
    ("let v = unit v + a.position in ", "let v = a.position in "),
    ("let v = perp (v * time) in ", "let v = a.position in "),
    ("let v = choose(v, v * 2, -v) in ", "let v = a.rotation in "),
    ("let v = v^2 / (1 + v) in ", "let v = a.rotation in "),
    ("let v = |v| * [v.x time] in ", "let v = a.position in "),
];

/// How many: mostly near the limit of depth, at times as many as fit into a program.
fn count(random: &mut Random, width: usize) -> usize {
    let most = 66_000 / width.max(1);
    match random.below(8) {
        0..=2 => random.between(2, 40),
        3..=5 => random.between(58, 70),
        6 => random.between(40, 1000).min(most),
        _ => random.between(most / 2, most),
    }
}

/// A program, or a part of one, that is extreme in some way.
pub(super) fn extreme(random: &mut Random) -> String {
    match random.below(5) {
        0 => {
            let nest = nested(random);
            format!("body a constraint {nest}")
        }
        1 => chained(random),
        2 => {
            let link = random.pick(&MANY);
            let times = count(random, link.len());
            let mut text = String::from("body a constraint a.rotation\n");
            (0..times).for_each(|at| text.push_str(&link.replace('@', &at.to_string())));
            text
        }
        3 => {
            let (link, first) = random.pick(&LETS);
            let times = count(random, link.len());
            let mut text = format!("body a constraint {first}");
            (0..times).for_each(|at| text.push_str(&link.replace('@', &at.to_string())));
            text + "v"
        }
        _ => {
            let token = random_token(random) + random.pick(&["", " ", "\n", ","]);
            let times = count(random, token.len());
            format!("body a constraint {}", token.repeat(times))
        }
    }
}

/// An expression inside itself many times.
pub(super) fn nested(random: &mut Random) -> String {
    let (open, inner, close) = random.pick(&NESTS);
    let times = count(random, open.len() + close.len());
    let closed = if random.chance(85) { times } else { random.below(times) };
    format!("{}{inner}{}", open.repeat(times), close.repeat(closed))
}

fn chained(random: &mut Random) -> String {
    let (before, first, link, after) = random.pick(&CHAINS);
    let times = count(random, link.len());
    // The same chain in several rows costs more than one.
    let rows = random.pick(&[1, 1, 1, 8, 30]);
    let chain = format!("{first}{}", link.repeat(times / rows + 1));
    if rows == 1 || !before.ends_with("constraint ") {
        return format!("body a {before}{chain}{after}");
    }
    let all: Vec<String> = (0..rows).map(|row| format!("{chain}{after}*{row}")).collect();
    format!("body a {before}{{ {} }}", all.join(", "))
}
