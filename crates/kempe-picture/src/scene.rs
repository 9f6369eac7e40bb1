//! One instant of a replay as a picture.

use crate::bounds::{Bounds, bounds, middle};
use crate::color::Role;
use crate::error::Error;
use crate::font;
use crate::glyphs::{self, Sign};
use crate::picture::{Align, Dash, Pen, Picture, fitted};
use crate::replay::{Look, Moment, Replay, placed};
use crate::simplify::thinned;
use kempe2d::{Shape, Vec2};

/// Above the world, for the title, pixels.
const HEAD: f64 = 40.0;
/// Below it.
const FOOT: f64 = 14.0;

/// How many names are written.
const NAMES: usize = 400;

/// A replay that is being drawn.
pub(crate) struct Scene<'a> {
    replay: &'a Replay,
    look: Look,
    bounds: Bounds,
    scale: f64,
    width: f64,
    height: f64,
    /// The middle of the world's place, pixels.
    middle: [f64; 2],
    signs: Vec<Sign>,
    /// Each trace in each frame, pixels.
    tracks: Vec<Vec<[f64; 2]>>,
    /// The colour of each body.
    roles: Vec<Role>,
}

impl<'a> Scene<'a> {
    /// With a width in pixels; the height follows from what moves.
    pub fn new(replay: &'a Replay, look: Look, width: f64) -> Result<Self, Error> {
        replay.check()?;
        if !(64.0..=4096.0).contains(&width) {
            let must_be = "from 64 to 4096 pixels";
            return Err(Error::Number { field: "width", value: width, must_be });
        }
        let bounds = bounds(replay);
        let size = bounds.size();
        let tall = (width * size.y / size.x).clamp(0.4 * width, 0.9 * width).round();
        let scale = (width / size.x).min(tall / size.y);
        let mut scene = Self {
            replay,
            look,
            bounds,
            scale,
            width,
            height: tall + HEAD + FOOT,
            middle: [0.5 * width, HEAD + 0.5 * tall],
            signs: replay.joints.iter().map(|joint| Sign::of(&joint.kind)).collect(),
            tracks: Vec::new(),
            roles: roles(replay),
        };
        let track = |body: usize, point: Vec2| {
            let poses = replay.poses.iter().filter_map(|poses| poses.get(body));
            poses.map(|pose| scene.pixel(placed(*pose, point))).collect()
        };
        let tracks = replay.traces.iter().map(|trace| track(trace.body, trace.point)).collect();
        scene.tracks = tracks;
        Ok(scene)
    }

    fn pixel(&self, point: Vec2) -> [f64; 2] {
        let middle = (self.bounds.low + self.bounds.high) * 0.5;
        let off = (point - middle) * self.scale;
        [self.middle[0] + off.x, self.middle[1] - off.y]
    }

    /// A direction of the world.
    fn along(&self, pose: [f64; 3], direction: Vec2) -> [f64; 2] {
        let turned = placed([0.0, 0.0, pose[2]], direction);
        [turned.x, -turned.y]
    }

    pub fn draw(&self, moment: &Moment) -> Picture {
        let mut picture = Picture::new(self.width, self.height, &self.replay.title);
        if self.look.traces {
            self.traces(moment, &mut picture);
        }
        let order = |fixed: bool| {
            let bodies = self.replay.bodies.iter().enumerate();
            bodies.filter(move |(_, body)| body.fixed == fixed).map(|(index, _)| index)
        };
        for index in order(true) {
            self.body(index, &moment.poses, false, &mut picture);
        }
        if self.look.ghost {
            order(false).for_each(|index| self.body(index, &moment.ghost, true, &mut picture));
        }
        for index in order(false) {
            self.body(index, &moment.poses, false, &mut picture);
        }
        if self.look.joints {
            self.joints(moment, &mut picture);
        }
        if self.look.forces {
            self.forces(moment, &mut picture);
        }
        if self.look.names {
            self.names(moment, &mut picture);
        }
        self.frame(moment, &mut picture);
        picture
    }

    fn traces(&self, moment: &Moment, picture: &mut Picture) {
        for (track, trace) in self.tracks.iter().zip(&self.replay.traces) {
            let role = self.roles.get(trace.body).copied().unwrap_or(Role::Ink);
            let mut past: Vec<[f64; 2]> = track.iter().take(moment.frame + 1).copied().collect();
            if let Some(pose) = moment.poses.get(trace.body) {
                past.push(self.pixel(placed(*pose, trace.point)));
            }
            let sound = |point: &[f64; 2]| point.iter().all(|value| value.is_finite());
            for run in past.split(|point| !sound(point)).filter(|run| !run.is_empty()) {
                picture.lines(&thinned(run), false, Pen::line(role, 1.5).faint(0.7));
            }
        }
    }

    fn body(&self, index: usize, poses: &[[f64; 3]], ghost: bool, picture: &mut Picture) {
        let (Some(body), Some(pose)) = (self.replay.bodies.get(index), poses.get(index)) else {
            return;
        };
        let role = if ghost { Role::Ghost } else { self.roles[index] };
        let cover = if body.fixed { 0.28 } else { 0.22 };
        let pen = match ghost {
            true => Pen::line(role, 1.5).dashed(Dash::Dashed),
            false => Pen::line(role, 1.75).filled(role, cover),
        };
        let outline = |points: &[Vec2]| -> Vec<[f64; 2]> {
            points.iter().map(|point| self.pixel(placed(*pose, *point))).collect()
        };
        for shape in &body.shapes {
            match shape {
                Shape::Circle { center, radius } => {
                    let middle = placed(*pose, *center);
                    picture.circle(self.pixel(middle), radius * self.scale, pen);
                    let rim = placed(*pose, *center + Vec2::new(*radius, 0.0));
                    let spoke = Pen { fill: None, width: 1.25, ..pen }.faint(0.6);
                    picture.lines(&[self.pixel(middle), self.pixel(rim)], false, spoke);
                }
                Shape::Capsule { start, end, radius } => {
                    picture.lines(&outline(&capsule(*start, *end, *radius)), true, pen);
                }
                Shape::Polygon { corners } => picture.lines(&outline(corners), true, pen),
            }
        }
        if body.shapes.is_empty() {
            let [x, y] = self.pixel(Vec2::new(pose[0], pose[1]));
            if body.fixed {
                let s = 4.0;
                picture.lines(
                    &[[x - s, y - s], [x + s, y - s], [x + s, y + s], [x - s, y + s]],
                    true,
                    pen,
                );
            } else {
                picture.circle([x, y], 4.0, Pen { cover: 1.0, ..pen });
            }
        }
    }

    fn joints(&self, moment: &Moment, picture: &mut Picture) {
        let each = moment.joints.iter().zip(&self.replay.joints).zip(&self.signs);
        for ((frame, joint), sign) in each {
            let pose = |index: usize| moment.poses.get(index).copied();
            let ends = [self.pixel(frame.a), self.pixel(frame.b)];
            let axes = joint.bodies[0].and_then(pose).unwrap_or([0.0; 3]);
            let rail = joint.rail.map(|rail| self.along(axes, rail));
            let line = joint.line.iter().filter_map(|(body, point)| Some((pose(*body)?, point)));
            let line: Vec<[f64; 2]> =
                line.map(|(pose, point)| self.pixel(placed(pose, *point))).collect();
            glyphs::joint(picture, *sign, ends, rail, &line, frame.broken);
        }
    }

    fn forces(&self, moment: &Moment, picture: &mut Picture) {
        let longest = 0.16 * self.width.min(self.height);
        for joint in moment.joints.iter().filter(|joint| !joint.broken) {
            let at = self.pixel(joint.b);
            let part = joint.force * (1.0 / self.bounds.force.max(f64::MIN_POSITIVE));
            let size = part.length();
            let part = if size > 1.2 { part * (1.2 / size) } else { part };
            glyphs::arrow(picture, at, [part.x * longest, -part.y * longest], Role::Force);
            if self.bounds.torque > 0.0 {
                glyphs::turn(picture, at, joint.torque / self.bounds.torque, Role::Torque);
            }
        }
    }

    /// In the middle of bodies, moved down past those that are there.
    fn names(&self, moment: &Moment, picture: &mut Picture) {
        let size = 11.0;
        let mut taken: Vec<[f64; 3]> = Vec::new();
        for (body, pose) in self.replay.bodies.iter().zip(&moment.poses).take(NAMES) {
            let [x, mut y] = self.pixel(placed(*pose, middle(&body.shapes)));
            let [x, wide] = [x + 7.0, font::width(&body.name) * size];
            y -= 7.0;
            for _ in 0..8 {
                let hides = |[left, right, at]: &&[f64; 3]| {
                    x < *right && *left < x + wide && (y - at).abs() < size
                };
                let Some([.., at]) = taken.iter().find(hides) else { break };
                y = at + size + 1.0;
            }
            taken.push([x, x + wide, y]);
            picture.text([x, y], &body.name, size, Align::Start, Role::Ink);
        }
    }

    /// Title, time, and how much of it has gone by.
    fn frame(&self, moment: &Moment, picture: &mut Picture) {
        let (margin, baseline) = (14.0, 26.0);
        let time = format!("{:.2} s", moment.time);
        let wide = font::width(&time) * 13.0;
        picture.text([self.width - margin, baseline], &time, 13.0, Align::End, Role::Faint);
        let room = (self.width - 3.0 * margin - wide) / (1.08 * 15.0);
        picture.title([margin, baseline], &fitted(&self.replay.title, room), 15.0);
        let (Some(first), Some(last)) = (self.replay.times.first(), self.replay.times.last())
        else {
            return;
        };
        let part = if last > first { (moment.time - first) / (last - first) } else { 1.0 };
        let y = self.height - 7.0;
        let end = self.width - margin;
        picture.lines(&[[margin, y], [end, y]], false, Pen::line(Role::Grid, 3.0));
        let now = margin + part.clamp(0.0, 1.0) * (end - margin);
        picture.lines(&[[margin, y], [now, y]], false, Pen::line(Role::Series(0), 3.0));
    }
}

/// Bodies that move have the colours of series in turn.
pub(crate) fn roles(replay: &Replay) -> Vec<Role> {
    let mut moving = 0;
    let mut role = |fixed: bool| match fixed {
        true => Role::Fixed,
        false => {
            moving += 1;
            Role::Series((moving - 1) % Role::SERIES)
        }
    };
    replay.bodies.iter().map(|body| role(body.fixed)).collect()
}

/// The outline of a capsule.
fn capsule(start: Vec2, end: Vec2, radius: f64) -> Vec<Vec2> {
    let along = end - start;
    let heading = along.y.atan2(along.x);
    let half = 0.5 * std::f64::consts::PI;
    let arc = |center: Vec2, from: f64| {
        (0..=12).map(move |i| {
            let angle = from + 2.0 * half * f64::from(i) / 12.0;
            center + Vec2::new(angle.cos(), angle.sin()) * radius
        })
    };
    arc(end, heading - half).chain(arc(start, heading + half)).collect()
}

impl Replay {
    /// One frame as a picture, this many pixels wide.
    ///
    /// # Errors
    /// If the lists do not fit together, there is no such frame, or the width is not from 64 to
    /// 4096.
    pub fn still(&self, frame: usize, look: Look, width: f64) -> Result<Picture, Error> {
        let scene = Scene::new(self, look, width)?;
        Ok(scene.draw(&self.at_frame(frame)?))
    }
}
