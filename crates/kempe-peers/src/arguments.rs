//! What is asked for on the command line.

use crate::engine::Name;
use crate::failure::Failure;
use crate::scenes::{Entry, SCENES};

/// What `--help` prints.
pub const HELP: &str = "\
Joint scenes on Kempe, Box2D v3 and Rapier, side by side.

usage: kempe-peers [OPTIONS]

  --json             print an array of {scene, engine, threads, ms_median, ms_min, spread, gap_max,
                     gap_mean, energy_drift} instead of a table
  --markdown         print docs/benchmarks.md: the tables, growth, memory and what is reached
  --scenes A,B       of joint_grid, chains, bridge, cantilevers, springs, cloth, mixed, gears, pulleys
  --engines A,B      of kempe, kempe-text, kempe-user, kempe-user-derived, box2d, rapier, box2d-bare,
                     rapier-bare
  --threads 1,2      on how many threads, 1 to 32; 1 and 2 unless said
  --repeats N        how often each engine runs each scene; 3 unless said
  --steps N          timed steps in a repeat; 250 unless said, fewer where they take over 2 s
  --growth           instead: time and bytes per joint of Kempe with 1k, 10k, 100k and 1M joints
  --memory           instead: bytes per body with its joint of Kempe and Box2D, and how often a steady
                     step of Kempe allocates
  --stability        instead: whether random passive mechanisms gain energy on kempe, box2d-bare and
                     rapier-bare, and how far their joints gape
  --worlds N         so many of each class for --stability; 100 unless said
  -h, --help         this
";

/// What is to be done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Task {
    /// Time the engines.
    #[default]
    Peers,
    /// Let Kempe's scenes grow.
    Growth,
    /// Count bytes.
    Memory,
    /// Let random mechanisms fall.
    Stability,
    /// Tell what there is.
    Help,
}

/// How it is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Aligned columns.
    #[default]
    Table,
    /// An array of objects.
    Json,
    /// The whole page.
    Markdown,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// What is to be done.
    pub task: Task,
    /// How it is printed.
    pub format: Format,
    /// Which scenes.
    pub scenes: Vec<Entry>,
    /// Which engines.
    pub engines: Vec<Name>,
    /// On how many threads each.
    pub threads: Vec<u32>,
    /// How often.
    pub repeats: usize,
    /// Timed steps.
    pub steps: usize,
    /// Random worlds of a class.
    pub worlds: usize,
}

impl Default for Arguments {
    fn default() -> Self {
        Self {
            task: Task::default(),
            format: Format::default(),
            scenes: SCENES.to_vec(),
            engines: Name::ALL.to_vec(),
            threads: vec![1, 2],
            repeats: 3,
            steps: 250,
            worlds: 100,
        }
    }
}

impl Arguments {
    /// Reads the words behind the program's name.
    ///
    /// # Errors
    /// The first that makes no sense.
    pub fn parse(words: impl IntoIterator<Item = String>) -> Result<Self, Failure> {
        let mut arguments = Self::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let (option, value) = match word.split_once('=') {
                Some((option, value)) => (option.to_owned(), Some(value.to_owned())),
                None => (word, None),
            };
            let flag = match &option[..] {
                "--json" => Some((None, Some(Format::Json))),
                "--markdown" => Some((None, Some(Format::Markdown))),
                "--growth" => Some((Some(Task::Growth), None)),
                "--memory" => Some((Some(Task::Memory), None)),
                "--stability" => Some((Some(Task::Stability), None)),
                "-h" | "--help" => Some((Some(Task::Help), None)),
                _ => None,
            };
            if let Some((task, format)) = flag {
                if value.is_some() {
                    return Err(usage(format!("`{option}` takes no value")));
                }
                arguments.task = task.unwrap_or(arguments.task);
                arguments.format = format.unwrap_or(arguments.format);
                continue;
            }
            let known = ["--scenes", "--engines", "--threads", "--repeats", "--steps", "--worlds"];
            if !known.contains(&&option[..]) {
                return Err(usage(format!("unknown argument `{option}`")));
            }
            let value = value.or_else(|| words.next()).filter(|value| !value.is_empty());
            let value = value.ok_or_else(|| usage(format!("`{option}` needs a value")))?;
            arguments.set(&option, &value)?;
        }
        Ok(arguments)
    }

    fn set(&mut self, option: &str, value: &str) -> Result<(), Failure> {
        let parts = || value.split(',').map(str::trim);
        match option {
            "--scenes" => self.scenes = parts().map(Entry::named).collect::<Result<_, _>>()?,
            "--engines" => self.engines = parts().map(engine).collect::<Result<_, _>>()?,
            "--threads" => {
                let count = |part| number(option, part, 32).map(|count| count as u32);
                self.threads = parts().map(count).collect::<Result<_, _>>()?;
            }
            "--repeats" => self.repeats = number(option, value, 1000)?,
            "--worlds" => self.worlds = number(option, value, 100_000)?,
            _ => self.steps = number(option, value, 100_000)?,
        }
        Ok(())
    }
}

fn usage(text: String) -> Failure {
    Failure::Usage(format!("{text}; `--help` lists what there is"))
}

fn engine(name: &str) -> Result<Name, Failure> {
    let found = Name::ALL.into_iter().find(|engine| engine.text() == name);
    found.ok_or_else(|| {
        let names = Name::ALL.map(Name::text).join(", ");
        Failure::Usage(format!("there is no engine `{name}`; there are {names}"))
    })
}

fn number(option: &str, word: &str, most: usize) -> Result<usize, Failure> {
    let number: Option<usize> = word.parse().ok();
    number.filter(|number| (1..=most).contains(number)).ok_or_else(|| {
        Failure::Usage(format!("`{option}` is `{word}`; it must be a number from 1 to {most}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Arguments, Failure> {
        Arguments::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn what_is_asked_for_is_found() {
        let arguments = parse("--json --scenes cloth,bridge --threads=2 --repeats 7").unwrap();
        let names: Vec<&str> = arguments.scenes.iter().map(|scene| scene.name).collect();
        assert_eq!((names, arguments.threads), (vec!["cloth", "bridge"], vec![2]));
        assert_eq!((arguments.repeats, arguments.format), (7, Format::Json));
        let engines = parse("--engines kempe,rapier-bare").unwrap().engines;
        assert_eq!(engines, [Name::Kempe, Name::RapierBare]);
        assert_eq!(parse("--growth").unwrap().task, Task::Growth);
        let random = parse("--stability --worlds 5").unwrap();
        assert_eq!((random.task, random.worlds), (Task::Stability, 5));
        assert_eq!(parse("").unwrap().scenes.len(), SCENES.len());
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        for (line, part) in [
            ("--scenes clth", "no scene `clth`"),
            ("--engines unity", "no engine `unity`"),
            ("--threads 0", "`--threads` is `0`"),
            ("--threads 1,x", "`x`"),
            ("--repeats", "needs a value"),
            ("--repeats -1", "`-1`"),
            ("--json=1", "takes no value"),
            ("--fast", "unknown argument `--fast`"),
            ("cloth", "unknown argument `cloth`"),
        ] {
            let text = parse(line).unwrap_err().to_string();
            assert!(text.contains(part), "{line}: {text}");
        }
    }
}
