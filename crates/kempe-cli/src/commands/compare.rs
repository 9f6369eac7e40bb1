//! `kempe compare`.

use super::run::{title, to_json};
use crate::arguments::Compare;
use crate::failure::Failure;
use crate::output::words::{number, plain, table};
use crate::output::{self, Folder, plots};
use crate::progress::Progress;
use crate::{scene, speak};
use kempe_picture::{Panel, Plot, Scale, Series};
use kempe_scenes::file::{Loaded, Solver};
use kempe_scenes::run::{self, Frames, Options, Recording};
use serde::Serialize;

/// Moments that are compared at most, and how many of them are told.
const MOMENTS: u64 = 5000;
const TOLD: usize = 9;
/// Bodies that are told one by one.
const BODIES: usize = 8;

/// The larger of two numbers, and how large they are on average.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Off {
    largest: f64,
    rms: f64,
}

impl Off {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let (mut largest, mut squares, mut count) = (0.0_f64, 0.0, 0.0);
        for value in values {
            // NaN stays.
            largest = if value.abs() > largest || value.is_nan() { value.abs() } else { largest };
            squares += value * value;
            count += 1.0;
        }
        Self { largest, rms: (squares / f64::max(count, 1.0)).sqrt() }
    }
}

/// How far a body is off over the whole run.
#[derive(Clone, Debug, Serialize)]
struct BodyOff {
    name: String,
    /// m.
    position: Off,
    /// rad.
    angle: Off,
}

/// A moment: of all bodies together.
#[derive(Clone, Copy, Debug, Serialize)]
struct Moment {
    time: f64,
    position: Off,
    angle: Off,
    /// Real time less reference, J.
    energy: f64,
    /// How far joints are open at most, m or rad: in real time, and by the reference solver.
    gap: Option<[f64; 2]>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Compared {
    name: String,
    seconds: f64,
    step: f64,
    reference_step: f64,
    steps_per_second: [f64; 2],
    bodies: Vec<BodyOff>,
    energy: Off,
    /// m and rad, in real time and by the reference solver.
    largest_gaps: [[f64; 2]; 2],
    moments: Vec<Moment>,
}

pub(crate) fn run(arguments: &Compare) -> Result<(), Failure> {
    let loaded = scene::open(&arguments.scene)?;
    let title = title(&loaded, &arguments.scene.scene);
    if let Some(folder) = &arguments.output {
        output::check(folder)?;
    }
    let plan = Options::of(&loaded);
    let duration = arguments.span.duration.unwrap_or(plan.duration);
    let step = arguments.span.step.unwrap_or(plan.step);
    let progress = Progress::new("real time", arguments.quiet);
    let options = Options { duration, step, ..plan };
    let [fast, exact] = both(&loaded, &options, arguments.reference_step, &progress)?;
    let compared = Compared::of(&title, &fast, &exact);
    let mut said = match arguments.json {
        true => to_json(&compared)?,
        false => compared.words(),
    };
    if let Some(to) = &arguments.output {
        let mut folder = Folder::new(to)?;
        plots::write(&mut folder, &[("compare", compared.plot())], true, true)?;
        folder.add("compare.csv", compared.csv().as_bytes())?;
        folder.add("compare.json", to_json(&compared)?.as_bytes())?;
        let names = folder.finish()?;
        if !arguments.json {
            said += &format!("\n  {}: {}\n", to.display(), names.join(", "));
        }
    }
    drop(progress);
    speak::print(&said)
}

/// Runs a scene by both solvers, with frames at the same times. The steps of the reference solver are
/// a whole part of the others: as long as asked, or shorter.
pub(crate) fn both(
    loaded: &Loaded,
    options: &Options,
    reference_step: Option<f64>,
    progress: &Progress,
) -> Result<[Recording; 2], Failure> {
    let steps = (options.duration / options.step).ceil();
    let bodies = loaded.world.body_count().max(1) as f64;
    // Neither run is thinned by itself, so that both keep the same moments.
    let most = (4e6 / (6.0 * bodies + 12.0 * loaded.world.joint_count() as f64)).max(2.0);
    let every = (steps / most.min(MOMENTS as f64)).ceil().max(1.0);
    let parts = match reference_step {
        Some(asked) => (options.step / asked - 1e-9).ceil().max(1.0),
        None => 10.0,
    };
    let joints = Some(loaded.world.joint_count() <= 2000);
    let fast = Options {
        solver: Solver::RealTime,
        frames: Frames::Every(every as u64),
        joints,
        ..*options
    };
    let exact = Options {
        solver: Solver::Reference,
        step: options.step / parts,
        frames: Frames::Every((every * parts) as u64),
        ..fast
    };
    let fast = run::run(loaded, &fast, &mut progress.watch())?;
    progress.tell("reference");
    let exact = run::run(loaded, &exact, &mut progress.watch())?;
    Ok([fast, exact])
}

fn turned(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[2] - b[2]
}

fn moved(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    f64::hypot(a[0] - b[0], a[1] - b[1])
}

impl Compared {
    pub(crate) fn of(title: &str, fast: &Recording, exact: &Recording) -> Self {
        let frames = fast.times.len().min(exact.times.len());
        let moving: Vec<usize> =
            (0..fast.bodies.len()).filter(|body| !fast.bodies[*body].is_fixed()).collect();
        type Far = fn(&[f64; 3], &[f64; 3]) -> f64;
        let of_body = |body: usize, far: Far| {
            Off::of((0..frames).map(|k| far(&fast.poses[k][body], &exact.poses[k][body])))
        };
        let of_frame = |k: usize, far: Far| {
            Off::of(moving.iter().map(|body| far(&fast.poses[k][*body], &exact.poses[k][*body])))
        };
        let gap = |run: &Recording, k: usize| -> Option<f64> {
            let gaps =
                run.joint_states.get(k)?.iter().map(|state| state.error[0].max(state.error[1]));
            Some(gaps.fold(0.0, f64::max))
        };
        let energy = |k: usize| fast.energies[k].total() - exact.energies[k].total();
        let moments = (0..frames).map(|k| Moment {
            time: fast.times[k],
            position: of_frame(k, moved),
            angle: of_frame(k, turned),
            energy: energy(k),
            gap: gap(fast, k).zip(gap(exact, k)).map(|(fast, exact)| [fast, exact]),
        });
        let bodies = moving.iter().map(|body| BodyOff {
            name: fast.bodies[*body].name.clone(),
            position: of_body(*body, moved),
            angle: of_body(*body, turned),
        });
        Self {
            name: title.to_owned(),
            seconds: fast.seconds,
            step: fast.step,
            reference_step: exact.step,
            steps_per_second: [fast.steps_per_second(), exact.steps_per_second()],
            bodies: bodies.collect(),
            energy: Off::of((0..frames).map(energy)),
            largest_gaps: [fast.largest_error(), exact.largest_error()],
            moments: moments.collect(),
        }
    }

    /// Of all bodies over the whole run: m and rad.
    pub(crate) fn largest(&self) -> [f64; 2] {
        let most = |of: fn(&BodyOff) -> f64| self.bodies.iter().map(of).fold(0.0, f64::max);
        [most(|body| body.position.largest), most(|body| body.angle.largest)]
    }

    pub(crate) fn words(&self) -> String {
        let [fast, exact] = self.steps_per_second;
        let mut text = format!(
            "{}: real time in steps of {} ms against the reference solver in steps of {} ms, {} s\n  \
             {fast:.0} steps a second against {exact:.0}\n\n",
            self.name,
            plain(1e3 * self.step),
            plain(1e3 * self.reference_step),
            plain(self.seconds),
        );
        let last = self.moments.len().saturating_sub(1);
        let head = [
            "time (s)",
            "position off (m)",
            "rms",
            "angle off (rad)",
            "rms",
            "energy off (J)",
            "gap (mm or mrad)",
            "reference's",
        ];
        let mut told: Vec<usize> = (0..TOLD).map(|k| k * last / (TOLD - 1)).collect();
        told.dedup();
        let rows = told.iter().filter_map(|k| self.moments.get(*k)).map(|moment| {
            let gap = |k: usize| moment.gap.map_or(f64::NAN, |gap| 1e3 * gap[k]);
            let Moment { time, position, angle, energy, .. } = moment;
            let numbers =
                [position.largest, position.rms, angle.largest, angle.rms, *energy, gap(0), gap(1)];
            std::iter::once(*time).chain(numbers).map(number).collect()
        });
        text += &table(&head, &rows.collect::<Vec<_>>());
        let mut order: Vec<&BodyOff> = self.bodies.iter().collect();
        if order.len() > BODIES {
            order.sort_by(|a, b| b.position.largest.total_cmp(&a.position.largest));
        }
        let rows = order.iter().take(BODIES).map(|body| {
            let (at, angle) = (body.position, body.angle);
            let numbers = [at.largest, at.rms, angle.largest, angle.rms].map(number);
            std::iter::once(body.name.clone()).chain(numbers).collect()
        });
        let rows: Vec<Vec<String>> = rows.collect();
        let head = ["body", "position off (m)", "rms", "angle off (rad)", "rms"];
        text += &format!("\n{}", table(&head, &rows));
        if order.len() > rows.len() {
            text += &format!("  and {} more that are nearer\n", order.len() - rows.len());
        }
        let Off { largest, rms } = self.energy;
        text +=
            &format!("\n  energy off by {} J at most, rms {} J\n", number(largest), number(rms));
        for (who, [length, angle]) in ["real time", "reference"].iter().zip(self.largest_gaps) {
            let (length, angle) = (number(1e3 * length), number(angle));
            text += &format!("  joints open by {length} mm and {angle} rad at most ({who})\n");
        }
        text
    }

    pub(crate) fn plot(&self) -> Plot {
        let line = |name: &str, of: &dyn Fn(&Moment) -> f64| {
            let point = |moment: &Moment| {
                let value = of(moment);
                // One that is not known stays so.
                [moment.time, if value < plots::FLOOR { plots::FLOOR } else { value }]
            };
            Series::new(name, self.moments.iter().map(point).collect())
        };
        let log = |label: &str, series: Vec<Series>| Panel {
            scale: Scale::Log,
            ..Panel::new(label, series)
        };
        let mut panels = vec![
            log(
                "position off (m)",
                vec![line("largest", &|m| m.position.largest), line("rms", &|m| m.position.rms)],
            ),
            log(
                "angle off (rad)",
                vec![line("largest", &|m| m.angle.largest), line("rms", &|m| m.angle.rms)],
            ),
            log("energy off (J)", vec![line("real time", &|m| m.energy.abs())]),
        ];
        if self.moments.iter().any(|moment| moment.gap.is_some_and(|[a, b]| a.max(b) > 0.0)) {
            let gap = |k: usize| move |m: &Moment| m.gap.map_or(f64::NAN, |gap| gap[k]);
            panels.push(log(
                "widest gap (m or rad)",
                vec![line("real time", &gap(0)), line("reference", &gap(1))],
            ));
        }
        Plot {
            title: format!("{}: real time against the reference solver", self.name),
            x_label: "time (s)".to_owned(),
            panels,
            ..Plot::default()
        }
    }

    fn csv(&self) -> String {
        let mut text = String::from(
            "time (s),position off (m),rms (m),angle off (rad),rms (rad),energy off (J),\
             gap (m or rad),gap of the reference (m or rad)\n",
        );
        for Moment { time, position, angle, energy, gap } in &self.moments {
            let gap = gap.map_or(",".to_owned(), |[fast, exact]| format!("{fast},{exact}"));
            text += &format!(
                "{time},{},{},{},{},{energy},{gap}\n",
                position.largest, position.rms, angle.largest, angle.rms
            );
        }
        text
    }
}
