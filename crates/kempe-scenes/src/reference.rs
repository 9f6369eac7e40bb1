//! What is known of some scenes to many digits; `data/README.md` says where it comes from.

use crate::error::Error;
use serde::Deserialize;

/// A problem whose solution is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// [`pendulum`](crate::pendulum): `theta` and `omega`, 0 to 60 s; θ from hanging.
    Pendulum,
    /// [`double_pendulum`](crate::double_pendulum): `theta_1`, `theta_2`, `omega_1`, `omega_2`, 0 to
    /// 10 s; θ from hanging.
    DoublePendulum,
    /// [`four_bar`](crate::four_bar): `crank`, `coupler`, `rocker` and their `…_speed`, 0 to 5 s.
    FourBar,
    /// [`peaucellier`](crate::peaucellier): `p_x`, `p_y`, `crank`, `crank_speed`, 0 to 4 s.
    Peaucellier,
    /// [`slider_crank`](crate::slider_crank) at 150 rad/s: `crank`, `rod`, `slider` and their
    /// `…_speed`, 0 to 0.1 s.
    SliderCrank,
    /// [`simple_pendulum`](crate::simple_pendulum): `x`, `y`, `x_speed`, `y_speed`, 0 to 10 s.
    SimplePendulum,
    /// [`compound_pendulum`](crate::compound_pendulum): by `amplitude_degrees` and `width`, its
    /// `period` and, after 10 s, `theta` and `omega`.
    CompoundPendulum,
    /// The double pendulum from 30° and 45°.
    DoublePendulumRegular,
    /// [`double_weights`](crate::double_weights), released horizontal.
    DoubleWeights,
    /// The same from 30° and 45°.
    DoubleWeightsRegular,
    /// [`spring_pendulum`](crate::spring_pendulum): `length`, `theta`, `length_speed`, `omega`, 0 to
    /// 10 s.
    SpringPendulum,
    /// [`spring_pendulum_stiff`](crate::spring_pendulum_stiff): the same.
    SpringPendulumStiff,
    /// [`n_four_bar`](crate::n_four_bar) with two windows: `x`, `y`, `x_speed`, `y_speed` of B0, 0 to
    /// 20 s.
    NFourBar,
    /// [`andrews`](crate::andrews()): `beta`, `theta`, `gamma`, `phi`, `delta`, `omega`, `epsilon` and
    /// their `…_speed`, 0 to 0.03 s.
    Andrews,
}

/// A table of numbers over time.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Trajectory {
    /// The problem, in words.
    pub what: String,
    /// How it was computed.
    pub method: String,
    /// What the columns are; the first is `time`.
    pub columns: Vec<String>,
    /// The numbers.
    pub rows: Vec<Vec<f64>>,
}

impl Problem {
    fn file(self) -> (&'static str, &'static str) {
        macro_rules! data {
            ($name:literal) => {
                ($name, include_str!(concat!("../data/", $name)))
            };
        }
        match self {
            Self::Pendulum => data!("pendulum.json"),
            Self::DoublePendulum => data!("double_pendulum.json"),
            Self::FourBar => data!("four_bar.json"),
            Self::Peaucellier => data!("peaucellier.json"),
            Self::SliderCrank => data!("slider_crank.json"),
            Self::SimplePendulum => data!("simple_pendulum.json"),
            Self::CompoundPendulum => data!("compound_pendulum.json"),
            Self::DoublePendulumRegular => data!("double_pendulum_regular.json"),
            Self::DoubleWeights => data!("double_weights.json"),
            Self::DoubleWeightsRegular => data!("double_weights_regular.json"),
            Self::SpringPendulum => data!("spring_pendulum.json"),
            Self::SpringPendulumStiff => data!("spring_pendulum_stiff.json"),
            Self::NFourBar => data!("n_four_bar.json"),
            Self::Andrews => data!("andrews.json"),
        }
    }

    /// Its solution.
    ///
    /// # Errors
    /// If the data in this crate are not whole.
    pub fn trajectory(self) -> Result<Trajectory, Error> {
        let (file, text) = self.file();
        let refuse = |reason: String| Error::Reference { file, reason };
        let found: Trajectory =
            serde_json::from_str(text).map_err(|error| refuse(error.to_string()))?;
        if found.rows.iter().any(|row| row.len() != found.columns.len()) {
            return Err(refuse("a row is not as long as the columns are many".to_owned()));
        }
        Ok(found)
    }

    /// A number of its solution at a time that is in the table.
    ///
    /// # Errors
    /// If there is no such column or time.
    pub fn at(self, column: &str, time: f64) -> Result<f64, Error> {
        let trajectory = self.trajectory()?;
        let found = trajectory.at(column, time);
        found.ok_or_else(|| Error::Reference {
            file: self.file().0,
            reason: format!("there is no `{column}` at {time} s"),
        })
    }
}

impl Trajectory {
    /// A number at a time that is in the table.
    pub fn at(&self, column: &str, time: f64) -> Option<f64> {
        let column = self.columns.iter().position(|name| name == column)?;
        let row = self.rows.iter().find(|row| (row[0] - time).abs() < 1e-9)?;
        row.get(column).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::Problem;

    #[test]
    fn the_tables_are_whole() {
        let each = [
            (Problem::Pendulum, "theta", 60.0, 1.538_143_727_308_32),
            (Problem::DoublePendulum, "theta_2", 10.0, -14.345_719_734_713_967),
            (Problem::FourBar, "crank", 1.0, 1.339_674_073_627_224_6),
            (Problem::Peaucellier, "p_y", 4.0, 0.441_753_329_338_035_96),
            (Problem::SliderCrank, "rod_speed", 0.0, -75.0),
            (Problem::SimplePendulum, "x", 10.0, -0.275_087_462_576_116_9),
            (Problem::CompoundPendulum, "period", 90.0, 1.933_334_854_373_245_8),
            (Problem::DoublePendulumRegular, "theta_2", 10.0, 0.346_461_966_303_427_5),
            (Problem::DoubleWeights, "omega_1", 10.0, 6.078_384_885_761_965),
            (Problem::DoubleWeightsRegular, "theta_1", 10.0, -0.065_068_855_933_772_22),
            (Problem::SpringPendulum, "length", 10.0, 1.374_315_091_902_042_6),
            (Problem::SpringPendulumStiff, "length", 10.0, 1.002_759_347_518_797_5),
            (Problem::NFourBar, "x", 20.0, 0.839_746_574_278_019_4),
            (Problem::Andrews, "beta", 0.03, 15.810_771_195_153_707),
        ];
        for (problem, column, time, value) in each {
            let found = problem.at(column, time).unwrap();
            assert!((found - value).abs() < 1e-15 * value.abs(), "{problem:?}: {found}");
        }
        let error = Problem::FourBar.at("crank", 0.01).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the reference data in four_bar.json: there is no `crank` at 0.01 s"
        );
    }
}
