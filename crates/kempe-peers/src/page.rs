//! The page `docs/benchmarks.md`.

use crate::arguments::Arguments;
use crate::growth::Growth;
use crate::memory::Memory;
use crate::report;
use crate::run::{Figure, Guarded, UNTIMED};
use crate::scenes::SCENES;
use crate::targets::{self, Target};
use std::fs;

/// Everything that stands on it.
#[derive(Clone, Debug)]
pub struct Page<'a> {
    /// What was asked for.
    pub arguments: &'a Arguments,
    /// The times.
    pub figures: Vec<Figure>,
    /// How the guard decided.
    pub guarded: Guarded,
    /// How costs grow.
    pub grown: Vec<Growth>,
    /// What is held.
    pub held: Vec<Memory>,
}

impl Page<'_> {
    /// As Markdown.
    pub fn text(&self) -> String {
        let Self { arguments, figures, guarded, grown, held } = self;
        let mut text = "# Kempe beside Box2D and Rapier\n\n".to_owned();
        text += "This page is made by\n\n```sh\ncargo run --release -p kempe-peers -- --markdown";
        text += &format!(" --repeats {}", arguments.repeats);
        if arguments.steps != Arguments::default().steps {
            text += &format!(" --steps {}", arguments.steps);
        }
        text += " > docs/benchmarks.md\n```\n\n";
        text += &self.conditions();
        text += &format!("Repeats: {guarded}.\n\n{READING}\n");
        text += "## Scenes\n\n";
        for scene in report::scenes(figures) {
            let about = SCENES.iter().find(|entry| entry.name == scene);
            let about = about.map_or("", |entry| entry.about);
            let table = report::of_scene(figures, scene).markdown();
            text += &format!("### {scene}\n\n{about}.\n\n{table}\n");
        }
        text += &format!("## Growth\n\n{GROWTH}\n{}\n", report::of_growth(grown).markdown());
        text += &format!("## Memory\n\n{MEMORY}\n{}\n", report::of_memory(held).markdown());
        let mut reached: Vec<Target> = targets::of_figures(figures);
        reached.extend(targets::of_growth(grown));
        reached.extend(targets::of_memory(held));
        let met = reached.iter().filter(|target| target.is_met()).count();
        let table = report::of_targets(&reached).markdown();
        text + &format!("## What is reached\n\n{met} of {}.\n\n{table}", reached.len())
    }

    fn conditions(&self) -> String {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let processor = processor().unwrap_or_else(|| std::env::consts::ARCH.to_owned());
        format!(
            "Machine: {cores} cores of a virtual machine that others use too, {processor}. Only ratios \
             within one run mean something elsewhere.\n\n\
             Versions: boxdd 0.6 (Box2D v3, AVX2, `-O3 -DNDEBUG`), rapier2d 0.36 (`parallel`, `simd8`), \
             all built for this processor (`target-cpu=native`, in `.cargo/config.toml`).\n\n\
             Step 1/60 s; 4 sub-steps (Kempe, Box2D) or solver iterations (Rapier); sleeping off; shapes \
             are filtered so that nothing collides; everything else as the engine has it by default. {} \
             repeats of {} timed steps behind {UNTIMED} untimed ones (fewer, but at least 20, where they take \
             over 2 s); the engines take turns within a \
             repeat. A time is a repeat's mean step; median, least, and spread (greatest over least, \
             less 1) are over the repeats. A repeat beside which other processes had more than 0.6 of a \
             core (0.1 at two threads) is dropped and done again, up to three times.\n\n",
            self.arguments.repeats, self.arguments.steps,
        )
    }
}

/// The processor's name, where the system tells it.
fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

const READING: &str = "\
## How to read it

- `kempe-text` has pivot, distance and weld as programs in Kempe's language, `kempe-user` as Rust types
  that give their Jacobians, `kempe-user-derived` as the same without; other joints are built in.
- `box2d-bare` and `rapier-bare` have the same bodies without shapes and with their mass set by hand:
  without a broad phase, which Kempe does not have yet.
- `× kempe` is the engine's median by Kempe's on as many threads.
- Gaps are in metres and measured for all engines alike, from the bodies' poses after every timed step, in
  a run of its own. `gap max` is the largest over the joints of a joint's rms gap over the steps, `gap mean`
  the mean over joints and steps. For revolute joints and welds it is the distance of the anchors, for rods
  the error of the length, for prismatic joints the distance from the rail, for the springs of `springs`
  the deviation from the closed form of the damped oscillation, for gears the error of the angle in radians,
  for pulleys that of the rope's length.
- Rapier has no two-sided rigid distance: its rope, which may be shorter, stands for rods (`cloth`, `mixed`);
  there its times and gaps are those of an easier scene.
- `energy drift` is the largest error of kinetic, potential and (in `springs`) spring energy over the steps, in
  parts of the largest sum of kinetic energy and change of the rest. The right energy is that of the start,
  in `springs` that of the closed form. In `mixed` motors, dampers and stops change it with reason.
- Box2D runs on its own scheduler, Rapier inside a rayon pool of its own, Kempe on the threads of its
  settings.
- `gears` and `pulleys` are joints that neither Box2D v3 nor Rapier has.
";

const GROWTH: &str = "\
Kempe alone, four rounds in turns with the other sizes; the median step. Bytes are all that the world holds
after its first steps, shapes counted in, by a counting allocator.
";

const MEMORY: &str = "\
Bodies without shapes, three steps after the start, one thread: what the worlds hold, by a counting allocator
for Kempe and by its own count for Box2D, over the number of bodies. Allocations are counted over 60 steps
behind 60 others.
";
