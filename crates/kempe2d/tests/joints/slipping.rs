//! Stops, ropes and held axes that resist only so much.

use kempe2d::{Axis, BodyDef, Direct, JointDef, Limit, Mass, MassProperties, Settings, Softness};
use kempe2d::{BodyId, Vec2, World};

const DT: f64 = 1.0 / 60.0;

fn load(direct: Direct, position: Vec2) -> (World, BodyId, BodyId) {
    let settings =
        Settings { gravity: Vec2::new(0.0, -10.0), sleep: false, direct, ..Settings::default() };
    let mut world = World::new(settings).unwrap();
    let ground = world.ground().unwrap();
    let mass = Mass::Given(MassProperties { mass: 2.0, inertia: 0.5, center: Vec2::ZERO });
    let load = world.add_body(&BodyDef { position, mass, ..BodyDef::dynamic() }).unwrap();
    // Something rigid, so that there is an island to solve as a whole.
    let rider = world
        .add_body(&BodyDef {
            position,
            mass: Mass::Given(MassProperties { mass: 1.0, inertia: 0.5, center: Vec2::ZERO }),
            ..BodyDef::dynamic()
        })
        .unwrap();
    world.add_joint(&world.weld_at(load, rider, position).unwrap()).unwrap();
    (world, ground, load)
}

#[test]
fn what_is_pulled_harder_than_its_limit_slips() {
    let at = Vec2::new(0.0, -2.0);
    // A rope, a rod, and one that yields: 30 N of weight on 12 N: a = (30 − 12) / 3 = 6.
    let soft = Softness::Hertz { hertz: 5.0, damping_ratio: 1.0 };
    let limits = [
        Limit { force: 12.0, ..Limit::new(f64::NEG_INFINITY, 2.0) },
        Limit { force: 12.0, ..Limit::new(2.0, 2.0) },
        Limit { force: 12.0, softness: soft, ..Limit::new(2.0, 2.0) },
        Limit { force: 12.0, softness: soft, ..Limit::new(1.0, 2.0) },
    ];
    for direct in [Direct::Always, Direct::Never] {
        for (k, limit) in limits.iter().enumerate() {
            let (mut world, ground, body) = load(direct, at);
            let mut def = JointDef::rod(ground, body, [Vec2::ZERO; 2], 2.0);
            def.axis_mut(0).limit = Some(*limit);
            let joint = world.add_joint(&def).unwrap();
            for _ in 0..60 {
                world.step(DT).unwrap();
            }
            let speed = world[body].velocity().y;
            // Those that yield need a moment before they pull with all they have.
            let close = if k < 2 { 1e-2 } else { 0.6 };
            assert!((speed + 6.0).abs() < close, "{direct:?} {k}: {speed}");
            let force = world.joint_axis_force(joint, 0).unwrap().limit;
            assert!((force + 12.0).abs() < 1e-3, "{direct:?} {k}: {force}");
            // With more than the weight it holds.
            world
                .edit_joint(joint, |def| {
                    def.axis_mut(0).limit = Some(Limit { force: 60.0, ..*limit });
                })
                .unwrap();
            for _ in 0..240 {
                world.step(DT).unwrap();
            }
            assert!(world[body].velocity().y > -1.0, "{direct:?} {k}");
        }
    }
}

#[test]
fn an_error_goes_straight_with_a_limited_force() {
    // Both by force and by torque, so that rows are solved in turn.
    let mut world =
        World::new(Settings { gravity: Vec2::ZERO, sleep: false, ..Settings::default() }).unwrap();
    let ground = world.ground().unwrap();
    let body =
        world.add_body(&BodyDef { position: Vec2::new(3.0, 4.0), ..BodyDef::dynamic() }).unwrap();
    let mut def = JointDef::weld(ground, body, [Vec2::ZERO; 2], 1.0);
    def.softness = Softness::ErrorBias { remaining: 0.0, max_bias: 0.5 };
    (def.max_force, def.max_torque) = (30.0, 30.0);
    world.add_joint(&def).unwrap();
    for _ in 0..60 {
        world.step(DT).unwrap();
    }
    let moved = Vec2::new(3.0, 4.0) - world[body].position();
    assert!(moved.cross(Vec2::new(3.0, 4.0)).abs() < 1e-3, "{moved:?}");
    assert!((moved.length() - 0.5).abs() < 0.02, "{moved:?}");
}

#[test]
fn a_control_body_is_followed_with_a_largest_force() {
    // Chipmunk's way to drag things: no error but at a speed, and a limited force.
    let mut world =
        World::new(Settings { gravity: Vec2::ZERO, sleep: false, ..Settings::default() }).unwrap();
    let ground = world.ground().unwrap();
    let body = world.add_body(&BodyDef::dynamic()).unwrap();
    let mut def = JointDef::revolute(ground, body, [Vec2::new(5.0, 0.0), Vec2::ZERO]);
    def.softness = Softness::ErrorBias { remaining: 1e-4, max_bias: 2.0 };
    def.max_force = 3.0;
    world.add_joint(&def).unwrap();
    // 3 N on 1 kg until it goes at 2 m/s.
    for _ in 0..20 {
        world.step(DT).unwrap();
    }
    assert!((world[body].velocity().x - 1.0).abs() < 0.02, "{:?}", world[body].velocity());
    for _ in 0..40 {
        world.step(DT).unwrap();
    }
    assert!((world[body].velocity().x - 2.0).abs() < 0.02, "{:?}", world[body].velocity());
    for _ in 0..300 {
        world.step(DT).unwrap();
    }
    assert!((world[body].position() - Vec2::new(5.0, 0.0)).length() < 0.05);
}

#[test]
fn an_axis_has_no_negative_force() {
    let (mut world, ground, body) = load(Direct::Auto, Vec2::ZERO);
    let limit = Some(Limit { force: -1.0, ..Limit::new(0.0, 1.0) });
    let def = JointDef::rope(ground, body, [Vec2::ZERO; 2], 1.0)
        .with_axis(Axis { limit, ..Axis::default() });
    let error = world.add_joint(&def).unwrap_err().to_string();
    assert!(error.contains("limit.force"), "{error}");
}

#[test]
fn a_rigid_pull_pushes_with_all_it_has() {
    // 1 N on 2 kg for 1 s: 0.5 m/s and 0.25 m, in lanes as a drive and as a pin, and as an island.
    for direct in [Direct::Always, Direct::Never] {
        for kind in 0..3 {
            let settings =
                Settings { gravity: Vec2::ZERO, sleep: false, direct, ..Settings::default() };
            let mut world = World::new(settings).unwrap();
            let ground = world.ground().unwrap();
            let heavy = MassProperties { mass: 1.0, inertia: 1.0, center: Vec2::ZERO };
            let def = BodyDef { mass: Mass::Given(heavy), ..BodyDef::dynamic() };
            let (body, rider) = (world.add_body(&def).unwrap(), world.add_body(&def).unwrap());
            world.add_joint(&JointDef::weld(body, rider, [Vec2::ZERO; 2], 0.0)).unwrap();
            let far = Vec2::new(9.0, 0.0);
            let mut pin = JointDef::revolute(ground, body, [far, Vec2::ZERO]);
            let mut weld = JointDef::weld(ground, body, [far, Vec2::ZERO], 0.0);
            (pin.max_force, weld.max_force, weld.max_torque) = (1.0, 1.0, 1.0);
            let pull = kempe2d::Pull::to(far, Softness::Rigid, 1.0);
            let drive = JointDef::drive(ground, body, [Vec2::ZERO; 2], pull);
            world.add_joint(&[pin, weld, drive][kind]).unwrap();
            for _ in 0..60 {
                world.step(DT).unwrap();
            }
            let (x, v) = (world[body].position().x, world[body].velocity().x);
            assert!((v - 0.5).abs() < 5e-3, "{direct:?} {kind}: {v}");
            assert!((x - 0.25).abs() < 5e-3, "{direct:?} {kind}: {x}");
        }
    }
}

#[test]
fn a_motor_to_a_place_at_a_speed_rests_where_both_agree() {
    // k (0 − q) + c (1 − 0) = 0 at q = 0.2.
    for substeps in [1, 4] {
        let settings =
            Settings { gravity: Vec2::ZERO, sleep: false, substeps, ..Settings::default() };
        let mut world = World::new(settings).unwrap();
        let ground = world.ground().unwrap();
        let body = world.add_body(&BodyDef::dynamic()).unwrap();
        let mut def = JointDef::prismatic(ground, body, [Vec2::ZERO; 2], Vec2::X);
        def.axis_mut(0).motor = Some(kempe2d::Motor::Both {
            target: 0.0.into(),
            speed: 1.0.into(),
            softness: Softness::MassNormalized { stiffness: 20.0, damping: 4.0 },
            force: kempe2d::ForceRange::default(),
        });
        world.add_joint(&def).unwrap();
        for _ in 0..600 {
            world.step(DT).unwrap();
        }
        assert!((world[body].position().x - 0.2).abs() < 1e-4, "{:?}", world[body].position());
    }
}
