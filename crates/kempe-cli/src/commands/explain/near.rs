//! Names that may have been meant.

use super::kind;
use kempe_equation::{gallery, nearest};
use kempe2d::KindInfo;

/// Tells that nothing is called like this, and what is called nearly so.
pub(super) fn unknown(name: &str) -> String {
    let told = format!("there is no kind of joint, file or program `{name}`");
    let wanted = name.to_lowercase();
    if let Some((engine, other, here)) = elsewhere(&wanted) {
        return format!("{told}; {engine}'s {other} is `{here}` here");
    }
    let kinds = KindInfo::all().iter().flat_map(kind::names);
    let known = kinds.chain(gallery::GALLERY.iter().map(|example| example.name));
    let short = wanted.strip_suffix("joint").map_or(&*wanted, |short| short.trim_end_matches('_'));
    match nearest(short, known) {
        Some(near) => format!("{told}; did you mean `{near}`?"),
        None => {
            let kinds: Vec<&str> = KindInfo::all().iter().map(|kind| kind.name).collect();
            let programs: Vec<&str> = gallery::GALLERY.iter().map(|each| each.name).collect();
            let (kinds, programs) = (kinds.join(", "), programs.join(", "));
            format!("{told}\nkinds of joint: {kinds}\nprograms: {programs}")
        }
    }
}

/// Without what only some engines put behind it.
fn bare(name: &str) -> String {
    let plain = name.to_lowercase().replace([' ', '_'], "");
    plain.strip_suffix("joint").map(str::to_owned).unwrap_or(plain)
}

/// What another engine calls it, if one does: engine, name there, name here.
fn elsewhere(wanted: &str) -> Option<(&'static str, &'static str, &'static str)> {
    let wanted = bare(wanted);
    for kind in KindInfo::all() {
        // Not where it takes two of them.
        for (engine, names) in
            kind.elsewhere.iter().filter(|(_, names)| !names.contains("together"))
        {
            for name in names.split(", ") {
                let name = name.split(" (").next().unwrap_or(name);
                if wanted.len() > 2 && bare(name) == wanted {
                    return Some((engine, name, kind.name));
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::unknown;

    #[test]
    fn what_was_meant_is_told() {
        assert!(unknown("revolut").ends_with("did you mean `revolute`?"));
        assert!(unknown("pivto").ends_with("did you mean `pivot`?"));
        assert!(unknown("HingeJoint").ends_with("; Jolt's Hinge is `revolute` here"));
        assert!(unknown("PinSlotJoint").ends_with("; Rapier's PinSlotJoint is `slot` here"));
        assert!(unknown("mouse_joint").ends_with("did you mean `mouse`?"));
        let lost = unknown("teapot");
        assert!(lost.contains("kinds of joint: weld, revolute") && lost.contains("skate"));
        assert!(unknown("").contains("kinds of joint"));
        assert!(unknown(&"x".repeat(100_000)).contains("kinds of joint"));
    }
}
