//! The catalogue of joints against the sources: every kind, with its rows, its axes and every
//! constructor that makes it.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use kempe2d::equation::Program;
use kempe2d::{
    Axis, BodyDef, BodyId, Constraint, Counts, Curve, JointDef, JointId, KindInfo, Path, Pose,
    Pull, Real, Softness, TextJoint, UserJoint, Vec2, World,
};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug)]
struct Apart;

impl Constraint for Apart {
    fn name(&self) -> &str {
        "user"
    }

    fn counts(&self) -> Counts {
        Counts::held(1)
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        out[0] = bodies[1].position.x - bodies[0].position.x - S::one();
    }
}

/// A joint from every constructor there is.
fn made() -> Vec<(&'static str, JointDef)> {
    let mut world = World::default();
    let a = world.ground().unwrap();
    let b = world.add_body(&BodyDef { position: Vec2::X, ..BodyDef::dynamic() }).unwrap();
    let pin = world.add_joint(&world.revolute_at(a, b, Vec2::ZERO).unwrap()).unwrap();
    let mut all = of_two(a, b);
    all.extend(of_many(a, b));
    all.extend(of_joints(pin));
    all.extend([
        ("World::weld_at", world.weld_at(a, b, Vec2::ZERO).unwrap()),
        ("World::revolute_at", world.revolute_at(a, b, Vec2::ZERO).unwrap()),
        ("World::prismatic_at", world.prismatic_at(a, b, Vec2::ZERO, Vec2::X).unwrap()),
        ("World::slot_at", world.slot_at(a, b, Vec2::ZERO, Vec2::X).unwrap()),
        ("World::rod_between", world.rod_between(a, b, Vec2::ZERO, Vec2::X).unwrap()),
    ]);
    let program = Program::parse("body a, b  constraint |b.position - a.position| - 1").unwrap();
    let text = TextJoint::new(&program).joint(&[("a", a), ("b", b)]).unwrap();
    all.extend([
        ("TextJoint::joint", text),
        ("UserJoint::joint", UserJoint::new(Apart).joint(&[a, b])),
    ]);
    all
}

fn of_two(a: BodyId, b: BodyId) -> Vec<(&'static str, JointDef)> {
    let (at, soft) = ([Vec2::ZERO; 2], Softness::Hertz { hertz: 2.0, damping_ratio: 1.0 });
    let (zero, up) = (Vec2::ZERO, Vec2::Y);
    let axes = [Axis::default(), Axis::held(0.0), Axis::held(0.0)];
    vec![
        ("JointDef::weld", JointDef::weld(a, b, at, 0.0)),
        ("JointDef::revolute", JointDef::revolute(a, b, at)),
        ("JointDef::prismatic", JointDef::prismatic(a, b, at, up)),
        ("JointDef::slot", JointDef::slot(a, b, at, up)),
        ("JointDef::groove", JointDef::groove(a, b, [zero, up], zero)),
        ("JointDef::wheel", JointDef::wheel(a, b, at, up, soft)),
        ("JointDef::rod", JointDef::rod(a, b, at, 1.0)),
        ("JointDef::range", JointDef::range(a, b, at, 1.0, 2.0)),
        ("JointDef::rope", JointDef::rope(a, b, at, 1.0)),
        ("JointDef::strut", JointDef::strut(a, b, at, 1.0)),
        ("JointDef::winch", JointDef::winch(a, b, at, 1.0, 1.0)),
        ("JointDef::spring", JointDef::spring(a, b, at, 1.0, soft)),
        ("JointDef::tension_spring", JointDef::tension_spring(a, b, at, 1.0, soft)),
        ("JointDef::compression_spring", JointDef::compression_spring(a, b, at, 1.0, soft)),
        ("JointDef::angle_range", JointDef::angle_range(a, b, 1.0, 0.0, 1.0)),
        ("JointDef::gear", JointDef::gear(a, b, 1.0, 0.0)),
        ("JointDef::angular_spring", JointDef::angular_spring(a, b, 0.0, soft)),
        ("JointDef::angular_motor", JointDef::angular_motor(a, b, 1.0, 1.0)),
        ("JointDef::ratchet", JointDef::ratchet(a, b, 0.0, 1.0)),
        ("JointDef::generic", JointDef::generic(a, b, at, axes)),
        ("JointDef::mover", JointDef::mover(a, b, zero, [1.0; 2])),
        ("JointDef::pogo", JointDef::pogo(a, b, at, up, 1.0, soft, 1.0, 1.0)),
        ("JointDef::drive", JointDef::drive(a, b, at, Pull::default())),
        ("JointDef::mouse", JointDef::mouse(a, b, zero, zero, soft, 1.0)),
        ("JointDef::top_down_friction", JointDef::top_down_friction(a, b, 1.0, 1.0)),
        ("JointDef::filter", JointDef::filter(a, b)),
    ]
}

fn of_many(a: BodyId, b: BodyId) -> Vec<(&'static str, JointDef)> {
    let points = [(a, Vec2::ZERO), (b, Vec2::ZERO), (a, Vec2::X)];
    let soft = Softness::Hertz { hertz: 2.0, damping_ratio: 1.0 };
    let path = Path::polyline(&[Vec2::ZERO, Vec2::X], false).unwrap();
    let (bodies, at) = ([a, b, a, b], [Vec2::ZERO; 4]);
    vec![
        ("JointDef::pulley", JointDef::pulley(bodies, at, 1.0, 1.0)),
        ("JointDef::stiff_pulley", JointDef::stiff_pulley(bodies, at, 1.0, 1.0)),
        ("JointDef::tendon", JointDef::tendon(&points, 1.0)),
        ("JointDef::elastic_tendon", JointDef::elastic_tendon(&points, 0.0, 1.0, soft)),
        ("JointDef::path", JointDef::path(a, b, &path, Vec2::ZERO)),
        ("JointDef::path_with_exits", JointDef::path_with_exits(a, b, &path, Vec2::ZERO)),
        ("JointDef::endless_path", JointDef::endless_path(a, b, &path, Vec2::ZERO)),
        ("JointDef::carriage", JointDef::carriage(a, b, &path, Vec2::ZERO, 0.0)),
    ]
}

fn of_joints(pin: JointId) -> Vec<(&'static str, JointDef)> {
    vec![
        ("JointDef::coupling", JointDef::coupling(Vec::new(), 0.0)),
        ("JointDef::follower", JointDef::follower(pin, pin, Curve::linear(1.0))),
        ("JointDef::gears", JointDef::gears(pin, pin, 1.0, 1.0)),
        ("JointDef::planetary", JointDef::planetary([pin; 3], 1.0, 1.0)),
        ("JointDef::rack_and_pinion", JointDef::rack_and_pinion(pin, pin, 1.0)),
        ("JointDef::screw", JointDef::screw(pin, pin, 1.0)),
        ("JointDef::belt", JointDef::belt(pin, pin, 1.0, 1.0)),
    ]
}

/// The text of every file of `src/joint`.
fn sources() -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/joint");
    let files = std::fs::read_dir(folder).unwrap();
    let read = |file: std::fs::DirEntry| std::fs::read_to_string(file.path()).unwrap();
    files.map(|file| read(file.unwrap())).collect()
}

/// What makes a `JointDef` from something other than one, by what it is a function of.
fn constructors(sources: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut of = "";
    for (at, line) in sources.match_indices('\n').map(|(at, _)| (at, &sources[at + 1..])) {
        let line = line.lines().next().unwrap_or("");
        if let Some(rest) = line.strip_prefix("impl ") {
            of = rest.trim_end_matches(" {");
        }
        let Some(name) = line.strip_prefix("    pub fn ").and_then(|rest| rest.split('(').next())
        else {
            continue;
        };
        let signature = sources[at + 1..].split(" {\n").next().unwrap_or("");
        let (taken, given) = signature.rsplit_once("-> ").unwrap_or((signature, ""));
        let makes = match of {
            // All that is changed in a joint that there is already, takes `self`.
            "JointDef" => given == "Self" && !taken.contains("self"),
            "World" => given == "Result<JointDef, Error>" && !taken.contains("&JointDef"),
            _ => given == "JointDef",
        };
        // These make joints of any kind.
        if makes && !["new", "over"].contains(&name) {
            found.insert(format!("{of}::{name}"));
        }
    }
    found
}

#[test]
fn every_kind_is_there_once() {
    let sources = sources();
    let body = sources.split("pub enum JointKind {\n").nth(1).unwrap();
    let body = body.split("\n}\n").next().unwrap();
    let variants: Vec<String> = body
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .filter(|line| line.starts_with(|first: char| first.is_ascii_uppercase()))
        .map(|line| line.split([' ', '(', ',']).next().unwrap_or("").to_lowercase())
        .collect();
    let names: Vec<&str> = KindInfo::all().iter().map(|kind| kind.name).collect();
    assert_eq!(names, variants);
    let unique: BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(unique.len(), names.len());
}

#[test]
fn every_constructor_is_there_once() {
    let listed: Vec<&str> =
        KindInfo::all().iter().flat_map(|kind| kind.constructors).copied().collect();
    let unique: BTreeSet<String> = listed.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(unique.len(), listed.len(), "{listed:?}");
    // Of types that are in files of their own.
    let mut there = constructors(&sources());
    assert!(there.len() > 40, "{there:?}");
    // What a joint was made with makes none.
    assert!(there.remove("Joint::def"));
    there.extend(["TextJoint::joint", "UserJoint::joint"].map(str::to_owned));
    assert_eq!(unique, there);
}

#[test]
fn every_constructor_makes_what_it_is_listed_under() {
    let made: BTreeMap<&str, JointDef> = made().into_iter().collect();
    let listed = KindInfo::all().iter().map(|kind| kind.constructors.len()).sum::<usize>();
    assert_eq!(made.len(), listed);
    for info in KindInfo::all() {
        for name in info.constructors {
            let kind = &made[name].kind;
            assert_eq!(kind.name(), info.name, "{name}");
            if let Some(rows) = info.rows {
                assert_eq!(kind.hold_count(), rows, "{name}");
                assert_eq!(kind.axis_count(), info.axes.len(), "{name}");
            }
        }
    }
}

#[test]
fn every_kind_says_enough() {
    let engines = ["Chipmunk2D", "Nape", "Box2D", "Rapier", "Jolt", "MuJoCo", "Avian"];
    for info in KindInfo::all() {
        let name = info.name;
        assert!(info.summary.ends_with('.') && !info.bodies.is_empty(), "{name}");
        assert_eq!(info.equations.is_empty(), name == "filter");
        assert!(!info.elsewhere.is_empty(), "{name}");
        // In this order, each once.
        let place = |engine: &str| engines.iter().position(|each| *each == engine).unwrap();
        let places: Vec<usize> = info.elsewhere.iter().map(|(engine, _)| place(engine)).collect();
        assert!(places.is_sorted_by(|a, b| a < b), "{name}");
    }
}
