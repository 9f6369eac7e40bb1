//! Roles of what is drawn, and their colours by day and by night.

use serde::{Deserialize, Serialize};

/// Red, green and blue.
pub type Color = [u8; 3];

/// How bright a picture is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Theme {
    /// As the viewer prefers, in SVG and HTML; light where there is no one to ask.
    #[default]
    Auto,
    /// Dark on white.
    Light,
    /// Light on black.
    Dark,
}

/// What a line, an area or a letter stands for; the theme gives it a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// What is behind everything.
    Paper,
    /// Titles and what must be read.
    Ink,
    /// Labels and what may be read.
    Faint,
    /// Lines that help the eye.
    Grid,
    /// Bodies that do not move.
    Fixed,
    /// Joints.
    Joint,
    /// Forces of joints.
    Force,
    /// Torques of joints.
    Torque,
    /// Joints that broke.
    Broken,
    /// Bodies of the other run.
    Ghost,
    /// A series, a body or a trace. The colours come round after [`Role::SERIES`].
    Series(usize),
}

impl Role {
    /// How many series have a colour of their own.
    pub const SERIES: usize = 8;

    /// Every role, each colour of a series once.
    pub fn all() -> impl Iterator<Item = Self> {
        let named = [
            Self::Paper,
            Self::Ink,
            Self::Faint,
            Self::Grid,
            Self::Fixed,
            Self::Joint,
            Self::Force,
            Self::Torque,
            Self::Broken,
            Self::Ghost,
        ];
        named.into_iter().chain((0..Self::SERIES).map(Self::Series))
    }

    /// The name in style sheets.
    pub fn name(self) -> String {
        let name = match self {
            Self::Paper => "paper",
            Self::Ink => "ink",
            Self::Faint => "faint",
            Self::Grid => "grid",
            Self::Fixed => "fixed",
            Self::Joint => "joint",
            Self::Force => "force",
            Self::Torque => "torque",
            Self::Broken => "broken",
            Self::Ghost => "ghost",
            Self::Series(index) => return format!("s{}", index % Self::SERIES),
        };
        name.to_owned()
    }

    /// The colour by day or by night. Neighbouring series differ in brightness as well as in hue,
    /// so that those who see fewer hues can tell them apart.
    pub fn color(self, theme: Theme) -> Color {
        let (light, dark) = match self {
            Self::Paper => (0xff_ff_ff, 0x12_16_1b),
            Self::Ink => (0x1b_23_2b, 0xee_f2_f5),
            Self::Faint => (0x5a_66_72, 0x9a_a7_b4),
            Self::Grid => (0xe2_e7_ec, 0x2b_33_3c),
            Self::Fixed => (0x6a_75_80, 0x86_93_a0),
            Self::Joint => (0x2f_3a_45, 0xdb_e3_ea),
            Self::Force => (0xc0_1d_5d, 0xff_7a_ae),
            Self::Torque => (0x7d_6a_00, 0xe3_d0_4f),
            Self::Broken => (0xd0_21_2b, 0xff_6b_6b),
            Self::Ghost => (0x98_a3_ae, 0x6d_79_86),
            Self::Series(index) => SERIES[index % Self::SERIES],
        };
        let [_, red, green, blue] =
            u32::to_be_bytes(if theme == Theme::Dark { dark } else { light });
        [red, green, blue]
    }
}

/// By day and by night.
const SERIES: [(u32, u32); Role::SERIES] = [
    (0x00_68_b4, 0x56_b0_f2),
    (0xe0_6a_00, 0xff_a0_4d),
    (0x00_80_62, 0x2c_cf_a2),
    (0xb4_4a_90, 0xf0_9a_cc),
    (0x9c_7a_00, 0xf2_d2_5c),
    (0x3f_9b_d8, 0xa6_dc_ff),
    (0x5b_4b_b8, 0xa9_9c_ff),
    (0x8a_3b_2a, 0xe8_84_70),
];

/// As a style sheet has it.
pub(crate) fn hex([red, green, blue]: Color) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Some of one colour on another.
pub(crate) fn blend(over: Color, under: Color, part: f64) -> Color {
    let mix = |a: u8, b: u8| f64::from(a) * part + f64::from(b) * (1.0 - part);
    [0, 1, 2].map(|i| mix(over[i], under[i]).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance(color: Color) -> f64 {
        let linear = color.map(|value| (f64::from(value) / 255.0).powf(2.2));
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    #[test]
    fn every_role_can_be_seen_on_its_paper() {
        for theme in [Theme::Light, Theme::Dark] {
            let paper = luminance(Role::Paper.color(theme));
            for role in Role::all().filter(|role| !matches!(role, Role::Paper | Role::Grid)) {
                let ink = luminance(role.color(theme));
                let contrast = (paper.max(ink) + 0.05) / (paper.min(ink) + 0.05);
                let least = if role == Role::Ghost { 2.5 } else { 3.0 };
                assert!(contrast > least, "{role:?} in {theme:?}: {contrast}");
            }
        }
    }

    #[test]
    fn series_come_round() {
        assert_eq!(Role::Series(9).name(), "s1");
        assert_eq!(Role::Series(9).color(Theme::Dark), Role::Series(1).color(Theme::Dark));
        assert_eq!(hex(Role::Paper.color(Theme::Auto)), "#ffffff");
        assert_eq!(blend([200, 0, 0], [0, 100, 0], 0.25), [50, 75, 0]);
    }
}
