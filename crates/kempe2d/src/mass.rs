//! Mass, centre of mass and inertia, given or computed from shapes.
//!
//! | shape | area | ∫ r² dA about its centroid |
//! |---|---|---|
//! | circle | πr² | ½πr⁴ |
//! | polygon | ½ Σ aᵢ, aᵢ = pᵢ × pᵢ₊₁ | 1/12 Σ aᵢ (pᵢ·pᵢ + pᵢ·pᵢ₊₁ + pᵢ₊₁·pᵢ₊₁) − A c·c |
//! | capsule | πr² + 2rl | two half discs and a box, moved to the middle |
//!
//! Bodies are put together by Steiner's theorem: I = Σ Iᵢ + mᵢ |cᵢ − c|².

use crate::error::{Error, at_least_zero, finite, positive};
use kempe_scalar::Vec2;
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// A piece of a body, in the body's axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Shape {
    /// A disc.
    Circle {
        /// Of the middle, m.
        center: Vec2,
        /// m.
        radius: f64,
    },
    /// A segment with a round end on either side.
    Capsule {
        /// One end of the segment.
        start: Vec2,
        /// The other.
        end: Vec2,
        /// m.
        radius: f64,
    },
    /// A polygon whose corners are named counter-clockwise; it need not be convex, but must not
    /// cross itself.
    Polygon {
        /// At least three.
        corners: Vec<Vec2>,
    },
}

impl Shape {
    /// A disc about the body's origin.
    pub fn circle(radius: f64) -> Self {
        Self::Circle { center: Vec2::ZERO, radius }
    }

    /// A box about the body's origin, by its half extents.
    pub fn rectangle(half_width: f64, half_height: f64) -> Self {
        let (x, y) = (half_width, half_height);
        let corners = [(-x, -y), (x, -y), (x, y), (-x, y)];
        Self::Polygon { corners: corners.into_iter().map(Vec2::from).collect() }
    }

    /// Its area, centroid and ∫ r² dA about the centroid.
    ///
    /// # Errors
    /// If a number is not finite, a radius not positive, or the polygon has no area or goes round
    /// clockwise.
    pub fn area(&self) -> Result<Area, Error> {
        match self {
            Self::Circle { center, radius } => {
                let radius = positive("radius", *radius)?;
                let center = finite_vector("center", *center)?;
                let area = PI * radius * radius;
                Ok(Area { area, center, second: 0.5 * area * radius * radius })
            }
            Self::Capsule { start, end, radius } => capsule(*start, *end, *radius),
            Self::Polygon { corners } => polygon(corners),
        }
    }
}

/// The area of a shape and its first two moments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// m².
    pub area: f64,
    /// The centroid.
    pub center: Vec2,
    /// ∫ r² dA about the centroid, m⁴.
    pub second: f64,
}

fn finite_vector(field: &'static str, vector: Vec2) -> Result<Vec2, Error> {
    finite(field, vector.x)?;
    finite(field, vector.y)?;
    Ok(vector)
}

fn capsule(start: Vec2, end: Vec2, radius: f64) -> Result<Area, Error> {
    let (start, end) = (finite_vector("start", start)?, finite_vector("end", end)?);
    let r = positive("radius", radius)?;
    let length = (end - start).length();
    let (disc, middle) = (PI * r * r, 2.0 * r * length);
    // A half disc has its centroid 4r/3π from its straight side.
    let offset = 4.0 * r / (3.0 * PI);
    let own = 0.5 * disc * r * r - disc * offset * offset;
    let away = 0.5 * length + offset;
    let ends = own + disc * away * away;
    let rectangle = middle * (length * length + 4.0 * r * r) / 12.0;
    let center = (start + end) * 0.5;
    Ok(Area { area: disc + middle, center, second: ends + rectangle })
}

fn polygon(corners: &[Vec2]) -> Result<Area, Error> {
    if corners.len() < 3 {
        return Err(Error::Shape { reason: "a polygon has at least three corners" });
    }
    for corner in corners {
        finite_vector("corners", *corner)?;
    }
    // From a corner rather than from the origin, so that a far polygon loses no digits.
    let base = corners[0];
    let (mut double_area, mut first, mut second) = (0.0, Vec2::ZERO, 0.0);
    for (index, corner) in corners.iter().enumerate() {
        let p = *corner - base;
        let q = corners[(index + 1) % corners.len()] - base;
        let cross = p.cross(q);
        double_area += cross;
        first += (p + q) * cross;
        second += cross * (p.dot(p) + p.dot(q) + q.dot(q));
    }
    // NaN, from corners that overflow, is refused too.
    let counter_clockwise = double_area > 0.0;
    if !counter_clockwise || !double_area.is_finite() {
        let reason = "the corners of a polygon go round an area counter-clockwise";
        return Err(Error::Shape { reason });
    }
    let area = 0.5 * double_area;
    let center = first * (1.0 / (3.0 * double_area));
    let second = second / 12.0 - area * center.dot(center);
    Ok(Area { area, center: base + center, second })
}

/// Mass, where it is centred, and inertia about that point.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MassProperties {
    /// kg.
    pub mass: f64,
    /// The centre of mass, in the body's axes, from its origin.
    pub center: Vec2,
    /// About the centre of mass, kg·m².
    pub inertia: f64,
}

impl Default for MassProperties {
    /// 1 kg and 1 kg·m² at the origin.
    fn default() -> Self {
        Self { mass: 1.0, center: Vec2::ZERO, inertia: 1.0 }
    }
}

impl MassProperties {
    pub(crate) fn validate(&self) -> Result<(), Error> {
        positive("mass", self.mass)?;
        positive("inertia", self.inertia)?;
        finite_vector("center", self.center).map(|_| ())
    }

    /// Shapes with their densities, kg/m², put together.
    ///
    /// # Errors
    /// If a shape is none, a density is negative, or nothing has any mass.
    pub fn of_shapes(shapes: &[(Shape, f64)]) -> Result<Self, Error> {
        let mut areas = Vec::with_capacity(shapes.len());
        for (shape, density) in shapes {
            areas.push((shape.area()?, at_least_zero("density", *density)?));
        }
        let mass: f64 = areas.iter().map(|(area, density)| area.area * density).sum();
        positive("mass of the shapes", mass)?;
        let mut center = Vec2::ZERO;
        for (area, density) in &areas {
            center += area.center * (area.area * density / mass);
        }
        let inertia = areas.iter().map(|(area, density)| {
            let away = area.center - center;
            density * (area.second + area.area * away.dot(away))
        });
        let properties = Self { mass, center, inertia: inertia.sum() };
        properties.validate()?;
        Ok(properties)
    }

    /// The same body, heavier or lighter: the inertia follows.
    ///
    /// # Errors
    /// If the mass is not positive.
    pub fn scaled_to(self, mass: f64) -> Result<Self, Error> {
        let mass = positive("mass", mass)?;
        let scaled = Self { mass, inertia: self.inertia * (mass / self.mass), ..self };
        scaled.validate()?;
        Ok(scaled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12 * (1.0 + a.abs().max(b.abs())), "{a} {b}");
    }

    #[test]
    fn a_rectangle() {
        let mass = MassProperties::of_shapes(&[(Shape::rectangle(1.0, 0.5), 3.0)]).unwrap();
        close(mass.mass, 6.0);
        close(mass.inertia, 6.0 * (4.0 + 1.0) / 12.0);
        assert_eq!(mass.center, Vec2::ZERO);
    }

    #[test]
    fn a_disc_and_its_mass_scaled() {
        let disc = MassProperties::of_shapes(&[(Shape::circle(2.0), 0.5)]).unwrap();
        close(disc.mass, 2.0 * PI);
        close(disc.inertia, 0.5 * disc.mass * 4.0);
        let heavy = disc.scaled_to(10.0).unwrap();
        close(heavy.inertia, 0.5 * 10.0 * 4.0);
    }

    /// A capsule is what is left of fine slices across it.
    #[test]
    fn a_capsule_by_slices() {
        let (l, r) = (1.4, 0.3);
        let shape =
            Shape::Capsule { start: Vec2::new(1.0, 2.0), end: Vec2::new(1.0 + l, 2.0), radius: r };
        let area = shape.area().unwrap();
        let (mut sum, mut second) = (0.0, 0.0);
        let n = 200_000;
        for k in 0..n {
            let width = (l + 2.0 * r) / f64::from(n);
            let x = (f64::from(k) + 0.5) * width - r;
            let past = (-x).max(x - l).max(0.0);
            let half = (r * r - past * past).max(0.0).sqrt();
            sum += 2.0 * half * width;
            let from_middle = x - 0.5 * l;
            second += width * (2.0 * half * from_middle * from_middle + 2.0 * half.powi(3) / 3.0);
        }
        assert!((area.area - sum).abs() < 1e-6);
        assert!((area.second - second).abs() < 1e-6, "{} {second}", area.second);
        assert!((area.center - Vec2::new(1.7, 2.0)).length() < 1e-15);
    }

    #[test]
    fn a_polygon_far_away_keeps_its_digits() {
        let far = Vec2::new(1e6, -1e6);
        let corners = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)];
        let near: Vec<Vec2> = corners.into_iter().map(Vec2::from).collect();
        let moved: Vec<Vec2> = near.iter().map(|corner| *corner + far).collect();
        let (a, b) = (
            Shape::Polygon { corners: near }.area().unwrap(),
            Shape::Polygon { corners: moved }.area().unwrap(),
        );
        close(a.second, b.second);
        close(a.area, b.area);
        assert!((b.center - far - a.center).length() < 1e-9);
    }

    #[test]
    fn two_discs_by_steiner() {
        let disc = |x| Shape::Circle { center: Vec2::new(x, 0.0), radius: 1.0 };
        let mass = MassProperties::of_shapes(&[(disc(-2.0), 1.0), (disc(2.0), 3.0)]).unwrap();
        close(mass.mass, 4.0 * PI);
        close(mass.center.x, 1.0);
        close(mass.inertia, PI * (0.5 + 9.0) + 3.0 * PI * (0.5 + 1.0));
    }

    #[test]
    fn what_is_no_shape() {
        let clockwise = [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0)].into_iter().map(Vec2::from).collect();
        let bad = [
            Shape::Polygon { corners: clockwise },
            Shape::Polygon { corners: vec![Vec2::ZERO, Vec2::X] },
            Shape::Polygon { corners: vec![Vec2::ZERO, Vec2::X, Vec2::new(f64::NAN, 1.0)] },
            Shape::circle(0.0),
            Shape::circle(-1.0),
            Shape::circle(f64::INFINITY),
            Shape::rectangle(1.0, 0.0),
        ];
        for shape in bad {
            assert!(shape.area().is_err(), "{shape:?}");
        }
        let error = MassProperties::of_shapes(&[(Shape::circle(1.0), -2.0)]).unwrap_err();
        assert_eq!(error.to_string(), "`density` is -2; it must be finite and at least 0");
        assert!(MassProperties::of_shapes(&[]).is_err());
    }
}
