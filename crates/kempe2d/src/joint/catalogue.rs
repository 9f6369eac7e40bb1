//! What kinds of joint there are: their equations, how they are made, and their names elsewhere.
//!
//! Of bodies A and B: x is where a body is, θ its angle, r an anchor turned with it, and
//! d = x_B + r_B − x_A − r_A from A's anchor to B's. t is a direction of A, ⊥t the one across it, φ
//! where an angle counts from, ρ a ratio.

/// What is known of a kind of joint.
///
/// ```
/// use kempe2d::KindInfo;
///
/// let weld = &KindInfo::all()[0];
/// assert_eq!((weld.name, weld.rows), ("weld", Some(3)));
/// assert!(weld.constructors.contains(&"World::weld_at"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KindInfo {
    /// As [`JointKind::name`](crate::JointKind::name) has it; a user's joint has a name of its own
    /// there.
    pub name: &'static str,
    /// In a sentence.
    pub summary: &'static str,
    /// What is held, C = 0, and what is left, q. d = x_B + r_B − x_A − r_A goes from A's anchor to
    /// B's, t is a direction of A and ⊥t the one across it.
    pub equations: &'static [&'static str],
    /// How many bodies it has, in words.
    pub bodies: &'static str,
    /// How many equations it holds; `None` if each joint says so itself, and its axes too.
    pub rows: Option<usize>,
    /// The axes that it leaves, each with its unit.
    pub axes: &'static [&'static str],
    /// What makes it.
    pub constructors: &'static [&'static str],
    /// Engines that have it, or something close to it, and what they call it.
    pub elsewhere: &'static [(&'static str, &'static str)],
}

impl KindInfo {
    /// Every kind there is, in the order of [`JointKind`](crate::JointKind).
    pub fn all() -> &'static [Self] {
        ALL
    }
}

const ALL: &[KindInfo] = &[
    KindInfo {
        name: "weld",
        summary: "Two bodies become one.",
        equations: &["C = (d, θ_B − θ_A − φ)"],
        bodies: "2",
        rows: Some(3),
        axes: &[],
        constructors: &["JointDef::weld", "World::weld_at"],
        elsewhere: &[
            ("Chipmunk2D", "PivotJoint and GearJoint together"),
            ("Nape", "WeldJoint"),
            ("Box2D", "weld joint"),
            ("Rapier", "FixedJoint"),
            ("Jolt", "Fixed"),
            ("MuJoCo", "equality/weld"),
            ("Avian", "FixedJoint"),
        ],
    },
    KindInfo {
        name: "revolute",
        summary: "A pin through two bodies, about which they turn.",
        equations: &["C = d", "q = θ_B − θ_A − φ"],
        bodies: "2",
        rows: Some(2),
        axes: &["angle, rad"],
        constructors: &["JointDef::revolute", "World::revolute_at"],
        elsewhere: &[
            ("Chipmunk2D", "PivotJoint"),
            ("Nape", "PivotJoint"),
            ("Box2D", "revolute joint"),
            ("Rapier", "RevoluteJoint"),
            ("Jolt", "Hinge, Point"),
            ("MuJoCo", "joint hinge, equality/connect"),
            ("Avian", "RevoluteJoint"),
        ],
    },
    KindInfo {
        name: "prismatic",
        summary: "A slider on a rail, which does not turn.",
        equations: &["C = (⊥t · d, θ_B − θ_A − φ)", "q = t · d"],
        bodies: "2",
        rows: Some(2),
        axes: &["travel, m"],
        constructors: &["JointDef::prismatic", "World::prismatic_at"],
        elsewhere: &[
            ("Nape", "LineJoint and AngleJoint together"),
            ("Box2D", "prismatic joint"),
            ("Rapier", "PrismaticJoint"),
            ("Jolt", "Slider"),
            ("MuJoCo", "joint slide"),
            ("Avian", "PrismaticJoint"),
        ],
    },
    KindInfo {
        name: "slot",
        summary: "A pin of one body on a line of another; with ends a groove, with a spring a wheel.",
        equations: &["C = ⊥t · d", "q₁ = t · d", "q₂ = θ_B − θ_A − φ"],
        bodies: "2",
        rows: Some(1),
        axes: &["travel, m", "angle, rad"],
        constructors: &["JointDef::slot", "JointDef::groove", "JointDef::wheel", "World::slot_at"],
        elsewhere: &[
            ("Chipmunk2D", "GrooveJoint"),
            ("Nape", "LineJoint"),
            ("Box2D", "wheel joint"),
            ("Rapier", "PinSlotJoint"),
            ("Jolt", "SixDOF with two free axes"),
            ("MuJoCo", "joints slide and hinge"),
        ],
    },
    KindInfo {
        name: "distance",
        summary: "The length between two points: a rod, a rope, a spring, a winch.",
        equations: &["q = |d|"],
        bodies: "2",
        rows: Some(0),
        axes: &["length, m"],
        constructors: &[
            "JointDef::rod",
            "JointDef::range",
            "JointDef::rope",
            "JointDef::strut",
            "JointDef::winch",
            "JointDef::spring",
            "JointDef::tension_spring",
            "JointDef::compression_spring",
            "World::rod_between",
        ],
        elsewhere: &[
            ("Chipmunk2D", "PinJoint (rod), SlideJoint (range), DampedSpring"),
            ("Nape", "DistanceJoint"),
            ("Box2D", "distance joint"),
            ("Rapier", "RopeJoint, SpringJoint"),
            ("Jolt", "Distance"),
            ("MuJoCo", "spatial tendon of two sites"),
            ("Avian", "DistanceJoint"),
        ],
    },
    KindInfo {
        name: "angle",
        summary: "The angle of one body against another: a range, a gear, a spring, a motor, a ratchet.",
        equations: &["q = ρ θ_B − θ_A − φ"],
        bodies: "2",
        rows: Some(0),
        axes: &["angle, rad"],
        constructors: &[
            "JointDef::angle_range",
            "JointDef::gear",
            "JointDef::angular_spring",
            "JointDef::angular_motor",
            "JointDef::ratchet",
        ],
        elsewhere: &[
            (
                "Chipmunk2D",
                "RotaryLimitJoint, GearJoint, DampedRotarySpring, SimpleMotor, RatchetJoint",
            ),
            ("Nape", "AngleJoint, MotorJoint"),
            ("Jolt", "Gear"),
        ],
    },
    KindInfo {
        name: "pulley",
        summary: "A rope over two wheels, of which one side may count more.",
        equations: &["q = |p₂ − p₁| + ρ |p₄ − p₃|"],
        bodies: "2 to 4, in four places",
        rows: Some(0),
        axes: &["length, m"],
        constructors: &["JointDef::pulley", "JointDef::stiff_pulley"],
        elsewhere: &[
            ("Nape", "PulleyJoint"),
            ("Box2D", "pulley joint (in version 2)"),
            ("Jolt", "Pulley"),
            ("MuJoCo", "spatial tendon with a pulley"),
        ],
    },
    KindInfo {
        name: "generic",
        summary: "x, y and the angle of one body as seen from another, each free, limited or held.",
        equations: &["q₁ = t · d", "q₂ = ⊥t · d", "q₃ = θ_B − θ_A − φ"],
        bodies: "2",
        rows: Some(0),
        axes: &["along, m", "across, m", "angle, rad"],
        constructors: &["JointDef::generic", "JointDef::mover", "JointDef::pogo"],
        elsewhere: &[
            ("Box2D", "mover joint, pogo joint"),
            ("Rapier", "GenericJoint"),
            ("Jolt", "SixDOF"),
            ("MuJoCo", "several joints of one body"),
        ],
    },
    KindInfo {
        name: "drive",
        summary: "A point drawn to a place and at a velocity, with forces of limited length.",
        equations: &[
            "q₁ = t · d",
            "q₂ = ⊥t · d",
            "q₃ = θ_B − θ_A − φ",
            "|F| at most the spring's largest force, and the motor's",
        ],
        bodies: "2",
        rows: Some(0),
        axes: &["along, m", "across, m", "angle, rad"],
        constructors: &["JointDef::drive", "JointDef::mouse", "JointDef::top_down_friction"],
        elsewhere: &[
            ("Nape", "soft PivotJoint, as a mouse"),
            ("Box2D", "motor joint; mouse and friction joint (in version 2)"),
            ("Rapier", "GenericJoint with motors"),
            ("Jolt", "SixDOF with motors"),
            ("MuJoCo", "equality/weld to a mocap body"),
        ],
    },
    KindInfo {
        name: "tendon",
        summary: "A cable through points of any bodies, which slides through them without friction.",
        equations: &["q = Σ ρ_k |p_k+1 − p_k|"],
        bodies: "any, in 2 to 64 places",
        rows: Some(0),
        axes: &["length, m"],
        constructors: &["JointDef::tendon", "JointDef::elastic_tendon"],
        elsewhere: &[("MuJoCo", "spatial tendon")],
    },
    KindInfo {
        name: "path",
        summary: "A point of one body on a curve of another.",
        equations: &[
            "C = ⊥t · (p − c)",
            "q₁ = s",
            "q₂ = θ_B − θ_A − φ, less the angle of t where B follows the curve",
            "c the foot of p on the curve, at the arc length s, where its direction is t",
        ],
        bodies: "2",
        rows: Some(1),
        axes: &["way, m", "angle, rad"],
        constructors: &[
            "JointDef::path",
            "JointDef::path_with_exits",
            "JointDef::endless_path",
            "JointDef::carriage",
        ],
        elsewhere: &[("Jolt", "Path")],
    },
    KindInfo {
        name: "coupling",
        summary: "What coordinates of other joints have to do with each other: gears, racks, cams.",
        equations: &["q = Σ f_k(q_k) − constant"],
        bodies: "any, those of its joints",
        rows: Some(0),
        axes: &["sum, in the unit of its terms"],
        constructors: &[
            "JointDef::coupling",
            "JointDef::follower",
            "JointDef::gears",
            "JointDef::planetary",
            "JointDef::rack_and_pinion",
            "JointDef::screw",
            "JointDef::belt",
        ],
        elsewhere: &[
            ("Box2D", "gear joint (in version 2)"),
            ("Rapier", "MultibodyDofCoupling"),
            ("Jolt", "Gear, RackAndPinion"),
            ("MuJoCo", "equality/joint, fixed tendon"),
        ],
    },
    KindInfo {
        name: "filter",
        summary: "Nothing but that two bodies do not collide with each other.",
        equations: &[],
        bodies: "2",
        rows: Some(0),
        axes: &[],
        constructors: &["JointDef::filter"],
        elsewhere: &[
            ("Nape", "`ignore` of any constraint"),
            ("Box2D", "filter joint"),
            ("Rapier", "`contacts_enabled` of any joint"),
            ("Jolt", "GroupFilterTable"),
            ("MuJoCo", "contact/exclude"),
            ("Avian", "JointCollisionDisabled"),
        ],
    },
    KindInfo {
        name: "text",
        summary: "What a program says: equations between bodies, written as text.",
        equations: &["C and q as its `constraint` and `axis` say"],
        bodies: "any, those that it names",
        rows: None,
        axes: &[],
        constructors: &["TextJoint::joint"],
        elsewhere: &[("Nape", "SymbolicConstraint")],
    },
    KindInfo {
        name: "user",
        summary: "What a type of the user says: a `Constraint`, in Rust.",
        equations: &["C and q as its `equations` say", "A v + b as its `velocity_equations` say"],
        bodies: "any, as it says",
        rows: None,
        axes: &[],
        constructors: &["UserJoint::joint"],
        elsewhere: &[
            ("Chipmunk2D", "a constraint class of one's own, which is not public"),
            ("Nape", "UserConstraint"),
            ("Jolt", "a subclass of TwoBodyConstraint"),
            ("MuJoCo", "callbacks and plugins"),
            ("Avian", "XpbdConstraint"),
        ],
    },
];
