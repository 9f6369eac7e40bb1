//! Changing bodies that live: every change is tested first.

use super::World;
use crate::body::{Body, BodyId, BodyKind, Locked, still_mass};
use crate::error::{Error, at_least_zero, finite, positive};
use crate::mass::{MassProperties, Shape};
use kempe_scalar::Vec2;

fn finite_vector(fields: [&'static str; 2], vector: Vec2) -> Result<Vec2, Error> {
    finite(fields[0], vector.x)?;
    finite(fields[1], vector.y)?;
    Ok(vector)
}

/// Every function here refuses a handle that finds nothing and a number that makes no sense, and
/// then changes nothing. What is changed is woken, and so is what hangs on it.
impl World {
    fn edit(&mut self, id: BodyId) -> Result<&mut Body, Error> {
        let refuse = |reason| Error::Handle { what: "body", reason };
        self.bodies.get(id).map_err(refuse)?;
        self.touch(id.index()).ok_or(refuse(kempe_solve::PoolError::Stale))
    }

    /// Puts a body's origin somewhere.
    ///
    /// # Errors
    /// If the handle finds nothing or a number is not finite.
    pub fn set_position(&mut self, id: BodyId, position: Vec2) -> Result<(), Error> {
        self.solver.tell_directions(&mut self.joints);
        let body = self.edit(id)?;
        finite_vector(["position.x", "position.y"], position)?;
        let center = position + body.turned(body.properties.center);
        body.center = finite_vector(["position.x", "position.y"], center)?;
        self.wake_around(id);
        Ok(())
    }

    /// Turns a body about its origin.
    ///
    /// # Errors
    /// As [`set_position`](Self::set_position).
    pub fn set_rotation(&mut self, id: BodyId, radians: f64) -> Result<(), Error> {
        self.solver.tell_directions(&mut self.joints);
        let body = self.edit(id)?;
        finite("rotation", radians)?;
        let position = body.position();
        body.rotation = radians;
        body.center = position + body.turned(body.properties.center);
        self.wake_around(id);
        Ok(())
    }

    /// Sets the velocity of a body's centre of mass. A static body keeps none.
    ///
    /// # Errors
    /// As [`set_position`](Self::set_position).
    pub fn set_velocity(&mut self, id: BodyId, velocity: Vec2) -> Result<(), Error> {
        let body = self.edit(id)?;
        finite_vector(["velocity.x", "velocity.y"], velocity)?;
        if body.kind != BodyKind::Static {
            body.velocity = velocity;
        }
        self.wake_around(id);
        Ok(())
    }

    /// Sets the angular velocity. A static body keeps none.
    ///
    /// # Errors
    /// As [`set_position`](Self::set_position).
    pub fn set_angular_velocity(&mut self, id: BodyId, velocity: f64) -> Result<(), Error> {
        let body = self.edit(id)?;
        finite("angular_velocity", velocity)?;
        if body.kind != BodyKind::Static {
            body.angular_velocity = velocity;
        }
        self.wake_around(id);
        Ok(())
    }

    /// Gives a kinematic body the velocity with which it reaches a pose in `seconds`; it goes on
    /// from there unless it is told otherwise.
    ///
    /// # Errors
    /// As [`set_position`](Self::set_position), or if `seconds` is not positive.
    pub fn set_target(
        &mut self,
        id: BodyId,
        position: Vec2,
        radians: f64,
        seconds: f64,
    ) -> Result<(), Error> {
        let body = self.edit(id)?;
        finite_vector(["position.x", "position.y"], position)?;
        finite("rotation", radians)?;
        positive("seconds", seconds)?;
        let mut arrived = body.clone();
        arrived.rotation = radians;
        let center = position + arrived.turned(body.properties.center);
        let velocity = (center - body.center) * (1.0 / seconds);
        finite_vector(["velocity.x", "velocity.y"], velocity)?;
        let turning = finite("angular_velocity", (radians - body.rotation) / seconds)?;
        if body.kind == BodyKind::Kinematic {
            body.velocity = velocity;
            body.angular_velocity = turning;
        }
        self.wake_around(id);
        Ok(())
    }

    /// Changes what moves a body.
    ///
    /// # Errors
    /// If the handle finds nothing.
    pub fn set_kind(&mut self, id: BodyId, kind: BodyKind) -> Result<(), Error> {
        self.edit(id)?;
        self.solver.dirty = true;
        let body = self.edit(id)?;
        body.kind = kind;
        if kind == BodyKind::Static {
            body.velocity = Vec2::ZERO;
            body.angular_velocity = 0.0;
        }
        self.wake_neighbours(id);
        Ok(())
    }

    /// Changes mass, centre of mass and inertia. The body's origin stays where it is, and with it
    /// everything that refers to it.
    ///
    /// # Errors
    /// If the handle finds nothing, or mass or inertia are not positive.
    pub fn set_mass_properties(&mut self, id: BodyId, mass: MassProperties) -> Result<(), Error> {
        self.edit(id)?;
        mass.validate()?;
        let body = self.edit(id)?;
        // The same motion of the same matter: the velocity of the new centre is that of the point
        // of the body that is there.
        let center = body.position() + body.turned(mass.center);
        finite_vector(["center.x", "center.y"], center)?;
        body.velocity = finite_vector(["velocity.x", "velocity.y"], body.velocity_at(center))?;
        body.center = center;
        body.properties = mass;
        self.solver.dirty = true;
        self.wake_around(id);
        Ok(())
    }

    /// Changes the shapes, and the mass to what they give.
    ///
    /// # Errors
    /// If the handle finds nothing, a shape is none, or they have no mass.
    pub fn set_shapes(&mut self, id: BodyId, shapes: Vec<(Shape, f64)>) -> Result<(), Error> {
        self.edit(id)?;
        let moves = self.edit(id)?.kind == BodyKind::Dynamic;
        let mass = match moves {
            true => MassProperties::of_shapes(&shapes)?,
            false => still_mass(&shapes)?,
        };
        self.set_mass_properties(id, mass)?;
        self.edit(id)?.shapes = shapes.into();
        self.wake_around(id);
        Ok(())
    }

    /// Takes freedoms away from a body, or gives them back.
    ///
    /// # Errors
    /// If the handle finds nothing.
    pub fn set_locked(&mut self, id: BodyId, locked: Locked) -> Result<(), Error> {
        self.edit(id)?.locked = locked;
        self.solver.dirty = true;
        self.wake_around(id);
        Ok(())
    }

    /// Lets a body take part, or not.
    ///
    /// # Errors
    /// If the handle finds nothing.
    pub fn set_enabled(&mut self, id: BodyId, enabled: bool) -> Result<(), Error> {
        self.edit(id)?.enabled = enabled;
        self.solver.dirty = true;
        self.wake_neighbours(id);
        Ok(())
    }

    /// Lets a body sleep when it is at rest, or not.
    ///
    /// # Errors
    /// If the handle finds nothing.
    pub fn set_can_sleep(&mut self, id: BodyId, can_sleep: bool) -> Result<(), Error> {
        self.edit(id)?.can_sleep = can_sleep;
        self.wake_around(id);
        Ok(())
    }

    /// How much of the world's gravity acts on a body.
    ///
    /// # Errors
    /// As [`set_position`](Self::set_position).
    pub fn set_gravity_scale(&mut self, id: BodyId, scale: f64) -> Result<(), Error> {
        let body = self.edit(id)?;
        body.seldom.gravity_scale = finite("gravity_scale", scale)?;
        self.wake_around(id);
        Ok(())
    }

    /// How fast velocity and angular velocity decay, 1/s.
    ///
    /// # Errors
    /// If the handle finds nothing or a number is negative.
    pub fn set_damping(&mut self, id: BodyId, linear: f64, angular: f64) -> Result<(), Error> {
        let body = self.edit(id)?;
        // Everything is tested before anything is set.
        let linear = at_least_zero("linear_damping", linear)?;
        body.seldom.angular_damping = at_least_zero("angular_damping", angular)?;
        body.seldom.linear_damping = linear;
        self.wake_around(id);
        Ok(())
    }

    /// Keeps a number for the user.
    ///
    /// # Errors
    /// If the handle finds nothing.
    pub fn set_user_data(&mut self, id: BodyId, data: u64) -> Result<(), Error> {
        self.edit(id)?.user_data = data;
        Ok(())
    }

    /// A force on a point of a body, in world axes, over the next step.
    ///
    /// # Errors
    /// As [`set_position`](Self::set_position).
    pub fn apply_force(&mut self, id: BodyId, force: Vec2, point: Vec2) -> Result<(), Error> {
        let body = self.edit(id)?;
        finite_vector(["force.x", "force.y"], force)?;
        finite_vector(["point.x", "point.y"], point)?;
        let torque = (point - body.center).cross(force);
        let force = finite_vector(["force.x", "force.y"], body.seldom.force + force)?;
        body.seldom.torque = finite("torque", body.seldom.torque + torque)?;
        body.seldom.force = force;
        self.wake_around(id);
        Ok(())
    }

    /// A force on a body's centre of mass over the next step.
    ///
    /// # Errors
    /// As [`set_position`](Self::set_position).
    pub fn apply_central_force(&mut self, id: BodyId, force: Vec2) -> Result<(), Error> {
        let point = self.edit(id)?.center;
        self.apply_force(id, force, point)
    }

    /// A torque over the next step.
    ///
    /// # Errors
    /// As [`set_position`](Self::set_position).
    pub fn apply_torque(&mut self, id: BodyId, torque: f64) -> Result<(), Error> {
        let body = self.edit(id)?;
        finite("torque", torque)?;
        body.seldom.torque = finite("torque", body.seldom.torque + torque)?;
        self.wake_around(id);
        Ok(())
    }

    /// An impulse on a point of a body, in world axes, now.
    ///
    /// # Errors
    /// As [`set_position`](Self::set_position).
    pub fn apply_impulse(&mut self, id: BodyId, impulse: Vec2, point: Vec2) -> Result<(), Error> {
        let body = self.edit(id)?;
        finite_vector(["impulse.x", "impulse.y"], impulse)?;
        finite_vector(["point.x", "point.y"], point)?;
        let [x, y, turn] = body.inverse_mass();
        let change = Vec2::new(x * impulse.x, y * impulse.y);
        let spin = turn * (point - body.center).cross(impulse);
        let velocity = finite_vector(["velocity.x", "velocity.y"], body.velocity + change)?;
        body.angular_velocity = finite("angular_velocity", body.angular_velocity + spin)?;
        body.velocity = velocity;
        self.wake_around(id);
        Ok(())
    }

    /// An angular impulse, now.
    ///
    /// # Errors
    /// As [`set_position`](Self::set_position).
    pub fn apply_angular_impulse(&mut self, id: BodyId, impulse: f64) -> Result<(), Error> {
        let body = self.edit(id)?;
        finite("angular impulse", impulse)?;
        let change = body.inverse_mass()[2] * impulse;
        body.angular_velocity = finite("angular_velocity", body.angular_velocity + change)?;
        self.wake_around(id);
        Ok(())
    }
}
