//! Why a scene could not be had.

use std::fmt;

/// Why a scene could not be built or run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// There is no scene of that name.
    Unknown(UnknownScene),
    /// The world refused something.
    World(kempe2d::Error),
    /// The reference solver could not go on.
    Solver(kempe2d::ReferenceError),
    /// A file of reference data is not what it should be.
    Reference {
        /// Which.
        file: &'static str,
        /// What is wrong with it.
        reason: String,
    },
}

/// A name that no scene has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownScene {
    /// As it was given.
    pub name: String,
    /// The names that are nearest to it, the nearest first; none if none is near.
    pub near: Vec<&'static str>,
}

impl UnknownScene {
    pub(crate) fn new(name: &str, known: impl Iterator<Item = &'static str>) -> Self {
        let lower = name.to_lowercase();
        // A third of the letters may be wrong, or the name may be a part of the right one.
        let allowed = lower.chars().count().div_ceil(3);
        let mut near: Vec<(usize, &'static str)> = known
            .filter_map(|known| {
                let wrong = strsim::damerau_levenshtein(&lower, known);
                let part = lower.len() > 2 && known.contains(&lower);
                (wrong <= allowed || part).then_some((wrong, known))
            })
            .collect();
        near.sort_unstable();
        let near = near.into_iter().map(|(_, known)| known).take(3).collect();
        Self { name: name.to_owned(), near }
    }
}

impl fmt::Display for UnknownScene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no scene `{}`", self.name)?;
        for (place, name) in self.near.iter().enumerate() {
            let before = match place {
                0 => "; did you mean ",
                _ if place + 1 == self.near.len() => " or ",
                _ => ", ",
            };
            write!(f, "{before}`{name}`")?;
        }
        if !self.near.is_empty() {
            f.write_str("?")?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownScene {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(unknown) => unknown.fmt(f),
            Self::World(error) => error.fmt(f),
            Self::Solver(error) => error.fmt(f),
            Self::Reference { file, reason } => write!(f, "the reference data in {file}: {reason}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<UnknownScene> for Error {
    fn from(unknown: UnknownScene) -> Self {
        Self::Unknown(unknown)
    }
}

impl From<kempe2d::Error> for Error {
    fn from(error: kempe2d::Error) -> Self {
        Self::World(error)
    }
}

impl From<kempe2d::ReferenceError> for Error {
    fn from(error: kempe2d::ReferenceError) -> Self {
        Self::Solver(error)
    }
}

#[cfg(test)]
mod tests {
    use super::UnknownScene;

    #[test]
    fn near_names_are_suggested() {
        let known = || ["chain", "chains", "heavy_chain", "cloth"].into_iter();
        let text = |name: &str| UnknownScene::new(name, known()).to_string();
        assert_eq!(text("Chian"), "there is no scene `Chian`; did you mean `chain` or `chains`?");
        assert_eq!(text("heavy"), "there is no scene `heavy`; did you mean `heavy_chain`?");
        assert_eq!(text("teapot"), "there is no scene `teapot`");
        assert_eq!(text(""), "there is no scene ``");
    }
}
