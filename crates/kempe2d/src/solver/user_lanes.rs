//! Types of the user in lanes: the numbers of their joints, and their rows at a pose, by their own equations
//! ([`Erased::evaluate_lanes`]). Steps start as for programs, with B as it is seen from A.

use super::bucket::{Bucket, CHUNK, LANES};
use super::finish::Fields;
use super::program::{LARGEST, Programs};
use super::threads::{Shared, divide_batches};
use crate::joint::{Joint, JointKind, KindTag};
use crate::user::{Columns, Erased, Lot, Recording};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A type of the user that is evaluated by its own equations.
#[derive(Clone, Debug)]
pub(super) struct UserType {
    /// One of its joints, whose equations stand for all.
    example: Arc<dyn Erased>,
    given: bool,
    columns: Columns,
}

impl UserType {
    pub(super) fn new(joint: &dyn Erased, recording: &Recording) -> Option<Self> {
        recording.turns()?;
        let columns = Columns::new(u8::try_from(recording.constants.len()).ok()?);
        let given = recording.gives();
        let example = || Arc::from(joint.boxed());
        (!given || joint.agrees()).then(|| Self { example: example(), given, columns })
    }

    /// The kind of lanes for a joint of this type, which is at a place among them, if its numbers are for
    /// lanes. How many columns there are is known when all joints were seen: see [`Programs::count_columns`].
    pub(super) fn tag(
        &mut self,
        index: usize,
        recording: &Recording,
        point: bool,
        angle: Option<u8>,
    ) -> Option<KindTag> {
        let [rows, hold] = recording.counts().map(|count| u8::try_from(count).ok());
        let small = recording.constants.iter().all(|number| number.abs() <= LARGEST);
        let turns = recording.turns().filter(|_| small)?;
        let still = turns[..2] == [[0.0; 2]; 2];
        let index = u16::try_from(index).ok()?;
        let tag =
            KindTag::User { index, hold: hold?, rows: rows?, columns: 0, point, still, angle };
        self.columns.meet(&recording.constants);
        Some(tag)
    }
}

impl Programs {
    /// Says how many columns joints of the user have, once all of them were seen.
    pub(super) fn count_columns(&self, tags: &mut [Option<KindTag>]) {
        for tag in tags.iter_mut().flatten() {
            if let KindTag::User { index, columns, .. } = tag {
                *columns = self.types[usize::from(*index)].columns.count();
            }
        }
    }
}

impl Bucket {
    /// Writes the numbers of a joint into its lane.
    pub(super) fn fill_user(
        &mut self,
        programs: &Programs,
        lane: usize,
        joint: &Joint,
        target: f64,
    ) {
        let (JointKind::User(user), KindTag::User { index, .. }) = (&joint.def.kind, self.kind)
        else {
            return;
        };
        let Some(recording) = user.made().and_then(Erased::recording) else { return };
        let (first, off) = (self.layout.parameters(), self.layout.off());
        let columns = &programs.types[usize::from(index)].columns;
        for (k, constant) in columns.kept(&recording.constants).enumerate().take(off - first) {
            self.set(lane, first + k, constant as f32);
        }
        let turns = recording.turns().unwrap_or_default();
        for (k, row) in self.part.rows().into_iter().enumerate() {
            self.count_from(lane, k, turns[row], target);
        }
    }

    /// The rows of every entry at the present pose, on several threads if there are enough of them.
    pub(super) fn evaluate_user(&mut self, hot: Shared<'_>, programs: &Programs, threads: bool) {
        let KindTag::User { index, hold, rows, columns: count, .. } = self.kind else { return };
        let UserType { example, given, columns } = &programs.types[usize::from(index)];
        self.check(hot);
        assert_eq!(count, columns.count(), "columns of the type");
        let fields = Fields::new(self);
        let (law, soft) = (self.law_row(), self.uniform);
        let (a, b) = (&self.a, &self.b);
        let divided = threads && a.len() >= 2 * CHUNK * LANES;
        let most = if divided { CHUNK } else { usize::MAX };
        let left_out = AtomicBool::new(self.own.any_off);
        divide_batches(&mut self.data, fields.batch, most, |first, data| {
            let from = first * LANES;
            let to = from + data.len() / fields.batch * LANES;
            let found = example.evaluate_lanes(Lot {
                data,
                lists: [&a[from..to], &b[from..to]],
                hot,
                fields: &fields,
                soft,
                columns,
                counts: [rows.into(), hold.into()],
                law,
                given: *given,
            });
            if found {
                left_out.store(true, Ordering::Relaxed);
            }
        });
        self.own.any_off = left_out.into_inner();
    }
}

#[cfg(test)]
mod tests {
    use crate::joint::KindTag;
    use crate::{
        BodyDef, Constraint, Counts, Jacobian, Pose, Real, Settings, UserJoint, Vec2, World,
    };

    #[derive(Clone, Debug)]
    struct Pin<const GIVEN: bool> {
        a: Vec2,
        b: Vec2,
    }

    impl<const GIVEN: bool> Constraint for Pin<GIVEN> {
        fn name(&self) -> &str {
            "pin"
        }

        fn is_plain(&self) -> bool {
            true
        }

        fn counts(&self) -> Counts {
            Counts::held(2)
        }

        fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
            let gap = bodies[1].point(self.b) - bodies[0].point(self.a);
            [out[0], out[1]] = [gap.x, gap.y];
        }

        fn jacobian<S: Real>(&self, bodies: &[Pose<S>], _: S, out: &mut Jacobian<'_, S>) -> bool {
            let (a, b) = (bodies[0].direction(self.a), bodies[1].direction(self.b));
            let (x, y) = (Vec2::new(S::one(), S::zero()), Vec2::new(S::zero(), S::one()));
            out.set(0, 0, -x, a.y);
            out.set(1, 0, -y, -a.x);
            out.set(0, 1, x, -b.y);
            out.set(1, 1, y, b.x);
            GIVEN
        }
    }

    /// The columns of pins that hang a chain up, once it has moved.
    fn columns(pin: impl Fn(Vec2, Vec2) -> UserJoint, hooks: &[[f64; 2]]) -> Vec<u8> {
        let mut world = World::new(Settings::default()).unwrap();
        let mut last = world.ground().unwrap();
        for hook in hooks {
            let body = world.add_body(&BodyDef::dynamic()).unwrap();
            let joint = pin(Vec2::from(*hook), Vec2::new(-0.1, 0.0)).joint(&[last, body]);
            world.add_joint(&joint).unwrap();
            last = body;
        }
        world.step(1.0 / 60.0).unwrap();
        assert!(world.solver.wides.is_empty() && world.solver.programs.programs.is_empty());
        let of = |kind: KindTag| match kind {
            KindTag::User { columns, point: true, angle: None, .. } => columns,
            _ => panic!("{kind:?}"),
        };
        world.solver.buckets.iter().map(|bucket| of(bucket.kind)).collect()
    }

    #[test]
    fn types_of_the_user_get_lanes_and_no_column_twice() {
        let given = |a, b| UserJoint::new(Pin::<true> { a, b });
        let found = |a, b| UserJoint::new(Pin::<false> { a, b });
        // Of a joint alone a.y and b.y are the same, and so they are where all hooks are level.
        for (hooks, expected) in [
            (vec![[0.1, 0.0]], 3),
            (vec![[0.1, 0.0], [0.2, 0.0]], 3),
            (vec![[0.1, 0.0], [0.2, 0.3], [0.1, 0.0]], 4),
            // As far as the anchors of a scene are from its origin.
            (vec![[900.0, 0.0], [0.2, 0.3]], 4),
        ] {
            for columns in [columns(given, &hooks), columns(found, &hooks)] {
                assert!(!columns.is_empty() && columns.iter().all(|each| *each == expected));
            }
        }
    }
}
