//! Every scene of the gallery: it loads, says what it is, and does what it must under both solvers.
#![expect(clippy::panic, reason = "test helpers fail by panicking")]

use kempe_scenes::file::{self, Kind, Loaded, Notation, Solver};
use kempe_scenes::gallery::{self, Example, gallery};
use kempe_scenes::run::{self, Frames, Options, Outcome};
use std::collections::HashSet;
use std::path::Path;

fn open(example: &Example) -> Loaded {
    example.open(&[]).unwrap_or_else(|error| panic!("{}", error.render(false)))
}

/// What does not hold, in words.
fn failures(example: &Example, solver: Solver) -> Vec<String> {
    let scene = open(example);
    let (frames, joints) = (Frames::Every(u64::MAX), Some(false));
    let options = Options { solver, frames, joints, ..Options::of(&scene) };
    let recording = match run::run(&scene, &options, &mut run::unwatched) {
        Ok(recording) => recording,
        Err(error) => return vec![format!("{} by {solver:?}: {error}", example.name)],
    };
    let for_other = |expected: &file::Expected| expected.solver.is_some_and(|own| own != solver);
    let each = scene.expected.iter().zip(&recording.verdicts);
    each.filter(|(expected, verdict)| {
        let fits = if for_other(expected) { Outcome::Skipped } else { Outcome::Met };
        verdict.outcome != fits
    })
    .map(|(_, verdict)| format!("{} by {solver:?}: {verdict:?}", example.name))
    .collect()
}

fn all_hold(solver: Solver) {
    let failed: Vec<String> =
        gallery().iter().flat_map(|example| failures(example, solver)).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn what_is_expected_holds_in_real_time() {
    all_hold(Solver::RealTime);
}

#[test]
fn what_is_expected_holds_by_the_reference_solver() {
    all_hold(Solver::Reference);
}

#[test]
fn every_scene_is_told_and_expects_something_of_both_solvers() {
    let mut names = HashSet::new();
    for example in gallery() {
        let scene = open(example);
        let name = example.name;
        assert!(names.insert(name), "{name} is there twice");
        assert_eq!(scene.model.name.as_deref(), Some(name));
        assert_eq!(scene.model.about.as_deref(), Some(example.about()), "{name}");
        assert!((10..=100).contains(&example.about().chars().count()), "{name}");
        assert!(!scene.traces.is_empty() && !scene.probes.is_empty(), "{name}");
        for solver in [Solver::RealTime, Solver::Reference] {
            let applies = |own: Option<Solver>| own.is_none_or(|own| own == solver);
            assert!(scene.expected.iter().any(|each| applies(each.solver)), "{name} {solver:?}");
        }
        let first = scene.read(&scene.world);
        assert!(first.iter().all(|value| value.is_finite()), "{name}: {first:?}");
        // It starts with its joints closed, but for those that yield.
        for (id, joint) in scene.world.joints() {
            let (m, rad) = scene.world.joint_separation(id).unwrap();
            let yields = joint.def().softness != kempe2d::Softness::Rigid;
            assert!(yields || m.max(rad) < 1e-9, "{name} starts open by {m} m, {rad} rad");
        }
    }
}

#[test]
fn every_scene_comes_back_as_it_was_written() {
    for example in gallery() {
        let model = open(example).model;
        for notation in [Notation::Ron, Notation::Json] {
            let text = file::write(&model, notation).unwrap();
            let again = file::parse(example.name, &text, notation, &[]);
            let again = again.unwrap_or_else(|error| panic!("{}", error.render(false)));
            assert_eq!(again.model, model, "{}", example.name);
            assert_eq!(again.world.state_hash(), open(example).world.state_hash());
        }
    }
}

/// The files themselves, and that there is none which is not listed.
#[test]
fn the_files_are_what_is_in_the_crate() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let mut listed = 0;
    for example in gallery() {
        let loaded = file::load(folder.join(format!("{}.ron", example.name))).unwrap();
        assert_eq!(loaded.world.state_hash(), open(example).world.state_hash(), "{}", example.name);
        listed += 1 + example.files.len();
    }
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), listed);
}

#[test]
fn every_kind_of_joint_and_everything_on_an_axis_is_shown() {
    let scenes: Vec<Loaded> = gallery().iter().map(open).collect();
    let joints: Vec<&file::Joint> = scenes.iter().flat_map(|scene| &scene.model.joints).collect();
    for kind in [
        Kind::Weld,
        Kind::Revolute,
        Kind::Prismatic,
        Kind::Slot,
        Kind::Distance,
        Kind::Angle,
        Kind::Pulley,
        Kind::Generic,
        Kind::Drive,
        Kind::Tendon,
        Kind::Path,
        Kind::Coupling,
        Kind::Filter,
        Kind::Text,
    ] {
        assert!(joints.iter().any(|joint| joint.kind == kind), "no scene has a {kind:?}");
    }
    type Has = fn(&file::Joint) -> bool;
    let all: [(&str, Has); 16] = [
        ("limit", |joint| joint.limit.is_some()),
        ("restitution", |j| j.limit.as_ref().is_some_and(|limit| limit.restitution.is_some())),
        ("soft stop", |j| j.limit.as_ref().is_some_and(|limit| limit.softness.is_some())),
        ("speed", |j| j.motor.as_ref().is_some_and(|motor| motor.speed.is_some())),
        ("target", |j| j.motor.as_ref().is_some_and(|motor| motor.target.is_some())),
        ("force", |j| j.motor.as_ref().is_some_and(|motor| motor.force.is_some())),
        ("hertz", |j| j.spring.as_ref().is_some_and(|spring| spring.hertz.is_some())),
        ("stiffness", |j| j.spring.as_ref().is_some_and(|spring| spring.stiffness.is_some())),
        ("law", |joint| joint.law.is_some()),
        ("friction", |joint| joint.friction.is_some()),
        ("ratchet", |joint| joint.ratchet.is_some()),
        ("breaking", |joint| joint.breaking.is_some()),
        ("axes", |joint| joint.axes.is_some()),
        ("soft hold", |joint| joint.softness.is_some()),
        ("polynomial", |j| j.terms.iter().flatten().any(|term| term.polynomial.is_some())),
        ("curve", |j| j.terms.iter().flatten().any(|term| term.curve.is_some())),
    ];
    for (what, has) in all {
        assert!(joints.iter().any(|joint| has(joint)), "no scene has: {what}");
    }
}

#[test]
fn names_that_are_near_are_told_and_numbers_can_be_set() {
    let error = gallery::open("peaucelier", &[]).unwrap_err();
    assert_eq!(error.to_string(), "there is no scene `peaucelier`; did you mean `peaucellier`?");
    // Of the catalogue too, and each once.
    assert_eq!(gallery::unknown("joint_gird").near, ["joint_grid"]);
    assert_eq!(gallery::unknown("pendulm").near, ["pendulum"]);
    assert!(gallery::others().all(|entry| gallery::find(entry.name).is_none()));
    let longer = gallery::open("four_bar", &[("frame".to_owned(), 1.2)]).unwrap();
    assert_eq!(longer.world[longer.bodies["rocker"]].position().x, 1.2);
    let error = gallery::open("four_bar", &[("fram".to_owned(), 1.2)]).unwrap_err();
    assert!(error.to_string().contains("did you mean `frame`?"), "{error}");
}

/// A wrong number is found: what is expected is not so wide that anything would do.
#[test]
fn what_is_expected_can_fail() {
    for (name, path, value) in [
        ("pendulum", "bodies.rod.mass.center.0", 0.51),
        ("four_bar", "bodies.coupler.mass.inertia", 0.54),
        ("spring_pendulum", "joints.spring.spring.stiffness", 42.0),
        ("andrews", "joints.motor.motor.force", 0.034),
        ("atwood", "bodies.heavy.mass", 2.02),
        ("planetary_gear", "joints.ring mesh.terms.0.ratio", 61.0),
        ("quarter_car", "joints.strut.axes.0.spring.stiffness", 17000.0),
        ("trebuchet", "joints.sling.breaking.force", 2000.0),
        ("jansen_leg", "parameters.m", 0.151),
        ("flywheel_brake", "joints.shaft.friction", 3.05),
    ] {
        let scene = gallery::open(name, &[(path.to_owned(), value)]).unwrap();
        for solver in [Solver::RealTime, Solver::Reference] {
            let options = Options { solver, ..Options::of(&scene) };
            let recording = run::run(&scene, &options, &mut run::unwatched).unwrap();
            assert!(!recording.is_as_expected(), "{name} by {solver:?} with {path} of {value}");
        }
    }
}
