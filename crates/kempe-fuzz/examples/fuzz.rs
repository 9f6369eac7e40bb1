//! Random, mutated and arbitrary programs through the whole of `kempe-equation`, on stable Rust.
//!
//! ```sh
//! cargo run --release -p kempe-fuzz --example fuzz -- COUNT [SEED] [OPTIONS]
//! ```
//!
//! Ends with 1, and shows and saves the input, if one panics, takes more than a second, or holds
//! more than 256 MB. The inputs are the same for the same SEED, whatever the number of threads.

use kempe_fuzz::runner::{
    Case, Failure, Kind, Limits, Settings, Tally, collect_panics, examine, run_all,
};
use kempe_fuzz::watch::Counting;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const USAGE: &str = "usage: fuzz COUNT [SEED] [OPTIONS]
  --save FILE     where the failing input is written (default: fuzz-failure.kempe in the folder for
                  temporary files); with --keep-going, FILE.1 and so on, the shortest of each sort
  --keep-going    do not stop at the first failure
  --threads N     default: as many as there are processors
  --only NUMBER   run one input of the run, and print it
  --file FILE     run one file
";

struct Options {
    settings: Settings,
    save: PathBuf,
    only: Option<u64>,
    file: Option<PathBuf>,
}

fn options() -> Option<Options> {
    let temporary = std::env::temp_dir();
    let mut settings = Settings {
        count: 0,
        seed: 0,
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        limits: Limits::default(),
        keep_going: false,
        journal: Some(temporary.join("fuzz-journal")),
    };
    let (mut save, mut only, mut file) = (temporary.join("fuzz-failure.kempe"), None, None);
    let mut plain: Vec<u64> = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--save" => save = arguments.next()?.into(),
            "--file" => file = Some(arguments.next()?.into()),
            "--only" => only = Some(arguments.next()?.parse().ok()?),
            "--threads" => settings.threads = arguments.next()?.parse().ok()?,
            "--keep-going" => settings.keep_going = true,
            number => plain.push(number.replace('_', "").parse().ok()?),
        }
    }
    match (&plain[..], only.is_some() || file.is_some()) {
        ([], true) => {}
        ([count], _) => settings.count = *count,
        ([count, seed], _) => (settings.count, settings.seed) = (*count, *seed),
        _ => return None,
    }
    Some(Options { settings, save, only, file })
}

fn main() -> ExitCode {
    let Some(options) = options() else {
        eprint!("{USAGE}");
        return ExitCode::from(2);
    };
    collect_panics();
    let Options { settings, save, only, file } = options;
    if let Some(file) = file {
        return match std::fs::read(&file) {
            Ok(bytes) => one(&Case { number: 0, kind: Kind::Arbitrary, bytes }, settings.limits),
            Err(error) => {
                eprintln!("{}: {error}", file.display());
                ExitCode::from(2)
            }
        };
    }
    if let Some(number) = only {
        let case = Case::new(settings.seed, number);
        print!("{}", String::from_utf8_lossy(&case.bytes));
        return one(&case, settings.limits);
    }
    if let Some(journal) = &settings.journal {
        let journal = journal.display();
        eprintln!(
            "should the process end without a word, {journal}.* have the last inputs (--only)"
        );
    }
    let start = Instant::now();
    let mut ticks = 0;
    let tally = run_all(&settings, |done, stuck| {
        if let Some(number) = stuck {
            let case = Case::new(settings.seed, number);
            report(&Failure { case, what: "does not end".to_owned() }, settings.seed, &save);
            std::process::exit(1);
        }
        ticks += 1;
        if ticks % 30 == 1 {
            let rate = done as f64 / start.elapsed().as_secs_f64();
            eprintln!("{done} of {}, {rate:.0} per second", settings.count);
        }
    });
    let failed = failures(&tally, &settings, &save);
    summary(&tally, start);
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn one(case: &Case, limits: Limits) -> ExitCode {
    match examine(case, limits) {
        Ok(measured) => {
            eprintln!("{measured:?}");
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("{}", failure.what);
            ExitCode::FAILURE
        }
    }
}

/// Shows and saves the shortest failure of each sort.
fn failures(tally: &Tally, settings: &Settings, save: &std::path::Path) -> bool {
    let mut sorts: BTreeMap<String, (Vec<u64>, &Failure)> = BTreeMap::new();
    for failure in &tally.failures {
        // Failures of one sort differ in numbers, names and program texts; a line without its
        // digits tells most of them apart.
        let lines = failure.what.lines().take(2);
        let words: String = lines.flat_map(str::chars).filter(|c| !c.is_ascii_digit()).collect();
        let sort = words.chars().take(120).collect();
        let known = sorts.entry(sort).or_insert((Vec::new(), failure));
        known.0.push(failure.case.number);
        if failure.case.bytes.len() < known.1.case.bytes.len() {
            known.1 = failure;
        }
    }
    for (index, (numbers, failure)) in sorts.values().enumerate() {
        let path = if settings.keep_going {
            let mut path = save.as_os_str().to_owned();
            path.push(format!(".{}", index + 1));
            path.into()
        } else {
            save.to_owned()
        };
        report(failure, settings.seed, &path);
        let first = &numbers[..numbers.len().min(30)];
        eprintln!("{} of this sort: {first:?}\n", numbers.len());
    }
    !sorts.is_empty()
}

fn report(failure: &Failure, seed: u64, save: &std::path::Path) {
    let Failure { case, what } = failure;
    let shown: String = String::from_utf8_lossy(&case.bytes).chars().take(3000).collect();
    let what: String = what.chars().take(1500).collect();
    eprintln!("FAILED: {what}\nseed {seed}, input {}, {:?}:\n{shown}\n", case.number, case.kind);
    match std::fs::write(save, &case.bytes) {
        Ok(()) => eprintln!("written to {}", save.display()),
        Err(error) => eprintln!("{}: {error}", save.display()),
    }
}

fn summary(tally: &Tally, start: Instant) {
    println!("{:<18}{:>12}{:>12}{:>8}{:>12}", "", "parsed", "rejected", "failed", "mean µs");
    for (kind, count) in Kind::ALL.iter().zip(&tally.kinds) {
        let all = count.parsed + count.rejected;
        let mean = count.time.as_secs_f64() * 1e6 / all.max(1) as f64;
        println!(
            "{:<18}{:>12}{:>12}{:>8}{mean:>12.1}",
            format!("{kind:?}"),
            count.parsed,
            count.rejected,
            count.failed
        );
    }
    let (slowest, slow) = tally.slowest;
    let (largest, large) = tally.largest;
    let inputs: u64 =
        tally.kinds.iter().map(|kind| kind.parsed + kind.rejected + kind.failed).sum();
    println!("slowest input   {:.1} ms (input {slow})", slowest.as_secs_f64() * 1e3);
    println!("largest peak    {:.1} MB (input {large})", largest as f64 / f64::from(1 << 20));
    println!("{inputs} inputs in {:.1} s", start.elapsed().as_secs_f64());
}
