//! Joints beyond the pairs of every engine, against closed forms.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod arguments;
mod as_text;
mod couplings;
mod drives;
mod in_lanes;
mod options;
mod paths;
mod regressions;
mod sight;
mod slipping;
mod tendons;
mod user_lanes;
