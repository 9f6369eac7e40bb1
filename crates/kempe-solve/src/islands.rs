//! Which bodies can influence one another.
//!
//! Bodies that a constraint connects are in one island; bodies that nothing moves (static and
//! kinematic ones) connect nothing. Islands are numbered in the order of their first body, and list
//! their bodies in order, so the result depends on the connections only, not on the order in which
//! they were named.

/// A partition of bodies.
#[derive(Clone, Debug, Default)]
pub struct Islands {
    parent: Vec<u32>,
    island: Vec<u32>,
    bodies: Vec<u32>,
    starts: Vec<u32>,
}

/// The island of a body that nothing moves.
const NONE: u32 = u32::MAX;

impl Islands {
    /// Starts over with `count` bodies, each by itself.
    pub fn reset(&mut self, count: usize) {
        self.parent.clear();
        self.parent.extend(0..count as u32);
    }

    /// Connects two bodies. Call it for bodies that move only.
    pub fn connect(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a as u32), self.root(b as u32));
        // The smaller index is the root, so the order of calls does not show.
        let (root, child) = if a < b { (a, b) } else { (b, a) };
        self.parent[child as usize] = root;
    }

    fn root(&mut self, mut body: u32) -> u32 {
        while self.parent[body as usize] != body {
            // Halving the path keeps it short without a second pass.
            let above = self.parent[body as usize];
            self.parent[body as usize] = self.parent[above as usize];
            body = self.parent[body as usize];
        }
        body
    }

    /// Numbers the islands of the bodies that move.
    pub fn finish(&mut self, moves: impl Fn(usize) -> bool) {
        let count = self.parent.len();
        self.island.clear();
        self.island.resize(count, NONE);
        self.starts.clear();
        let mut sizes: Vec<u32> = Vec::new();
        for body in 0..count {
            if !moves(body) {
                continue;
            }
            let root = self.root(body as u32) as usize;
            if self.island[root] == NONE {
                self.island[root] = sizes.len() as u32;
                sizes.push(0);
            }
            let island = self.island[root];
            self.island[body] = island;
            sizes[island as usize] += 1;
        }
        let mut next = 0;
        for size in &mut sizes {
            self.starts.push(next);
            next += *size;
            // From here on `sizes` holds where the next body of the island goes.
            *size = next - *size;
        }
        self.starts.push(next);
        self.bodies.clear();
        self.bodies.resize(next as usize, 0);
        for body in 0..count {
            if self.island[body] != NONE {
                let at = &mut sizes[self.island[body] as usize];
                self.bodies[*at as usize] = body as u32;
                *at += 1;
            }
        }
    }

    /// How many islands there are.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The island of a body, if it moves.
    pub fn of(&self, body: usize) -> Option<usize> {
        self.island.get(body).filter(|island| **island != NONE).map(|island| *island as usize)
    }

    /// The bodies of an island, in order.
    pub fn bodies(&self, island: usize) -> &[u32] {
        let (start, end) = (self.starts[island] as usize, self.starts[island + 1] as usize);
        &self.bodies[start..end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(islands: &Islands) -> Vec<Vec<u32>> {
        (0..islands.len()).map(|island| islands.bodies(island).to_vec()).collect()
    }

    #[test]
    fn what_is_connected_is_together() {
        let mut islands = Islands::default();
        islands.reset(7);
        for (a, b) in [(5, 1), (1, 3), (6, 0)] {
            islands.connect(a, b);
        }
        islands.finish(|_| true);
        assert_eq!(lists(&islands), [vec![0, 6], vec![1, 3, 5], vec![2], vec![4]]);
        assert_eq!(islands.of(5), Some(1));
    }

    #[test]
    fn what_does_not_move_connects_nothing() {
        let mut islands = Islands::default();
        islands.reset(3);
        islands.finish(|body| body != 1);
        assert_eq!(lists(&islands), [vec![0], vec![2]]);
        assert_eq!(islands.of(1), None);
    }

    #[test]
    fn the_order_of_calls_does_not_show() {
        let pairs = [(0, 4), (4, 2), (2, 7), (1, 3), (9, 3), (8, 5)];
        let mut results = Vec::new();
        for turn in 0..pairs.len() {
            let mut islands = Islands::default();
            islands.reset(10);
            let mut pairs = pairs;
            pairs.rotate_left(turn);
            for (a, b) in pairs {
                if turn % 2 == 0 { islands.connect(a, b) } else { islands.connect(b, a) }
            }
            islands.finish(|_| true);
            results.push(lists(&islands));
        }
        assert!(results.iter().all(|each| *each == results[0]));
    }
}
