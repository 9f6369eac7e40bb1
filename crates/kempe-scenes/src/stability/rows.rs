//! Rows of equal parts: two pins, parallelograms, cranks, chains.

use super::maker::Maker;
use crate::error::Error;
use kempe2d::Vec2;
use std::f64::consts::{FRAC_PI_2, TAU};

/// Two bars of 1 m pinned to each other twice, 0.02 to 0.5 m apart: a pendulum, or turning freely without
/// gravity.
pub(super) fn two_pins(maker: &mut Maker<'_>) -> Result<(), Error> {
    let (hung, alike) = (maker.random.chance(0.5), maker.random.chance(0.5));
    let [first, second] = [0; 2].map(|_| if alike { 1.0 } else { maker.mass() });
    let along = maker.random.direction();
    let from = maker.origin;
    let middle = from + along;
    let a = maker.bar(from, middle, first)?;
    let b = maker.bar(middle, middle + along, second)?;
    let apart = along * (0.5 * maker.random.decades(0.02, 0.5));
    let apart = if maker.random.chance(0.5) { apart } else { apart.perp() };
    maker.pin(a, b, middle - apart)?;
    maker.pin(a, b, middle + apart)?;
    if hung {
        maker.pin(maker.frame, a, from)?;
    } else {
        maker.without_gravity()?;
        let speed = maker.random.between(-6.0, 6.0);
        maker.spin(speed)?;
    }
    Ok(())
}

/// 1 to 6 parallelograms in a row, let go at any angle.
pub(super) fn parallelograms(maker: &mut Maker<'_>) -> Result<(), Error> {
    let count = maker.random.whole(1, 6);
    parallelogram_row(maker, count)
}

/// 20 of them.
pub(super) fn parallelograms_20(maker: &mut Maker<'_>) -> Result<(), Error> {
    parallelogram_row(maker, 20)
}

fn parallelogram_row(maker: &mut Maker<'_>, count: usize) -> Result<(), Error> {
    let length = maker.random.between(0.5, 1.5);
    maker.made.size = length;
    let crank = Vec2::from_angle(start_angle(maker)) * length;
    let alike = maker.random.chance(0.5);
    let mut foot = maker.origin;
    let mut last = None;
    for k in 0..=count {
        let head = foot + crank;
        let mass = if alike { 1.0 } else { maker.mass() };
        let bar = maker.bar(foot, head, mass)?;
        maker.pin(maker.frame, bar, foot)?;
        if let Some(coupler) = last {
            maker.pin(coupler, bar, head)?;
        }
        if k < count {
            let way = Vec2::X * if alike { 1.0 } else { maker.random.between(0.3, 1.5) };
            let mass = if alike { 1.0 } else { maker.mass() };
            let coupler = maker.bar(head, head + way, mass)?;
            maker.pin(bar, coupler, head)?;
            last = Some(coupler);
            foot += way;
        }
    }
    Ok(())
}

/// Any angle; one in ten exactly along an axis of the world.
fn start_angle(maker: &mut Maker<'_>) -> f64 {
    match maker.random.chance(0.1) {
        true => FRAC_PI_2 * maker.random.whole(0, 3) as f64,
        false => maker.random.between(0.0, TAU),
    }
}

/// 3 to 6 equal cranks on one coupler.
pub(super) fn cranks(maker: &mut Maker<'_>) -> Result<(), Error> {
    let count = maker.random.whole(3, 6);
    let length = maker.random.between(0.3, 1.5);
    maker.made.size = length;
    let crank = Vec2::from_angle(start_angle(maker)) * length;
    let spacing = maker.random.between(0.3, 1.0);
    let from = maker.origin;
    let end = from + Vec2::X * (spacing * (count - 1) as f64);
    let mass = maker.mass();
    let coupler = maker.bar(from + crank, end + crank, mass)?;
    let alike = maker.random.chance(0.5);
    let mass = maker.mass();
    for k in 0..count {
        let foot = from + Vec2::X * (spacing * k as f64);
        let mass = if alike { mass } else { maker.mass() };
        let bar = maker.bar(foot, foot + crank, mass)?;
        maker.pin(maker.frame, bar, foot)?;
        maker.pin(bar, coupler, foot + crank)?;
    }
    Ok(())
}

/// 3 to 20 links of 1 m and 0.2 kg with a load of 10 to 10⁴ of their mass.
pub(super) fn heavy_chains(maker: &mut Maker<'_>) -> Result<(), Error> {
    laden(maker, 1e4)
}

/// The same up to 10⁶.
pub(super) fn heavier_chains(maker: &mut Maker<'_>) -> Result<(), Error> {
    laden(maker, 1e6)
}

/// Taut, from straight down to 57° above the horizontal; one in ten exactly horizontal.
fn laden(maker: &mut Maker<'_>, most: f64) -> Result<(), Error> {
    let count = maker.random.whole(3, 20);
    let load = 0.2 * maker.random.decades(10.0, most);
    let angle = match maker.random.chance(0.1) {
        true => 0.0,
        false => maker.random.between(-FRAC_PI_2, 1.0),
    };
    let way = Vec2::from_angle(angle);
    maker.made.size = count as f64;
    let (mut last, mut from) = (maker.frame, maker.origin);
    for _ in 0..count {
        let link = maker.bar(from, from + way, 0.2)?;
        maker.pin(last, link, from)?;
        from += way;
        last = link;
    }
    let ball = maker.ball(from, 0.25, load)?;
    maker.pin(last, ball, from)?;
    Ok(())
}
