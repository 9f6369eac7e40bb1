//! Plots of all kinds of numbers become sound files.
#![expect(clippy::unwrap_used, reason = "test helpers fail by panicking")]

use kempe_picture::{Item, Panel, Picture, Plot, Role, Scale, Series, Theme};

/// Every tag is closed by its name, attributes are quoted, and no text opens another tag.
#[track_caller]
fn well_formed(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    for piece in text.split('<').skip(1) {
        let (tag, after) = piece.split_once('>').unwrap();
        let style = open.last() == Some(&"style") || tag == "style";
        assert!(style || !after.contains('>'), "{piece}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        for entity in after.split('&').skip(1) {
            assert!(["amp;", "lt;", "gt;", "quot;", "#39;"].iter().any(|e| entity.starts_with(e)));
        }
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split(' ').next().unwrap()),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    for wrong in ["NaN", "inf", "-0\"", "-0 "] {
        assert!(!text.contains(wrong), "{wrong}");
    }
}

fn plot(series: Vec<Series>) -> Plot {
    let panels = vec![Panel::new("angle (rad)", series)];
    Plot { title: "Title".to_owned(), x_label: "time (s)".to_owned(), panels, ..Plot::default() }
}

fn one(points: Vec<[f64; 2]>) -> Plot {
    plot(vec![Series::new("a", points)])
}

/// Lines of the first series: those of its width, past the legend.
fn runs(picture: &Picture) -> Vec<usize> {
    let run = |item: &Item| match item {
        Item::Lines { points, pen, .. } if pen.stroke == Some(Role::Series(0)) => {
            Some(points.len())
        }
        _ => None,
    };
    picture.items.iter().filter_map(run).skip(1).collect()
}

fn texts(picture: &Picture) -> Vec<&str> {
    let text = |item: &'_ Item| matches!(item, Item::Text { .. });
    let all = picture.items.iter().filter(|item| text(item));
    all.filter_map(
        |item| if let Item::Text { text, .. } = item { Some(text.as_str()) } else { None },
    )
    .collect()
}

#[test]
fn any_numbers_can_be_plotted() {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let cases: [Vec<[f64; 2]>; 12] = [
        vec![],
        vec![[1.0, 2.0]],
        vec![[nan, nan]],
        vec![[0.0, 5.0], [1.0, 5.0]],
        vec![[3.0, 1.0], [3.0, 2.0]],
        vec![[0.0, 0.0], [1.0, inf], [2.0, -inf], [3.0, 1.0]],
        vec![[0.0, -1e308], [1.0, 1e308]],
        vec![[-f64::MAX, f64::MAX], [f64::MAX, -f64::MAX]],
        vec![[0.0, 1e-310], [1.0, 3e-310]],
        vec![[0.0, 1e299], [1.0, -1e299]],
        vec![[1e9, 1e15], [1e9 + 1e-6, 1e15 + 1.0]],
        vec![[0.0, 0.0], [0.0, 0.0]],
    ];
    for points in cases {
        for scale in [Scale::Linear, Scale::Log] {
            for equal_aspect in [false, true] {
                let mut plot = one(points.clone());
                plot.panels[0].scale = scale;
                plot.x_scale = scale;
                plot.equal_aspect = equal_aspect;
                let picture = plot.picture();
                assert!(picture.height > 60.0 && picture.height < 2000.0, "{points:?}");
                well_formed(&picture.svg(Theme::Auto));
                assert!(picture.pixels(Theme::Light, 0.5).is_ok());
            }
        }
    }
    well_formed(&Plot::default().svg(Theme::Dark));
    assert!(texts(&Plot::default().picture()).contains(&"no data"));
    let narrow = Plot { width: f64::NAN, ..one(vec![[0.0, 1.0]]) };
    assert_eq!(narrow.picture().width, 240.0);
}

#[test]
fn a_point_that_is_no_number_breaks_the_line() {
    let mut points: Vec<[f64; 2]> = (0..20).map(|i| [f64::from(i), f64::from(i * i % 7)]).collect();
    assert_eq!(runs(&one(points.clone()).picture()).len(), 1);
    points[10][1] = f64::NAN;
    assert_eq!(runs(&one(points.clone()).picture()), [10, 9]);
    // What is not above 0 has no logarithm.
    let mut log = one(points);
    log.panels[0].scale = Scale::Log;
    assert_eq!(runs(&log.picture()), [6, 2, 3, 5]);
}

#[test]
fn many_points_stay_small_and_keep_their_extremes() {
    let mut points: Vec<[f64; 2]> =
        (0..200_000).map(|i| [f64::from(i), (f64::from(i) * 0.7).sin()]).collect();
    points[123_456][1] = 5.0;
    let plot = one(points);
    let text = plot.svg(Theme::Auto);
    assert!(text.len() < 60_000, "{}", text.len());
    let picture = plot.picture();
    let highest = picture.items.iter().filter_map(|item| match item {
        Item::Lines { points, pen, .. } if pen.stroke == Some(Role::Series(0)) => {
            points.iter().map(|point| point[1]).reduce(f64::min)
        }
        _ => None,
    });
    // 6 % of the range, which is 320 pixels, is room above it.
    let top = highest.skip(1).fold(f64::MAX, f64::min);
    let grid = picture.items.iter().find_map(|item| match item {
        Item::Lines { points, pen, .. } if pen.stroke == Some(Role::Grid) => Some(points[0][1]),
        _ => None,
    });
    assert!((top - grid.unwrap() - 0.06 / 1.12 * 320.0).abs() < 1.0, "{top} {grid:?}");
}

#[test]
fn texts_are_escaped() {
    let mut plot = plot(vec![Series::new("</text><script>alert('1')</script>&", vec![[0.0, 1.0]])]);
    plot.title = "a < b & \"c\" \u{0}\u{202e}".to_owned();
    plot.panels[0].y_label = "]]>--><!--".to_owned();
    let text = plot.svg(Theme::Light);
    well_formed(&text);
    assert!(text.contains("a &lt; b &amp; &quot;c&quot;"));
    assert!(!text.contains("<script"));
}

#[test]
fn a_unit_is_as_long_along_both_axes() {
    let turn = |i: i32| f64::from(i) * std::f64::consts::TAU / 64.0;
    let circle: Vec<[f64; 2]> =
        (0..=64).map(|i| [3.0 * turn(i).cos(), 3.0 * turn(i).sin()]).collect();
    for width in [400.0, 720.0, 1500.0] {
        let plot = Plot { equal_aspect: true, width, ..one(circle.clone()) };
        let picture = plot.picture();
        let mut spans = picture.items.iter().filter_map(|item| match item {
            Item::Lines { points, pen, .. } if pen.stroke == Some(Role::Series(0)) => {
                let span = |axis: usize| {
                    let all = || points.iter().map(|point| point[axis]);
                    all().fold(f64::MIN, f64::max) - all().fold(f64::MAX, f64::min)
                };
                Some([span(0), span(1)])
            }
            _ => None,
        });
        let [x, y] = spans.next_back().unwrap();
        assert!(x > 100.0 && (x - y).abs() < 1.0, "{x} {y}");
        assert!(y < picture.height);
    }
}

#[test]
fn themes_differ_and_pixels_are_not_blank() {
    let plot = one((0..100).map(|i| [f64::from(i), f64::from(i).sin()]).collect());
    let [light, dark] =
        [Theme::Light, Theme::Dark].map(|theme| plot.picture().pixels(theme, 1.0).unwrap());
    for (pixels, theme) in [(&light, Theme::Light), (&dark, Theme::Dark)] {
        assert_eq!(pixels.colors.len(), (pixels.width * pixels.height) as usize);
        assert_eq!(pixels.colors[0], Role::Paper.color(theme));
        // Letters are thin: few of their pixels are wholly covered.
        let near = |a: &[u8; 3], b: [u8; 3]| a.iter().zip(b).all(|(a, b)| a.abs_diff(b) < 40);
        let of = |role: Role| {
            pixels.colors.iter().filter(|color| near(color, role.color(theme))).count()
        };
        assert!(of(Role::Paper) > pixels.colors.len() / 2);
        let counts = [Role::Series(0), Role::Ink].map(of);
        assert!(counts.iter().all(|count| *count > 30), "{counts:?}");
        assert_eq!(of(Role::Force), 0);
    }
    let auto = plot.svg(Theme::Auto);
    assert!(auto.contains("@media (prefers-color-scheme:dark)"));
    assert!(!plot.svg(Theme::Dark).contains("@media"));
    let twice = plot.picture().pixels(Theme::Auto, 2.0).unwrap();
    assert_eq!([twice.width, twice.height], [2 * light.width, 2 * light.height]);
    for scale in [0.0, -1.0, 1e6, f64::NAN] {
        assert!(plot.png(Theme::Light, scale).is_err(), "{scale}");
    }
}

#[test]
fn legends_and_many_series() {
    let series = (0..60).map(|i| {
        Series::new(&format!("series {i}"), vec![[0.0, f64::from(i)], [1.0, f64::from(i + 1)]])
    });
    let picture = plot(series.collect()).picture();
    let texts = texts(&picture);
    assert!(texts.contains(&"series 23") && !texts.contains(&"series 24"));
    assert!(texts.contains(&"and 36 more"));
    for expected in ["Title", "angle (rad)", "time (s)"] {
        assert!(texts.contains(&expected), "{expected}");
    }
    let long = plot(vec![Series::new(&"long ".repeat(100), vec![[0.0, 0.0]])]).picture();
    let widest = |item: &Item| match item {
        Item::Text { at, text, size, .. } => at[0] + 0.3 * size * text.chars().count() as f64,
        _ => 0.0,
    };
    assert!(long.items.iter().map(widest).fold(0.0, f64::max) < long.width);
}
