//! Which constants of a type have columns of their own: those that are the same in every joint share one.
//! A type that gives its Jacobian asks for most of them twice.

use super::tabled::{LANES, MOST, Offsets};

/// The columns of a type.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    /// For each constant the first that was the same in every joint so far.
    first: Vec<u8>,
    count: u8,
    offsets: Box<Offsets>,
}

impl Columns {
    /// Of so many constants, all of which are the same until joints say otherwise.
    pub(crate) fn new(constants: u8) -> Self {
        let mut columns =
            Self { first: vec![0; constants.into()], count: 0, offsets: Box::new([0; MOST]) };
        columns.number();
        columns
    }

    /// Takes the constants of a joint into account. The order in which joints come does not matter.
    pub(crate) fn meet(&mut self, constants: &[f64]) {
        let bits = |k: usize| (constants[k] as f32).to_bits();
        let same = |(k, first): (usize, &u8)| bits(k) == bits(usize::from(*first));
        if self.first.len() != constants.len() || self.first.iter().enumerate().all(same) {
            return;
        }
        let old = self.first.clone();
        for (k, first) in self.first.iter_mut().enumerate() {
            let alike = |j: &usize| old[*j] == old[k] && bits(*j) == bits(k);
            *first = (0..k).find(alike).unwrap_or(k) as u8;
        }
        self.number();
    }

    /// Where the columns are, once it is known which there are.
    fn number(&mut self) {
        self.count = 0;
        for (k, first) in self.first.iter().map(|first| usize::from(*first)).enumerate() {
            self.offsets[k] = self.offsets[first];
            if first == k {
                self.offsets[k] = LANES * size_of::<f32>() * usize::from(self.count);
                self.count += 1;
            }
        }
        self.offsets[self.first.len()..].fill(0);
    }

    /// How many columns there are.
    pub(crate) fn count(&self) -> u8 {
        self.count
    }

    /// The constants that have them, in their order.
    pub(crate) fn kept<'a>(&'a self, constants: &'a [f64]) -> impl Iterator<Item = f64> {
        let own = |(k, (first, _)): &(usize, (&u8, _))| usize::from(**first) == *k;
        let each = self.first.iter().zip(constants).enumerate().filter(own);
        each.map(|(_, (_, constant))| *constant)
    }

    /// Where each constant is. Offsets are those of columns, or 0.
    pub(crate) fn offsets(&self) -> &Offsets {
        &self.offsets
    }
}

#[cfg(test)]
mod tests {
    use super::Columns;

    #[test]
    fn constants_that_are_the_same_in_all_joints_share_a_column() {
        let joints =
            [[1.0, 2.0, 1.0, 2.0, 1.0], [3.0, 3.0, 3.0, 3.0, 3.0], [4.0, 5.0, 4.0, 5.0, 0.0]];
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let mut columns = Columns::new(5);
            order.into_iter().for_each(|joint| columns.meet(&joints[joint]));
            assert_eq!(columns.count(), 3, "{order:?}");
            assert_eq!(columns.offsets()[..6], [0, 32, 0, 32, 64, 0], "{order:?}");
            assert_eq!(columns.kept(&joints[2]).collect::<Vec<_>>(), [4.0, 5.0, 0.0]);
        }
        assert_eq!(Columns::new(0).count(), 0);
        assert_eq!(Columns::new(3).count(), 1);
    }
}
