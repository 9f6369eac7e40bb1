//! Velocities after one short step, from rows that a test writes down: λ = K⁻¹ (goal − J v).

use kempe2d::{
    BodyDef, BodyId, BodyKind, Error, JointDef, JointId, Mass, MassProperties, Settings, Vec2,
    World,
};

pub(crate) const H: f64 = 1.0 / 60.0;
/// So short that nothing moves by what matters.
pub(crate) const SHORT: f64 = 1e-5;

/// J of a row: bodies with what it has for v_x, v_y, ω. A body may come twice.
pub(crate) type Row = Vec<(BodyId, [f64; 3])>;

pub(crate) fn world(gravity: f64, substeps: u32) -> World {
    let gravity = Vec2::new(0.0, -gravity);
    World::new(Settings {
        gravity,
        substeps,
        sleep: false,
        springs: kempe2d::Springs::ImplicitEuler,
        ..Settings::default()
    })
    .unwrap()
}

/// A body of this mass and moment of inertia about its origin.
pub(crate) fn body(mass: f64, inertia: f64, position: Vec2) -> BodyDef {
    let mass = Mass::Given(MassProperties { mass, center: Vec2::ZERO, inertia });
    BodyDef { position, mass, ..BodyDef::dynamic() }
}

pub(crate) fn run(world: &mut World, seconds: f64) {
    for _ in 0..(seconds / H).round() as usize {
        world.step(H).unwrap();
    }
}

#[track_caller]
pub(crate) fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

/// Four bodies of all masses, places, turns and speeds, with centres beside their origins. `sense`
/// turns all speeds round.
pub(crate) fn moving(sense: f64) -> (World, [BodyId; 4]) {
    let mut world = world(0.0, 1);
    let places = [[-0.3, 0.2], [1.4, 0.9], [-1.1, 2.3], [0.8, -1.7]];
    let ids = std::array::from_fn(|k| {
        let x = k as f64;
        let center = Vec2::new(0.1 + 0.05 * x, -0.2 + 0.1 * x);
        let mass = MassProperties { mass: 1.0 + 0.7 * x, center, inertia: 0.4 + 0.3 * x };
        let velocity = Vec2::new(0.8 - 0.9 * x, -0.5 + 0.7 * x) * sense;
        let def = BodyDef {
            position: Vec2::new(places[k][0], places[k][1]),
            rotation: 0.4 - 0.5 * x,
            velocity,
            angular_velocity: (1.3 - 0.8 * x) * sense,
            mass: Mass::Given(mass),
            ..BodyDef::dynamic()
        };
        world.add_body(&def).unwrap()
    });
    (world, ids)
}

/// From the centre of mass to an anchor, in world axes.
pub(crate) fn arm(world: &World, id: BodyId, anchor: Vec2) -> Vec2 {
    let body = &world[id];
    body.turned(anchor - body.mass_properties().center)
}

/// From the anchor of the first body to that of the second.
pub(crate) fn gap(world: &World, bodies: [BodyId; 2], anchors: [Vec2; 2]) -> Vec2 {
    world[bodies[1]].world_point(anchors[1]) - world[bodies[0]].world_point(anchors[0])
}

/// n · (v₂ + ω₂ × r₂ − v₁ − ω₁ × r₁)
pub(crate) fn along(world: &World, bodies: [BodyId; 2], anchors: [Vec2; 2], n: Vec2) -> Row {
    let [a, b] = bodies;
    let [r1, r2] = [arm(world, a, anchors[0]), arm(world, b, anchors[1])];
    vec![(a, [-n.x, -n.y, -r1.cross(n)]), (b, [n.x, n.y, r2.cross(n)])]
}

/// ρ ω₂ − ω₁
pub(crate) fn turning(bodies: [BodyId; 2], ratio: f64) -> Row {
    vec![(bodies[0], [0.0, 0.0, -1.0]), (bodies[1], [0.0, 0.0, ratio])]
}

/// Puts a point of a body there.
pub(crate) fn put(world: &mut World, id: BodyId, anchor: Vec2, point: Vec2) {
    let position = world[id].position() + point - world[id].world_point(anchor);
    world.set_position(id, position).unwrap();
}

/// What a test needs of a world to do the sums: by body v_x, v_y, ω, and their inverse masses.
struct Sums {
    ids: Vec<BodyId>,
    v: Vec<f64>,
    inverse: Vec<f64>,
    j: Vec<Vec<f64>>,
}

impl Sums {
    fn new(world: &World, rows: &[Row]) -> Self {
        let (mut ids, mut v, mut inverse) = (Vec::new(), Vec::new(), Vec::new());
        for (id, body) in world.bodies() {
            ids.push(id);
            v.extend([body.velocity().x, body.velocity().y, body.angular_velocity()]);
            let mass = body.mass_properties();
            let moves = if body.kind() == BodyKind::Dynamic { 1.0 } else { 0.0 };
            inverse.extend([moves / mass.mass, moves / mass.mass, moves / mass.inertia]);
        }
        let mut j = vec![vec![0.0; v.len()]; rows.len()];
        for (line, row) in j.iter_mut().zip(rows) {
            for (id, part) in row {
                let at = 3 * ids.iter().position(|each| each == id).unwrap();
                for (k, value) in part.iter().enumerate() {
                    line[at + k] += value;
                }
            }
        }
        Self { ids, v, inverse, j }
    }

    fn k(&self, r: usize, s: usize) -> f64 {
        let each = self.j[r].iter().zip(&self.j[s]).zip(&self.inverse);
        each.map(|((a, b), inverse)| a * b * inverse).sum()
    }

    fn speed(&self, r: usize) -> f64 {
        self.j[r].iter().zip(&self.v).map(|(a, b)| a * b).sum()
    }
}

/// J v and K of a single row.
pub(crate) fn speed_and_mass(world: &World, row: &Row) -> (f64, f64) {
    let sums = Sums::new(world, std::slice::from_ref(row));
    (sums.speed(0), sums.k(0, 0))
}

/// K x = right, by elimination.
fn solve(mut k: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for p in 0..n {
        for r in p + 1..n {
            let share = k[r][p] / k[p][p];
            let pivot = k[p].clone();
            for (entry, of_pivot) in k[r].iter_mut().zip(pivot) {
                *entry -= share * of_pivot;
            }
            right[r] -= share * right[p];
        }
    }
    for p in (0..n).rev() {
        let known: f64 = (p + 1..n).map(|c| k[p][c] * right[c]).sum();
        right[p] = (right[p] - known) / k[p][p];
    }
    right
}

/// The impulses that bring every row to its goal.
pub(crate) fn wanted(world: &World, rows: &[Row], goals: &[f64]) -> Vec<f64> {
    let sums = Sums::new(world, rows);
    let n = rows.len();
    let k = (0..n).map(|r| (0..n).map(|s| sums.k(r, s)).collect()).collect();
    solve(k, (0..n).map(|r| goals[r] - sums.speed(r)).collect())
}

/// Steps once with the joint, and compares all velocities with v + M⁻¹ Jᵀ λ.
#[track_caller]
pub(crate) fn check(
    world: &mut World,
    def: &JointDef,
    rows: &[Row],
    lambda: &[f64],
    dt: f64,
    tolerance: f64,
) -> JointId {
    let sums = Sums::new(world, rows);
    let id = world.add_joint(def).unwrap();
    world.step(dt).unwrap();
    for (at, body) in sums.ids.iter().enumerate() {
        let body = &world[*body];
        let found = [body.velocity().x, body.velocity().y, body.angular_velocity()];
        for (k, found) in found.into_iter().enumerate() {
            let index = 3 * at + k;
            let pushed: f64 = sums.j.iter().zip(lambda).map(|(row, l)| row[index] * l).sum();
            let expected = sums.v[index] + sums.inverse[index] * pushed;
            assert!(
                (found - expected).abs() <= tolerance,
                "body {at}, velocity {k}: {found} is not {expected}, from {}, λ {lambda:?}",
                sums.v[index]
            );
        }
    }
    id
}

/// Refused by the world, which names the field and stays as it was.
#[track_caller]
pub(crate) fn refused(world: &mut World, def: &JointDef, names: &str) {
    let before = world.state_hash();
    let error = world.add_joint(def).unwrap_err();
    let named = matches!(error, Error::Number { field, .. } if field.contains(names));
    assert!(named, "{error} does not name {names}");
    assert_eq!(world.state_hash(), before);
}
