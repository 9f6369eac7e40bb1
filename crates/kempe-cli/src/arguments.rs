//! What the command understands.

use clap::{Args, Parser, Subcommand, ValueEnum};
use kempe2d::Target;
use std::path::PathBuf;

/// Simulates mechanisms: bodies, joints, and equations that are joints.
///
/// Without a command it simulates an embedded mechanism with both solvers, tells what happened, and
/// writes a replay and plots. Begin with `kempe new NAME`, or look at `kempe scenes`.
///
/// The exit status is 0 if all went well; 1 if something that is expected does not hold, a mechanism
/// is not sound, or a run went astray; 2 for bad input.
#[derive(Debug, Parser)]
#[command(name = "kempe", version, max_term_width = 100, verbatim_doc_comment)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Simulate a scene, and write what is asked for
    Run(Run),
    /// Assemble a scene and tell its mobility, redundant joints and singularities
    Check(Check),
    /// Show C, V, J and K of a joint program, or of a kind of joint
    Explain(Explain),
    /// Compare the real-time solver with the reference solver
    Compare(Compare),
    /// Run a scene many times, with a number of it going through a range
    Sweep(Sweep),
    /// List the gallery of scenes, or write one out
    Scenes(Scenes),
    /// Write a commented scene to start from
    New(New),
    /// Print the JSON Schema of scene files
    Schema,
    /// Print completions for a shell
    Completions(Completions),
}

/// Which scene, and how it runs.
#[derive(Clone, Debug, Args)]
pub(crate) struct Scene {
    /// A file (.ron or .json), or a name from `kempe scenes`
    pub scene: String,
    /// Set a parameter, or any number by the way to it: NAME=VALUE
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = assignment)]
    pub set: Vec<(String, f64)>,
}

/// How long a run is, and in which steps.
#[derive(Clone, Debug, Args)]
pub(crate) struct Span {
    /// How long, s; the scene's own unless given
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub duration: Option<f64>,
    /// The length of a step, s
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub step: Option<f64>,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct Run {
    #[command(flatten)]
    pub scene: Scene,
    #[command(flatten)]
    pub span: Span,
    /// What steps; the scene's own unless given
    #[arg(long, value_enum)]
    pub solver: Option<Solver>,
    /// Where files go; made if missing
    #[arg(long, short, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
    /// What is written there, several with commas
    #[arg(long, short, value_enum, value_delimiter = ',', requires = "output")]
    pub write: Vec<Output>,
    /// Frames a second in replays, trajectories (60 unless given) and films (25, and 50 at most)
    #[arg(long, value_name = "FPS", allow_negative_numbers = true, value_parser = rate)]
    pub fps: Option<f64>,
    /// Print a summary for machines instead of one for people
    #[arg(long)]
    pub json: bool,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

/// What a run can write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Output {
    /// probes.csv, trajectory.csv, reactions.csv
    Csv,
    /// probes.json, trajectory.json, reactions.json
    Json,
    /// Plots of probes, energy and traces
    Svg,
    /// The same plots as pixels
    Png,
    /// replay.html: scrubs, pauses, needs no server
    Html,
    /// film.gif
    Gif,
    /// summary.json: what --json prints
    Summary,
    /// All of them
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Solver {
    /// Sub-steps in lanes, as a game does
    RealTime,
    /// Implicit, to many digits
    Reference,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub scene: Scene,
    /// Print it for machines
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct Explain {
    /// A kind of joint (revolute, weld, …), a file with a joint program, or one of the gallery
    pub joint: Option<String>,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct Compare {
    #[command(flatten)]
    pub scene: Scene,
    #[command(flatten)]
    pub span: Span,
    /// The same of the reference solver, s; a tenth of it unless given
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub reference_step: Option<f64>,
    /// Where the plot and the table go; made if missing
    #[arg(long, short, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
    /// Print it for machines
    #[arg(long)]
    pub json: bool,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct Sweep {
    #[command(flatten)]
    pub scene: Scene,
    #[command(flatten)]
    pub span: Span,
    /// What steps; the scene's own unless given
    #[arg(long, value_enum)]
    pub solver: Option<Solver>,
    /// A parameter, or the way to a number such as joints.crank.motor.speed
    #[arg(long, value_name = "NAME")]
    pub param: String,
    /// Its first value
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true)]
    pub from: f64,
    /// Its last value
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true)]
    pub to: f64,
    /// How many values
    #[arg(long, value_name = "N", default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub count: u32,
    /// Values grow by a factor instead of a sum
    #[arg(long)]
    pub log: bool,
    /// Where sweep.csv and sweep.svg go; an interrupted sweep in it is gone on with
    #[arg(long, short, value_name = "FOLDER")]
    pub output: PathBuf,
    /// Runs at a time; as many as there are cores unless given
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub jobs: Option<u32>,
    /// Show no progress
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct Scenes {
    /// Print this scene as a file instead
    pub name: Option<String>,
    /// As JSON instead of RON
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct New {
    /// The file to write; .ron unless its ending is .json
    pub name: PathBuf,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

fn assignment(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').ok_or("it must be NAME=VALUE")?;
    let expression = || Target::expression(value).ok().map(|target| target.at(0.0).0);
    let number = value.parse().ok().or_else(expression).filter(|number: &f64| !number.is_nan());
    let value = number.ok_or_else(|| format!("`{value}` is no number"))?;
    Ok((name.to_owned(), value))
}

fn seconds(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "it must be a number of seconds".to_owned())?;
    let fits = value > 0.0 && value <= 1e6;
    fits.then_some(value).ok_or_else(|| "it must be above 0 and at most 1000000".to_owned())
}

fn rate(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| "it must be a number".to_owned())?;
    let fits = (0.1..=1000.0).contains(&value);
    fits.then_some(value).ok_or_else(|| "it must be from 0.1 to 1000".to_owned())
}
