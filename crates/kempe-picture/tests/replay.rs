//! Replays become pages and films, or say why not.
#![expect(clippy::unwrap_used, reason = "test helpers fail by panicking")]

use kempe_picture::{
    Compare, Error, Event, Gif, JointFrame, Look, Panel, Replay, ReplayBody, ReplayJoint, Role,
    Series, Theme, Trace,
};
use kempe2d::{Shape, Vec2};

/// Arms that turn about pins, one on the end of the other.
fn chain(bodies: usize, frames: usize) -> Replay {
    let angle = |body: usize, time: f64| (1.0 + 0.3 * body as f64) * time.sin() + 0.1 * body as f64;
    let times: Vec<f64> = (0..frames).map(|frame| frame as f64 / 60.0).collect();
    let mut replay = Replay {
        title: "Chain".to_owned(),
        bodies: vec![
            ReplayBody {
                shapes: vec![Shape::rectangle(0.5, 0.1)],
                ..ReplayBody::default()
            };
            bodies
        ],
        joints: (0..bodies)
            .map(|body| ReplayJoint {
                kind: "revolute".to_owned(),
                bodies: [body.checked_sub(1), Some(body)],
                ..ReplayJoint::default()
            })
            .collect(),
        ..Replay::default()
    };
    for &time in &times {
        let mut pin = Vec2::ZERO;
        let (mut poses, mut joints) = (Vec::new(), Vec::new());
        for body in 0..bodies {
            let angle = angle(body, time);
            let half = Vec2::new(angle.cos(), angle.sin()) * 0.5;
            let force = Vec2::new(3.0 * time.cos(), 30.0 + body as f64);
            joints.push(JointFrame { a: pin, b: pin, force, ..JointFrame::default() });
            poses.push([pin.x + half.x, pin.y + half.y, angle]);
            pin += half * 2.0;
        }
        replay.poses.push(poses);
        replay.joint_frames.push(joints);
    }
    replay.times = times;
    replay
}

/// What is between two marks.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    text.split_once(start).unwrap().1.split_once(end).unwrap().0
}

#[test]
fn a_page_of_a_usual_size_is_small() {
    let page = chain(30, 600).html().unwrap();
    assert!(page.len() < 300_000, "{}", page.len());
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    for mark in ["<!--", "src=", "href=", "http://", "https://"] {
        assert!(!page.contains(mark), "{mark}");
    }
}

#[test]
fn a_page_of_many_bodies_is_thinned_and_says_so() {
    let (bodies, frames) = (10_000, 300);
    let replay = Replay {
        bodies: vec![ReplayBody { shapes: vec![Shape::circle(0.1)], ..Default::default() }; bodies],
        times: (0..frames).map(f64::from).collect(),
        poses: (0..frames)
            .map(|frame| {
                (0..bodies)
                    .map(|i| [(i % 100) as f64, 0.01 * f64::from(frame), 0.1 * i as f64])
                    .collect()
            })
            .collect(),
        ..Replay::default()
    };
    let page = replay.html().unwrap();
    assert!(page.len() < 4_000_000, "{}", page.len());
    assert!(page.contains("60 of 300 frames are shown"));
    // The shape is there once.
    assert_eq!(page.matches("[0,0.0,0.0,0.1]").count(), 1);
    assert!(!chain(2, 10).html().unwrap().contains("are shown"));
}

#[test]
fn no_text_breaks_out_of_the_page() {
    let evil = "</script><script>alert(1)</script><!--<script>\u{2028}&'\"`${x}<!--data-->";
    let mut replay = chain(2, 3);
    replay.title = evil.to_owned();
    replay.about = evil.to_owned();
    replay.bodies[0].name = evil.to_owned();
    replay.joints[0].name = evil.to_owned();
    replay.traces = vec![Trace { name: evil.to_owned(), body: 0, point: Vec2::ZERO }];
    replay.events = vec![Event { time: 0.0, text: evil.to_owned() }];
    replay.panels = vec![Panel::new(evil, vec![Series::new(evil, vec![[0.0, 1.0]])])];
    replay.compare = Some(Compare { name: evil.to_owned(), poses: replay.poses.clone() });
    let page = replay.html().unwrap();
    let plain = chain(2, 3).html().unwrap();
    for tag in ["<script", "</script", "<!--", "<title", "</title"] {
        assert_eq!(page.matches(tag).count(), plain.matches(tag).count(), "{tag}");
    }
    let scene = between(&page, "id=\"scene\">", "</script>");
    let scene: serde_json::Value = serde_json::from_str(scene).unwrap();
    for text in ["/title", "/about", "/bodies/0/0", "/joints/0/name", "/events/0/1", "/ghost"] {
        assert_eq!(scene.pointer(text).unwrap(), evil, "{text}");
    }
    assert_eq!(scene.pointer("/panels/0/series/0/0").unwrap(), evil);
}

#[test]
fn numbers_that_are_none_are_allowed() {
    let mut replay = chain(2, 5);
    replay.poses[2][1] = [f64::NAN, f64::INFINITY, 0.0];
    replay.joint_frames[3][0].force = Vec2::new(f64::NAN, f64::NEG_INFINITY);
    replay.joint_frames[3][1].b = Vec2::new(f64::NAN, 0.0);
    replay.events = vec![Event { time: f64::NAN, text: "never".to_owned() }];
    let points = vec![[f64::NAN, 1.0], [0.0, f64::INFINITY], [0.1, 2.0]];
    replay.panels = vec![Panel::new("", vec![Series::new("", points)])];
    let page = replay.html().unwrap();
    let scene = between(&page, "id=\"scene\">", "</script>");
    assert!(serde_json::from_str::<serde_json::Value>(scene).is_ok());
    let look = Look { forces: true, names: true, ..Look::default() };
    for frame in 0..5 {
        let text = replay.still(frame, look, 300.0).unwrap().svg(Theme::Auto);
        assert!(!text.contains("NaN") && !text.contains("inf"), "{frame}");
    }
    assert!(replay.gif(&Gif { width: 80.0, ..Gif::default() }).is_ok());
    // Nothing but a time.
    let nothing = Replay { times: vec![0.0], poses: vec![vec![]], ..Replay::default() };
    assert!(nothing.html().is_ok() && nothing.still(0, look, 300.0).is_ok());
    assert!(nothing.gif(&Gif::default()).is_ok());
}

#[test]
fn what_does_not_fit_together_is_named() {
    let error = |change: &dyn Fn(&mut Replay)| {
        let mut replay = chain(2, 4);
        change(&mut replay);
        let error = replay.html().unwrap_err();
        assert_eq!(replay.still(0, Look::default(), 300.0).unwrap_err(), error);
        assert_eq!(replay.gif(&Gif::default()).unwrap_err(), error);
        error
    };
    assert_eq!(error(&|replay| *replay = Replay::default()), Error::NoFrames);
    let count = |list, frame, expected, found| Error::Count { list, frame, expected, found };
    assert_eq!(
        error(&|r| {
            r.poses.pop();
        }),
        count("poses", None, 4, 3)
    );
    assert_eq!(
        error(&|r| {
            r.poses[2].pop();
        }),
        count("poses", Some(2), 2, 1)
    );
    assert_eq!(error(&|r| r.joint_frames.truncate(1)), count("joint_frames", None, 4, 1));
    assert_eq!(error(&|r| r.joint_frames[1].truncate(0)), count("joint_frames", Some(1), 2, 0));
    let other = Compare { name: String::new(), poses: vec![] };
    let compare = error(&|r| r.compare = Some(other.clone()));
    assert_eq!(compare, count("compare.poses", None, 4, 0));
    assert_eq!(compare.to_string(), "`compare.poses` has 0 entries; it must have 4");
    assert_eq!(error(&|r| r.times[2] = r.times[1]), Error::Time { frame: 2, value: 1.0 / 60.0 });
    assert_eq!(
        error(&|r| r.times[3] = f64::INFINITY),
        Error::Time { frame: 3, value: f64::INFINITY }
    );
    let trace = Trace { name: "tip".to_owned(), body: 7, point: Vec2::ZERO };
    let far = error(&|r| r.traces.push(trace.clone()));
    assert_eq!(far.to_string(), "the trace `tip` is on body 7; there are 2 bodies");
    assert!(matches!(
        error(&|r| r.joints[0].line.push((2, Vec2::ZERO))),
        Error::Body { index: 2, .. }
    ));
    let replay = chain(2, 4);
    let frame = replay.still(4, Look::default(), 300.0).unwrap_err();
    assert_eq!(frame, Error::Frame { frame: 4, frames: 4 });
    for gif in [
        Gif { fps: 0.0, ..Gif::default() },
        Gif { fps: f64::NAN, ..Gif::default() },
        Gif { speed: 0.0, ..Gif::default() },
        Gif { width: 1e9, ..Gif::default() },
    ] {
        assert!(matches!(replay.gif(&gif), Err(Error::Number { .. })), "{gif:?}");
    }
}

#[test]
fn a_still_has_all_that_is_asked_for() {
    let mut replay = chain(2, 4);
    replay.bodies[0].name = "first".to_owned();
    replay.joint_frames[1][0].broken = true;
    let mut poses = replay.poses.clone();
    poses.iter_mut().flatten().for_each(|pose| pose[2] += 1.0);
    replay.compare = Some(Compare { name: String::new(), poses });
    replay.traces = vec![Trace { name: String::new(), body: 1, point: Vec2::new(0.5, 0.0) }];
    let none = Look { joints: false, forces: false, traces: false, names: false, ghost: false };
    let items = |look: Look| replay.still(1, look, 400.0).unwrap().items.len();
    let bare = items(none);
    assert!(items(Look { joints: true, ..none }) > bare);
    assert!(items(Look { forces: true, ..none }) > bare);
    assert!(items(Look { traces: true, ..none }) > bare);
    assert_eq!(items(Look { names: true, ..none }), bare + 1);
    assert_eq!(items(Look { ghost: true, ..none }), bare + 2);
    let picture = replay.still(1, Look::default(), 400.0).unwrap();
    let pixels = picture.pixels(Theme::Dark, 1.0).unwrap();
    for role in [Role::Series(0), Role::Series(1), Role::Ghost, Role::Joint] {
        let color = role.color(Theme::Dark);
        assert!(pixels.colors.contains(&color), "{role:?}");
    }
    assert!(picture.svg(Theme::Auto).contains("l-broken"));
}

/// Each frame as it is seen, in indices, and how long it stays.
fn frames(file: &[u8]) -> (Vec<(Vec<u8>, u16)>, [usize; 2]) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(file).unwrap();
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let mut screen = vec![0; width * height];
    let mut result = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (i, index) in frame.buffer.iter().enumerate() {
            let (x, y) = (i % usize::from(frame.width), i / usize::from(frame.width));
            if Some(*index) != frame.transparent {
                let at = (y + usize::from(frame.top)) * width + x + usize::from(frame.left);
                screen[at] = *index;
            }
        }
        result.push((screen.clone(), frame.delay));
    }
    (result, [width, height])
}

#[test]
fn a_film_has_its_frames_and_its_length() {
    let replay = chain(2, 61);
    let gif = Gif { fps: 10.0, width: 120.0, ..Gif::default() };
    let file = replay.gif(&gif).unwrap();
    let (shown, [width, height]) = frames(&file);
    assert_eq!((shown.len(), width), (11, 120));
    // The last one stays for a while.
    let delays: Vec<u16> = shown.iter().map(|(_, delay)| *delay).collect();
    assert_eq!(delays[..10], [10; 10]);
    assert!(delays[10] > 10);
    assert!(shown.windows(2).all(|pair| pair[0].0 != pair[1].0));
    assert!(shown[0].0.iter().any(|index| *index != shown[0].0[0]));
    // It is what the frame by itself is.
    let still =
        replay.still(30, Look::default(), 120.0).unwrap().pixels(Theme::Light, 1.0).unwrap();
    assert_eq!([still.width as usize, still.height as usize], [width, height]);
    let palette = gif::DecodeOptions::new().read_info(&file[..]).unwrap();
    let palette = palette.global_palette().unwrap().to_vec();
    let off = shown[5].0.iter().zip(&still.colors).map(|(index, color)| {
        let shown = &palette[3 * usize::from(*index)..][..3];
        shown.iter().zip(color).map(|(a, b)| a.abs_diff(*b)).max().unwrap()
    });
    assert!(off.max().unwrap() < 70);
    let slow = frames(&replay.gif(&Gif { speed: 0.5, ..gif }).unwrap()).0;
    assert_eq!(slow.len(), 21);
}

#[test]
fn a_film_that_would_last_for_days_has_an_end() {
    let mut replay = chain(1, 2);
    replay.times = vec![-1e15, 1e15];
    let gif = Gif { width: 64.0, speed: 1e-6, ..Gif::default() };
    let shown = frames(&replay.gif(&gif).unwrap()).0;
    assert!((20..=901).contains(&shown.len()), "{}", shown.len());
}

#[test]
fn what_stands_still_is_one_frame() {
    let mut replay = chain(1, 50);
    let first = replay.poses[0].clone();
    let joints = replay.joint_frames[0].clone();
    // After the start nothing moves but the clock.
    replay.poses.iter_mut().for_each(|poses| poses.clone_from(&first));
    replay.joint_frames.iter_mut().for_each(|frame| frame.clone_from(&joints));
    let moving = chain(1, 50).gif(&Gif { width: 200.0, ..Gif::default() }).unwrap();
    let standing = replay.gif(&Gif { width: 200.0, ..Gif::default() }).unwrap();
    assert!(standing.len() < moving.len() / 2, "{} {}", standing.len(), moving.len());
}
