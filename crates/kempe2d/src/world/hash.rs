//! One number for the whole state.

use super::World;
use crate::body::Body;
use crate::joint::Joint;

/// Mixes words into 64 bits; each step is a bijection of the state, so nothing that differs is lost
/// on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hasher(u64);

impl Hasher {
    pub(crate) fn new() -> Self {
        Self(0x6b65_6d70_6532_6400)
    }

    pub(crate) fn word(&mut self, word: u64) {
        let mut z = (self.0 ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.0 = z ^ (z >> 31);
    }

    pub(crate) fn number(&mut self, number: f64) {
        self.word(number.to_bits());
    }

    pub(crate) fn finish(self) -> u64 {
        self.0
    }
}

impl World {
    /// A hash of everything that the future depends on: equal worlds have equal hashes, to the bit
    /// of every number.
    pub fn state_hash(&self) -> u64 {
        let mut hasher = Hasher::new();
        for number in [self.settings.gravity.x, self.settings.gravity.y, self.time] {
            hasher.number(number);
        }
        hasher.word(u64::from(self.settings.substeps));
        for (id, body) in self.bodies.iter() {
            hasher.word(id.index() as u64);
            hasher.word(u64::from(id.generation()));
            hash_body(&mut hasher, body);
        }
        for (id, joint) in self.joints.iter() {
            hasher.word(id.index() as u64);
            hasher.word(u64::from(id.generation()));
            hash_joint(&mut hasher, joint);
        }
        // Impulses that the next step starts from.
        for bucket in &self.solver.buckets {
            for value in &bucket.data {
                hasher.word(u64::from(value.to_bits()));
            }
        }
        hasher.finish()
    }
}

fn hash_joint(hasher: &mut Hasher, joint: &Joint) {
    let def = &joint.def;
    hasher.word(((def.a.index() as u64) << 32) | def.b.index() as u64);
    hasher.word(u64::from(def.enabled));
    hasher.word(def.user_data);
    // Settings are plain numbers; their text names every one of them.
    for byte in format!("{:?}{:?}{:?}", def.kind, def.axes, def.softness).bytes() {
        hasher.word(byte.into());
    }
}

fn hash_body(hasher: &mut Hasher, body: &Body) {
    let numbers = [
        body.center.x,
        body.center.y,
        body.rotation,
        body.velocity.x,
        body.velocity.y,
        body.angular_velocity,
        body.properties.mass,
        body.properties.center.x,
        body.properties.center.y,
        body.properties.inertia,
        body.force.x,
        body.force.y,
        body.torque,
        body.gravity_scale,
        body.linear_damping,
        body.angular_damping,
    ];
    for number in numbers {
        hasher.number(number);
    }
    let locked = body.locked;
    let flags = [body.enabled, locked.x, locked.y, locked.rotation];
    let flags = flags.into_iter().fold(0, |word, flag| 2 * word + u64::from(flag));
    hasher.word(4 * flags + body.kind as u64);
    hasher.word(body.user_data);
}
