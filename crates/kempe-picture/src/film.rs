//! A replay as an animated GIF.

use crate::color::{Color, Role, Theme, blend};
use crate::error::Error;
use crate::raster::Pixels;
use crate::replay::{Look, Replay};
use crate::scene::Scene;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use std::collections::HashMap;

/// How many frames a film may have; a longer motion has fewer in a second.
const FRAMES: f64 = 900.0;
/// How many bodies and joints are drawn, all frames together.
const DRAWN: f64 = 1e6;
/// The least that frames differ by is this much, s.
const TICK: f64 = 0.01;
/// How long the last frame stays, in ticks.
const PAUSE: u16 = 80;

/// How a replay becomes a film.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gif {
    /// Frames in a second, 1 to 50.
    pub fps: f64,
    /// Pixels, 64 to 4096.
    pub width: f64,
    /// How bright it is.
    pub theme: Theme,
    /// How many seconds of the motion go by in one.
    pub speed: f64,
    /// What is drawn.
    pub look: Look,
}

impl Default for Gif {
    /// 25 frames in a second, 480 pixels wide, as fast as it was.
    fn default() -> Self {
        let look = Look::default();
        Self { fps: 25.0, width: 480.0, theme: Theme::Auto, speed: 1.0, look }
    }
}

/// The colours of a theme and what lies between them and the paper.
struct Palette {
    colors: Vec<Color>,
    known: HashMap<Color, u8>,
}

/// This entry lets the frame before shine through.
const CLEAR: u8 = 255;

impl Palette {
    fn new(theme: Theme) -> Self {
        let paper = Role::Paper.color(theme);
        let mut colors = vec![paper];
        for role in Role::all().filter(|role| *role != Role::Paper) {
            let steps = 12;
            let shade = |i: i32| blend(role.color(theme), paper, f64::from(i) / f64::from(steps));
            colors.extend((1..=steps).map(shade));
        }
        // Lines over areas of other bodies are near to these.
        for over in 0..Role::SERIES {
            for under in 0..Role::SERIES {
                if over != under && colors.len() < usize::from(CLEAR) {
                    let under = blend(Role::Series(under).color(theme), paper, 0.22);
                    colors.push(blend(Role::Series(over).color(theme), under, 0.22));
                }
            }
        }
        Self { colors, known: HashMap::new() }
    }

    /// The nearest.
    fn index(&mut self, color: Color) -> u8 {
        if let Some(index) = self.known.get(&color) {
            return *index;
        }
        let far = |other: &Color| -> i32 {
            let off = |i: usize| i32::from(color[i]) - i32::from(other[i]);
            // Eyes tell greens best.
            2 * off(0).pow(2) + 4 * off(1).pow(2) + 3 * off(2).pow(2)
        };
        let nearest = self.colors.iter().enumerate().min_by_key(|(_, other)| far(other));
        let index = nearest.map_or(0, |(index, _)| index as u8);
        self.known.insert(color, index);
        index
    }

    /// Red, green and blue of 256 colours.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.colors.as_flattened().to_vec();
        bytes.resize(3 * 256, 0);
        bytes
    }
}

/// A piece of a picture.
struct Patch {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
    indices: Vec<u8>,
}

/// The smallest box with all that is new; nothing if nothing is.
fn patch(before: &[u8], now: &[u8], row: usize) -> Option<Patch> {
    let differs = |i: &usize| before.get(*i) != now.get(*i);
    let first = (0..now.len()).find(differs)?;
    let last = (0..now.len()).rev().find(differs)?;
    let (top, bottom) = (first / row, last / row);
    let (mut left, mut right) = (row, 0);
    for y in top..=bottom {
        let mut line = y * row..(y + 1) * row;
        if let Some(i) = line.clone().find(differs) {
            left = left.min(i - y * row);
        }
        if let Some(i) = line.rfind(differs) {
            right = right.max(i - y * row);
        }
    }
    let mut indices = Vec::with_capacity((right - left + 1) * (bottom - top + 1));
    for y in top..=bottom {
        indices.extend(
            (y * row + left..=y * row + right).map(|i| if differs(&i) { now[i] } else { CLEAR }),
        );
    }
    Some(Patch { left, top, width: right - left + 1, height: bottom - top + 1, indices })
}

fn encoder(error: &gif::EncodingError) -> Error {
    Error::Encoder(error.to_string())
}

impl Replay {
    /// As an animated GIF. What does not change from frame to frame is written once.
    ///
    /// # Errors
    /// If the lists do not fit together, or a number of `gif` is out of its range.
    pub fn gif(&self, gif: &Gif) -> Result<Vec<u8>, Error> {
        let number = |field, value: f64, low: f64, high: f64, must_be| match value {
            value if (low..=high).contains(&value) => Ok(value),
            value => Err(Error::Number { field, value, must_be }),
        };
        let fps = number("fps", gif.fps, 1.0, 50.0, "from 1 to 50 frames in a second")?;
        let speed = number("speed", gif.speed, 1e-6, 1e6, "from a millionth to a million")?;
        let scene = Scene::new(self, gif.look, gif.width)?;
        let (Some(start), Some(end)) = (self.times.first(), self.times.last()) else {
            return Err(Error::NoFrames);
        };
        // With very many bodies there are fewer frames, so that it is done in time.
        let drawn = (self.bodies.len() + self.joints.len()).max(1) as f64;
        let most = (DRAWN / drawn).clamp(60.0, FRAMES).floor();
        let lasts = (end - start) / speed;
        let ticks = (f64::max(1.0 / fps, lasts / most) / TICK).round().clamp(2.0, 6e4);
        let apart = ticks * TICK;
        let count = (lasts / apart + 1e-9).floor().min(most);
        // A frame cannot stay longer than the format can say.
        let stride = if lasts / apart > most + 1.0 { (end - start) / most } else { speed * apart };
        let mut film = Film::new(gif.theme);
        for i in 0..=count as u32 {
            let moment = self.at_time((start + stride * f64::from(i)).min(*end))?;
            let pixels = scene.draw(&moment).pixels(gif.theme, 1.0)?;
            film.add(&pixels, ticks as u16);
        }
        film.write()
    }
}

/// Frames that have been drawn.
struct Film {
    palette: Palette,
    size: [u32; 2],
    /// With how long each stays.
    patches: Vec<(Patch, u16)>,
    before: Vec<u8>,
}

impl Film {
    fn new(theme: Theme) -> Self {
        let palette = Palette::new(theme);
        Self { palette, size: [0; 2], patches: Vec::new(), before: Vec::new() }
    }

    fn add(&mut self, pixels: &Pixels, ticks: u16) {
        self.size = [pixels.width, pixels.height];
        let now: Vec<u8> = pixels.colors.iter().map(|color| self.palette.index(*color)).collect();
        match (patch(&self.before, &now, pixels.width as usize), self.patches.last_mut()) {
            // Nothing moves: the last one stays longer.
            (None, Some((_, stays))) => *stays = stays.saturating_add(ticks),
            (None, None) => {}
            (Some(patch), _) => self.patches.push((patch, ticks)),
        }
        self.before = now;
    }

    fn write(mut self) -> Result<Vec<u8>, Error> {
        if let Some((_, stays)) = self.patches.last_mut() {
            *stays = stays.saturating_add(PAUSE);
        }
        let [width, height] = self.size.map(|side| side as u16);
        let mut file = Vec::new();
        let mut writer = Encoder::new(&mut file, width, height, &self.palette.bytes())
            .map_err(|error| encoder(&error))?;
        writer.set_repeat(Repeat::Infinite).map_err(|error| encoder(&error))?;
        for (patch, delay) in self.patches {
            let frame = Frame {
                delay,
                dispose: DisposalMethod::Keep,
                transparent: Some(CLEAR),
                left: patch.left as u16,
                top: patch.top as u16,
                width: patch.width as u16,
                height: patch.height as u16,
                buffer: patch.indices.into(),
                ..Frame::default()
            };
            writer.write_frame(&frame).map_err(|error| encoder(&error))?;
        }
        drop(writer);
        Ok(file)
    }
}
