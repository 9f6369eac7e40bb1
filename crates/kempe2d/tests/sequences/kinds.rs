//! Joints beyond the pairs, by chance: drives, cables, points on curves, couplings, filters.

use crate::random::Random;
use kempe2d::{Curve, JointDef, JointId, JointKind, Path, Pull, Term, Vec2};
use std::sync::OnceLock;

/// The joints that a coupling can refer to, and how many axes they leave.
pub type Known = [(JointId, usize)];

impl Random {
    fn force(&mut self) -> f64 {
        match self.below(4) {
            0 => 0.0,
            1 => f64::INFINITY,
            _ => self.wide(-1.0, 4.0),
        }
    }

    fn pull(&mut self) -> Pull {
        Pull {
            target: self.vector(1.0),
            softness: self.softness(),
            spring_force: self.force(),
            velocity: if self.once_in(3) { Vec2::ZERO } else { self.vector(2.0) },
            velocity_force: self.force(),
        }
    }

    fn tendon(&mut self) -> JointKind {
        let count = 2 + self.below(5) - usize::from(self.hostile && self.once_in(20));
        let together = self.once_in(5);
        let anchor = |r: &mut Self| if together { Vec2::ZERO } else { r.vector(1.0) };
        let anchors: Vec<Vec2> = (0..count).map(|_| anchor(self)).collect();
        let parts = count - 1 + usize::from(self.hostile && self.once_in(20));
        let ratio = |r: &mut Self| if r.once_in(3) { 0.0 } else { r.between(0.1, 3.0) };
        let mut ratios: Vec<f64> = (0..parts).map(|_| ratio(self)).collect();
        if let (false, Some(first)) = (self.hostile, ratios.first_mut()) {
            *first = 1.0;
        }
        JointKind::Tendon { anchors, ratios }
    }

    fn curve_in_space(&mut self) -> Path {
        let (closed, smooth) = (self.once_in(2), self.once_in(2));
        let count = 3 + self.below(6);
        let ring = self.once_in(2);
        loop {
            let point = |k: usize, r: &mut Self| {
                let turn = Vec2::from_angle(k as f64 * std::f64::consts::TAU / count as f64);
                if ring { turn + r.vector(0.2) } else { r.vector(2.0) }
            };
            let points: Vec<Vec2> = (0..count).map(|k| point(k, self)).collect();
            let path = if smooth {
                Path::spline(&points, closed)
            } else {
                Path::polyline(&points, closed)
            };
            // What makes no sense is refused, and tried again.
            if let Ok(path) = path {
                return path;
            }
        }
    }

    fn path(&mut self) -> JointKind {
        JointKind::Path {
            path: self.curve_in_space(),
            anchor: if self.once_in(2) { Vec2::ZERO } else { self.vector(0.5) },
            angle: self.between(-1.0, 1.0),
            follow: self.once_in(2),
            from: if self.once_in(3) { Some(self.between(-3.0, 20.0)) } else { None },
            leave: self.once_in(2),
        }
    }

    fn curve(&mut self) -> Curve {
        static CURVES: OnceLock<Vec<Curve>> = OnceLock::new();
        let texts = CURVES.get_or_init(|| {
            let sources = ["0.3 * sin(q)", "q - time", "q^2", "1 / q", "sqrt(q)", "|q|", "exp(q)"];
            sources.iter().filter_map(|source| Curve::text(source).ok()).collect()
        });
        match self.below(4) {
            0 => self.pick(texts),
            1 => Curve::polynomial(std::array::from_fn(|_| self.between(-1.0, 1.0))),
            _ => Curve::linear(self.between(-2.0, 2.0)),
        }
    }

    fn terms(&mut self, known: &Known) -> Vec<Term> {
        let count = if self.hostile && self.once_in(20) { 0 } else { 1 + self.below(4) };
        let axes: Vec<&(JointId, usize)> = known.iter().filter(|each| each.1 > 0).collect();
        if axes.is_empty() {
            return Vec::new();
        }
        let term = |r: &mut Self| {
            let (joint, axes) = *r.pick(&axes);
            let beyond = usize::from(r.hostile && r.once_in(30));
            Term::curved(joint, r.below(axes) + beyond, r.curve())
        };
        (0..count).map(|_| term(self)).collect()
    }

    /// Any of them.
    pub fn wider_kind(&mut self, known: &Known) -> JointKind {
        let (anchor_a, anchor_b) = (self.vector(1.0), self.vector(1.0));
        let (rail, angle) = (self.vector(1.0), self.between(-1.0, 1.0));
        match self.below(12) {
            0 | 1 => JointKind::Generic { anchor_a, anchor_b, rail, angle },
            2 | 3 => {
                JointKind::Drive { anchor_a, anchor_b, rail, angle, pull: Box::new(self.pull()) }
            }
            4 | 5 => self.tendon(),
            6 | 7 => self.path(),
            8..=10 => {
                let terms = self.terms(known);
                JointKind::Coupling { terms, constant: self.between(-1.0, 1.0) }
            }
            _ => JointKind::Filter,
        }
    }

    /// Changes something of a kind, and leaves it that kind.
    pub fn change_kind(&mut self, def: &mut JointDef, known: &Known) {
        match &mut def.kind {
            JointKind::Drive { pull, .. } if self.once_in(2) => **pull = self.pull(),
            JointKind::Drive { pull, .. } => pull.target = self.vector(2.0),
            JointKind::Tendon { ratios, .. } => {
                let at = self.below(ratios.len());
                ratios[at] = self.between(0.0, 2.0);
            }
            JointKind::Path { path, anchor, follow, from, leave, .. } => match self.below(5) {
                0 => *path = self.curve_in_space(),
                1 => *anchor = self.vector(0.5),
                2 => *follow = !*follow,
                3 => *from = None,
                _ => *leave = !*leave,
            },
            JointKind::Coupling { terms, constant } => match self.below(3) {
                0 => *terms = self.terms(known),
                1 => *constant = self.between(-1.0, 1.0),
                _ => {
                    let at = self.below(terms.len());
                    terms[at].curve = self.curve();
                }
            },
            JointKind::Generic { rail, angle, .. } => {
                (*rail, *angle) = (self.vector(1.0), self.between(-1.0, 1.0));
            }
            _ => def.collide_connected = !def.collide_connected,
        }
    }
}
