//! How the figures of the reference solver are told.

use kempe_scenes::precision::{Figure, json, passes, table};

#[test]
fn figures_are_written_as_json_and_as_a_table() {
    let missed = Figure {
        name: "an angle".to_owned(),
        method: "theta 0.5".to_owned(),
        step: 0.01,
        value: f64::INFINITY,
        unit: "rad",
        must: Some(1e-6),
        goal: None,
        met: false,
        seconds: 0.25,
    };
    let text = json(std::slice::from_ref(&missed)).unwrap();
    let read: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(read[0]["name"], "an angle");
    assert_eq!(read[0]["method"], "theta 0.5");
    assert_eq!(read[0]["must"], 1e-6);
    assert!(read[0]["value"].is_null() && read[0]["goal"].is_null());
    assert_eq!(read[0]["seconds"], 0.25);
    assert!(table(std::slice::from_ref(&missed)).ends_with("MISSED\n"));
    assert!(!passes(std::slice::from_ref(&missed)));
    // What has a goal only is told.
    let told = Figure { must: None, goal: Some(0.1), ..missed };
    assert!(table(std::slice::from_ref(&told)).ends_with("missed, does not decide\n"));
    assert!(passes(&[told]));
}
