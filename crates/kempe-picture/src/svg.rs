//! Pictures as SVG.

use crate::color::{Role, Theme, hex};
use crate::picture::{Align, Item, Pen, Picture};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The letters of the pixels first, then what is hardly wider.
const FONTS: &str = "'DejaVu Sans','Segoe UI',system-ui,Roboto,Helvetica,Arial,sans-serif";

pub(crate) fn write(picture: &Picture, theme: Theme) -> String {
    let [width, height] = [picture.width, picture.height].map(number);
    let title = escaped(&picture.title);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"kempe\" role=\"img\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n<title>{title}</title>\n{}\n\
         <rect class=\"f-paper\" width=\"{width}\" height=\"{height}\"/>\n",
        style(picture, theme)
    );
    for item in &picture.items {
        write_item(item, &mut text);
    }
    text.push_str("</svg>\n");
    text
}

fn write_item(item: &Item, text: &mut String) {
    // Writing to a text does not fail.
    let _ = match item {
        Item::Lines { points, closed, pen } => {
            let end = if *closed { "Z" } else { "" };
            let look = look(pen);
            writeln!(text, "<path{look} d=\"M{}{end}\"/>", path(points))
        }
        Item::Circle { center, radius, pen } => {
            let [x, y, radius] = [center[0], center[1], *radius].map(number);
            writeln!(text, "<circle{} cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>", look(pen))
        }
        Item::Text { at, text: letters, size, align, bold, role } => {
            let [x, y, size] = [at[0], at[1], *size].map(number);
            let anchor = match align {
                Align::Start => "",
                Align::Middle => " text-anchor=\"middle\"",
                Align::End => " text-anchor=\"end\"",
            };
            let weight = if *bold { " font-weight=\"600\"" } else { "" };
            let (class, letters) = (role.name(), escaped(letters));
            writeln!(
                text,
                "<text class=\"f-{class}\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{anchor}{weight}>\
                 {letters}</text>"
            )
        }
    };
}

/// Coordinates from point to point, relative to the last where that is shorter.
fn path(points: &[[f64; 2]]) -> String {
    let mut text = String::new();
    for (i, point) in points.iter().enumerate() {
        if i > 0 {
            text.push(' ');
        }
        text.push_str(&point.map(number).join(" "));
    }
    text
}

fn look(pen: &Pen) -> String {
    let mut classes = Vec::new();
    let mut more = String::new();
    if let Some(role) = pen.stroke {
        classes.push(format!("l-{}", role.name()));
        // Writing to a text does not fail.
        let _ = write!(more, " stroke-width=\"{}\"", number(pen.width));
        if let Some(pattern) = pen.dash.pattern() {
            let dashes = pattern.map(|part| number(part * pen.width.max(1.0)));
            let _ = write!(more, " stroke-dasharray=\"{}\"", dashes.join(" "));
        }
    }
    if let Some(role) = pen.fill {
        classes.push(format!("f-{}", role.name()));
        if pen.cover < 1.0 {
            let _ = write!(more, " fill-opacity=\"{}\"", number(pen.cover));
        }
    }
    if pen.opacity < 1.0 {
        let _ = write!(more, " opacity=\"{}\"", number(pen.opacity));
    }
    format!(" class=\"{}\"{more}", classes.join(" "))
}

/// A style sheet of the roles that are used.
fn style(picture: &Picture, theme: Theme) -> String {
    let mut strokes = BTreeSet::new();
    let mut fills = BTreeSet::from([Role::Paper]);
    let once = |role: Role| match role {
        Role::Series(index) => Role::Series(index % Role::SERIES),
        role => role,
    };
    for item in &picture.items {
        match item {
            Item::Lines { pen, .. } | Item::Circle { pen, .. } => {
                strokes.extend(pen.stroke.map(once));
                fills.extend(pen.fill.map(once));
            }
            Item::Text { role, .. } => {
                fills.insert(once(*role));
            }
        }
    }
    let sheet = |theme: Theme| {
        let line = |role: &Role| {
            format!(".kempe .l-{}{{stroke:{}}}\n", role.name(), hex(role.color(theme)))
        };
        let fill =
            |role: &Role| format!(".kempe .f-{}{{fill:{}}}\n", role.name(), hex(role.color(theme)));
        strokes.iter().map(line).chain(fills.iter().map(fill)).collect::<String>()
    };
    let common = format!(
        ".kempe path,.kempe circle{{fill:none;stroke-linecap:round;stroke-linejoin:round}}\n\
         .kempe text{{font-family:{FONTS}}}\n"
    );
    let colors = match theme {
        Theme::Auto => {
            let (light, dark) = (sheet(Theme::Light), sheet(Theme::Dark));
            format!("{light}@media (prefers-color-scheme:dark){{\n{dark}}}\n")
        }
        theme => sheet(theme),
    };
    format!("<style>\n{common}{colors}</style>")
}

/// A number of pixels with at most two decimals.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A text as XML and HTML have it; characters that XML has not are replaced.
pub(crate) fn escaped(text: &str) -> String {
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
