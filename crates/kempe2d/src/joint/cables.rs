//! Cables through many points, and points on curves.

use super::axis::{Axis, Limit};
use super::def::JointDef;
use super::kind::JointKind;
use crate::body::BodyId;
use crate::error::{Error, at_least_zero, finite};
use crate::path::Path;
use kempe_scalar::Vec2;
use kempe_solve::Softness;

/// Points are given with their body, in its axes and from its origin.
impl JointDef {
    /// The length of a cable through points, with nothing on it yet; see
    /// [`with_ratios`](Self::with_ratios).
    fn through(points: &[(BodyId, Vec2)]) -> Self {
        let anchors: Vec<Vec2> = points.iter().map(|point| point.1).collect();
        let ratios = vec![1.0; anchors.len().saturating_sub(1)];
        let bodies = points.iter().map(|point| point.0).collect();
        Self::over(JointKind::Tendon { anchors, ratios }, bodies)
    }

    /// A cable through points of any bodies that is at most so long, and slides through them without
    /// friction.
    ///
    /// ```
    /// # use kempe2d::{BodyDef, JointDef, Vec2, World};
    /// # let mut world = World::default();
    /// # let ground = world.ground()?;
    /// # let load = world.add_body(&BodyDef::dynamic())?;
    /// # let hand = world.add_body(&BodyDef::dynamic())?;
    /// // From the ceiling down round the block of a load, up again, and over to a hand.
    /// let (left, right) = (Vec2::new(-0.1, 3.0), Vec2::new(0.1, 3.0));
    /// let points = [(ground, left), (load, Vec2::ZERO), (ground, right), (hand, Vec2::ZERO)];
    /// let tackle = world.add_joint(&JointDef::tendon(&points, 9.0))?;
    /// # Ok::<(), kempe2d::Error>(())
    /// ```
    pub fn tendon(points: &[(BodyId, Vec2)], length: f64) -> Self {
        Self::through(points).with_limit(f64::NEG_INFINITY, length)
    }

    /// An elastic cable: slack between two lengths, and a spring beyond them. With a lower length of
    /// −∞ it only pulls.
    pub fn elastic_tendon(
        points: &[(BodyId, Vec2)],
        lower: f64,
        upper: f64,
        softness: Softness,
    ) -> Self {
        let limit = Some(Limit { softness, ..Limit::new(lower, upper) });
        Self::through(points).with_axis(Axis { limit, ..Axis::default() })
    }

    /// The same with these weights of the parts of a cable, one for each but the last point: a part
    /// of weight ρ pulls ρ times as strongly, and one of weight 0 is a gap.
    #[must_use]
    pub fn with_ratios(mut self, weights: &[f64]) -> Self {
        if let JointKind::Tendon { ratios, .. } = &mut self.kind {
            *ratios = weights.to_vec();
        }
        self
    }

    /// A point of B on a curve of A, from end to end of it; B turns freely.
    pub fn path(a: BodyId, b: BodyId, path: &Path, anchor: Vec2) -> Self {
        let def = Self::endless_path(a, b, path, anchor);
        if path.is_closed() { def } else { def.with_limit(0.0, path.length()) }
    }

    /// The same, but at the end of an open curve the point leaves it.
    pub fn path_with_exits(a: BodyId, b: BodyId, path: &Path, anchor: Vec2) -> Self {
        let mut def = Self::endless_path(a, b, path, anchor);
        if let JointKind::Path { leave, .. } = &mut def.kind {
            *leave = !path.is_closed();
        }
        def
    }

    /// The same, but beyond its ends an open curve goes on straight.
    pub fn endless_path(a: BodyId, b: BodyId, path: &Path, anchor: Vec2) -> Self {
        let path = path.clone();
        let kind =
            JointKind::Path { path, anchor, angle: 0.0, follow: false, from: None, leave: false };
        Self::new(kind, a, b)
    }

    /// A carriage: B goes along a curve of A and turns with it, at `angle` against its direction.
    pub fn carriage(a: BodyId, b: BodyId, path: &Path, anchor: Vec2, angle: f64) -> Self {
        let mut def = Self::path(a, b, path, anchor);
        if let JointKind::Path { follow, angle: own, .. } = &mut def.kind {
            (*follow, *own) = (true, angle);
        }
        def.with_second_axis(Axis::held(0.0))
    }
}

/// Points that a tendon has at most.
const POINTS: usize = 64;

pub(super) fn validate_tendon(anchors: &[Vec2], ratios: &[f64]) -> Result<(), Error> {
    if !(2..=POINTS).contains(&anchors.len()) {
        let (value, must_be) = (anchors.len() as f64, "2 to 64 points");
        return Err(Error::Number { field: "anchors", value, must_be });
    }
    if ratios.len() + 1 != anchors.len() {
        let (value, must_be) = (ratios.len() as f64, "one less than the points");
        return Err(Error::Number { field: "ratios", value, must_be });
    }
    for anchor in anchors {
        finite("anchors.x", anchor.x)?;
        finite("anchors.y", anchor.y)?;
    }
    for ratio in ratios {
        at_least_zero("ratios", *ratio)?;
    }
    match ratios.iter().all(|ratio| *ratio == 0.0) {
        true => Err(Error::Number { field: "ratios", value: 0.0, must_be: "above 0 somewhere" }),
        false => Ok(()),
    }
}
