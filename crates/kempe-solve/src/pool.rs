//! Values under handles that never alias.
//!
//! A handle is a slot, the generation of what is in it, and the world that owns the pool. A slot
//! counts 2³² generations and is then retired rather than reused, so a stale handle never finds
//! something new, and a handle of one world finds nothing in another. Slots are reused last-freed
//! first and visited in their order: the same calls give the same handles and the same order.

use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU32, Ordering};

/// The world that pools belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Owner(u32);

impl Owner {
    /// An owner that no other in this process is equal to (the first 2³² of them).
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl Owner {
    /// The owner of nothing.
    #[cfg(feature = "serde")]
    fn nobody() -> Self {
        Self(0)
    }
}

/// Written down, a handle is its slot and generation; read, it belongs to nobody until a pool
/// [adopts](Pool::adopted) it.
#[cfg(feature = "serde")]
impl<T> serde::Serialize for Handle<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.index, self.generation).serialize(serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de, T> serde::Deserialize<'de> for Handle<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (index, generation) = serde::Deserialize::deserialize(deserializer)?;
        Ok(Self { index, generation, owner: Owner::nobody(), kind: PhantomData })
    }
}

impl Default for Owner {
    fn default() -> Self {
        Self::new()
    }
}

/// A handle of a value of type `T`.
pub struct Handle<T> {
    index: u32,
    generation: u32,
    owner: Owner,
    kind: PhantomData<fn() -> T>,
}

impl<T> Handle<T> {
    /// The slot, which other handles may have had before. Good for arrays that are as long as
    /// [`Pool::slots`].
    pub fn index(self) -> usize {
        self.index as usize
    }

    /// How many values were in the slot before.
    pub fn generation(self) -> u32 {
        self.generation
    }

    /// The world that it belongs to.
    pub fn owner(self) -> Owner {
        self.owner
    }
}

// Derived, these would ask the same of `T`.
impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Handle<T> {}

impl<T> PartialEq for Handle<T> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl<T> Eq for Handle<T> {}

impl<T> std::hash::Hash for Handle<T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl<T> PartialOrd for Handle<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Handle<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl<T> fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}.{}", self.index, self.generation)
    }
}

impl<T> Handle<T> {
    fn key(&self) -> (Owner, u32, u32) {
        (self.owner, self.index, self.generation)
    }
}

/// Why a handle finds nothing, or nothing more can be put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolError {
    /// What the handle stood for was removed.
    Stale,
    /// The handle belongs to another world.
    Foreign,
    /// There are 2³² − 1 slots in use or retired.
    Full,
}

impl fmt::Display for PoolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stale => "the handle is stale: what it stood for was removed",
            Self::Foreign => "the handle belongs to another world",
            Self::Full => "the pool is full",
        })
    }
}

impl std::error::Error for PoolError {}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Slot<T> {
    generation: u32,
    value: Option<T>,
}

/// Slots that follow each other.
#[derive(Debug)]
pub struct Run<'a, T> {
    slots: &'a mut [Slot<T>],
}

impl<T> Run<'_, T> {
    /// How many slots.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// What is in each slot.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = Option<&mut T>> {
        self.slots.iter_mut().map(|slot| slot.value.as_mut())
    }

    /// The first `slots` of them, and the others.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn split_at(self, slots: usize) -> (Self, Self) {
        let (first, second) = self.slots.split_at_mut(slots);
        (Self { slots: first }, Self { slots: second })
    }
}

/// Values of one type in one world.
///
/// Written down, a pool keeps its slots and generations; read, it belongs to nobody until it is
/// [adopted](Self::adopt).
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pool<T> {
    #[cfg_attr(feature = "serde", serde(skip, default = "Owner::nobody"))]
    owner: Owner,
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
    count: usize,
    /// Goes on whenever something may have changed.
    #[cfg_attr(feature = "serde", serde(skip))]
    version: u64,
}

impl<T> Pool<T> {
    /// An empty pool of a world.
    pub fn new(owner: Owner) -> Self {
        Self { owner, slots: Vec::new(), free: Vec::new(), count: 0, version: 0 }
    }

    /// The world that it belongs to.
    pub fn owner(&self) -> Owner {
        self.owner
    }

    /// Gives a pool that was read to a world, if it is one that could have been written: every free
    /// slot is empty, and counted once.
    pub fn adopt(&mut self, owner: Owner) -> bool {
        let full = self.slots.iter().filter(|slot| slot.value.is_some()).count();
        let mut free = self.free.clone();
        free.sort_unstable();
        free.dedup();
        let empty =
            |index: &u32| self.slots.get(*index as usize).is_some_and(|slot| slot.value.is_none());
        let retired =
            self.slots.iter().filter(|slot| slot.value.is_none() && slot.generation == u32::MAX);
        let sound = full == self.count
            && free.len() == self.free.len()
            && free.iter().all(empty)
            && free.len() + full <= self.slots.len()
            && self.slots.len() - free.len() - full <= retired.count();
        self.owner = owner;
        sound
    }

    /// A handle that was read, as one of this pool.
    pub fn adopted(&self, handle: Handle<T>) -> Handle<T> {
        Handle { owner: self.owner, ..handle }
    }

    /// A number that goes on whenever a value comes, goes, or is given out to be changed: what was
    /// made from the values is still good while this is the same.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Gives back memory that no value has.
    pub fn shrink(&mut self) {
        self.slots.shrink_to_fit();
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// One more than the largest slot that was ever used.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Puts a value in.
    ///
    /// # Errors
    /// [`PoolError::Full`] after 2³² − 1 slots.
    pub fn insert(&mut self, value: T) -> Result<Handle<T>, PoolError> {
        self.version += 1;
        let index = match self.free.pop() {
            Some(index) => index,
            None => {
                let index = u32::try_from(self.slots.len()).ok().filter(|i| *i < u32::MAX);
                self.slots.push(Slot { generation: 0, value: None });
                index.ok_or(PoolError::Full)?
            }
        };
        let slot = &mut self.slots[index as usize];
        slot.value = Some(value);
        self.count += 1;
        Ok(self.handle(index, self.slots[index as usize].generation))
    }

    /// Takes a value out; its handles are stale from now on.
    ///
    /// # Errors
    /// If the handle finds nothing.
    pub fn remove(&mut self, handle: Handle<T>) -> Result<T, PoolError> {
        self.get(handle)?;
        self.version += 1;
        let slot = &mut self.slots[handle.index()];
        let value = slot.value.take().ok_or(PoolError::Stale)?;
        self.count -= 1;
        // The last generation is never followed by the first: the slot retires.
        if slot.generation < u32::MAX {
            slot.generation += 1;
            self.free.push(handle.index);
        }
        Ok(value)
    }

    /// The value of a handle.
    ///
    /// # Errors
    /// If the handle is stale or belongs to another world.
    pub fn get(&self, handle: Handle<T>) -> Result<&T, PoolError> {
        if handle.owner != self.owner {
            return Err(PoolError::Foreign);
        }
        let slot = self.slots.get(handle.index()).ok_or(PoolError::Stale)?;
        match &slot.value {
            Some(value) if slot.generation == handle.generation => Ok(value),
            _ => Err(PoolError::Stale),
        }
    }

    /// The value of a handle, to change.
    ///
    /// # Errors
    /// If the handle is stale or belongs to another world.
    pub fn get_mut(&mut self, handle: Handle<T>) -> Result<&mut T, PoolError> {
        self.get(handle)?;
        self.version += 1;
        self.slots[handle.index()].value.as_mut().ok_or(PoolError::Stale)
    }

    /// The value in a slot, whatever its generation.
    pub fn at(&self, index: usize) -> Option<&T> {
        self.slots.get(index)?.value.as_ref()
    }

    /// The value in a slot, to change.
    pub fn at_mut(&mut self, index: usize) -> Option<&mut T> {
        self.version += 1;
        self.slots.get_mut(index)?.value.as_mut()
    }

    /// The value in a slot, to change without the [version](Self::version) going on: for those who
    /// keep account of it themselves.
    pub fn quiet_mut(&mut self, index: usize) -> Option<&mut T> {
        self.slots.get_mut(index)?.value.as_mut()
    }

    /// The handle of what is in a slot now.
    pub fn handle_at(&self, index: usize) -> Option<Handle<T>> {
        let slot = self.slots.get(index)?;
        slot.value.as_ref()?;
        Some(self.handle(index as u32, slot.generation))
    }

    /// All values, in the order of their slots.
    pub fn iter(&self) -> impl Iterator<Item = (Handle<T>, &T)> {
        self.slots.iter().enumerate().filter_map(|(index, slot)| {
            let value = slot.value.as_ref()?;
            Some((self.handle(index as u32, slot.generation), value))
        })
    }

    /// All values, in the order of their slots, to change.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Handle<T>, &mut T)> {
        self.version += 1;
        let owner = self.owner;
        self.slots.iter_mut().enumerate().filter_map(move |(index, slot)| {
            let generation = slot.generation;
            let value = slot.value.as_mut()?;
            Some((Handle { index: index as u32, generation, owner, kind: PhantomData }, value))
        })
    }

    /// All slots, to be divided and changed.
    pub fn run_mut(&mut self) -> Run<'_, T> {
        self.version += 1;
        Run { slots: &mut self.slots }
    }

    fn handle(&self, index: u32, generation: u32) -> Handle<T> {
        Handle { index, generation, owner: self.owner, kind: PhantomData }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_and_go() {
        let mut pool = Pool::new(Owner::new());
        let [a, b] = ["a", "b"].map(|value| pool.insert(value).unwrap());
        assert_eq!((pool.len(), pool.get(a), pool.get(b)), (2, Ok(&"a"), Ok(&"b")));
        assert_eq!(pool.remove(a), Ok("a"));
        assert_eq!(pool.get(a), Err(PoolError::Stale));
        assert_eq!(pool.remove(a), Err(PoolError::Stale));
        let c = pool.insert("c").unwrap();
        assert_eq!((c.index(), c.generation()), (a.index(), 1), "the slot is reused");
        assert_ne!(a, c);
        *pool.get_mut(c).unwrap() = "d";
        let all: Vec<_> = pool.iter().map(|(handle, value)| (handle, *value)).collect();
        assert_eq!(all, [(c, "d"), (b, "b")]);
        assert_eq!(pool.handle_at(0), Some(c));
    }

    #[test]
    fn a_handle_belongs_to_its_world() {
        let mut one = Pool::new(Owner::new());
        let mut two = Pool::new(Owner::new());
        let handle = one.insert(1).unwrap();
        two.insert(2).unwrap();
        assert_eq!(two.get(handle), Err(PoolError::Foreign));
        assert_eq!(two.remove(handle), Err(PoolError::Foreign));
    }

    #[test]
    fn a_million_reuses_never_alias() {
        let mut pool = Pool::new(Owner::new());
        let first = pool.insert(0).unwrap();
        let mut last = first;
        for value in 1..1_000_000 {
            pool.remove(last).unwrap();
            last = pool.insert(value).unwrap();
        }
        assert_eq!(pool.slots(), 1);
        assert_eq!(pool.get(first), Err(PoolError::Stale));
        assert_eq!(pool.get(last), Ok(&999_999));
    }

    #[test]
    fn a_slot_retires_after_its_last_generation() {
        let mut pool = Pool::new(Owner::new());
        let first = pool.insert(1).unwrap();
        pool.slots[0].generation = u32::MAX;
        let last = pool.handle_at(0).unwrap();
        assert_eq!(pool.get(first), Err(PoolError::Stale));
        pool.remove(last).unwrap();
        let next = pool.insert(2).unwrap();
        assert_eq!(next.index(), 1, "slot 0 is never used again");
        assert_eq!(pool.get(last), Err(PoolError::Stale));
    }
}
