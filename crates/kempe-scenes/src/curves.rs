//! Motion on curves that are known: the cycloid, the catenary, an ellipse about the sun.

use crate::error::Error;
use crate::scene::{Scene, disc, rod};
use kempe_scalar::precise;
use kempe2d::{Axis, BodyDef, ForceLaw, JointDef, JointKind, Path, Vec2};

/// A bead on a cycloid of radius `radius` about its lowest point, where it arrives after π √(R/g) from
/// wherever it is released: here at `phase` rad of the rolling circle, from 0, the bottom, to π, the
/// cusp.
///
/// Bodies: `bead`. Joints: `wire`, a spline through 2001 points between ±0.95 π.
///
/// # Errors
/// If a number is not positive.
pub fn tautochrone(radius: f64, phase: f64) -> Result<Scene, Error> {
    const HALF: i32 = 1000;
    let mut scene = Scene::awake("tautochrone")?;
    let ground = scene.world.ground()?;
    let at = |phase: f64| {
        let (sin, cos) = precise::sin_cos(phase);
        Vec2::new(phase + sin, 1.0 - cos) * radius
    };
    let step = 0.95 * std::f64::consts::PI / f64::from(HALF);
    let points: Vec<Vec2> = (-HALF..=HALF).map(|k| at(step * f64::from(k))).collect();
    let bead = scene.add_body("bead", &disc(at(phase), 0.05, 1.0))?;
    let wire = JointDef::endless_path(ground, bead, &Path::spline(&points, false)?, Vec2::ZERO);
    scene.add_joint("wire", &wire)?;
    Ok(scene)
}

/// A chain that hangs at rest between two points of one height, as the balance of its links has it.
#[derive(Clone, Debug)]
pub struct Catenary {
    /// The chain. Bodies: none. Joints: `left`, `right`.
    pub scene: Scene,
    /// The lowest point is so far below the ends, m.
    pub sag: f64,
    /// The pull along x, N.
    pub pull: f64,
}

/// Uniform links of 1 kg/m in all that hang over this span, less than their length.
///
/// # Errors
/// If the span is not positive.
pub fn catenary(links: usize, length: f64, span: f64) -> Result<Catenary, Error> {
    let each = length / links as f64;
    // Link k bears the weight of what is between it and the middle: tan φ = (k + ½ − n/2) w / H.
    let link = |k: usize, pull: f64| {
        let rise = (k as f64 + 0.5 - 0.5 * links as f64) * each * 9.81;
        Vec2::new(pull, rise) * (each / (pull * pull + rise * rise).sqrt())
    };
    let (mut low, mut high) = (0.0, 1e6 * length);
    for _ in 0..200 {
        let pull = 0.5 * (low + high);
        let width: f64 = (0..links).map(|k| link(k, pull).x).sum();
        *(if width < span { &mut low } else { &mut high }) = pull;
    }
    let pull = 0.5 * (low + high);
    let mut scene = Scene::awake("catenary")?;
    let ground = scene.world.ground()?;
    let (mut last, mut from, mut sag) = (ground, Vec2::ZERO, 0.0_f64);
    for k in 0..links {
        let to = from + link(k, pull);
        let body = scene.world.add_body(&rod(from, to, each))?;
        let joint = scene.world.add_joint(&scene.world.revolute_at(last, body, from)?)?;
        if k == 0 {
            scene.joints.insert("left".to_owned(), joint);
        }
        (last, from) = (body, to);
        sag = sag.max(-to.y);
    }
    scene.pin("right", last, ground, from)?;
    Ok(Catenary { scene, sag, pull })
}

/// A body at its nearest to a centre that draws it by 1/r², on an ellipse with semi-axis 1: once round
/// in 2π, with an energy of −½.
///
/// Bodies: `planet`. Joints: `attraction`.
///
/// # Errors
/// If the eccentricity is not from 0 to below 1.
pub fn orbit(eccentricity: f64) -> Result<Scene, Error> {
    let mut scene = Scene::awake("orbit")?.under(Vec2::ZERO)?;
    let ground = scene.world.ground()?;
    let speed = ((1.0 + eccentricity) / (1.0 - eccentricity)).sqrt();
    let planet = BodyDef {
        velocity: Vec2::new(0.0, speed),
        ..disc(Vec2::new(1.0 - eccentricity, 0.0), 0.05, 1.0)
    };
    let planet = scene.add_body("planet", &planet)?;
    let kind = JointKind::Distance { anchor_a: Vec2::ZERO, anchor_b: Vec2::ZERO };
    let law = Some(ForceLaw::text("-1 / (q * q)")?);
    let attraction = JointDef::new(kind, ground, planet).with_axis(Axis { law, ..Axis::default() });
    scene.add_joint("attraction", &attraction)?;
    Ok(scene)
}
