//! Every bound of the accuracy command that decides is kept.

use kempe_scenes::accuracy::{Figure, json, measure, passes, table};

#[test]
fn every_bound_that_decides_is_kept() {
    let figures = measure().unwrap();
    assert!(passes(&figures), "\n{}", table(&figures));
}

#[test]
fn figures_are_written_as_json_and_as_a_table() {
    let missed = [Figure {
        name: "an angle",
        value: f64::INFINITY,
        unit: "rad",
        must: 1.7e-3,
        goal: None,
        met: false,
        goal_met: None,
        decides: true,
    }];
    let read: serde_json::Value = serde_json::from_str(&json(&missed).unwrap()).unwrap();
    assert_eq!(read[0]["name"], "an angle");
    assert_eq!(read[0]["must"], 1.7e-3);
    assert!(read[0]["value"].is_null() && read[0]["goal"].is_null());
    assert_eq!(read[0]["met"], false);
    assert!(table(&missed).ends_with("MISSED\n"));
    assert!(!passes(&missed));
    let [missed] = missed;
    assert!(passes(&[Figure { decides: false, ..missed }]));
}
