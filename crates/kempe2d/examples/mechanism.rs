//! A mechanism on the drawing board: what a designer asks before anything moves.
//!
//! Two cranks carry a platform; a third bar, parallel to them, is one too many. A spring holds the
//! platform up.
//!
//! ```text
//! cargo run -p kempe2d --example mechanism
//! ```

use kempe2d::{
    AxisMotion, BodyDef, BodyId, DesignError, JointDef, JointId, Mass, MassProperties, Reference,
    Softness, Vec2, World,
};
use std::error::Error;

/// Joints with their names.
type Names = Vec<(JointId, &'static str)>;

fn bar(world: &mut World, from: Vec2, to: Vec2, mass: f64) -> Result<BodyId, kempe2d::Error> {
    let along = to - from;
    let inertia = mass * along.length_squared() / 12.0;
    world.add_body(&BodyDef {
        position: (from + to) * 0.5,
        rotation: along.y.atan2(along.x),
        mass: Mass::Given(MassProperties { mass, inertia, center: Vec2::ZERO }),
        ..BodyDef::dynamic()
    })
}

fn describe() -> Result<(World, Names), Box<dyn Error>> {
    let mut world = World::default();
    let ground = world.ground()?;
    let up = Vec2::new(0.3, 0.9);
    let feet = [0.0, 2.0, 1.0].map(|x| Vec2::new(x, 0.0));
    let platform = bar(&mut world, feet[0] + up, feet[1] + up, 12.0)?;
    let mut names = Names::new();
    let labels =
        [("left foot", "left hinge"), ("right foot", "right hinge"), ("third foot", "third hinge")];
    for (foot, (low, high)) in feet.into_iter().zip(labels) {
        let crank = bar(&mut world, foot, foot + up, 2.0)?;
        for (a, b, point, name) in [(ground, crank, foot, low), (crank, platform, foot + up, high)]
        {
            let pin = world.revolute_at(a, b, point)?;
            names.push((world.add_joint(&pin)?, name));
        }
    }
    let softness = Softness::Stiffness { stiffness: 900.0, damping: 15.0 };
    let anchors = [Vec2::new(-0.5, 0.2), Vec2::new(-1.0, 0.0)];
    let spring = JointDef::spring(ground, platform, anchors, 0.9, softness);
    names.push((world.add_joint(&spring)?, "spring"));
    Ok((world, names))
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut world, names) = describe()?;
    let name = |id: JointId| names.iter().find(|each| each.0 == id).map_or("?", |each| each.1);
    let list = |ids: &[JointId]| ids.iter().map(|id| name(*id)).collect::<Vec<_>>().join(", ");

    let mobility = world.mobility()?;
    println!("mobility {} (by Grübler's count {})", mobility.mobility(), mobility.grubler());
    for each in &mobility.redundant {
        let how = if each.everywhere { "always" } else { "at this position" };
        let row = each.row;
        println!(
            "row {} of the {} {how} repeats: {}",
            row.row,
            name(row.joint),
            list(&each.joints())
        );
    }
    for each in &mobility.mechanisms {
        let [bodies, joints] = [each.bodies.len(), each.joints.len()];
        let nearness = each.nearness.unwrap_or(f64::NAN);
        println!("{bodies} bodies, {joints} joints, {nearness:.3} from a singular position");
    }

    let rest = world.settle()?;
    let how = if rest.stable { "stable" } else { "unstable" };
    println!("\nrest after {} steps, {how}", rest.iterations);
    for each in world.static_reactions()?.joints {
        let note = if each.unique { "" } else { "  (shared: one of many answers)" };
        println!("{:>12}: {:8.2} N, {:8.2} N{note}", name(each.joint), each.force.x, each.force.y);
    }
    for mode in world.oscillations()? {
        println!("swings at {:.3} Hz, {:.1} % damped", mode.hertz, 100.0 * mode.damping_ratio);
    }

    let (foot, axis) = (names[0].0, 0);
    let position = world.joint_coordinate(foot, axis).unwrap_or(0.0);
    let start = AxisMotion { position, speed: 0.0, acceleration: 5.0 };
    let torque = world.drive_force(foot, axis, start)?.force;
    println!("\nto turn the left foot at 5 rad/s² takes {torque:.2} N·m");

    let left = world.joint(foot).map(|joint| joint.bodies()[1]).ok_or("no crank")?;
    world.set_angular_velocity(left, 40.0)?;
    let audit = Reference::default().audit(&mut world, 1.0, 1.0 / 240.0)?;
    let damper: f64 = audit.work.joints.iter().map(|each| each.damper).sum();
    let energies = [&audit.start, &audit.end].map(|each| each.total() - audit.end.potential());
    println!("energy {:.4} J, a second later {:.4} J", energies[0], energies[1]);
    println!("the damper took {:.4} J, unexplained {:.1e} J", -damper, audit.unexplained());

    // A sketch that cannot be: a rod that keeps the platform too far from the ground.
    let ground = world.ground()?;
    let platform = world.joint(names[1].0).map(|joint| joint.bodies()[1]).ok_or("no platform")?;
    let long = JointDef::rod(ground, platform, [Vec2::new(1.0, 0.0), Vec2::ZERO], 2.5);
    let long = world.add_joint(&long)?;
    if let Err(DesignError::Contradiction { joints, open }) = world.assemble() {
        let of = joints.iter().filter(|joint| **joint != long).copied().collect::<Vec<_>>();
        println!("\na rod of 2.5 m cannot be with: {} ({open:.3} m stays open)", list(&of));
    }
    Ok(())
}
