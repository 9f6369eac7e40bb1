//! The gallery: scenes in files, each with what it must do, in the crate itself.
//!
//! ```
//! use kempe_scenes::gallery;
//! use kempe_scenes::run::{self, Options};
//!
//! let scene = gallery::open("scotch_yoke", &[("speed".to_owned(), 5.0)])?;
//! let recording = run::run(&scene, &Options::of(&scene), &mut run::unwatched)?;
//! assert!(recording.probes[0].iter().all(|x| x.abs() < 0.301));
//!
//! let error = gallery::open("scotch_yok", &[]).unwrap_err();
//! assert_eq!(error.to_string(), "there is no scene `scotch_yok`; did you mean `scotch_yoke`?");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Their files are in `scenes/`, each called like its scene. Where one has the name of a scene of the
//! [`catalogue`](crate::catalogue), it is the same problem and goes first.

use crate::catalogue::{Entry, catalogue};
use crate::error::UnknownScene;
use crate::file::{self, LoadError, Loaded, Notation};
use std::borrow::Cow;
use std::fmt;

/// A scene of the gallery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// Its name.
    pub name: &'static str,
    /// What it stands with, as a title.
    pub group: &'static str,
    /// Its file, in RON.
    pub text: &'static str,
    /// The files beside it that it names, and what is in them.
    pub files: &'static [(&'static str, &'static str)],
}

/// Lists examples: a title, then the names of files, with those beside them.
macro_rules! examples {
    ($($group:literal: [$($name:literal $(with $beside:literal)?),* $(,)?]),* $(,)?) => {
        &[$($(Example {
            name: $name,
            group: $group,
            text: include_str!(concat!("../scenes/", $name, ".ron")),
            files: &[$(($beside, include_str!(concat!("../scenes/", $beside))))?],
        }),*),*]
    };
}

static GALLERY: &[Example] = examples![
    "Problems whose solution is known": [
        "pendulum",
        "simple_pendulum",
        "compound_pendulum",
        "double_pendulum",
        "double_pendulum_regular",
        "double_weights",
        "double_weights_chaotic",
        "spring_pendulum",
        "spring_pendulum_stiff",
        "four_bar",
        "n_four_bar_2",
        "peaucellier",
        "simeon_slider_crank",
        "andrews",
    ],
    "Joints, one by one": [
        "welded_beam",
        "rubber_mount",
        "breaking_sign",
        "bouncing_gate",
        "torsion_pendulum",
        "servo_arm",
        "slipping_motor",
        "flywheel_brake",
        "diving_board",
        "damped_oscillator",
        "drag_fall",
        "soft_stop",
        "resonance",
        "spinning_slot",
        "rope_catch",
        "meshed_gears",
        "atwood",
        "lissajous",
        "mouse_drag",
        "tendon_finger",
        "roller_coaster",
        "coupled_differential",
        "barrel_cam",
        "fusee",
        "crossing_pendulums",
        "cam_follower",
        "ice_skate",
    ],
    "Linkages": [
        "watt_linkage",
        "chebyshev_linkage",
        "hoekens_linkage",
        "klann_leg",
        "jansen_leg",
        "pantograph",
        "trammel",
        "scotch_yoke",
        "quick_return",
        "scissor_lift",
    ],
    "Machines": [
        "engine",
        "geneva_drive" with "geneva.kempe",
        "planetary_gear",
        "differential_pulley",
        "ratchet_winch",
        "escapement",
        "quarter_car",
        "excavator",
        "crane",
        "trebuchet",
    ],
    "Pendulums": ["kapitza", "coupled_pendulums", "pendulum_wave"],
];

/// Every scene of the gallery, group by group.
pub fn gallery() -> &'static [Example] {
    GALLERY
}

/// The scene of this name.
pub fn find(name: &str) -> Option<&'static Example> {
    GALLERY.iter().find(|example| example.name == name)
}

/// Opens the scene of this name, with numbers set from outside.
///
/// # Errors
/// If there is none in the gallery, or it has no such numbers.
pub fn open(name: &str, overrides: &[(String, f64)]) -> Result<Loaded, OpenError> {
    match find(name) {
        Some(example) => Ok(example.open(overrides)?),
        None => Err(OpenError::Unknown(unknown(name))),
    }
}

/// Scenes of the catalogue that the gallery has not.
pub fn others() -> impl Iterator<Item = &'static Entry> {
    catalogue().iter().filter(|entry| find(entry.name).is_none())
}

/// That neither the gallery nor the catalogue has a scene of this name, with those that are near.
pub fn unknown(name: &str) -> UnknownScene {
    let own = GALLERY.iter().map(|example| example.name);
    UnknownScene::new(name, own.chain(others().map(|entry| entry.name)))
}

impl Example {
    /// What it is, in a line.
    pub fn about(&self) -> &'static str {
        let mut lines = self.text.lines();
        let about = lines.find_map(|line| line.trim_start().strip_prefix("about: \""));
        about.and_then(|about| about.strip_suffix("\",")).unwrap_or("")
    }

    /// Its file with those beside it in it, so that it stands alone.
    pub fn whole(&self) -> Cow<'static, str> {
        let mut whole = Cow::Borrowed(self.text);
        for (name, text) in self.files {
            let named = format!("file: \"{name}\"");
            let own = format!("program: r#\"{text}\"#");
            whole = Cow::Owned(whole.replace(&named, &own));
        }
        whole
    }

    /// Opens it, with numbers set from outside: a parameter by its name, or any number by the way to
    /// it.
    ///
    /// # Errors
    /// If it has no such numbers, or they make no sense.
    pub fn open(&self, overrides: &[(String, f64)]) -> Result<Loaded, LoadError> {
        file::parse(self.name, &self.whole(), Notation::Ron, overrides)
    }
}

/// Why a scene of the gallery could not be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// There is none of that name.
    Unknown(UnknownScene),
    /// What was set is not there, or makes no sense.
    Load(LoadError),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(unknown) => unknown.fmt(f),
            Self::Load(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OpenError {}

impl From<LoadError> for OpenError {
    fn from(error: LoadError) -> Self {
        Self::Load(error)
    }
}
