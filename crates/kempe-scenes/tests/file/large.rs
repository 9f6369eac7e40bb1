//! Large files: they load in little time.

use kempe_scenes::file::{self, Notation};
use std::fmt::Write;
use std::time::Instant;

/// A scene of chains of ten bodies each.
fn chains(bodies: usize) -> String {
    let mut text = String::from("(version: 1, settings: (gravity: (0, -9.81)),\nbodies: [\n");
    for k in 0..bodies {
        let (x, y) = (0.5 + (k % 10) as f64, 0.25 * (k / 10) as f64);
        writeln!(
            text,
            "    (name: \"link {k}\", position: ({x}, {y}), shapes: [(rectangle: (0.5, 0.1))]),"
        )
        .unwrap();
    }
    text += "],\njoints: [\n";
    for k in (0..bodies).filter(|k| k % 10 != 0) {
        let (x, y) = ((k % 10) as f64, 0.25 * (k / 10) as f64);
        writeln!(
            text,
            "    (kind: revolute, bodies: (\"link {}\", \"link {k}\"), at: ({x}, {y})),",
            k - 1
        )
        .unwrap();
    }
    text + "])\n"
}

fn load(bodies: usize) {
    let text = chains(bodies);
    let start = Instant::now();
    let loaded = file::parse("chains.ron", &text, Notation::Ron, &[]).unwrap();
    let taken = start.elapsed().as_secs_f64();
    println!("{bodies} bodies, {} MB: {taken:.2} s", text.len() >> 20);
    assert_eq!(loaded.world.body_count(), bodies);
    assert_eq!(loaded.world.joint_count(), bodies - bodies / 10);
    let last = loaded.bodies[&format!("link {}", bodies - 1)];
    assert_eq!(loaded.world[last].position().x, 9.5);
}

#[test]
fn a_hundred_thousand_bodies_load() {
    load(100_000);
}

#[test]
#[ignore = "for release builds: cargo test --release --test file -- --ignored --nocapture"]
fn a_million_bodies_load() {
    load(1_000_000);
}
