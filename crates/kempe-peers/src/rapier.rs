//! Rapier, with `parallel` and `simd8`.

use crate::engine::{Engine, STEP, SUBSTEPS, State};
use crate::failure::Failure;
use crate::model::{BodyModel, Hold, JointModel, Model};
use kempe2d::{Shape, Vec2};
use rapier2d::prelude::{
    BroadPhaseBvh, CCDSolver, ColliderBuilder, ColliderSet, FixedJointBuilder, GenericJoint,
    ImpulseJointSet, IntegrationParameters, InteractionGroups, IslandManager, JointAxis,
    MassProperties, MotorModel, MultibodyJointSet, NarrowPhase, PhysicsPipeline, Pose,
    PrismaticJointBuilder, RevoluteJointBuilder, RigidBodyBuilder, RigidBodyHandle, RigidBodySet,
    RopeJointBuilder, SoftBodySet, SpringJointBuilder, Vector,
};
use std::f64::consts::TAU;
use std::time::{Duration, Instant};

/// A motor of velocity is one of damping in Rapier; so large a factor makes it as good as rigid.
const FACTOR: f32 = 1.0e8;

/// A world of Rapier.
pub struct Rapier {
    threads: rayon::ThreadPool,
    world: Parts,
    bodies: Vec<RigidBodyHandle>,
}

struct Parts {
    gravity: Vector,
    parameters: IntegrationParameters,
    pipeline: PhysicsPipeline,
    islands: IslandManager,
    broad: BroadPhaseBvh,
    narrow: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    joints: ImpulseJointSet,
    multibodies: MultibodyJointSet,
    soft: SoftBodySet,
    ccd: CCDSolver,
}

impl Parts {
    fn step(&mut self) {
        self.pipeline.step(
            self.gravity,
            &self.parameters,
            &mut self.islands,
            &mut self.broad,
            &mut self.narrow,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.joints,
            &mut self.multibodies,
            &mut self.soft,
            &mut self.ccd,
            &(),
            &(),
        );
    }
}

impl Rapier {
    /// Builds a scene, with or without shapes, on so many threads.
    ///
    /// # Errors
    /// If Rapier lacks a joint, or there are no threads.
    pub fn new(model: &Model, shaped: bool, threads: u32) -> Result<Self, Failure> {
        let joints = model.shared_joints()?;
        let threads = rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build();
        let threads = threads.map_err(|error| Failure::Other(error.to_string()))?;
        let mut world = Parts {
            gravity: single(model.gravity),
            parameters: IntegrationParameters {
                dt: STEP as f32,
                num_solver_iterations: SUBSTEPS as usize,
                ..IntegrationParameters::default()
            },
            pipeline: PhysicsPipeline::new(),
            islands: IslandManager::new(),
            broad: BroadPhaseBvh::new(),
            narrow: NarrowPhase::new(),
            bodies: RigidBodySet::new(),
            colliders: ColliderSet::new(),
            joints: ImpulseJointSet::new(),
            multibodies: MultibodyJointSet::new(),
            soft: SoftBodySet::new(),
            ccd: CCDSolver::new(),
        };
        let each = model.bodies.iter().map(|body| add_body(&mut world, body, shaped));
        let bodies: Vec<RigidBodyHandle> = each.collect::<Result<_, Failure>>()?;
        for joint in &joints {
            let [a, b] = joint.bodies.map(|body| bodies[body]);
            world.joints.insert(a, b, joint_of(joint), true);
        }
        Ok(Self { threads, world, bodies })
    }

    /// Mass and inertia of the body at a place, kg and kg·m². Rapier knows them from the first step on.
    pub fn mass(&self, place: usize) -> [f64; 2] {
        let mass = self.world.bodies[self.bodies[place]].mass_properties().local_mprops;
        [f64::from(mass.mass()), f64::from(mass.principal_inertia())]
    }
}

fn single(vector: Vec2) -> Vector {
    Vector::new(vector.x as f32, vector.y as f32)
}

fn add_body(world: &mut Parts, body: &BodyModel, shaped: bool) -> Result<RigidBodyHandle, Failure> {
    let kind = if body.dynamic { RigidBodyBuilder::dynamic() } else { RigidBodyBuilder::fixed() };
    let mut def = kind
        .translation(single(body.position))
        .rotation(body.rotation as f32)
        .linvel(single(body.velocity))
        .angvel(body.angular_velocity as f32)
        .can_sleep(false);
    if body.dynamic {
        // By hand with shapes too: Rapier's inertia of a capsule is 3 % off.
        let (mass, inertia) = (body.mass.mass as f32, body.mass.inertia as f32);
        let mass = MassProperties::new(single(body.mass.center), mass, inertia);
        def = def.additional_mass_properties(mass);
    }
    let id = world.bodies.insert(def);
    for (shape, _) in body.shapes.iter().filter(|_| shaped) {
        let collider = match shape {
            Shape::Circle { center, radius } => {
                ColliderBuilder::ball(*radius as f32).translation(single(*center))
            }
            Shape::Capsule { start, end, radius } => ColliderBuilder::capsule_from_endpoints(
                single(*start),
                single(*end),
                *radius as f32,
            ),
            Shape::Polygon { corners } => polygon(corners)?,
        };
        let collider = collider.density(0.0).collision_groups(InteractionGroups::none());
        world.colliders.insert_with_parent(collider, id, &mut world.bodies);
    }
    Ok(id)
}

/// A box where it is one, which is a cheaper shape.
fn polygon(corners: &[Vec2]) -> Result<ColliderBuilder, Failure> {
    if let [a, b, c, d] = corners
        && (*a == -*c && *b == -*d)
        && (a.y == b.y && b.x == c.x)
    {
        return Ok(ColliderBuilder::cuboid(c.x as f32, c.y as f32));
    }
    let points: Vec<Vector> = corners.iter().map(|corner| single(*corner)).collect();
    let hull = ColliderBuilder::convex_hull(&points);
    hull.ok_or_else(|| Failure::Other("Rapier finds no hull of a polygon".to_owned()))
}

fn joint_of(joint: &JointModel) -> GenericJoint {
    let [a, b] = joint.anchors.map(single);
    // θ_B + f_B = θ_A + f_A, and the x axis of frame A is the rail.
    let frame = |anchor: Vector, angle: f64| Pose::new(anchor, angle as f32);
    let mut made: GenericJoint = match joint.hold {
        Hold::Revolute => RevoluteJointBuilder::new().build().into(),
        Hold::Weld => FixedJointBuilder::new().build().into(),
        Hold::Prismatic { rail } => PrismaticJointBuilder::new(single(rail)).build().into(),
        Hold::Rod { length } => RopeJointBuilder::new(length as f32).build().into(),
        Hold::Free => {
            let spring = joint.spring.map_or([0.0; 3], |spring| {
                let omega = TAU * spring.hertz;
                [spring.rest, omega * omega, 2.0 * spring.damping_ratio * omega]
            });
            let [rest, stiffness, damping] = spring.map(|number| number as f32);
            let spring = SpringJointBuilder::new(rest, stiffness, damping);
            spring.spring_model(MotorModel::AccelerationBased).build().into()
        }
    };
    let first = match joint.hold {
        Hold::Prismatic { rail } => rail.y.atan2(rail.x),
        _ => joint.angle,
    };
    made.set_local_frame1(frame(a, first)).set_local_frame2(frame(b, first - joint.angle));
    made.set_contacts_enabled(false);
    let axis = match joint.hold {
        Hold::Revolute => JointAxis::AngX,
        Hold::Prismatic { .. } => JointAxis::LinX,
        _ => return made,
    };
    if let Some([lower, upper]) = joint.limit {
        made.set_limits(axis, [lower as f32, upper as f32]);
    }
    if let Some(spring) = joint.spring {
        let omega = TAU * spring.hertz;
        let (stiffness, damping) = (omega * omega, 2.0 * spring.damping_ratio * omega);
        made.set_motor_position(axis, spring.rest as f32, stiffness as f32, damping as f32);
    }
    if let Some(motor) = joint.motor {
        made.set_motor_velocity(axis, motor.speed as f32, FACTOR);
        made.set_motor_max_force(axis, motor.force as f32);
    }
    made
}

impl Engine for Rapier {
    fn step(&mut self) -> Result<(), Failure> {
        let Self { threads, world, .. } = self;
        threads.install(|| world.step());
        Ok(())
    }

    fn read(&mut self, out: &mut Vec<State>) -> Result<(), Failure> {
        out.clear();
        out.extend(self.bodies.iter().map(|id| {
            let body = &self.world.bodies[*id];
            let (position, rotation) = (body.translation(), body.rotation());
            let velocity = body.linvel();
            State {
                position: Vec2::new(f64::from(position.x), f64::from(position.y)),
                rotation: f64::from(rotation.angle()),
                cos: f64::from(rotation.cos()),
                sin: f64::from(rotation.sin()),
                velocity: Vec2::new(f64::from(velocity.x), f64::from(velocity.y)),
                angular_velocity: f64::from(body.angvel()),
            }
        }));
        Ok(())
    }

    /// All on the pool's own threads, so that no step waits for one of them to wake.
    fn timed(&mut self, steps: usize, out: &mut Vec<Duration>) -> Result<(), Failure> {
        let Self { threads, world, .. } = self;
        threads.install(|| {
            for _ in 0..steps {
                let start = Instant::now();
                world.step();
                out.push(start.elapsed());
            }
        });
        Ok(())
    }
}
