//! Expressions that give no number: told, or refused.

use super::{H, WAYS, mass, world};
use kempe2d::{
    Axis, Direct, Event, ForceLaw, ForceRange, JointDef, Method, Motor, Reference, ReferenceError,
    Registry, Softness, Target, Vec2, World,
};

/// Everything that can follow an expression, of one that has no value before 0.5 s.
fn axes() -> [(&'static str, Axis); 6] {
    let late = || Target::expression("sqrt(time - 0.5)").unwrap();
    let softness = Softness::Hertz { hertz: 4.0, damping_ratio: 1.0 };
    let force = ForceRange::default();
    let law = ForceLaw::text("sqrt(time - 0.5) - q - speed").unwrap();
    [
        ("speed", Axis::driven(Motor::at(late()))),
        ("target", Axis::driven(Motor::Position { target: late(), softness, force })),
        (
            "target of both",
            Axis::driven(Motor::Both { target: late(), speed: 0.0.into(), softness, force }),
        ),
        (
            "speed of both",
            Axis::driven(Motor::Both { target: 0.0.into(), speed: late(), softness, force }),
        ),
        ("force", Axis::driven(Motor::Force { force: late() })),
        ("law", Axis { law: Some(law), ..Axis::default() }),
    ]
}

fn slider(world: &mut World, axis: &Axis) -> kempe2d::JointId {
    let ground = world.ground().unwrap();
    let body = world.add_body(&mass(1.0, Vec2::ZERO)).unwrap();
    let def = JointDef::prismatic(ground, body, [Vec2::ZERO; 2], Vec2::X).with_axis(axis.clone());
    world.add_joint(&def).unwrap()
}

#[test]
fn an_expression_without_a_number_is_told_of_once() {
    for direct in WAYS {
        for (name, axis) in axes() {
            let mut world = world(direct, Vec2::ZERO);
            let joint = slider(&mut world, &axis);
            let mut told = Vec::new();
            for step in 0..60 {
                if step == 10 {
                    // A snapshot in between tells it no second time.
                    world = World::from_snapshot(&world.snapshot(), &Registry::default()).unwrap();
                }
                let events = world.step(H).unwrap().events.iter();
                told.extend(events.filter(|e| matches!(e, Event::NoNumber { .. })).copied());
            }
            let axis = told.iter().map(|event| match event {
                Event::NoNumber { joint, axis } => (joint.index(), *axis),
                _ => (usize::MAX, 0),
            });
            assert_eq!(axis.collect::<Vec<_>>(), [(joint.index(), 0)], "{name} ({direct:?})");
        }
    }
}

#[test]
fn the_reference_solver_refuses_an_expression_without_a_number() {
    for (name, axis) in axes() {
        let mut world = world(Direct::Auto, Vec2::ZERO);
        let joint = slider(&mut world, &axis);
        let result = Reference::new(Method::Theta { k: 0.5 }).run(&mut world, 0.3, 1e-2);
        match result {
            Err(ReferenceError::NoValue { joint: named }) => assert_eq!(named, joint),
            Err(_) if name == "law" => {}
            other => panic!("{name}: {other:?}"),
        }
    }
}
