//! What is drawn of bodies and of every kind of joint, and where; and the drawing as SVG.
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use crate::seen::{SIZE, Seen, at, boxes, drawn, near};
use kempe2d::equation::{Program, Type, gallery};
use kempe2d::{
    Axis, BodyDef, BodyId, Constraint, Counts, Draw, DrawOptions, JointDef, JointKind, Pose, Real,
    Role, Shape, Softness, Svg, TextJoint, UserJoint, Vec2, World,
};
use std::f64::consts::{FRAC_PI_2, PI};

#[test]
fn bodies_have_outlines_marks_and_the_role_of_their_kind() {
    let mut world = World::default();
    let shapes = |shape| vec![(shape, 1.0)];
    let add = |world: &mut World, def: BodyDef| world.add_body(&def).unwrap();
    add(&mut world, BodyDef { position: at(9.0, 0.0), ..BodyDef::fixed() });
    let disc = BodyDef { shapes: shapes(Shape::circle(0.5)), ..BodyDef::dynamic() };
    add(&mut world, BodyDef { position: at(1.0, 1.0), rotation: FRAC_PI_2, ..disc.clone() });
    let (start, end) = (at(-1.0, 0.0), at(1.0, 0.0));
    let capsule = shapes(Shape::Capsule { start, end, radius: 0.2 });
    add(&mut world, BodyDef { position: at(0.0, 5.0), shapes: capsule, ..BodyDef::kinematic() });
    add(&mut world, BodyDef { position: at(-3.0, 0.0), enabled: false, ..disc.clone() });
    let seen = Seen::of(&world, DrawOptions::default());
    seen.line_at(at(8.95, 0.0), at(9.1, 0.0), Role::Static);
    seen.line_at(at(9.0, -0.05), at(9.0, 0.05), Role::Static);
    seen.circle_at(at(1.0, 1.0), 0.5, Role::Dynamic);
    seen.line_at(at(1.0, 1.0), at(1.0, 1.5), Role::Dynamic);
    seen.circle_at(at(1.0, 1.0), 0.3 * SIZE, Role::Center);
    seen.line_at(at(-1.0, 4.8), at(1.0, 4.8), Role::Kinematic);
    seen.line_at(at(-1.0, 5.2), at(1.0, 5.2), Role::Kinematic);
    let round = seen.lines.iter().filter(|line| line.2 == Role::Kinematic);
    assert!(round.clone().any(|line| near(line.1, at(1.2, 5.0))), "its end is round");
    assert!(round.clone().any(|line| near(line.1, at(-1.2, 5.0))));
    seen.circle_at(at(-3.0, 0.0), 0.5, Role::Disabled);

    let still = world.add_body(&BodyDef { gravity_scale: 0.0, position: at(0.0, -4.0), ..disc });
    while !world[still.clone().unwrap()].is_asleep() {
        world.step(1.0 / 60.0).unwrap();
    }
    Seen::of(&world, DrawOptions::default()).circle_at(at(0.0, -4.0), 0.5, Role::Asleep);
}

#[test]
fn a_polygon_with_its_centre_of_mass() {
    let mut world = World::default();
    let corners = [(0.0, 0.0), (3.0, 0.0), (0.0, 3.0)].map(Vec2::from).to_vec();
    let shapes = vec![(Shape::Polygon { corners }, 1.0)];
    let def = BodyDef { position: at(1.0, 1.0), rotation: PI, shapes, ..BodyDef::dynamic() };
    world.add_body(&def).unwrap();
    let seen = Seen::of(&world, DrawOptions::default());
    for (a, b) in [((1.0, 1.0), (-2.0, 1.0)), ((-2.0, 1.0), (1.0, -2.0)), ((1.0, -2.0), (1.0, 1.0))]
    {
        seen.line_at(a.into(), b.into(), Role::Dynamic);
    }
    seen.circle_at(at(0.0, 0.0), 0.3 * SIZE, Role::Center);
    let nothing = DrawOptions { bodies: false, ..DrawOptions::default() };
    assert!(Seen::of(&world, nothing).lines.is_empty());
}

#[test]
fn a_weld_shows_how_each_body_stands_and_a_gap() {
    let (mut world, _, [a, b]) = boxes();
    let def = JointDef::weld(a, b, [at(0.5, 0.0), at(0.0, 0.5)], FRAC_PI_2);
    let seen = drawn(&mut world, &def);
    seen.circle_at(at(0.5, 2.0), 0.5 * SIZE, Role::Anchor);
    seen.circle_at(at(1.5, 2.0), 0.3 * SIZE, Role::Anchor);
    seen.line_at(at(0.5, 2.0), at(1.5, 2.0), Role::Gap);
    seen.line_at(at(0.0, 2.0), at(0.5, 2.0), Role::Arm);
    let half = 0.7 * SIZE;
    seen.line_at(at(0.5 - half, 2.0 + half), at(0.5 + half, 2.0 + half), Role::Joint);
    seen.line_at(at(1.5 - half, 2.0 + half), at(1.5 + half, 2.0 + half), Role::Joint);
    assert_eq!(seen.count(Role::Joint), 8);
    let closed = JointDef::weld(a, b, [at(1.0, 0.0), at(0.0, 1.0)], FRAC_PI_2);
    assert_eq!(drawn(&mut world, &closed).count(Role::Gap), 0);
}

#[test]
fn a_revolute_joint_has_rays_at_its_limits() {
    let (mut world, ground, [a, _]) = boxes();
    let def = world.revolute_at(ground, a, at(-1.0, 2.0)).unwrap().with_limit(-FRAC_PI_2, 0.25);
    let seen = drawn(&mut world, &def);
    // The box is seen to the right of the pin.
    let pin = at(-1.0, 2.0);
    seen.line_at(pin, at(-0.6, 2.0), Role::Axis);
    seen.line_at(pin, at(-1.0, 1.6), Role::Limit);
    seen.line_at(pin, pin + Vec2::from_angle(0.25) * 0.4, Role::Limit);
    let arc = seen.lines.iter().filter(|line| near(line.0, at(-1.0, 1.7)));
    assert_eq!(arc.filter(|line| line.2 == Role::Limit).count(), 1, "the arc starts at the stop");
    assert!(seen.lines.iter().any(|line| near(line.1, pin + Vec2::from_angle(0.25) * 0.3)));
    // Seen from the ground, the other way round.
    let mut def = world.revolute_at(a, ground, pin).unwrap().with_limit(-FRAC_PI_2, 0.25);
    let seen = drawn(&mut world, &def);
    seen.line_at(pin, at(-1.0, 2.4), Role::Limit);
    def.axes.clear();
    assert_eq!(drawn(&mut world, &def).count(Role::Limit), 0);
    def.enabled = false;
    let seen = drawn(&mut world, &def);
    assert!(seen.lines.iter().all(|line| line.2 == Role::Disabled));
    seen.circle_at(pin, 0.5 * SIZE, Role::Disabled);
}

#[test]
fn rails_have_ends_where_there_are_limits() {
    let (mut world, ground, [a, _]) = boxes();
    let anchors = [at(-1.0, 2.0), Vec2::ZERO];
    let def = JointDef::prismatic(ground, a, anchors, at(3.0, 0.0)).with_limit(-0.5, 2.0);
    let seen = drawn(&mut world, &def);
    seen.line_at(at(-1.5, 2.0), at(1.0, 2.0), Role::Axis);
    seen.line_at(at(-1.5, 1.9), at(-1.5, 2.1), Role::Limit);
    seen.line_at(at(1.0, 1.9), at(1.0, 2.1), Role::Limit);
    assert_eq!(seen.count(Role::Joint), 4, "it does not turn");
    let free = JointDef::slot(ground, a, [at(-1.0, 1.5), at(0.25, 0.0)], Vec2::X);
    let seen = drawn(&mut world, &free);
    seen.line_at(at(-1.4, 1.5), at(0.65, 1.5), Role::Axis);
    seen.line_at(at(0.25, 1.5), at(0.25, 2.0), Role::Gap);
    assert_eq!(seen.count(Role::Joint) + seen.count(Role::Limit), 0);
    let turns = free.with_second_axis(Axis::limited(-1.0, 1.0));
    let from = at(0.25, 2.0);
    drawn(&mut world, &turns).line_at(from, from + Vec2::from_angle(PI + 1.0) * 0.4, Role::Limit);
    let axes = DrawOptions { axes: false, ..DrawOptions::default() };
    world.add_joint(&def).unwrap();
    assert_eq!(Seen::of(&world, axes).count(Role::Axis), 0);
}

#[test]
fn lengths_are_ropes_rods_and_springs() {
    let (mut world, ground, [a, b]) = boxes();
    let anchors = [at(0.5, 0.0), at(0.0, 0.5)];
    let (from, to) = (at(0.5, 2.0), at(1.5, 2.0));
    let slack = drawn(&mut world, &JointDef::rope(a, b, anchors, 2.0));
    assert_eq!(slack.count(Role::Slack), 16);
    let rope: Vec<_> = slack.lines.iter().filter(|line| line.2 == Role::Slack).collect();
    assert!(near(rope[0].0, from) && near(rope[15].1, to));
    assert!((rope[7].1 - at(1.0, 2.0)).length() > 0.5, "it hangs");
    slack.line_at(at(2.5, 1.9), at(2.5, 2.1), Role::Limit);
    drawn(&mut world, &JointDef::rope(a, b, anchors, 1.0)).line_at(from, to, Role::Joint);
    drawn(&mut world, &JointDef::strut(a, b, anchors, 0.5)).line_at(from, to, Role::Slack);
    let rod = drawn(&mut world, &JointDef::rod(a, b, anchors, 1.2));
    rod.line_at(from, to, Role::Joint);
    rod.line_at(to, at(1.7, 2.0), Role::Gap);
    let kind = JointKind::Distance { anchor_a: anchors[0], anchor_b: anchors[1] };
    drawn(&mut world, &JointDef::new(kind, a, b)).line_at(from, to, Role::Axis);
    let softness = Softness::Hertz { hertz: 2.0, damping_ratio: 0.5 };
    let spring = drawn(&mut world, &JointDef::spring(a, b, anchors, 1.0, softness));
    spring.line_at(from, at(0.625, 2.0), Role::Joint);
    spring.line_at(at(1.375, 2.0), to, Role::Joint);
    assert_eq!(spring.count(Role::Joint), 15);

    let anchors = [at(0.0, 3.0), at(0.0, 0.25), at(2.0, 3.0), at(0.25, 0.0)];
    let pulley = JointDef::pulley([ground, a, ground, b], anchors, 2.0, 2.25);
    let seen = drawn(&mut world, &pulley);
    seen.line_at(at(0.0, 3.0), at(0.0, 2.25), Role::Joint);
    seen.line_at(at(2.0, 3.0), at(2.0, 2.25), Role::Joint);
    seen.circle_at(at(0.0, 3.0), 0.5 * SIZE, Role::Anchor);
    seen.circle_at(at(2.0, 2.25), 0.3 * SIZE, Role::Anchor);
    let seen = drawn(&mut world, &JointDef::pulley([ground, a, ground, b], anchors, 2.0, 2.65));
    seen.line_at(at(0.0, 3.0), at(0.0, 2.25), Role::Slack);
    seen.line_at(at(1.9, 2.05), at(2.1, 2.05), Role::Limit);
}

#[test]
fn angles_are_circles_and_rays() {
    let (mut world, ground, [a, b]) = boxes();
    let gear = drawn(&mut world, &JointDef::gear(a, b, 1.0, FRAC_PI_2));
    gear.circle_at(at(0.0, 2.0), 1.5 * SIZE, Role::Joint);
    gear.circle_at(at(2.0, 2.0), 1.5 * SIZE, Role::Joint);
    gear.line_at(at(0.0, 2.0), at(2.0, 2.0), Role::Arm);
    gear.line_at(at(2.0, 2.1), at(2.0, 2.2), Role::Joint);
    // Half as far at twice the ratio.
    let seen = drawn(&mut world, &JointDef::angle_range(ground, b, 2.0, 0.0, PI + 1.0));
    seen.circle_at(at(2.0, 2.0), 1.5 * SIZE, Role::Axis);
    seen.line_at(at(2.0, 2.0), at(2.4, 2.0), Role::Limit);
    seen.line_at(at(2.0, 2.0), at(2.0, 2.0) + Vec2::from_angle(FRAC_PI_2 + 0.5) * 0.4, Role::Limit);
}

fn text(source: &str, numbers: &[(&str, [f64; 2])], bodies: &[(&str, BodyId)]) -> JointDef {
    let program = Program::parse(source).unwrap();
    let set =
        |joint: TextJoint, (name, value): &(&str, [f64; 2])| joint.with(name, *value).unwrap();
    numbers.iter().fold(TextJoint::new(&program), set).joint(bodies).unwrap()
}

/// The points on which the forces act come from the equations alone.
#[test]
fn joints_from_text_are_drawn_where_they_act() {
    let (mut world, ground, [a, b]) = boxes();
    let source = "body a, b  vector on_a, on_b
        constraint |(b.position + relative b on_b) - (a.position + relative a on_a)| - 1.5";
    let numbers = [("on_a", [0.5, 0.25]), ("on_b", [0.0, 0.5])];
    let seen = drawn(&mut world, &text(source, &numbers, &[("a", a), ("b", b)]));
    let (from, to) = (at(0.5, 2.25), at(1.5, 2.0));
    seen.line_at(from, to, Role::Joint);
    seen.circle_at(from, 0.5 * SIZE, Role::Anchor);
    seen.circle_at(to, 0.5 * SIZE, Role::Anchor);
    let past = (to - from).length() - 1.5;
    seen.line_at(to, to - (to - from) * (past / (to - from).length()), Role::Gap);
    let numbers = [("on_a", [40.0, 30.0]), ("on_b", [0.0, 0.5])];
    let seen = drawn(&mut world, &text(source, &numbers, &[("a", ground), ("b", b)]));
    seen.line_at(at(40.0, 30.0), to, Role::Joint);

    // A rope is slack within its bounds.
    let rope = "body a, b  constraint |b.position - a.position|  limit constraint 0 3";
    let seen = drawn(&mut world, &text(rope, &[], &[("a", a), ("b", b)]));
    seen.line_at(at(0.0, 2.0), at(2.0, 2.0), Role::Slack);
    seen.line_at(at(3.0, 1.9), at(3.0, 2.1), Role::Limit);
    assert_eq!(seen.count(Role::Gap), 0);

    let pin = "body a, b  vector on_a, on_b
        constraint (b.position + relative b on_b) - (a.position + relative a on_a)
        axis angle = b.rotation - a.rotation";
    let numbers = [("on_a", [2.0, 1.0]), ("on_b", [-1.0, 0.0])];
    let def = text(pin, &numbers, &[("a", ground), ("b", b)]).with_limit(FRAC_PI_2, PI);
    let seen = drawn(&mut world, &def);
    let pin = at(2.0, 1.0);
    seen.circle_at(pin, 0.5 * SIZE, Role::Anchor);
    seen.line_at(at(1.9, 1.0), at(2.1, 1.0), Role::Joint);
    seen.line_at(at(2.0, 0.9), at(2.0, 1.1), Role::Joint);
    seen.circle_at(pin, 1.5 * SIZE, Role::Axis);
    seen.line_at(pin, at(2.0, 1.4), Role::Limit);
    seen.line_at(pin, at(1.6, 1.0), Role::Limit);

    let rail = "body a, b
        let d = b.position - a.position
        constraint { (relative a [0, 1]) dot d - 2  b.rotation - a.rotation }
        axis travel = (relative a [1, 0]) dot d";
    let def = text(rail, &[], &[("a", ground), ("b", a)]).with_limit(-1.0, 3.0);
    let seen = drawn(&mut world, &def);
    seen.line_at(at(0.0, 1.9), at(0.0, 2.1), Role::Joint);
    seen.line_at(at(-0.1, 2.0), at(0.1, 2.0), Role::Axis);
    seen.line_at(at(-1.0, 1.9), at(-1.0, 2.1), Role::Limit);
    seen.line_at(at(3.0, 1.9), at(3.0, 2.1), Role::Limit);
    seen.circle_at(at(0.0, 2.0), 1.5 * SIZE, Role::Joint);
}

#[test]
fn every_joint_of_the_gallery_is_drawn() {
    for example in gallery::GALLERY {
        let program = Program::parse(example.source).unwrap();
        let mut world = World::default();
        let mut joint = TextJoint::new(&program);
        for parameter in program.parameters().iter().filter(|each| each.default.is_none()) {
            match parameter.kind {
                Type::Vector => joint.set(&parameter.name, [0.2, 0.1]).unwrap(),
                _ => joint.set(&parameter.name, 3.0).unwrap(),
            }
        }
        let bodies: Vec<(&str, BodyId)> = (program.bodies().iter().zip(0..))
            .map(|(name, k)| {
                let k = f64::from(k);
                let def = BodyDef { position: at(k, k * k + 0.3), ..BodyDef::dynamic() };
                (name.as_str(), world.add_body(&def).unwrap())
            })
            .collect();
        world.add_joint(&joint.joint(&bodies).unwrap()).unwrap();
        let seen = Seen::joints(&world);
        assert!(seen.lines.len() + seen.circles.len() > 0, "{}", example.name);
        assert_eq!(seen.count(Role::Disabled), 0, "{}", example.name);
    }
}

/// A point of B stays on a circle around the origin of A.
#[derive(Clone, Debug)]
struct Orbit {
    name: &'static str,
    draws: bool,
}

impl Constraint for Orbit {
    fn name(&self) -> &str {
        self.name
    }

    fn counts(&self) -> Counts {
        Counts::held(1)
    }

    fn equations<S: Real>(&self, bodies: &[Pose<S>], _time: S, out: &mut [S]) {
        let end = bodies[1].point(at(0.5, 0.0));
        out[0] = (end - bodies[0].position).length() - S::constant(3.0);
    }

    fn draw(&self, bodies: &[Pose], out: &mut dyn Draw) -> bool {
        if self.draws {
            out.circle(bodies[0].position, 3.0, Role::Joint);
            out.line(Vec2::ZERO, at(f64::NAN, 0.0), Role::Joint);
            out.label(at(0.0, f64::INFINITY), "nowhere", Role::Joint);
        }
        self.draws
    }
}

#[test]
fn user_joints_draw_themselves_or_are_drawn() {
    let (mut world, _, [a, b]) = boxes();
    let mut def = UserJoint::new(Orbit { name: "orbit", draws: true }).joint(&[a, b]);
    let seen = drawn(&mut world, &def);
    assert!(seen.lines.is_empty(), "what is not finite is left out");
    seen.circle_at(at(0.0, 2.0), 3.0, Role::Joint);
    def.enabled = false;
    drawn(&mut world, &def).circle_at(at(0.0, 2.0), 3.0, Role::Disabled);
    let def = UserJoint::new(Orbit { name: "orbit", draws: false }).joint(&[a, b]);
    let seen = drawn(&mut world, &def);
    seen.line_at(at(0.0, 2.0), at(2.0, 2.5), Role::Joint);
    seen.circle_at(at(2.0, 2.5), 0.5 * SIZE, Role::Anchor);
}

#[test]
fn forces_are_arrows_where_they_act() {
    let mut world = World::default();
    let ground = world.ground().unwrap();
    let shapes = vec![(Shape::rectangle(0.5, 0.5), 10.0)];
    let def = BodyDef { position: at(0.0, -1.5), shapes: shapes.clone(), ..BodyDef::dynamic() };
    let weight = world.add_body(&def).unwrap();
    world.add_joint(&JointDef::rope(ground, weight, [Vec2::ZERO, at(0.0, 0.5)], 1.0)).unwrap();
    let beam = world.add_body(&BodyDef { position: at(6.0, 0.0), shapes, ..BodyDef::dynamic() });
    let beam = beam.unwrap();
    world.add_joint(&world.weld_at(ground, beam, at(5.5, 0.0)).unwrap()).unwrap();
    for _ in 0..60 {
        world.step(1.0 / 60.0).unwrap();
    }
    let options =
        DrawOptions { forces: true, labels: true, force_scale: 0.01, ..DrawOptions::default() };
    let seen = Seen::of(&world, options);
    let arrow = |x: f64| {
        let there = |line: &&(Vec2, Vec2, Role)| (line.0.x - x).abs() < 0.01;
        *seen.lines.iter().filter(|line| line.2 == Role::Force).find(there).unwrap()
    };
    // 98.1 N at 0.01 m/N.
    for (from, to) in [(at(0.0, -1.0), at(0.0, -0.019)), (at(5.5, 0.0), at(5.5, 0.981))] {
        let (start, end, _) = arrow(from.x);
        assert!((start - from).length() < 0.01 && (end - to).length() < 0.01, "{start:?} {end:?}");
    }
    // 49.05 N·m against the weight, over the anchor: an arc of 49.05 N / 0.3 at 0.3 m.
    let arc: Vec<_> = seen.lines.iter().filter(|line| line.2 == Role::Torque).collect();
    let start = arc[0].0 - at(5.5, 0.0);
    let sweep = (49.05 * 0.01 / 0.09_f64).min(1.75 * PI);
    assert!((start - Vec2::from_angle(FRAC_PI_2 - 0.5 * sweep) * 0.3).length() < 0.02, "{start:?}");
    let names: Vec<&str> = seen.labels.iter().map(|label| label.1.as_str()).collect();
    assert_eq!(names, ["body 0", "body 1", "body 2", "distance 0", "weld 1"]);
}

#[test]
fn a_hostile_name_is_escaped() {
    let (mut world, _, [a, b]) = boxes();
    let name = "</text><script>alert('&\"')</script>";
    world.add_joint(&UserJoint::new(Orbit { name, draws: false }).joint(&[a, b])).unwrap();
    let mut svg = Svg::new();
    world.draw_with(&mut svg, &DrawOptions { labels: true, ..DrawOptions::default() });
    let safe = "&lt;/text&gt;&lt;script&gt;alert(&#39;&amp;&quot;&#39;)&lt;/script&gt; 0</text>";
    assert!(svg.finish(300).contains(safe));
}

#[test]
fn an_empty_world_is_a_drawing() {
    let mut svg = Svg::new();
    World::default().draw(&mut svg);
    let text = svg.finish(200);
    assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
    assert!(text.contains("viewBox=\"0 0 200 32\""));
    assert!(!text.contains("<path") && !text.contains("<circle"));
}
