//! `kempe check`.
//!
//! | file | has |
//! |---|---|
//! | `find` | how a scene fits together, and how it can move |
//! | `notes` | what of it looks like a mistake |
//! | `names` | bodies, joints and rows by name |
//! | `tell` | all of it in words |

mod find;
mod names;
mod notes;
mod tell;

use crate::arguments::Check;
use crate::failure::Failure;
use crate::{scene, speak};

pub(crate) fn run(arguments: &Check) -> Result<(), Failure> {
    let loaded = scene::open(&arguments.scene)?;
    let found = find::find(&arguments.scene.scene, loaded)?;
    let text = if arguments.json {
        let text = serde_json::to_string_pretty(&found);
        text.map_err(|error| Failure::Bad(format!("it cannot be written: {error}")))? + "\n"
    } else {
        tell::tell(&found)
    };
    speak::print(&text)?;
    match &found.unsound[..] {
        [] => Ok(()),
        reasons => Err(Failure::Unmet(format!("not sound: {}", reasons.join("; ")))),
    }
}
