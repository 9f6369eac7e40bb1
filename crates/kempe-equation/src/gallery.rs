//! Joint programs to start from, shared by tests, benchmarks and demos.

/// A program of the gallery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// The name of its file, without the ending.
    pub name: &'static str,
    /// Its text.
    pub source: &'static str,
}

macro_rules! gallery {
    ($($name:literal),* $(,)?) => {
        /// All of them. The first three are those that Nape's manual prints.
        pub const GALLERY: &[Example] = &[$(Example {
            name: $name,
            source: include_str!(concat!("../gallery/", $name, ".kempe")),
        }),*];
    };
}

gallery!(
    "weld",
    "distance",
    "line",
    "pivot",
    "angle",
    "pulley",
    "pulley_3",
    "pulley_2",
    "gear",
    "rack_and_pinion",
    "bead_on_parabola",
    "bead_on_ellipse",
    "cam",
    "driven_crank",
    "rolling_disc",
    "skate",
    "watt_coupler",
    "breathing_distance",
    "prismatic",
    "motor",
);

/// The program of this name.
pub fn find(name: &str) -> Option<Example> {
    GALLERY.iter().copied().find(|example| example.name == name)
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_file_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/gallery");
        let files = std::fs::read_dir(folder).unwrap().count();
        assert_eq!(files, super::GALLERY.len());
    }
}
