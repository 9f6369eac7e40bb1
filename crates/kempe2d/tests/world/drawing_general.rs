//! What is drawn of joints that leave everything, of cables, curves and couplings.

use crate::seen::{SIZE, Seen, at, boxes, drawn, near};
use kempe2d::{Axis, Curve, DrawOptions, JointDef, Path, Pull, Role, Softness, Term, Vec2};
use std::f64::consts::{FRAC_PI_2, PI};

const SOFT: Softness = Softness::Hertz { hertz: 2.0, damping_ratio: 0.5 };

#[test]
fn a_generic_joint_looks_as_what_it_amounts_to() {
    let (mut world, ground, [a, _]) = boxes();
    let mut generic =
        |anchors, axes| drawn(&mut world, &JointDef::generic(ground, a, anchors, axes));
    let held = || Axis::held(0.0);
    let free = Axis::default;

    // A weld that is open: squares, and no rail.
    let weld = generic([at(-0.5, 2.0), Vec2::ZERO], [held(), held(), held()]);
    weld.line_at(at(-0.5, 2.0), at(0.0, 2.0), Role::Gap);
    assert_eq!((weld.count(Role::Axis), weld.count(Role::Limit)), (0, 0));
    assert_eq!(weld.count(Role::Joint), 8);

    // A pin with stops.
    let stops = Axis::limited(-FRAC_PI_2, 0.25);
    let pin = generic([at(-1.0, 2.0), at(-1.0, 0.0)], [held(), held(), stops]);
    pin.line_at(at(-1.0, 2.0), at(-1.0, 1.6), Role::Limit);
    assert_eq!((pin.count(Role::Joint), pin.count(Role::Gap)), (0, 0));

    // A slider along the second axis, beside what it counts from.
    let axes = [Axis::held(0.5), Axis::limited(-1.0, 2.0), held()];
    let slider = generic([at(-0.5, 1.5), Vec2::ZERO], axes);
    slider.line_at(at(0.0, 0.5), at(0.0, 3.5), Role::Axis);
    slider.line_at(at(-0.1, 3.5), at(0.1, 3.5), Role::Limit);
    slider.line_at(at(-0.5, 1.5), at(0.0, 1.5), Role::Arm);
    assert_eq!((slider.count(Role::Joint), slider.count(Role::Gap)), (4, 0));

    // A slot, by what is held alone.
    let slot = generic([at(-1.0, 1.5), at(0.25, 0.0)], [free(), held(), free()]);
    slot.line_at(at(-1.4, 1.5), at(0.65, 1.5), Role::Axis);
    slot.line_at(at(0.25, 1.5), at(0.25, 2.0), Role::Gap);

    // A range has corners, and nothing is drawn of what is free.
    let range = [Axis::limited(-0.5, 1.0), Axis::limited(-0.25, 0.75), free()];
    let range = generic([at(0.0, 2.0), Vec2::ZERO], range);
    for (x, y, u, v) in [(-0.5, 1.75, 1.0, 1.75), (1.0, 1.75, 1.0, 2.75), (-0.5, 2.75, 1.0, 2.75)] {
        range.line_at(at(x, y), at(u, v), Role::Limit);
    }
    assert_eq!(range.count(Role::Gap), 0);
    let nothing = generic([at(3.0, 3.0), Vec2::ZERO], [free(), free(), free()]);
    assert!(nothing.lines.is_empty());
    // With a strip to move in, only its width is drawn.
    let strip = generic([at(3.0, 2.0), Vec2::ZERO], [free(), Axis::limited(-1.0, 1.0), free()]);
    strip.line_at(at(0.0, 1.0), at(0.0, 3.0), Role::Axis);
    assert_eq!(strip.count(Role::Axis), 1);
}

#[test]
fn a_drive_marks_its_target_and_its_way() {
    let (mut world, ground, [a, _]) = boxes();
    let mouse = JointDef::mouse(ground, a, at(1.0, 3.0), at(0.5, 0.0), SOFT, 10.0);
    let seen = drawn(&mut world, &mouse);
    seen.circle_at(at(1.0, 3.0), 0.8 * SIZE, Role::Limit);
    seen.line_at(at(1.0, 3.0), at(0.9375, 2.875), Role::Joint);
    assert_eq!((seen.count(Role::Joint), seen.count(Role::Gap)), (15, 0));
    // The name is where it acts.
    let mouse = world.add_joint(&mouse).unwrap();
    let labels = DrawOptions { labels: true, ..DrawOptions::default() };
    let labels = Seen::of(&world, labels).labels;
    assert!(labels.iter().any(|(place, text, _)| text == "drive 0" && near(*place, at(0.5, 2.0))));
    world.remove_joint(mouse).unwrap();

    let wind = |velocity| JointDef::drive(ground, a, [Vec2::ZERO; 2], Pull::at(velocity, 5.0));
    let seen = drawn(&mut world, &wind(at(0.0, 9.0)));
    seen.line_at(at(0.0, 2.0), at(0.0, 2.6), Role::Joint);
    assert_eq!(seen.count(Role::Limit), 0, "it has no target");
    drawn(&mut world, &wind(Vec2::ZERO)).circle_at(at(0.0, 2.0), 1.5 * SIZE, Role::Joint);
    let idle = JointDef::drive(ground, a, [Vec2::ZERO; 2], Pull::default());
    assert!(drawn(&mut world, &idle).lines.is_empty());
}

#[test]
fn a_tendon_has_its_parts_and_not_its_gaps() {
    let (mut world, ground, [a, b]) = boxes();
    let points = [(ground, at(0.0, 3.0)), (a, Vec2::ZERO), (ground, at(1.0, 3.0)), (b, Vec2::ZERO)];
    let [p, q, r, s] = [at(0.0, 3.0), at(0.0, 2.0), at(1.0, 3.0), at(2.0, 2.0)];
    let length = 1.0 + 8.0_f64.sqrt();
    let whole = drawn(&mut world, &JointDef::tendon(&points, length));
    for (from, to) in [(p, q), (q, r), (r, s)] {
        whole.line_at(from, to, Role::Joint);
    }
    for wheel in [q, r] {
        whole.circle_at(wheel, 0.8 * SIZE, Role::Joint);
    }
    assert_eq!(whole.circles.iter().filter(|circle| circle.2 == Role::Joint).count(), 2);
    let side = at(1.0, 1.0) * (SIZE * 0.5_f64.sqrt());
    whole.line_at(s - side, s + side, Role::Limit);

    // As a pulley has it.
    let length = 1.0 + 2.0 * 2.0_f64.sqrt();
    let parts = JointDef::tendon(&points, length).with_ratios(&[1.0, 0.0, 2.0]);
    let seen = drawn(&mut world, &parts);
    seen.line_at(p, q, Role::Joint);
    seen.line_at(r, s, Role::Joint);
    assert_eq!(seen.count(Role::Joint), 2);
    assert!(seen.circles.iter().all(|circle| circle.2 == Role::Anchor), "no wheels");

    let slack = drawn(&mut world, &JointDef::tendon(&points, 5.0));
    assert_eq!((slack.count(Role::Joint), slack.count(Role::Slack)), (0, 48));
    for end in [q, r, s] {
        assert!(slack.lines.iter().any(|line| line.2 == Role::Slack && near(line.1, end)));
    }
    // Only the first end moves.
    let turned: Vec<_> = [points[1], points[0]].to_vec();
    let seen = drawn(&mut world, &JointDef::tendon(&turned, 1.5));
    seen.line_at(at(-0.1, 1.5), at(0.1, 1.5), Role::Limit);
}

#[test]
fn a_path_is_drawn_where_it_goes() {
    let (mut world, ground, [a, b]) = boxes();
    let corners = [(-1.0, 1.0), (1.0, 1.0), (1.0, 4.0)].map(Vec2::from);
    let bent = Path::polyline(&corners, false).unwrap();
    let seen = drawn(&mut world, &JointDef::path(ground, a, &bent, Vec2::ZERO));
    seen.line_at(corners[0], corners[1], Role::Axis);
    seen.line_at(corners[1], corners[2], Role::Axis);
    assert_eq!(seen.count(Role::Axis), 2);
    seen.line_at(at(-1.0, 0.9), at(-1.0, 1.1), Role::Limit);
    seen.line_at(at(0.9, 4.0), at(1.1, 4.0), Role::Limit);
    seen.line_at(at(0.0, 1.0), at(0.0, 2.0), Role::Gap);
    seen.circle_at(at(0.0, 1.0), 0.5 * SIZE, Role::Anchor);
    // Without ends it goes on; where the point leaves it, there are no stops.
    let seen = drawn(&mut world, &JointDef::endless_path(ground, a, &bent, Vec2::ZERO));
    seen.line_at(at(-1.4, 1.0), corners[0], Role::Axis);
    seen.line_at(at(1.0, 4.4), corners[2], Role::Axis);
    let seen = drawn(&mut world, &JointDef::path_with_exits(ground, a, &bent, Vec2::ZERO));
    assert_eq!((seen.count(Role::Axis), seen.count(Role::Limit)), (2, 0));

    // A loop in the axes of a body that is turned by a quarter.
    let round = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)].map(Vec2::from);
    let ring = Path::spline(&round, true).unwrap();
    let seen = drawn(&mut world, &JointDef::path(b, a, &ring, Vec2::ZERO));
    let curve: Vec<_> = seen.lines.iter().filter(|line| line.2 == Role::Axis).collect();
    assert!(near(curve[0].0, at(2.0, 3.0)) && near(curve[curve.len() - 1].1, at(2.0, 3.0)));
    for point in round {
        let place = at(2.0, 2.0) + point;
        assert!(curve.iter().any(|line| (line.0 - place).length() < 0.01), "{place:?}");
    }
    assert!(curve.iter().all(|line| (line.1 - line.0).length() < 0.2), "it is smooth");
    assert_eq!(seen.count(Role::Limit), 0);

    let carriage = JointDef::carriage(ground, a, &bent, at(0.0, -1.0), 0.5);
    let seen = drawn(&mut world, &carriage);
    assert_eq!(seen.count(Role::Joint), 4, "it does not turn on its rail");
    assert!(seen.count(Role::Gap) > 0, "and is off by half a radian");
}

#[test]
fn couplings_mark_what_they_couple() {
    let (mut world, ground, [a, b]) = boxes();
    let pin = world.revolute_at(ground, a, at(0.0, 2.0)).unwrap();
    let pin = world.add_joint(&pin).unwrap();
    let slide = world.prismatic_at(ground, b, at(2.0, 2.0), Vec2::X).unwrap();
    let slide = world.add_joint(&slide).unwrap();
    let before = drawn(&mut world, &JointDef::filter(a, b)).lines.len();
    let rack = JointDef::rack_and_pinion(slide, pin, 0.5);
    let seen = drawn(&mut world, &rack);
    seen.circle_at(at(0.0, 2.0), 1.5 * SIZE, Role::Joint);
    seen.line_at(at(2.0, 2.0), at(2.3, 2.0), Role::Joint);
    seen.line_at(at(2.0, 2.0), at(0.0, 2.0), Role::Arm);
    assert_eq!(seen.count(Role::Gap), 0);
    assert!(seen.lines.len() < before + 10, "it is not much");
    let mut open = rack.clone();
    open.kind =
        JointDef::coupling(vec![Term::new(pin, 0, 1.0), Term::new(slide, 0, -0.5)], 0.25).kind;
    drawn(&mut world, &open).line_at(at(2.0, 2.0), at(1.5, 2.0), Role::Gap);

    // Those at one place are inside each other.
    let other = world.revolute_at(ground, b, at(0.0, 2.0)).unwrap();
    let other = world.add_joint(&other).unwrap();
    let seen = drawn(&mut world, &JointDef::gears(pin, other, 10.0, 20.0));
    seen.circle_at(at(0.0, 2.0), 1.5 * SIZE, Role::Joint);
    seen.circle_at(at(0.0, 2.0), 2.0 * SIZE, Role::Joint);
    // Within its play it does nothing.
    let seen = drawn(&mut world, &JointDef::gears(pin, other, 10.0, 20.0).with_backlash(1.0));
    seen.circle_at(at(0.0, 2.0), 1.5 * SIZE, Role::Slack);
}

#[test]
fn filters_are_a_sign() {
    let (mut world, ground, [a, b]) = boxes();
    let seen = drawn(&mut world, &JointDef::filter(a, b));
    seen.circle_at(at(1.0, 2.0), 0.6 * SIZE, Role::Joint);
    seen.line_at(at(0.0, 2.0), at(0.94, 2.0), Role::Arm);
    let seen = drawn(&mut world, &JointDef::filter(ground, b));
    seen.circle_at(at(2.0, 2.0), 0.6 * SIZE, Role::Joint);
    assert_eq!(seen.count(Role::Arm), 0, "the ground is everywhere");
}

/// Every kind, on and off, with all options, before and after it has moved.
#[test]
fn whatever_a_joint_is_it_is_drawn_with_finite_things() {
    let corners = [(-1.0, 1.0), (1.0, 1.5), (1.5, 4.0)].map(Vec2::from);
    let path = Path::spline(&corners, true).unwrap();
    let ends = [at(0.5, 0.0), at(0.0, 0.5)];
    let far = Axis::limited(-1e300, 1e300);
    let (mut world, ground, [a, b]) = boxes();
    let pin = world.add_joint(&world.revolute_at(ground, a, Vec2::ZERO).unwrap()).unwrap();
    let line = world.add_joint(&JointDef::slot(ground, b, ends, Vec2::Y)).unwrap();
    let points = [(a, ends[0]), (b, ends[1]), (a, ends[0]), (ground, at(1.0, 1.0))];
    let flat = Curve::polynomial([0.0, 0.0, 1.0, 0.0, 0.0]);
    let steep = Curve::text("1 / (q - 1)").unwrap();
    let joints = [
        JointDef::weld(a, b, ends, 0.0),
        JointDef::revolute(a, b, ends),
        JointDef::prismatic(a, b, ends, Vec2::X),
        JointDef::slot(a, b, ends, Vec2::X),
        JointDef::rope(a, b, ends, 3.0),
        JointDef::gear(a, b, 2.0, 0.0),
        JointDef::pulley([ground, a, ground, b], [Vec2::ZERO; 4], 2.0, 9.0),
        JointDef::generic(a, b, ends, [Axis::held(1.0), Axis::held(-1.0), Axis::held(PI)]),
        JointDef::generic(a, b, ends, [far.clone(), far.clone(), far.clone()]),
        JointDef::pogo(a, b, ends, Vec2::Y, 1.5, SOFT, 5.0, 5.0),
        JointDef::mover(ground, b, at(1.0, 0.0), [10.0, 0.0]),
        JointDef::mouse(ground, b, at(1e200, 0.0), ends[0], Softness::Rigid, 5.0),
        JointDef::top_down_friction(ground, a, 5.0, 1.0),
        JointDef::tendon(&points, 0.5),
        JointDef::tendon(&points, 1e300).with_ratios(&[0.0, 1.0, 0.0]),
        JointDef::elastic_tendon(&points, 0.1, 20.0, SOFT),
        JointDef::tendon(&points[..2], 2.0).with_axis(Axis::sprung(1.0, SOFT)),
        JointDef::path(a, b, &path, ends[0]),
        JointDef::carriage(ground, b, &path, ends[0], 0.3).with_axis(far),
        JointDef::path(b, ground, &path, ends[0]).with_axis(Axis::held(0.3)),
        JointDef::follower(pin, line, flat),
        JointDef::coupling(vec![Term::curved(line, 1, steep), Term::new(pin, 0, 0.0)], 1e300),
        JointDef::planetary([pin, line, pin], 10.0, 30.0).with_axis(Axis::default()),
        JointDef::filter(a, b),
        JointDef::filter(ground, ground),
    ];
    for def in joints {
        for enabled in [true, false] {
            let def = JointDef { enabled, ..def.clone() };
            let name = def.kind.name().to_owned();
            let mut world = world.clone();
            let Ok(joint) = world.add_joint(&def) else {
                assert_eq!(name, "filter", "{name} is refused");
                continue;
            };
            for options in 0..16 {
                let [bodies, joints, axes, forces] = [1, 2, 4, 8].map(|bit| options & bit != 0);
                let labels = true;
                let more = DrawOptions::default();
                let options = DrawOptions { bodies, joints, axes, forces, labels, ..more };
                let seen = Seen::of(&world, options);
                let label = format!("{name} {}", joint.index());
                assert!(seen.labels.iter().any(|each| each.1 == label), "{label}");
                if !joints && !axes && !forces && !bodies {
                    assert!(seen.lines.is_empty() && seen.circles.is_empty(), "{name}");
                }
            }
            // Alone, everything of it is drawn as what takes no part.
            if !enabled {
                let all = DrawOptions { bodies: false, ..DrawOptions::default() };
                let with = Seen::of(&world, all);
                world.remove_joint(joint).unwrap();
                let without = Seen::of(&world, all);
                let (with_it, off) = (with.lines.len(), with.count(Role::Disabled));
                assert_eq!(with_it - without.lines.len(), off, "{name}");
            } else {
                let _ = world.step(1.0 / 60.0);
                Seen::of(&world, DrawOptions { forces: true, ..DrawOptions::default() });
            }
        }
    }
}
