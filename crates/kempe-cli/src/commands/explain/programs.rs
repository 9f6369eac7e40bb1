//! Joint programs that say what the built-in kinds do.

/// The program of a kind; none if the language cannot say it.
pub(super) fn find(kind: &str) -> Option<&'static str> {
    PROGRAMS.iter().find(|(name, _)| *name == kind).map(|(_, source)| *source)
}

macro_rules! programs {
    ($($name:literal),*) => {
        const PROGRAMS: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("programs/", $name, ".kempe")))),*];
    };
}

programs!(
    "weld",
    "revolute",
    "prismatic",
    "slot",
    "distance",
    "angle",
    "pulley",
    "generic",
    "tendon"
);

/// What there is to say of a kind without a program.
pub(super) fn instead(kind: &str) -> &'static str {
    match kind {
        "drive" => DRIVE,
        "path" => PATH,
        "coupling" => COUPLING,
        "filter" => {
            "There is no equation, and so no C, V, J or K: only pairs of bodies that do not collide.\n"
        }
        "text" => {
            "C, V, J and K are those of its program: `kempe explain FILE.kempe` shows them.\n"
        }
        _ => "C, V and J are those of its type, in Rust; a scene file cannot name it.\n",
    }
}

const DRIVE: &str = "\
There is no program of the same motion: the language bounds each row by itself, and a drive bounds
the length of a force. Its axes are those of `kempe explain generic`. What draws the point is

  F₁ = clip(−k (d − target) − c ḋ, spring_force)      to a place, k and c from its softness
  F₂ = clip(λ, velocity_force), λ so that ḋ = velocity    at a velocity

  clip(F, f) = F where |F| ≤ f, else f F / |F|

with d and ḋ along t and ⊥t, and J of both rows as those of along and across there.
";

const PATH: &str = "\
There is no program of the same motion: the foot of p on the curve is found by going along it, not
by a formula. With n = ⊥t, r_B the anchor, κ the curvature there and e the offset (0 once C is),

  C  = n · (p − c(s))
  V  = n · (v_B + ω_B ⊥r_B − v_A − ω_A ⊥(p − x_A))
  J  = (−n, −(p − x_A) × n, n, r_B × n)
  K  = m⁻¹_A + m⁻¹_B + I⁻¹_A ((p − x_A) × n)² + I⁻¹_B (r_B × n)²
  ṡ  = t · (the same velocity) / (1 − κ e)
";

const COUPLING: &str = "\
It is over coordinates of other joints and not over bodies, so that no program says it by itself; a
program can say it for joints of one kind, such as `kempe explain rack_and_pinion`.

  C  = Σ f_k(q_k) − constant
  V  = Σ f_k'(q_k) q̇_k
  J  = Σ f_k'(q_k) J_k,    J_k the row of the axis of its joint
  K  = J M⁻¹ Jᵀ
";

#[cfg(test)]
mod tests {
    use super::{PROGRAMS, find};
    use kempe_equation::Program;
    use kempe2d::{
        Axis, BodyDef, BodyId, ForceRange, JointDef, JointId, JointKind, KindInfo, Mass,
        MassProperties, Motor, TextJoint, Vec2, World,
    };

    /// Numbers from −1 to 1, the same on each run.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> f64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }

        fn vector(&mut self) -> Vec2 {
            Vec2::new(self.next(), self.next())
        }
    }

    /// Bodies as a seed has them.
    fn world(seed: u64) -> (World, Vec<BodyId>) {
        let (mut world, mut numbers) = (World::default(), Numbers(seed));
        let bodies = (0..4)
            .map(|at| {
                let mass = 2.0 + numbers.next();
                let inertia = 1.0 + 0.5 * numbers.next();
                let center = numbers.vector() * 0.2;
                let def = BodyDef {
                    position: Vec2::new(3.0 * f64::from(at), 0.0) + numbers.vector(),
                    rotation: 3.0 * numbers.next(),
                    velocity: numbers.vector(),
                    angular_velocity: numbers.next(),
                    mass: Mass::Given(MassProperties { mass, inertia, center }),
                    ..BodyDef::dynamic()
                };
                world.add_body(&def).unwrap()
            })
            .collect();
        (world, bodies)
    }

    /// The kind, and its program with the same numbers.
    fn both(name: &str, seed: u64) -> (JointKind, TextJoint) {
        let mut numbers = Numbers(seed ^ 0xABCD);
        let anchors: Vec<Vec2> = (0..4).map(|_| numbers.vector()).collect();
        let (anchor_a, anchor_b) = (anchors[0], anchors[1]);
        let (rail, angle) = (numbers.vector() * 3.0, numbers.next());
        let ratio = 1.5 + numbers.next();
        let ratios = [1.5 + numbers.next(), 1.5 + numbers.next()];
        let kind = match name {
            "weld" => JointKind::Weld { anchor_a, anchor_b, angle },
            "revolute" => JointKind::Revolute { anchor_a, anchor_b, angle },
            "prismatic" => JointKind::Prismatic { anchor_a, anchor_b, rail, angle },
            "slot" => JointKind::Slot { anchor_a, anchor_b, rail, angle },
            "generic" => JointKind::Generic { anchor_a, anchor_b, rail, angle },
            "distance" => JointKind::Distance { anchor_a, anchor_b },
            "angle" => JointKind::Angle { ratio, angle },
            "pulley" => JointKind::Pulley { anchors: [0, 1, 2, 3].map(|k| anchors[k]), ratio },
            "tendon" => {
                JointKind::Tendon { anchors: anchors[..3].to_vec(), ratios: ratios.to_vec() }
            }
            _ => unreachable!("{name}"),
        };
        let program = Program::parse(find(name).unwrap()).unwrap();
        let mut text = TextJoint::new(&program);
        let pair = |vector: Vec2| [vector.x, vector.y];
        for parameter in program.parameters() {
            let set = match parameter.name.as_str() {
                "anchor_a" => text.set("anchor_a", pair(anchors[0])),
                "anchor_b" => text.set("anchor_b", pair(anchors[1])),
                "anchor_c" => text.set("anchor_c", pair(anchors[2])),
                "anchor_d" => text.set("anchor_d", pair(anchors[3])),
                "rail" => text.set("rail", pair(rail)),
                "angle" => text.set("angle", angle),
                "ratio" => text.set("ratio", ratio),
                "ratio_1" => text.set("ratio_1", ratios[0]),
                "ratio_2" => text.set("ratio_2", ratios[1]),
                other => unreachable!("{name} {other}"),
            };
            set.unwrap();
        }
        (kind, text)
    }

    /// What acts on an axis: in turn nothing, a motor, a hold.
    fn act(seed: u64, axis: usize) -> Axis {
        match (seed as usize + axis) % 3 {
            0 => Axis::default(),
            1 => {
                let force = ForceRange::symmetric(20.0);
                Axis::driven(Motor::Velocity { speed: 0.7.into(), force })
            }
            _ => Axis::held(1.3),
        }
    }

    /// Bodies and a joint, in a world.
    fn build(seed: u64, kind: JointKind) -> (World, JointId, Vec<BodyId>) {
        let (mut world, bodies) = world(seed);
        let axes = (0..kind.axis_count()).map(|axis| act(seed, axis)).collect();
        let used = bodies[..kind.body_count()].to_vec();
        let def = JointDef { axes, ..JointDef::over(kind, used) };
        let joint = world.add_joint(&def).unwrap();
        (world, joint, bodies)
    }

    #[test]
    fn each_program_has_the_rows_and_the_motion_of_its_kind() {
        for (name, _) in PROGRAMS {
            for seed in 1..=12 {
                let (kind, text) = both(name, seed);
                let counts = (kind.hold_count(), kind.axis_count(), kind.body_count());
                let text = JointKind::Text(text);
                assert_eq!(counts, (text.hold_count(), text.axis_count(), text.body_count()));
                let (mut built, joint, bodies) = build(seed, kind);
                let (mut written, other, others) = build(seed, text);
                let near = |a: f64, b: f64, what: &str| {
                    // A step is in f32 where it may be.
                    let most = if what.starts_with('d') { 3e-5 } else { 1e-12 };
                    let off = (a - b).abs() / (1.0 + b.abs());
                    assert!(off <= most, "{name} {seed} {what}: {a} {b}");
                };
                let errors = (built.joint_error(joint), written.joint_error(other));
                for (a, b) in errors.0.unwrap().iter().zip(&errors.1.unwrap()) {
                    near(*a, *b, "C");
                }
                for axis in 0..counts.1 {
                    let both = [(&built, joint), (&written, other)];
                    let [a, b] = both.map(|(world, id)| world.joint_coordinate(id, axis).unwrap());
                    near(a, b, "q");
                    let [a, b] = both.map(|(world, id)| world.joint_speed(id, axis).unwrap());
                    near(a, b, "the rate of q");
                }
                // Masses and speeds differ from seed to seed, so that one step shows every entry of J.
                let free = built[bodies[0]].velocity();
                built.step(1.0 / 240.0).unwrap();
                written.step(1.0 / 240.0).unwrap();
                for (body, other) in bodies.iter().zip(&others) {
                    let (a, b) = (&built[*body], &written[*other]);
                    near(a.velocity().x, b.velocity().x, "dx");
                    near(a.velocity().y, b.velocity().y, "dy");
                    near(a.angular_velocity(), b.angular_velocity(), "dω");
                    near(a.rotation(), b.rotation(), "dθ");
                }
                // Something was held.
                let idle = counts.0 == 0 && seed % 3 == 0;
                assert!(
                    idle || *name == "angle"
                        || (built[bodies[0]].velocity() - free).length() > 1e-3
                );
            }
        }
    }

    #[test]
    fn every_kind_has_a_program_or_words() {
        for kind in KindInfo::all() {
            let words = super::instead(kind.name);
            let told = find(kind.name).is_some() || !words.is_empty();
            assert!(told, "{}", kind.name);
            // Those that are equations of bodies have a program.
            let expected = ["drive", "path", "coupling", "filter", "text", "user"];
            assert_eq!(find(kind.name).is_none(), expected.contains(&kind.name));
        }
    }
}
