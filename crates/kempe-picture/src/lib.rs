//! Pictures of motions, from plain data: plots in SVG and PNG, a replay in one HTML file, an
//! animated GIF.
//!
//! Nothing here knows a world: whoever ran one fills in the numbers. All pictures are lists of
//! primitives (a [`Picture`]) that two backends write, as a text in SVG or as pixels.
//!
//! ```
//! use kempe_picture::{Panel, Plot, Series, Theme};
//!
//! let fall = (0..=100).map(|i| 0.01 * f64::from(i)).map(|t| [t, -4.905 * t * t]).collect();
//! let plot = Plot {
//!     title: "A fall".to_owned(),
//!     x_label: "time (s)".to_owned(),
//!     panels: vec![Panel::new("height (m)", vec![Series::new("stone", fall)])],
//!     ..Plot::default()
//! };
//! assert!(plot.svg(Theme::Auto).starts_with("<svg"));
//! assert!(plot.png(Theme::Light, 2.0)?.starts_with(b"\x89PNG"));
//! # Ok::<(), kempe_picture::Error>(())
//! ```

mod bounds;
mod chart;
mod color;
mod error;
mod film;
mod font;
mod glyphs;
mod pack;
mod page;
mod picture;
mod plot;
mod png;
mod raster;
mod replay;
mod scene;
mod simplify;
mod svg;
mod ticks;

pub use color::{Color, Role, Theme};
pub use error::Error;
pub use film::Gif;
pub use picture::{Align, Dash, Item, Pen, Picture};
pub use plot::{Panel, Plot, Scale, Series};
pub use raster::Pixels;
pub use replay::{
    Compare, Event, JointFrame, JointLine, Look, Replay, ReplayBody, ReplayJoint, Trace,
};
