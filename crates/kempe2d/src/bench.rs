//! What benchmarks need and nobody else: behind the feature `bench`, and no part of the interface.

use crate::world::World;
use kempe_scalar::Isa;

/// Lets a world step on this instruction set instead of the fastest. It gives the same bits.
pub fn set_isa(world: &mut World, isa: Isa) {
    world.isa = isa;
}
