//! The outlines of letters: DejaVu Sans, as `font/pack.py` packs it.

use std::sync::OnceLock;

const DATA: &[u8] = include_bytes!("../font/glyphs.bin");

/// A point of an outline, in em.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub x: f64,
    pub y: f64,
    /// Or it bends the curve towards itself.
    pub on_curve: bool,
}

/// One letter.
#[derive(Clone, Debug)]
pub(crate) struct Glyph {
    code: u32,
    /// How far the next letter is, in em.
    pub advance: f64,
    /// Closed curves; areas by winding.
    pub contours: Vec<Vec<Point>>,
}

/// Reads numbers one after the other; none beyond the end.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*head)
    }

    fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn i16(&mut self) -> Option<i16> {
        self.take().map(i16::from_le_bytes)
    }
}

fn read(data: &[u8]) -> Option<Vec<Glyph>> {
    let mut table = Reader(data.strip_prefix(b"KGL1")?);
    let em = f64::from(table.u16()?);
    let count = usize::from(table.u16()?);
    let outlines = table.0.get(10 * count..)?;
    let mut glyphs = Vec::with_capacity(count);
    for _ in 0..count {
        let code = table.u32()?;
        let advance = f64::from(table.u16()?) / em;
        let start = table.u32()? as usize;
        let contours = contours(Reader(outlines.get(start..)?), em)?;
        glyphs.push(Glyph { code, advance, contours });
    }
    Some(glyphs)
}

fn contours(mut outline: Reader<'_>, em: f64) -> Option<Vec<Vec<Point>>> {
    let [count] = outline.take()?;
    let point = |outline: &mut Reader<'_>| {
        let (x, y) = (outline.i16()?, outline.i16()?);
        let on_curve = x & 1 == 1;
        Some(Point { x: f64::from(x >> 1) / em, y: f64::from(y) / em, on_curve })
    };
    let contour = |outline: &mut Reader<'_>| {
        let points = outline.u16()?;
        (0..points).map(|_| point(outline)).collect()
    };
    (0..count).map(|_| contour(&mut outline)).collect()
}

fn glyphs() -> &'static [Glyph] {
    static GLYPHS: OnceLock<Vec<Glyph>> = OnceLock::new();
    GLYPHS.get_or_init(|| read(DATA).unwrap_or_default())
}

/// The outline of a letter; those that the font has not are a box.
pub(crate) fn glyph(letter: char) -> Option<&'static Glyph> {
    let glyphs = glyphs();
    let found = glyphs.binary_search_by_key(&u32::from(letter), |glyph| glyph.code);
    glyphs.get(found.unwrap_or(0))
}

/// How wide a text is, in em. Other fonts are hardly wider than this one.
pub(crate) fn width(text: &str) -> f64 {
    text.chars().filter_map(glyph).map(|glyph| glyph.advance).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_outlines_and_widths() {
        for letter in "AzÄß0−×·θω²₁⁻⁵°√≤∞→ẋ".chars() {
            let glyph = glyph(letter).unwrap();
            assert_eq!(glyph.code, u32::from(letter), "{letter}");
            assert!(!glyph.contours.is_empty(), "{letter}");
            assert!(glyph.contours.iter().all(|contour| contour.len() > 2), "{letter}");
        }
        assert!(glyph(' ').unwrap().contours.is_empty());
        assert!(width("mm") > 2.0 * width("i"));
        assert_eq!(width(""), 0.0);
        // A box.
        assert_eq!(glyph('漢').unwrap().code, 0);
        assert!(!glyph('漢').unwrap().contours.is_empty());
    }

    #[test]
    fn a_damaged_font_is_refused() {
        for end in [0, 3, 7, 100, DATA.len() - 1] {
            assert!(read(&DATA[..end]).is_none(), "{end}");
        }
        assert!(read(DATA).unwrap().is_sorted_by_key(|glyph| glyph.code));
    }
}
