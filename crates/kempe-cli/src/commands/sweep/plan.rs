//! Which values a sweep goes through, and what is run with them.

use crate::arguments::{self, Sweep};
use crate::failure::Failure;
use crate::scene::{self, Trouble};
use kempe_scenes::file::{Loaded, Notation, Solver};
use kempe_scenes::run::{Frames, Options};
use std::path::Path;

/// What a sweep does.
pub(super) struct Plan {
    /// A file or a name.
    pub scene: String,
    /// Of the scene's file, and of those that it names.
    pub hash: u64,
    pub parameter: String,
    pub values: Vec<f64>,
    pub log: bool,
    /// Numbers that stay.
    set: Vec<(String, f64)>,
    solver: Option<Solver>,
    duration: Option<f64>,
    step: Option<f64>,
    /// Names and units.
    pub probes: Vec<(String, &'static str)>,
}

impl Plan {
    pub fn new(arguments: &Sweep) -> Result<Self, Failure> {
        let Sweep { from, to, count, log, .. } = *arguments;
        let mut plan = Self {
            scene: arguments.scene.scene.clone(),
            hash: 0,
            parameter: arguments.param.clone(),
            values: values(from, to, count, log)?,
            log,
            set: arguments.scene.set.clone(),
            solver: arguments.solver.map(|solver| match solver {
                arguments::Solver::RealTime => Solver::RealTime,
                arguments::Solver::Reference => Solver::Reference,
            }),
            duration: arguments.span.duration,
            step: arguments.span.step,
            probes: Vec::new(),
        };
        if let Some((name, _)) = plan.set.iter().find(|(name, _)| *name == plan.parameter) {
            return Err(Failure::Bad(format!("`{name}` cannot be both swept and set")));
        }
        // A value that makes no scene is a result; a parameter that is none is a mistake.
        let all = plan.values.len();
        let loaded = plan.load(0).or_else(|trouble| {
            plan.load(all - 1).or_else(|_| plan.load(all / 2)).map_err(|_| trouble)
        })?;
        plan.hash = hash(&plan.scene, &loaded);
        let probes = loaded.probes.iter();
        plan.probes = probes
            .map(|reader| (reader.name.clone(), kempe_scenes::run::unit(reader, &loaded.world)))
            .collect();
        Ok(plan)
    }

    /// The scene with one of the values.
    pub fn load(&self, index: usize) -> Result<Loaded, Trouble> {
        let mut set = self.set.clone();
        set.push((self.parameter.clone(), self.values[index]));
        scene::load(&self.scene, &set)
    }

    /// How it runs. Only what probes read is kept, and the largest errors of joints.
    pub fn options(&self, loaded: &Loaded) -> Options {
        let own = Options::of(loaded);
        Options {
            solver: self.solver.unwrap_or(own.solver),
            duration: self.duration.unwrap_or(own.duration),
            step: self.step.unwrap_or(own.step),
            frames: Frames::Every(u64::MAX),
            joints: Some(false),
            ..own
        }
    }

    /// Everything that results depend on, in a line.
    pub fn identity(&self) -> Vec<(&'static str, String)> {
        let (first, last) = (self.values[0], self.values[self.values.len() - 1]);
        let given =
            |value: Option<f64>| value.map_or("as in the scene".to_owned(), |v| v.to_string());
        let solver = match self.solver {
            None => "as in the scene",
            Some(Solver::RealTime) => "real-time",
            Some(Solver::Reference) => "reference",
        };
        let set: Vec<String> = self.set.iter().map(|(name, v)| format!("{name}={v}")).collect();
        vec![
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("scene", self.scene.clone()),
            ("what the scene says", format!("{:016x}", self.hash)),
            ("--set", set.join(" ")),
            ("--param", self.parameter.clone()),
            ("--from", first.to_string()),
            ("--to", last.to_string()),
            ("--count", self.values.len().to_string()),
            ("--log", self.log.to_string()),
            ("--solver", solver.to_owned()),
            ("--duration", given(self.duration)),
            ("--step", given(self.step)),
        ]
    }
}

fn values(from: f64, to: f64, count: u32, log: bool) -> Result<Vec<f64>, Failure> {
    for (name, value) in [("--from", from), ("--to", to)] {
        if !value.is_finite() {
            return Err(Failure::Bad(format!("{name} is {value}; it must be finite")));
        }
        if log && value <= 0.0 {
            return Err(Failure::Bad(format!("{name} is {value}; with --log it must be above 0")));
        }
    }
    let last = count.saturating_sub(1);
    let value = |at: u32| match f64::from(at) / f64::from(last.max(1)) {
        _ if at == 0 => from,
        _ if at == last => to,
        part if log => from * (to / from).powf(part),
        part => from + (to - from) * part,
    };
    Ok((0..count).map(value).collect())
}

/// Of the scene's text and of the programs beside it (FNV-1a).
fn hash(name: &str, loaded: &Loaded) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    let path = Path::new(name);
    match std::fs::read(path) {
        Ok(bytes) => add(&bytes),
        // One of the gallery.
        Err(_) => add(kempe_scenes::file::write(&loaded.model, Notation::Json)
            .unwrap_or_default()
            .as_bytes()),
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    for file in loaded.model.joints.iter().filter_map(|joint| joint.file.as_ref()) {
        add(&std::fs::read(folder.join(file)).unwrap_or_default());
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::values;

    #[test]
    fn values_begin_and_end_where_they_should() {
        assert_eq!(values(-1.0, 0.3, 3, false).unwrap(), [-1.0, -0.35, 0.3]);
        let log = values(0.1, 1000.0, 5, true).unwrap();
        assert!((log[1] - 1.0).abs() < 1e-12 && log[4] == 1000.0);
        assert_eq!(values(2.0, 7.0, 1, false).unwrap(), [2.0]);
        assert!(values(0.0, 1.0, 3, true).is_err() && values(f64::NAN, 1.0, 3, false).is_err());
    }
}
