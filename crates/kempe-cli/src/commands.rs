//! What the command does, a file for each.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod default;
pub(crate) mod explain;
pub(crate) mod new;
pub(crate) mod run;
pub(crate) mod scenes;
pub(crate) mod schema;
pub(crate) mod sweep;
