//! What is asked of the command.

use super::class::{CLASSES, Class};
use super::solver::{SOLVERS, Solver};
use std::path::PathBuf;

/// What `--help` prints.
pub const HELP: &str = "\
Whether random passive mechanisms gain energy.

usage: stability [OPTIONS]

  --json             an array of objects instead of a table
  --worlds N         so many worlds of a class; 200
  --seed S           the seed of the first; 0
  --class A,B        of these classes alone
  --solver A,B       by these ways alone; `real` and `reference` are several
  --seconds T        so long in real time, s; 10. The reference solver runs at most 3 s
  --threads K        on so many threads; 1
  --write FOLDER     the worst world of each as a scene file
  --shrink           without what is not needed for it to fail
  --list             names and what they are
  -h, --help         this
";

/// What is to be measured.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which classes.
    pub classes: Vec<Class>,
    /// Which ways of solving.
    pub solvers: Vec<Solver>,
    /// How many worlds of each class.
    pub worlds: usize,
    /// The seed of the first.
    pub seed: u64,
    /// How long in real time, s.
    pub seconds: f64,
    /// On how many threads.
    pub threads: usize,
    /// Where the worst worlds are written.
    pub folder: Option<PathBuf>,
    /// Whether they are made as small as they can be and still fail.
    pub shrink: bool,
    /// Whether figures are printed as JSON.
    pub json: bool,
    /// What is printed instead of measuring.
    pub text: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            classes: CLASSES.to_vec(),
            solvers: SOLVERS.to_vec(),
            worlds: 200,
            seed: 0,
            seconds: 10.0,
            threads: 1,
            folder: None,
            shrink: false,
            json: false,
            text: None,
        }
    }
}

impl Options {
    /// Reads the words behind the program's name.
    ///
    /// # Errors
    /// The first that makes no sense, in words.
    pub fn parse(words: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut options = Self::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            match &word[..] {
                "--json" => options.json = true,
                "--shrink" => options.shrink = true,
                "--list" => options.text = Some(list()),
                "-h" | "--help" => options.text = Some(HELP.to_owned()),
                _ => {
                    let value = words
                        .next()
                        .ok_or_else(|| format!("`{word}` needs a value, or is none"))?;
                    options.set(&word, &value)?;
                }
            }
        }
        Ok(options)
    }

    fn set(&mut self, option: &str, value: &str) -> Result<(), String> {
        let refuse = || format!("`{option}` cannot be `{value}`; `--help` lists what there is");
        let count =
            |least: usize| value.parse().ok().filter(|count| *count >= least).ok_or_else(refuse);
        match option {
            "--worlds" => self.worlds = count(1)?,
            "--threads" => self.threads = count(1)?,
            "--seed" => self.seed = value.parse().map_err(|_| refuse())?,
            "--seconds" => {
                let seconds =
                    value.parse().ok().filter(|time: &f64| time.is_finite() && *time > 0.0);
                self.seconds = seconds.ok_or_else(refuse)?;
            }
            "--write" => self.folder = Some(value.into()),
            "--class" => {
                let each = value.split(',').map(|name| Class::named(name.trim()).copied());
                self.classes = each.collect::<Option<_>>().ok_or_else(refuse)?;
            }
            "--solver" => {
                self.solvers.clear();
                for name in value.split(',').map(str::trim) {
                    let named = SOLVERS.iter().filter(|solver| match name {
                        "real" => solver.is_real_time(),
                        "reference" => !solver.is_real_time(),
                        _ => solver.name == name,
                    });
                    let before = self.solvers.len();
                    self.solvers.extend(named);
                    if self.solvers.len() == before {
                        return Err(refuse());
                    }
                }
            }
            _ => return Err(format!("unknown argument `{option}`; `--help` lists what there is")),
        }
        Ok(())
    }
}

fn list() -> String {
    let mut text = String::new();
    for class in CLASSES {
        text += &format!("{:18} {}\n", class.name, class.about);
    }
    let names: Vec<&str> = SOLVERS.iter().map(|solver| solver.name).collect();
    text + "solvers: " + &names.join(", ") + "\n"
}

#[cfg(test)]
mod tests {
    use super::Options;

    fn parse(line: &str) -> Result<Options, String> {
        Options::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn what_is_asked_for_is_found() {
        let line = "--json --worlds 7 --seed 12 --class trees,beams --solver default,theta";
        let options = parse(line).unwrap();
        assert!(options.json && options.worlds == 7 && options.seed == 12);
        assert_eq!((options.classes.len(), options.solvers.len()), (2, 2));
        assert_eq!(parse("--solver real").unwrap().solvers.len(), 7);
        assert!(parse("--list").unwrap().text.is_some_and(|text| text.contains("trees")));
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        for (line, part) in [
            ("--worlds 0", "`--worlds` cannot be `0`"),
            ("--class tres", "`tres`"),
            ("--solver lane", "`lane`"),
            ("--seconds -1", "`-1`"),
            ("--fast 1", "unknown argument `--fast`"),
            ("--seed", "needs a value"),
        ] {
            let text = parse(line).unwrap_err();
            assert!(text.contains(part), "{line}: {text}");
        }
    }
}
