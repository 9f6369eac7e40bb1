//! A scene for each program of the gallery.

use super::emitted;
use super::harness::{Case, block, case, fixed, same_motion, same_rows, scalar, vector};
use kempe2d::{BodyDef, BodyKind, Shape, Vec2};

/// Tests of a case: its rows, and its motion.
macro_rules! cases {
    ($($test:ident: $module:ident :: $name:ident, $case:expr;)*) => {
        $(#[test]
        fn $test() {
            let case: Case = $case;
            same_rows::<emitted::$module::$name>(&case);
            same_motion::<emitted::$module::$name>(&case);
        })*
    };
}

cases! {
    weld: weld::Weld, case(
        "weld",
        vec![
            ("anchor1", vector(1.0, 0.0)),
            ("anchor2", vector(-0.5, -0.2)),
            ("phase", scalar(0.0)),
        ],
        vec![BodyDef { angular_velocity: 1.0, ..block(0.0, 0.0) }, block(1.5, 0.2)],
    );
    distance: distance::Distance, case(
        "distance",
        vec![
            ("anchor1", vector(0.1, 0.2)),
            ("anchor2", vector(-0.3, 0.1)),
            ("jointMin", scalar(0.5)),
            ("jointMax", scalar(1.5)),
        ],
        vec![fixed(), block(1.2, 0.0)],
    );
    line: line::Line, case(
        "line",
        vec![
            ("anchor1", vector(0.0, 0.5)),
            ("anchor2", vector(0.0, 0.0)),
            ("direction", vector(2.0, -1.0)),
            ("jointMin", scalar(-1.0)),
            ("jointMax", scalar(2.0)),
        ],
        vec![fixed(), block(0.4, 0.3)],
    );
    pivot: pivot::Pivot, case(
        "pivot",
        vec![("anchor_a", vector(0.5, 0.5)), ("anchor_b", vector(-0.5, 0.0))],
        vec![fixed(), block(1.0, 0.5)],
    );
    angle: angle::Angle, case(
        "angle",
        vec![("ratio", scalar(2.0)), ("lowest", scalar(-0.5))],
        vec![block(0.0, 0.0), BodyDef { angular_velocity: 2.0, ..block(2.0, 0.0) }],
    );
    pulley_2: pulley_2::Pulley2, case(
        "pulley_2",
        vec![
            ("wheel_left", vector(-0.5, 0.0)),
            ("wheel_right", vector(0.5, 0.0)),
            ("hook_left", vector(-0.2, 0.1)),
            ("hook_right", vector(0.2, 0.1)),
            ("length", scalar(2.5)),
        ],
        vec![fixed(), block(0.1, -1.0)],
    );
    pulley_3: pulley_3::Pulley3, case(
        "pulley_3",
        vec![
            ("wheel_left", vector(-1.0, 0.0)),
            ("wheel_right", vector(1.0, 0.0)),
            ("hook_left", vector(0.0, 0.0)),
            ("hook_right", vector(0.1, 0.0)),
            ("length", scalar(3.0)),
        ],
        vec![fixed(), block(-1.0, -2.0), BodyDef { gravity_scale: 0.5, ..block(0.9, -1.0) }],
    );
    gear: gear::Gear, case(
        "gear",
        vec![("phase", scalar(0.0))],
        vec![fixed(), BodyDef { angular_velocity: 3.0, ..block(-1.0, 0.0) }, block(1.0, 0.0)],
    );
    rack_and_pinion: rack_and_pinion::RackAndPinion, case(
        "rack_and_pinion",
        vec![("direction", vector(0.6, -0.8)), ("radius", scalar(0.25))],
        vec![fixed(), block(0.0, 1.0), block(0.0, 0.0)],
    );
    bead_on_parabola: bead_on_parabola::BeadOnParabola, case(
        "bead_on_parabola",
        vec![],
        vec![fixed(), block(1.0, 0.5)],
    );
    bead_on_ellipse: bead_on_ellipse::BeadOnEllipse, case(
        "bead_on_ellipse",
        vec![("a", scalar(1.5))],
        vec![fixed(), block(1.2, 0.6)],
    );
    cam: cam::Cam, case(
        "cam",
        vec![("lift", scalar(0.05))],
        vec![
            fixed(),
            BodyDef { kind: BodyKind::Kinematic, angular_velocity: 1.0, ..fixed() },
            block(0.05, 0.5),
        ],
    );
    driven_crank: driven_crank::DrivenCrank, case(
        "driven_crank",
        vec![
            ("pin", vector(0.5, 0.0)),
            ("hub", vector(-0.25, 0.0)),
            ("acceleration", scalar(1.5)),
            ("speed", scalar(1.0)),
        ],
        vec![fixed(), block(0.75, 0.0)],
    );
    rolling_disc: rolling_disc::RollingDisc, case(
        "rolling_disc",
        vec![("radius", scalar(0.4))],
        vec![
            BodyDef { rotation: -0.2, ..fixed() },
            BodyDef {
                position: Vec2::new(0.0, 0.4).turned(0.2_f64.cos(), -0.2_f64.sin()),
                shapes: vec![(Shape::circle(0.4), 1.0)],
                ..BodyDef::dynamic()
            },
        ],
    );
    skate: skate::Skate, case(
        "skate",
        vec![("blade", vector(3.0, 4.0))],
        vec![
            fixed(),
            BodyDef {
                velocity: Vec2::new(0.6, 0.8),
                angular_velocity: 1.0,
                gravity_scale: 0.0,
                ..block(0.0, 0.0)
            },
        ],
    );
    watt_coupler: watt_coupler::WattCoupler, case(
        "watt_coupler",
        vec![],
        vec![fixed(), BodyDef { rotation: 0.0, ..block(0.0, 0.2) }],
    );
    breathing_distance: breathing_distance::BreathingDistance, case(
        "breathing_distance",
        vec![
            ("anchor_a", vector(0.0, 0.0)),
            ("anchor_b", vector(0.1, 0.2)),
            ("mean", scalar(1.5)),
        ],
        vec![fixed(), block(-0.1, -1.7)],
    );
    prismatic: prismatic::Prismatic, case(
        "prismatic",
        vec![
            ("anchor_a", vector(0.5, 0.0)),
            ("anchor_b", vector(0.0, 0.2)),
            ("rail", vector(0.5, -1.0)),
            ("shortest", scalar(-1.0)),
            ("longest", scalar(2.0)),
        ],
        vec![fixed(), block(0.5, -0.2)],
    );
    motor: motor::Motor, case(
        "motor",
        vec![("ratio", scalar(1.5)), ("rate", scalar(2.0))],
        vec![block(-1.0, 0.0), block(1.0, 0.0)],
    );
}

/// One body under two names.
#[test]
fn pulley() {
    let values = vec![
        ("anchor_a", vector(-1.0, 0.0)),
        ("anchor_b", vector(0.0, 0.1)),
        ("anchor_c", vector(1.0, 0.0)),
        ("anchor_d", vector(0.1, 0.1)),
        ("ratio", scalar(2.0)),
        ("longest", scalar(4.0)),
    ];
    let bodies = vec![fixed(), block(-1.0, -1.5), block(0.9, -1.2)];
    let case = Case { name: "pulley", values, bodies, roles: vec![0, 1, 0, 2] };
    same_rows::<emitted::pulley::Pulley>(&case);
    same_motion::<emitted::pulley::Pulley>(&case);
}

/// A range of no width is held, and one without ends does nothing.
#[test]
fn ranges_of_no_width_and_without_ends() {
    let rod = case(
        "distance",
        vec![
            ("anchor1", vector(0.1, 0.2)),
            ("anchor2", vector(-0.3, 0.1)),
            ("jointMin", scalar(1.0)),
            ("jointMax", scalar(1.0)),
        ],
        vec![fixed(), block(1.4, 0.1)],
    );
    same_motion::<emitted::distance::Distance>(&rod);
    let free = case(
        "prismatic",
        vec![("anchor_a", vector(0.5, 0.0)), ("anchor_b", vector(0.0, 0.2))],
        vec![block(0.0, 0.0), BodyDef { velocity: Vec2::X, ..block(0.5, -0.2) }],
    );
    same_motion::<emitted::prismatic::Prismatic>(&free);
}
