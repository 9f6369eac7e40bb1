//! Drawing a world.
