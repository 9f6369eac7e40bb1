//! Probes, trajectory and reactions as CSV and JSON.
//!
//! A row of CSV is a moment of one body or one joint. In JSON each body and each joint has a list of
//! numbers for each quantity; what has no value is `null`.

use crate::failure::Failure;
use crate::output::Folder;
use kempe_scenes::run::Recording;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use std::io::{self, Write};

/// A name in CSV.
fn cell(name: &str) -> String {
    match name.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.to_owned(),
    }
}

/// A name with its unit.
pub(crate) fn with_unit(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_owned() } else { format!("{name} ({unit})") }
}

fn numbers(out: &mut dyn Write, values: impl Iterator<Item = f64>) -> io::Result<()> {
    for value in values {
        // What has no value is empty.
        match value.is_finite() {
            true => write!(out, ",{value}")?,
            false => write!(out, ",")?,
        }
    }
    Ok(())
}

pub(crate) fn csv(folder: &mut Folder, run: &Recording) -> Result<(), Failure> {
    if !run.probes.is_empty() {
        folder.write("probes.csv", |out| probes(out, run))?;
    }
    folder.write("trajectory.csv", |out| trajectory(out, run))?;
    if !run.joint_states.is_empty() && !run.joints.is_empty() {
        folder.write("reactions.csv", |out| reactions(out, run))?;
    }
    Ok(())
}

fn probes(out: &mut dyn Write, run: &Recording) -> io::Result<()> {
    write!(out, "time (s)")?;
    for (name, unit) in run.probe_names.iter().zip(&run.probe_units) {
        write!(out, ",{}", cell(&with_unit(name, unit)))?;
    }
    writeln!(out)?;
    for (row, time) in run.probe_times.iter().enumerate() {
        write!(out, "{time}")?;
        numbers(out, run.probes.iter().map(|values| values[row]))?;
        writeln!(out)?;
    }
    Ok(())
}

fn trajectory(out: &mut dyn Write, run: &Recording) -> io::Result<()> {
    writeln!(
        out,
        "time (s),body,x (m),y (m),angle (rad),vx (m/s),vy (m/s),angular velocity (rad/s)"
    )?;
    let names: Vec<String> = run.bodies.iter().map(|body| cell(&body.name)).collect();
    for ((time, poses), velocities) in run.times.iter().zip(&run.poses).zip(&run.velocities) {
        for ((name, pose), velocity) in names.iter().zip(poses).zip(velocities) {
            write!(out, "{time},{name}")?;
            numbers(out, pose.iter().chain(velocity).copied())?;
            writeln!(out)?;
        }
    }
    Ok(())
}

fn reactions(out: &mut dyn Write, run: &Recording) -> io::Result<()> {
    write!(
        out,
        "time (s),joint,force x (N),force y (N),torque (N·m),error (m),error (rad),broken"
    )?;
    let axes = run.joints.iter().map(|joint| joint.units.len()).max().unwrap_or(0);
    for axis in 0..axes {
        write!(out, ",coordinate {axis} (m or rad)")?;
    }
    writeln!(out)?;
    let names: Vec<String> = run.joints.iter().map(|joint| cell(&joint.name)).collect();
    for ((time, states), coordinates) in
        run.times.iter().zip(&run.joint_states).zip(&run.coordinates)
    {
        for ((name, state), joint) in names.iter().zip(states).zip(&run.joints) {
            write!(out, "{time},{name}")?;
            let [length, angle] = state.error;
            let values = [state.force.x, state.force.y, state.torque, length, angle];
            numbers(out, values.into_iter())?;
            write!(out, ",{}", u8::from(state.broken))?;
            let own = (0..axes).map(|axis| match axis < joint.units.len() {
                true => coordinates[joint.first + axis],
                false => f64::NAN,
            });
            numbers(out, own)?;
            writeln!(out)?;
        }
    }
    Ok(())
}

pub(crate) fn json(folder: &mut Folder, run: &Recording) -> Result<(), Failure> {
    if !run.probes.is_empty() {
        folder.write("probes.json", |out| Ok(serde_json::to_writer(out, &Probes(run))?))?;
    }
    folder.write("trajectory.json", |out| Ok(serde_json::to_writer(out, &Trajectory(run))?))?;
    if !run.joint_states.is_empty() && !run.joints.is_empty() {
        folder.write("reactions.json", |out| Ok(serde_json::to_writer(out, &Reactions(run))?))?;
    }
    Ok(())
}

/// Items that are made as they are written.
struct Each<F>(usize, F);

impl<T: Serialize, F: Fn(usize) -> T> Serialize for Each<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0))?;
        for index in 0..self.0 {
            list.serialize_element(&(self.1)(index))?;
        }
        list.end()
    }
}

/// A value that is written by a function.
struct Made<F>(F);

type Entries<'a> = Vec<(&'static str, Box<dyn Fn(usize) -> f64 + 'a>)>;

/// A named thing with a list of numbers for each quantity.
struct Columns<'a> {
    texts: Vec<(&'static str, &'a str)>,
    rows: usize,
    columns: Entries<'a>,
}

impl Serialize for Columns<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, text) in &self.texts {
            map.serialize_entry(name, text)?;
        }
        for (name, value) in &self.columns {
            map.serialize_entry(name, &Each(self.rows, value))?;
        }
        map.end()
    }
}

impl<T: Serialize, F: Fn() -> T> Serialize for Made<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.0)().serialize(serializer)
    }
}

struct Probes<'a>(&'a Recording);
struct Trajectory<'a>(&'a Recording);
struct Reactions<'a>(&'a Recording);

impl Serialize for Probes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let run = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("time", &run.probe_times)?;
        let probe = |index: usize| {
            let texts =
                vec![("name", run.probe_names[index].as_str()), ("unit", run.probe_units[index])];
            let values: Box<dyn Fn(usize) -> f64> = Box::new(move |row| run.probes[index][row]);
            Columns { texts, rows: run.probe_times.len(), columns: vec![("values", values)] }
        };
        map.serialize_entry("probes", &Each(run.probes.len(), probe))?;
        map.end()
    }
}

impl Serialize for Trajectory<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let run = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("time", &run.times)?;
        let body = |index: usize| {
            let mut columns: Entries<'_> = Vec::new();
            for (part, name) in ["x", "y", "angle"].into_iter().enumerate() {
                columns.push((name, Box::new(move |row| run.poses[row][index][part])));
            }
            for (part, name) in ["vx", "vy", "angular_velocity"].into_iter().enumerate() {
                columns.push((name, Box::new(move |row| run.velocities[row][index][part])));
            }
            let texts = vec![("name", run.bodies[index].name.as_str())];
            Columns { texts, rows: run.times.len(), columns }
        };
        map.serialize_entry("bodies", &Each(run.bodies.len(), body))?;
        map.end()
    }
}

impl Serialize for Reactions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let run = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("time", &run.times)?;
        let joint = |index: usize| {
            let part = &run.joints[index];
            let columns: Entries<'_> = vec![
                ("force_x", Box::new(move |row| run.joint_states[row][index].force.x)),
                ("force_y", Box::new(move |row| run.joint_states[row][index].force.y)),
                ("torque", Box::new(move |row| run.joint_states[row][index].torque)),
                ("error_m", Box::new(move |row| run.joint_states[row][index].error[0])),
                ("error_rad", Box::new(move |row| run.joint_states[row][index].error[1])),
            ];
            let texts = vec![("name", part.name.as_str()), ("kind", part.kind.as_str())];
            let columns = Columns { texts, rows: run.times.len(), columns };
            let coordinate = move |axis: usize| {
                Each(run.times.len(), move |row: usize| run.coordinates[row][part.first + axis])
            };
            let coordinates = Each(part.units.len(), coordinate);
            let broken = run.joint_states.iter().position(|states| states[index].broken);
            JointColumns { columns, coordinates, broken_at: broken.map(|row| run.times[row]) }
        };
        map.serialize_entry("joints", &Made(|| Each(run.joints.len(), joint)))?;
        map.end()
    }
}

#[derive(serde::Serialize)]
struct JointColumns<'a, C> {
    #[serde(flatten)]
    columns: Columns<'a>,
    /// By axis.
    coordinates: C,
    /// The first frame in which it is broken.
    broken_at: Option<f64>,
}
