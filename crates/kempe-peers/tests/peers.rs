//! Small scenes on all engines: they are the same scenes, and stay together.
#![expect(clippy::unwrap_used, reason = "test helpers fail by panicking")]

use kempe_peers::box2d::Box2d;
use kempe_peers::engine::{Engine, Name, State};
use kempe_peers::failure::Failure;
use kempe_peers::kempe::{Kempe, bare};
use kempe_peers::model::{Hold, Model};
use kempe_peers::rapier::Rapier;
use kempe_peers::report;
use kempe_peers::run::{Guarded, Known, Plan, quality, scene};
use kempe_peers::scenes::SCENES;
use kempe2d::Vec2;

fn states(engine: &mut dyn Engine) -> Vec<State> {
    let mut states = Vec::new();
    engine.read(&mut states).unwrap();
    states
}

#[test]
fn every_engine_starts_where_kempe_does() {
    for entry in SCENES {
        let scene = entry.build_small().unwrap();
        let model = Model::new(&scene.world).unwrap();
        let mut kempe = Name::Kempe.build(&scene.world, &model, 1).unwrap();
        let own = states(kempe.as_mut());
        for name in Name::ALL {
            let mut engine = match name.build(&scene.world, &model, 1) {
                Ok(engine) => engine,
                Err(Failure::Lacks { .. }) if matches!(entry.name, "gears" | "pulleys") => continue,
                Err(failure) => panic!("{}, {}: {failure}", entry.name, name.text()),
            };
            let theirs = states(engine.as_mut());
            assert_eq!(own.len(), theirs.len());
            for (a, b) in own.iter().zip(&theirs) {
                let tolerance = 1e-6 * (1.0 + a.position.length());
                assert!((a.position - b.position).length() < tolerance, "{}", entry.name);
                assert!((a.cos - b.cos).hypot(a.sin - b.sin) < 1e-4, "{}", entry.name);
                assert!((a.velocity - b.velocity).length() < 1e-6);
                assert!((a.angular_velocity - b.angular_velocity).abs() < 1e-5);
            }
        }
    }
}

#[test]
fn masses_and_inertias_are_kempes() {
    for entry in SCENES.iter().filter(|entry| !matches!(entry.name, "gears" | "pulleys")) {
        let scene = entry.build_small().unwrap();
        let model = Model::new(&scene.world).unwrap();
        for shaped in [true, false] {
            let mut box2d = Box2d::new(&model, shaped, 1).unwrap();
            let mut rapier = Rapier::new(&model, shaped, 1).unwrap();
            rapier.step().unwrap();
            let dynamic = model.bodies.iter().enumerate().filter(|(_, body)| body.dynamic);
            for (place, body) in dynamic {
                let own = [body.mass.mass, body.mass.inertia];
                for theirs in [box2d.mass(place).unwrap(), rapier.mass(place)] {
                    for (a, b) in own.iter().zip(theirs) {
                        assert!((a - b).abs() < 1e-4 * a, "{}: {own:?} {theirs:?}", entry.name);
                    }
                }
            }
        }
    }
}

#[test]
fn every_engine_holds_every_scene() {
    const STEPS: usize = 30;
    for entry in SCENES {
        let scene = entry.build_small().unwrap();
        let model = Model::new(&scene.world).unwrap();
        let mut gaps = Vec::new();
        for name in Name::ALL {
            for threads in [1, 2] {
                let Ok(mut engine) = name.build(&scene.world, &model, threads) else { continue };
                let quality = quality(engine.as_mut(), &model, STEPS).unwrap();
                let label = format!("{}, {}: {quality:?}", entry.name, name.text());
                assert!(quality.finite && quality.energy_drift.is_finite(), "{label}");
                // Rapier's rope lets rods be shorter.
                let rope = matches!(name, Name::Rapier | Name::RapierBare)
                    && model.joints.iter().flatten().any(|j| matches!(j.hold, Hold::Rod { .. }));
                let most = if rope { 0.5 } else { 0.05 };
                assert!(quality.gap_max < most, "{label}");
                gaps.push((name, threads, quality.gap_max));
            }
        }
        // Threads change nothing in Kempe, nor does it matter who writes its joints.
        let own = |name: Name| gaps.iter().filter(move |gap| gap.0 == name).map(|gap| gap.2);
        for name in [Name::Kempe, Name::KempeText, Name::KempeUser, Name::KempeUserDerived] {
            let all: Vec<f64> = own(name).collect();
            assert_eq!(all[0].to_bits(), all[1].to_bits(), "{}", entry.name);
            let built_in = own(Name::Kempe).next().unwrap();
            assert!(
                (all[0] - built_in).abs() <= 0.05 * built_in + 1e-5,
                "{}: {gaps:?}",
                entry.name
            );
        }
    }
}

#[test]
fn limits_springs_and_motors_are_the_same() {
    let entry = SCENES.iter().find(|entry| entry.name == "mixed").unwrap();
    let scene = entry.build_small().unwrap();
    let model = Model::new(&scene.world).unwrap();
    let after = |name: Name| {
        let mut engine = name.build(&scene.world, &model, 1).unwrap();
        for _ in 0..30 {
            engine.step().unwrap();
        }
        states(engine.as_mut())
    };
    let own = after(Name::Kempe);
    for name in [Name::Box2d, Name::Rapier, Name::Box2dBare, Name::RapierBare] {
        let theirs = after(name);
        let apart = own.iter().zip(&theirs).map(|(a, b)| (a.position - b.position).length());
        let apart = apart.fold(0.0, f64::max);
        // Half a second of one motion: the crank has made half a turn.
        assert!(apart < 0.1, "{}: {apart}", name.text());
    }
    let moved = model.bodies.iter().zip(&own).map(|(a, b)| (a.position - b.position).length());
    assert!(moved.fold(0.0, f64::max) > 0.3);
}

#[test]
fn a_world_without_shapes_moves_alike() {
    for entry in SCENES {
        let scene = entry.build_small().unwrap();
        let model = Model::new(&scene.world).unwrap();
        let mut with = Kempe::new(scene.world.clone(), 1).unwrap();
        let mut without = Kempe::new(bare(&model).unwrap(), 1).unwrap();
        for _ in 0..10 {
            with.step().unwrap();
            without.step().unwrap();
        }
        assert!(without.world().bodies().all(|(_, body)| body.shapes().is_empty()));
        for (a, b) in states(&mut with).iter().zip(&states(&mut without)) {
            assert_eq!(a.position, b.position, "{}", entry.name);
        }
    }
}

#[test]
fn figures_are_json() {
    let entry = SCENES.iter().find(|entry| entry.name == "bridge").unwrap();
    let world = entry.build_small().unwrap().world;
    let plan = Plan { engines: Name::ALL.to_vec(), repeats: 2, steps: 3 };
    let mut guarded = Guarded::default();
    let figures = scene("bridge", &world, 1, &plan, &mut Known::new(), &mut guarded).unwrap();
    assert_eq!((figures.len(), guarded.kept), (Name::ALL.len(), 2 * Name::ALL.len()));
    let text = report::json(&figures).unwrap();
    let values: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    for value in &values {
        for field in ["ms_median", "ms_min", "spread", "gap_max", "gap_mean", "energy_drift"] {
            assert!(value[field].as_f64().unwrap() >= 0.0, "{field} of {value}");
        }
        assert_eq!((&value["scene"], &value["threads"]), (&"bridge".into(), &1.into()));
    }
    let table = report::of_scene(&figures, "bridge");
    assert!(table.aligned().contains("box2d-bare") && table.markdown().starts_with("| engine |"));
}

#[test]
fn the_closed_form_of_springs_is_met_by_small_steps() {
    let entry = SCENES.iter().find(|entry| entry.name == "springs").unwrap();
    let scene = entry.build_small().unwrap();
    let model = Model::new(&scene.world).unwrap();
    let far = |name: Name| {
        let mut engine = name.build(&scene.world, &model, 1).unwrap();
        quality(engine.as_mut(), &model, 60).unwrap()
    };
    let [kempe, box2d, rapier] = [Name::Kempe, Name::Box2d, Name::Rapier].map(far);
    // The others take a backward Euler step of 1/240 s, Kempe one of second order.
    for quality in [box2d, rapier] {
        assert!(quality.gap_max < 0.05 && quality.gap_max > 1e-3, "{quality:?}");
    }
    assert!(kempe.gap_max < 1e-3, "{kempe:?}");
    assert_eq!(model.gravity, Vec2::ZERO);
}
