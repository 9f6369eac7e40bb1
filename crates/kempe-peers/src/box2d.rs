//! Box2D v3, through the crate boxdd.

use crate::engine::{Engine, STEP, SUBSTEPS, State};
use crate::failure::Failure;
use crate::model::{BodyModel, Hold, JointModel, Model};
use boxdd::{
    BodyId, BodyType, DistanceJointDef, Filter, Foundation, PrismaticJointDef, RevoluteJointDef,
    ShapeDef, WeldJointDef, WorkerCount, World, shapes, types::MassData,
};
use kempe2d::{Shape, Vec2};

/// A world of Box2D.
pub struct Box2d {
    world: World,
    bodies: Vec<BodyId>,
}

impl Box2d {
    /// Builds a scene, with or without shapes, on so many threads: those of Box2D's own scheduler.
    ///
    /// # Errors
    /// If Box2D lacks a joint or refuses something.
    pub fn new(model: &Model, shaped: bool, threads: u32) -> Result<Self, Failure> {
        let joints = model.shared_joints()?;
        let foundation = Foundation::initialize_default()?;
        let settings = foundation
            .world_builder()
            .gravity(single(model.gravity))
            .enable_sleep(false)
            .worker_count(WorkerCount::new(threads)?);
        let mut world = foundation.create_world(settings.build()?)?;
        let mut bodies = Vec::with_capacity(model.bodies.len());
        for body in &model.bodies {
            bodies.push(add_body(&mut world, body, shaped)?);
        }
        for joint in &joints {
            add_joint(&mut world, joint, joint.bodies.map(|body| bodies[body]))?;
        }
        Ok(Self { world, bodies })
    }

    /// Mass and inertia of the body at a place, kg and kg·m².
    ///
    /// # Errors
    /// If Box2D does not tell.
    pub fn mass(&mut self, place: usize) -> Result<[f64; 2], Failure> {
        let body = self.world.body(self.bodies[place])?;
        Ok([f64::from(body.mass()?), f64::from(body.rotational_inertia()?)])
    }
}

fn single(vector: Vec2) -> [f32; 2] {
    [vector.x as f32, vector.y as f32]
}

fn add_body(world: &mut World, body: &BodyModel, shaped: bool) -> Result<BodyId, Failure> {
    let kind = if body.dynamic { BodyType::Dynamic } else { BodyType::Static };
    let def = world
        .body_builder()
        .body_type(kind)
        .position(single(body.position))
        .angle(body.rotation as f32)
        .linear_velocity(single(body.velocity))
        .angular_velocity(body.angular_velocity as f32)
        .enable_sleep(false);
    let id = world.create_body(def.build()?)?;
    let mut made = world.body(id)?;
    if shaped && !body.shapes.is_empty() {
        // As Box2D's own benchmark of joints has it: nothing collides with its like.
        let filter = Filter { category_bits: 2, mask_bits: !2, group_index: 0 };
        for (shape, density) in &body.shapes {
            let def = ShapeDef::builder().density(*density as f32).filter(filter).build()?;
            match shape {
                Shape::Circle { center, radius } => {
                    let circle = shapes::Circle::new(single(*center), *radius as f32)?;
                    made.create_circle(&def, &circle)?;
                }
                Shape::Capsule { start, end, radius } => {
                    let ends = [single(*start), single(*end)];
                    let capsule = shapes::Capsule::new(ends[0], ends[1], *radius as f32)?;
                    made.create_capsule(&def, &capsule)?;
                }
                Shape::Polygon { corners } => {
                    let corners = corners.iter().map(|corner| single(*corner));
                    let polygon = shapes::Polygon::from_points(corners, 0.0)?;
                    made.create_polygon(&def, &polygon)?;
                }
            }
        }
    } else if body.dynamic {
        let center = boxdd::Vec2::from(single(body.mass.center));
        made.set_mass_data(MassData::new(
            body.mass.mass as f32,
            center,
            body.mass.inertia as f32,
        )?)?;
    }
    Ok(id)
}

fn add_joint(world: &mut World, joint: &JointModel, ids: [BodyId; 2]) -> Result<(), Failure> {
    // θ_B + f_B = θ_A + f_A, and the x axis of frame A is the rail.
    let first = match joint.hold {
        Hold::Prismatic { rail } => rail.y.atan2(rail.x),
        _ => joint.angle,
    };
    let frames = [first as f32, (first - joint.angle) as f32];
    let [a, b] = joint.anchors.map(single);
    let base = world.joint_base(ids[0], ids[1])?;
    let base = base.with_local_frame_components(a, frames[0], b, frames[1])?;
    match joint.hold {
        Hold::Revolute => {
            let mut def = RevoluteJointDef::new(base);
            if let Some([lower, upper]) = joint.limit {
                def = def.enable_limit(true).lower_angle(lower as f32).upper_angle(upper as f32);
            }
            if let Some(spring) = joint.spring {
                let (hertz, ratio) = (spring.hertz as f32, spring.damping_ratio as f32);
                def = def.enable_spring(true).hertz(hertz).damping_ratio(ratio);
                def = def.target_angle(spring.rest as f32);
            }
            if let Some(motor) = joint.motor {
                def = def.enable_motor(true).motor_speed(motor.speed as f32);
                def = def.max_motor_torque(motor.force as f32);
            }
            world.create_revolute_joint(&def)?;
        }
        Hold::Weld => {
            world.create_weld_joint(&WeldJointDef::new(base))?;
        }
        Hold::Prismatic { .. } => {
            let mut def = PrismaticJointDef::new(base);
            if let Some([lower, upper]) = joint.limit {
                def = def.enable_limit(true);
                def = def.lower_translation(lower as f32).upper_translation(upper as f32);
            }
            if let Some(spring) = joint.spring {
                let (hertz, ratio) = (spring.hertz as f32, spring.damping_ratio as f32);
                def = def.enable_spring(true).hertz(hertz).damping_ratio(ratio);
                def = def.translation(spring.rest as f32);
            }
            if let Some(motor) = joint.motor {
                def = def.enable_motor(true).motor_speed(motor.speed as f32);
                def = def.max_motor_force(motor.force as f32);
            }
            world.create_prismatic_joint(&def)?;
        }
        Hold::Rod { length } => {
            world.create_distance_joint(&DistanceJointDef::new(base).length(length as f32))?;
        }
        Hold::Free => {
            let mut def = DistanceJointDef::new(base);
            if let Some(spring) = joint.spring {
                let (hertz, ratio) = (spring.hertz as f32, spring.damping_ratio as f32);
                def = def.enable_spring(true).hertz(hertz).damping_ratio(ratio);
                def = def.length(spring.rest as f32);
            }
            world.create_distance_joint(&def)?;
        }
    }
    Ok(())
}

impl Engine for Box2d {
    fn step(&mut self) -> Result<(), Failure> {
        let done = self.world.step(STEP as f32, SUBSTEPS as i32)?;
        match done.post_step_error() {
            Some(error) => Err(Failure::Other(format!("Box2D: {error}"))),
            None => Ok(()),
        }
    }

    fn read(&mut self, out: &mut Vec<State>) -> Result<(), Failure> {
        out.clear();
        for id in &self.bodies {
            let body = self.world.body(*id)?;
            let (position, rotation) = (body.position()?, body.rotation()?);
            let velocity = body.linear_velocity()?;
            out.push(State {
                position: Vec2::new(f64::from(position.x), f64::from(position.y)),
                rotation: f64::from(rotation.angle()),
                cos: f64::from(rotation.cosine()),
                sin: f64::from(rotation.sine()),
                velocity: Vec2::new(f64::from(velocity.x), f64::from(velocity.y)),
                angular_velocity: f64::from(body.angular_velocity()?),
            });
        }
        Ok(())
    }
}
