//! Every probe against the parameter.

use super::plan::Plan;
use super::result::{self, Read};
use kempe_picture::{Panel, Plot, Scale, Series, Theme};

/// Up to so many values have marks.
const MARKED: usize = 60;

pub(super) fn svg(plan: &Plan, lines: &[String]) -> String {
    let read: Vec<Read> = lines.iter().map(|line| result::read(plan, line)).collect();
    let series = |name: &str, dashed: bool, value: &dyn Fn(&Read) -> f64| Series {
        marks: !dashed && read.len() <= MARKED,
        dashed,
        ..Series::new(name, read.iter().map(|each| [each.value, value(each)]).collect())
    };
    let mut panels: Vec<Panel> = Vec::new();
    for (at, (name, unit)) in plan.probes.iter().enumerate() {
        let label = if unit.is_empty() { name.clone() } else { format!("{name} ({unit})") };
        let what = |k: usize| move |each: &Read| each.probes[at][k];
        let all = vec![
            series("final", false, &what(0)),
            series("min", true, &what(1)),
            series("max", true, &what(2)),
        ];
        panels.push(Panel::new(&label, all));
    }
    if panels.is_empty() {
        for (at, label) in
            ["joint error (m)", "joint error (rad)", "energy drift (J)"].iter().enumerate()
        {
            let one = series(label, false, &move |each: &Read| each.errors[at]);
            panels.push(Panel::new(label, vec![one]));
        }
    }
    let plot = Plot {
        title: format!("{} over {}", plan.scene, plan.parameter),
        x_label: plan.parameter.clone(),
        panels,
        x_scale: if plan.log { Scale::Log } else { Scale::Linear },
        ..Plot::default()
    };
    plot.svg(Theme::Auto)
}
