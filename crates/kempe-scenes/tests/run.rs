//! Runs of scene files by both solvers: what is kept, what is judged, and what goes wrong.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use kempe_scenes::file::{self, Loaded, Notation, Solver};
use kempe_scenes::run::{self, Frames, Options, Outcome, RunError, Summary, unwatched};
use std::ops::ControlFlow;

const PENDULUM: &str = r#"(
    version: 1,
    name: "pendulum",
    bodies: [(name: "bob", position: (1, 0), mass: 2, shapes: [(circle: (radius: 0.1))])],
    joints: [(name: "pin", kind: revolute, bodies: (ground, bob), at: (0, 0))],
    probes: [
        (name: "height", body: bob, what: y),
        (name: "pull", joint: pin, what: force),
        (name: "energy", what: mechanical),
    ],
    traces: [(body: bob)],
    run: (duration: 1, step: 0.01),
    expect: [EXPECT],
)"#;

fn pendulum(expect: &str) -> Loaded {
    let text = PENDULUM.replace("EXPECT", expect);
    file::parse("pendulum.ron", &text, Notation::Ron, &[]).unwrap()
}

fn by(loaded: &Loaded, solver: Solver) -> Options {
    Options { solver, ..Options::of(loaded) }
}

const BOTH: [Solver; 2] = [Solver::RealTime, Solver::Reference];

#[test]
fn both_solvers_keep_the_same_motion() {
    let scene = pendulum("");
    let [fast, exact] = BOTH.map(|solver| run::run(&scene, &by(&scene, solver), &mut unwatched));
    let (fast, exact) = (fast.unwrap(), exact.unwrap());
    for one in [&fast, &exact] {
        assert_eq!(one.times.len(), 61);
        assert_eq!((one.times[0], *one.times.last().unwrap()), (0.0, 1.0));
        assert_eq!(one.probe_times.len(), 101);
        assert_eq!(one.poses.len(), one.times.len());
        assert_eq!(one.joint_states.len(), one.times.len());
        assert_eq!(one.energies.len(), one.times.len());
        assert_eq!(one.probe_units, ["m", "N", "J"]);
    }
    assert_eq!(fast.times, exact.times);
    let bob = fast.bodies.iter().position(|body| body.name == "bob").unwrap();
    for (a, b) in fast.poses.iter().zip(&exact.poses) {
        assert!((a[bob][1] - b[bob][1]).abs() < 0.02, "{a:?} {b:?}");
    }
    // The pull is known by both, and not by one alone; the first was read before the first step.
    let pull = |one: &run::Recording| one.probes[1][50];
    assert!(pull(&exact) > 10.0 && (pull(&fast) / pull(&exact) - 1.0).abs() < 0.05);
    let drift = exact.energies.last().unwrap().total() - exact.energies[0].total();
    assert!(drift.abs() < 1e-2, "{drift}");
    assert!(exact.peaks[0].error_m < 1e-9 && exact.peaks[0].force > 10.0);
}

#[test]
fn two_runs_end_with_the_same_bits() {
    let scene = pendulum("");
    for solver in BOTH {
        let hash = |options: &Options| run::run(&scene, options, &mut unwatched).unwrap().hash;
        let options = by(&scene, solver);
        let first = hash(&options);
        assert_eq!(first, hash(&options));
        // What is kept changes nothing.
        assert_eq!(
            first,
            hash(&Options { frames: Frames::Every(7), joints: Some(false), ..options })
        );
        assert_ne!(first, hash(&Options { duration: 0.5, ..options }));
    }
}

#[test]
fn a_value_between_steps_is_read_at_its_time_and_disturbs_nothing() {
    let plain = pendulum("");
    // y of a pendulum that starts level, some milliseconds after a step has ended.
    let scene = pendulum("(probe: height, at: 0.3037, is: 0, within: 0)");
    for solver in BOTH {
        let found = run::run(&scene, &by(&scene, solver), &mut unwatched).unwrap();
        let fine = Options { step: 0.0001, ..by(&scene, Solver::Reference) };
        let fine = run::run(&plain, &fine, &mut unwatched).unwrap();
        let at = fine.probe_times.iter().position(|time| (time - 0.3037).abs() < 1e-9).unwrap();
        let verdict = &found.verdicts[0];
        assert_eq!((verdict.outcome, verdict.time), (Outcome::Unmet, Some(0.3037)));
        assert!((verdict.found.unwrap() - fine.probes[0][at]).abs() < 2e-3, "{verdict:?}");
        let alone = run::run(&plain, &by(&plain, solver), &mut unwatched).unwrap();
        assert_eq!(alone.hash, found.hash);
    }
}

#[test]
fn expectations_are_met_or_not() {
    let scene = pendulum(
        "(probe: height, max: 0.01), (probe: height, min: -0.5), (probe: energy, drift: 0.1),
         (probe: energy, drift: 0, solver: real_time), (separation: 0.01), (separation: 0),
         (joint: pin, breaks: false), (joint: pin, breaks: true), (probe: height, at: 1, is: 0),
         (probe: height, is: 7, within: 1)",
    );
    let shorter = Options { duration: 0.98, ..by(&scene, Solver::Reference) };
    let found = run::run(&scene, &shorter, &mut unwatched).unwrap();
    let outcomes: Vec<Outcome> = found.verdicts.iter().map(|each| each.outcome).collect();
    use Outcome::{Met, Skipped, Unmet};
    assert_eq!(outcomes, [Met, Unmet, Met, Skipped, Met, Unmet, Met, Unmet, Skipped, Unmet]);
    assert!(!found.is_as_expected());
    let lowest = &found.verdicts[1];
    assert!(lowest.found.unwrap() < -0.99 && lowest.wanted == Some(-0.5));
    assert!(found.verdicts[8].reason.as_ref().unwrap().contains("before"));
}

#[test]
fn a_run_ends_at_its_time_with_a_shorter_step() {
    let scene = pendulum("");
    for solver in BOTH {
        let options = Options { duration: 0.105, step: 0.02, ..by(&scene, solver) };
        let found = run::run(&scene, &options, &mut unwatched).unwrap();
        assert_eq!(found.steps, 6);
        assert!((found.world.time() - 0.105).abs() < 1e-12, "{}", found.world.time());
        assert_eq!(found.times.last(), Some(&0.105));
    }
}

#[test]
fn a_run_can_be_watched_and_ended() {
    let scene = pendulum("");
    for solver in BOTH {
        let mut seen = Vec::new();
        let mut watch = |part: f64| {
            seen.push(part);
            if part >= 0.5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = Options { duration: 20.0, ..by(&scene, solver) };
        let error = run::run(&scene, &options, &mut watch).unwrap_err();
        assert!(matches!(error, RunError::Cancelled { .. }), "{error}");
        assert!(seen.windows(2).all(|pair| pair[0] < pair[1]) && seen.len() < 2000);
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let scene = pendulum("");
    let plan = Options::of(&scene);
    let nan = f64::NAN;
    for (options, word) in [
        (Options { duration: nan, ..plan }, "duration"),
        (Options { step: 0.0, ..plan }, "step"),
        (Options { step: -1.0, ..plan }, "step"),
        (Options { duration: 1e6, step: 1e-9, ..plan }, "steps"),
        (Options { frames: Frames::PerSecond(nan), ..plan }, "frames"),
        (Options { frames: Frames::Every(0), ..plan }, "frame"),
    ] {
        let error = run::run(&scene, &options, &mut unwatched).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn the_reference_solver_tells_which_joint_it_is_not_for() {
    let mut scene = pendulum("");
    let pin = scene.joints["pin"];
    scene.world.edit_joint(pin, |def| def.axis_mut(0).friction = Some(1.0)).unwrap();
    let method = kempe2d::Method::Rattle { order: 2 };
    let options = Options { method, ..by(&scene, Solver::Reference) };
    let error = run::run(&scene, &options, &mut unwatched).unwrap_err().to_string();
    assert!(error.contains("`pin` loses energy by friction"), "{error}");
}

#[test]
fn long_runs_and_many_joints_are_thinned() {
    let scene = pendulum("");
    let options = Options { frames: Frames::Every(1), ..Options::of(&scene) };
    let found = run::run(&scene, &options, &mut unwatched).unwrap();
    assert_eq!(found.times.len(), 101);
    let options = Options { frames: Frames::PerSecond(10.0), ..options };
    let found = run::run(&scene, &options, &mut unwatched).unwrap();
    assert_eq!(found.times.len(), 11);
    assert!((found.times[3] - 0.3).abs() < 1e-12);
}

#[test]
fn a_summary_is_written_with_names() {
    let scene = pendulum("(probe: height, max: 0.01)");
    let found = run::run(&scene, &Options::of(&scene), &mut unwatched).unwrap();
    let json = serde_json::to_value(Summary::of(&scene, &found)).unwrap();
    assert_eq!(json["name"], "pendulum");
    assert_eq!(json["solver"], "real_time");
    assert_eq!(json["bodies"][0]["name"], "bob");
    assert_eq!(json["joints"][0]["name"], "pin");
    assert!(json["joints"][0]["impulse"].as_f64().unwrap() > 0.0);
    assert_eq!(json["expectations"][0]["outcome"], "met");
    assert_eq!(json["state_hash"].as_str().unwrap().len(), 16);
}

#[test]
fn what_breaks_is_told_by_its_name() {
    let text = PENDULUM
        .replace("at: (0, 0)", "at: (0, 0), breaking: (force: 30)")
        .replace("EXPECT", "(joint: pin, breaks: true)");
    let scene = file::parse("pendulum.ron", &text, Notation::Ron, &[]).unwrap();
    for solver in BOTH {
        let found = run::run(&scene, &by(&scene, solver), &mut unwatched).unwrap();
        assert!(found.verdicts[0].is_met(), "{:?}", found.verdicts);
        let broke = found.events.iter().find(|event| event.text.starts_with("`pin` broke"));
        let time = broke.unwrap().time;
        assert!(time > 0.2 && time < 0.8);
        let broken = |frame: usize| found.joint_states[frame][0].broken;
        assert!(!broken(0) && broken(found.times.len() - 1));
    }
}

#[test]
fn a_body_that_is_nowhere_spoils_a_run() {
    let text = r#"(version: 1, bodies: [(name: "rod", position: (1.5e308, 0), mass: 1,
        velocity: (1.7e308, 0))])"#;
    let scene = file::parse("far.ron", text, Notation::Ron, &[]).unwrap();
    let options = Options { duration: 0.5, ..Options::of(&scene) };
    let recording = run::run(&scene, &options, &mut unwatched).unwrap();
    let first = recording.spoiled.unwrap();
    assert!(first.text.contains("`rod` was stopped") && first.time < 0.3, "{first:?}");
}

#[test]
fn what_is_expected_after_the_end_is_refused() {
    let text = r#"(version: 1, bodies: [(name: "rod")], probes: [(name: "y", body: rod, what: y)],
        run: (duration: 2), expect: [(probe: y, at: 20, is: 0, within: 1)])"#;
    let error = file::parse("late.ron", text, Notation::Ron, &[]).unwrap_err().to_string();
    assert!(error.starts_with("late.ron:2:") && error.contains("ends before, at 2 s"), "{error}");
}
