//! `kempe completions`.

use crate::arguments::{Arguments, Completions};
use crate::failure::Failure;
use crate::speak;
use clap::CommandFactory;

pub(crate) fn run(arguments: &Completions) -> Result<(), Failure> {
    // Into memory first: a pipe that closes early is nothing to it.
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "kempe", &mut text);
    speak::print(&String::from_utf8_lossy(&text))
}
