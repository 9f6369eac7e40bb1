//! Drawings as SVG.

use super::{Draw, Role};
use kempe_scalar::Vec2;
use std::fmt::Write;

/// Pixels round the content.
const MARGIN: f64 = 16.0;
/// The height of letters, in pixels.
const LETTERS: f64 = 12.0;
/// Coordinates beyond this are not drawn, m.
const FARTHEST: f64 = 1e100;

/// A drawing that becomes a text in SVG. Each role is a class in a style sheet of the drawing's own,
/// which follows the viewer's light or dark scheme.
///
/// ```
/// use kempe2d::{Draw, Role, Svg, Vec2};
///
/// let mut svg = Svg::new();
/// svg.line(Vec2::ZERO, Vec2::new(3.0, 1.0), Role::Joint);
/// svg.label(Vec2::ZERO, "a < b", Role::Joint);
/// let text = svg.finish(332);
/// assert!(text.contains(r#"<path class="joint" d="M16 116 316 16"/>"#));
/// assert!(text.contains("a &lt; b"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Svg {
    items: Vec<(Role, Item)>,
}

#[derive(Clone, Debug)]
enum Item {
    /// Lines from point to point.
    Chain(Vec<Vec2>),
    Circle(Vec2, f64),
    Label(Vec2, String),
}

fn near(a: Vec2, b: Vec2) -> bool {
    (a - b).length() <= 1e-9 * (1.0 + a.length())
}

fn drawable(point: Vec2) -> bool {
    // NaN is not.
    point.x.abs() <= FARTHEST && point.y.abs() <= FARTHEST
}

/// Points and lines in world coordinates. Those that are not finite are left out.
impl Draw for Svg {
    fn line(&mut self, from: Vec2, to: Vec2, role: Role) {
        if !drawable(from) || !drawable(to) {
            return;
        }
        match self.items.last_mut() {
            // A line that goes on from the last one, unless that has come round to its start.
            Some((last, Item::Chain(points)))
                if *last == role
                    && points.last().is_some_and(|end| near(*end, from))
                    && !closed(points) =>
            {
                points.push(to);
            }
            _ => self.items.push((role, Item::Chain(vec![from, to]))),
        }
    }

    fn circle(&mut self, center: Vec2, radius: f64, role: Role) {
        if drawable(center) && (0.0..=FARTHEST).contains(&radius) {
            self.items.push((role, Item::Circle(center, radius)));
        }
    }

    fn label(&mut self, at: Vec2, text: &str, role: Role) {
        if drawable(at) {
            self.items.push((role, Item::Label(at, text.to_owned())));
        }
    }
}

fn closed(points: &[Vec2]) -> bool {
    match points {
        [first, _, .., last] => near(*first, *last),
        _ => false,
    }
}

/// From the world to pixels.
struct View {
    left: f64,
    top: f64,
    scale: f64,
    /// Pixels beside the content.
    margin: [f64; 2],
    size: [f64; 2],
}

impl View {
    fn point(&self, point: Vec2) -> [f64; 2] {
        [
            (point.x - self.left) * self.scale + self.margin[0],
            (self.top - point.y) * self.scale + self.margin[1],
        ]
    }
}

impl Svg {
    /// An empty drawing.
    pub fn new() -> Self {
        Self::default()
    }

    /// The content in a view box of this width in pixels, at least 64. The height follows from the
    /// content, up to four times the width.
    #[must_use]
    pub fn finish(&self, width_px: u32) -> String {
        let view = self.view(f64::from(width_px.max(64)));
        let [width, height] = view.size.map(number);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"kempe\" role=\"img\" \
             width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n{}\n\
             <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n",
            style()
        );
        let mut labels = Labels::default();
        for (role, item) in &self.items {
            view.write(*role, item, &mut labels, &mut text);
        }
        text.push_str("</svg>\n");
        text
    }

    fn view(&self, width: f64) -> View {
        let (mut low, mut high) = (Vec2::new(f64::MAX, f64::MAX), Vec2::new(-f64::MAX, -f64::MAX));
        let mut add = |point: Vec2, around: f64| {
            low = Vec2::new(low.x.min(point.x - around), low.y.min(point.y - around));
            high = Vec2::new(high.x.max(point.x + around), high.y.max(point.y + around));
        };
        for (_, item) in &self.items {
            match item {
                Item::Chain(points) => points.iter().for_each(|point| add(*point, 0.0)),
                Item::Circle(center, radius) => add(*center, *radius),
                Item::Label(at, _) => add(*at, 0.0),
            }
        }
        if self.items.is_empty() {
            (low, high) = (Vec2::ZERO, Vec2::ZERO);
        }
        let extent = high - low;
        let inner = width - 2.0 * MARGIN;
        // A single point is shown as large as a metre is.
        let largest = if extent == Vec2::ZERO { 1.0 } else { extent.x.max(0.25 * extent.y) };
        let scale = inner / largest;
        let height = (extent.y * scale).min(4.0 * inner) + 2.0 * MARGIN;
        let beside = |whole: f64, content: f64| 0.5 * (whole - content * scale);
        View {
            left: low.x,
            top: high.y,
            scale,
            margin: [beside(width, extent.x), beside(height, extent.y)],
            size: [width, height],
        }
    }
}

impl View {
    fn write(&self, role: Role, item: &Item, labels: &mut Labels, text: &mut String) {
        let class = role.name();
        // Writing to a text does not fail.
        let _ = match item {
            Item::Chain(points) => {
                let (points, end) = match closed(points) {
                    true => (&points[..points.len() - 1], "Z"),
                    false => (points.as_slice(), ""),
                };
                let path: Vec<String> =
                    points.iter().map(|point| self.point(*point).map(number).join(" ")).collect();
                writeln!(text, "<path class=\"{class}\" d=\"M{}{end}\"/>", path.join(" "))
            }
            Item::Circle(center, radius) => {
                let [x, y] = self.point(*center).map(number);
                let radius = number(radius * self.scale);
                writeln!(text, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>")
            }
            Item::Label(at, label) => {
                let [x, y] = self.point(*at);
                // A letter is about 0.6 of its height wide. Beyond the edge, it goes to the left.
                let wide = 0.6 * LETTERS * label.chars().count() as f64;
                let over = x + 6.0 + wide > self.size[0];
                let (left, x, end) = match over {
                    true => (x - 6.0 - wide, x - 6.0, " text-anchor=\"end\""),
                    false => (x + 6.0, x + 6.0, ""),
                };
                let y = labels.place(left, wide, y - 6.0);
                let [x, y] = [x, y].map(number);
                let label = escaped(label);
                writeln!(text, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\"{end}>{label}</text>")
            }
        };
    }
}

/// Where labels are, so that they do not hide each other.
#[derive(Default)]
struct Labels {
    /// Left, right and baseline.
    placed: Vec<[f64; 3]>,
}

impl Labels {
    /// Moves a label down past those that are there, a few lines at most; gives its baseline.
    fn place(&mut self, left: f64, wide: f64, baseline: f64) -> f64 {
        let right = left + wide;
        let mut free = baseline;
        for _ in 0..8 {
            let hides = |other: &&[f64; 3]| {
                left < other[1] && other[0] < right && (free - other[2]).abs() < LETTERS
            };
            // Of very many labels, only the last are looked at.
            let Some(other) = self.placed.iter().rev().take(256).find(hides) else { break };
            free = other[2] + LETTERS + 1.0;
        }
        self.placed.push([left, right, free]);
        free
    }
}

/// A number of pixels with at most two decimals.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A text as XML has it; characters that XML has not are replaced.
fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => result.push_str("&amp;"),
            '<' => result.push_str("&lt;"),
            '>' => result.push_str("&gt;"),
            '"' => result.push_str("&quot;"),
            '\'' => result.push_str("&#39;"),
            '\t' | '\n' | '\r' => result.push(' '),
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {
                result.push('\u{fffd}');
            }
            // These would turn round the letters after them.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => result.push('\u{fffd}'),
            letter => result.push(letter),
        }
    }
    result
}

/// (light, dark, width, how it is dashed, whether areas are filled)
fn look(role: Role) -> (&'static str, &'static str, f64, &'static str, bool) {
    match role {
        Role::Static => ("#5f6b66", "#9aa8a1", 1.5, "", true),
        Role::Kinematic => ("#00796b", "#4db6ac", 1.5, "", true),
        Role::Dynamic => ("#1565c0", "#7ab8ff", 1.5, "", true),
        Role::Asleep => ("#7986a8", "#7f8cb0", 1.5, "", true),
        Role::Disabled => ("#a0a0a0", "#707070", 1.0, "2 3", false),
        Role::Center => ("#37474f", "#cfd8dc", 1.0, "", false),
        Role::Arm => ("#90a4ae", "#607d8b", 1.0, "1 3", false),
        Role::Anchor => ("#4a148c", "#e1bee7", 1.5, "", true),
        Role::Joint => ("#6a1b9a", "#ce93d8", 2.0, "", false),
        Role::Slack => ("#9c6fb5", "#9575a8", 1.25, "5 3", false),
        Role::Gap => ("#d50000", "#ff6e6e", 2.5, "", false),
        Role::Axis => ("#00838f", "#4dd0e1", 1.25, "7 3 1 3", false),
        Role::Limit => ("#bf360c", "#ffab66", 2.0, "", false),
        Role::Force => ("#c2185b", "#ff80ab", 2.0, "", false),
        Role::Torque => ("#827717", "#dce775", 2.0, "", false),
    }
}

fn style() -> String {
    let mut light = format!(
        ".kempe .paper{{fill:#ffffff}}\n\
         .kempe path,.kempe circle{{fill:none;stroke-linecap:round;stroke-linejoin:round}}\n\
         .kempe text{{font:{LETTERS}px sans-serif}}\n"
    );
    let mut dark = String::from(".kempe .paper{fill:#14171a}\n");
    for role in Role::ALL {
        let name = role.name();
        let (day, night, width, dashes, filled) = look(*role);
        let lines = format!(".kempe path.{name},.kempe circle.{name}");
        for (color, text) in [(day, &mut light), (night, &mut dark)] {
            let fill =
                if filled { format!(";fill:{color};fill-opacity:0.15") } else { String::new() };
            // Writing to a text does not fail.
            let _ = writeln!(text, "{lines}{{stroke:{color}{fill}}}");
            let _ = writeln!(text, ".kempe text.{name}{{fill:{color}}}");
        }
        let dashes = if dashes.is_empty() { "none" } else { dashes };
        let _ = writeln!(light, "{lines}{{stroke-width:{width};stroke-dasharray:{dashes}}}");
    }
    format!("<style>\n{light}@media (prefers-color-scheme:dark){{\n{dark}}}\n</style>")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64, y: f64) -> Vec2 {
        Vec2::new(x, y)
    }

    /// Every tag of a drawing is closed, and there is no character that would open another.
    #[track_caller]
    fn well_formed(text: &str) {
        let mut open: Vec<&str> = Vec::new();
        for piece in text.split('<').skip(1) {
            let (tag, after) = piece.split_once('>').unwrap();
            assert!(!after.contains('>'), "{piece}");
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            match tag.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name)),
                None if tag.ends_with('/') => {}
                None => open.push(tag.split(' ').next().unwrap()),
            }
        }
        assert!(open.is_empty(), "{open:?}");
        assert!(!text.contains("NaN") && !text.contains("inf") && !text.contains("-0\""));
    }

    #[test]
    fn labels_are_escaped_and_do_not_hide_each_other() {
        let mut svg = Svg::new();
        well_formed(&svg.finish(0));
        svg.label(Vec2::ZERO, "a \u{0}\u{1b}\u{202e}\n]]>&amp;", Role::Joint);
        svg.label(Vec2::ZERO, "b", Role::Force);
        svg.label(at(1.0, 0.0), "c", Role::Axis);
        let text = svg.finish(232);
        well_formed(&text);
        let first =
            "<text class=\"joint\" x=\"22\" y=\"10\">a \u{fffd}\u{fffd}\u{fffd} ]]&gt;&amp;amp;";
        assert!(text.contains(first), "{text}");
        assert!(text.contains("<text class=\"force\" x=\"22\" y=\"23\">b<"), "{text}");
        let last = "<text class=\"axis\" x=\"222\" y=\"10\">c<";
        assert!(text.contains(last), "{text}");
        assert!(svg.finish(64).contains("text-anchor=\"end\">a"));
    }

    #[test]
    fn the_view_holds_what_is_drawn_with_y_up() {
        let mut svg = Svg::new();
        svg.line(at(1e6, 1e6), at(1e6 + 10.0, 1e6), Role::Dynamic);
        svg.line(at(1e6 + 10.0, 1e6), at(1e6 + 10.0, 1e6 + 5.0), Role::Dynamic);
        svg.line(at(1e6 + 10.0, 1e6 + 5.0), at(1e6, 1e6), Role::Dynamic);
        svg.circle(at(1e6 + 2.0, 1e6 + 3.0), 0.5, Role::Anchor);
        for bad in [f64::NAN, f64::INFINITY, 1e300] {
            svg.line(at(bad, 0.0), Vec2::ZERO, Role::Joint);
            svg.circle(Vec2::ZERO, bad, Role::Joint);
            svg.circle(at(0.0, -bad), 1.0, Role::Joint);
            svg.label(at(bad, bad), "nowhere", Role::Joint);
        }
        svg.circle(Vec2::ZERO, -1.0, Role::Joint);
        let text = svg.finish(132);
        well_formed(&text);
        assert!(text.contains("viewBox=\"0 0 132 82\""), "{text}");
        assert!(text.contains("<path class=\"dynamic\" d=\"M16 66 116 66 116 16Z\"/>"), "{text}");
        assert!(text.contains("<circle class=\"anchor\" cx=\"36\" cy=\"36\" r=\"5\"/>"), "{text}");
        assert_eq!(text.matches("<path").count() + text.matches("<circle").count(), 2);
        assert_eq!(text, svg.clone().finish(132));
        for role in Role::ALL {
            assert!(text.contains(&format!(".kempe path.{},", role.name())), "{role:?}");
        }
        // What is very high is made narrow.
        svg.line(at(1e6, 0.0), at(1e6, 2e6), Role::Axis);
        assert!(svg.finish(132).contains("viewBox=\"0 0 132 432\""));
    }
}
