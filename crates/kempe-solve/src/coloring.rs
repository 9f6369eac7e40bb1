//! Which constraints can be solved side by side.
//!
//! Constraints of one colour share no body that moves, so they can be solved in any order, in lanes
//! or on several threads, with one result. Greedy: each constraint, in order, takes the first
//! colour that none of its bodies has. What finds no colour among [`MAX_COLORS`] is left over, to be
//! solved one after the other.

/// How many colours there are; one bit each in a word per body.
pub const MAX_COLORS: usize = 63;

/// The colours of constraints.
#[derive(Clone, Debug, Default)]
pub struct Coloring {
    used: Vec<u64>,
    colors: usize,
}

impl Coloring {
    /// Starts over with `bodies` bodies.
    pub fn reset(&mut self, bodies: usize) {
        self.used.clear();
        self.used.resize(bodies, 0);
        self.colors = 0;
    }

    /// The colour of the next constraint, over these bodies (those that move only); `None` if it is
    /// left over.
    pub fn color(&mut self, bodies: impl Iterator<Item = usize> + Clone) -> Option<usize> {
        let taken = bodies.clone().fold(0, |taken, body| taken | self.used[body]);
        let color = (!taken).trailing_zeros() as usize;
        if color >= MAX_COLORS {
            return None;
        }
        for body in bodies {
            self.used[body] |= 1 << color;
        }
        self.colors = self.colors.max(color + 1);
        Some(color)
    }

    /// How many colours are in use.
    pub fn colors(&self) -> usize {
        self.colors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_of_one_color_share_no_body() {
        let mut coloring = Coloring::default();
        coloring.reset(20);
        let mut seen: Vec<(usize, usize)> = Vec::new();
        let mut state = 1_u32;
        for _ in 0..300 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (a, b) = ((state >> 8) as usize % 20, (state >> 16) as usize % 20);
            if let Some(color) = coloring.color([a, b].into_iter()) {
                for body in [a, b] {
                    assert!(!seen.contains(&(color, body)) || a == b);
                }
                seen.extend([(color, a), (color, b)]);
            }
        }
        assert!(coloring.colors() > 10);
    }

    #[test]
    fn a_chain_takes_two_colors() {
        let mut coloring = Coloring::default();
        coloring.reset(100);
        for link in 0..99 {
            assert_eq!(coloring.color([link, link + 1].into_iter()), Some(link % 2));
        }
        assert_eq!(coloring.colors(), 2);
    }

    #[test]
    fn what_finds_no_color_is_left_over() {
        let mut coloring = Coloring::default();
        coloring.reset(1);
        for color in 0..MAX_COLORS {
            assert_eq!(coloring.color(std::iter::once(0)), Some(color));
        }
        assert_eq!(coloring.color(std::iter::once(0)), None);
    }
}
