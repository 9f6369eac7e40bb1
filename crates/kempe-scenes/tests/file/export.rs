//! Every named scene as a file, in both notations: the same world, to the bit, now and later.

use kempe_scenes::file::{self, Notation};
use kempe_scenes::{Entry, catalogue};

const STEP: f64 = 1.0 / 60.0;

fn there_and_back(entry: &Entry, large: &mut usize, wrong: &mut Vec<String>) {
    let mut scene = entry.build().unwrap();
    let model = match file::export(&scene) {
        Ok(model) => model,
        Err(error) => return wrong.push(format!("{}: {error}", entry.name)),
    };
    let mut worlds = Vec::new();
    let mut notations = vec![Notation::Ron, Notation::Json];
    if scene.world.body_count() > 1000 {
        // In one or the other, in turn.
        notations.remove(*large % 2);
        *large += 1;
    }
    for notation in notations {
        let text = file::write(&model, notation).unwrap();
        let loaded = match file::parse(entry.name, &text, notation, &[]) {
            Ok(loaded) => loaded,
            Err(error) => {
                let error = error.to_string();
                let first = error.lines().next().unwrap_or("");
                wrong.push(format!("{} in {notation:?}: {first}", entry.name));
                continue;
            }
        };
        if loaded.model != model {
            wrong.push(format!("{} in {notation:?}: the model is another", entry.name));
        }
        let names = scene.bodies.iter().all(|(name, id)| loaded.bodies[name].index() == id.index());
        assert!(names, "{}: bodies have other names", entry.name);
        worlds.push(loaded.world);
    }
    if worlds.iter().any(|world| world.state_hash() != scene.world.state_hash()) {
        return wrong.push(format!("{}: the world is another", entry.name));
    }
    if scene.world.body_count() > 1000 {
        return;
    }
    for _ in 0..30 {
        scene.world.step(STEP).unwrap();
        worlds.iter_mut().for_each(|world| {
            world.step(STEP).unwrap();
        });
    }
    if worlds.iter().any(|world| world.state_hash() != scene.world.state_hash()) {
        wrong.push(format!("{}: after 30 steps the world is another", entry.name));
    }
}

#[test]
fn every_named_scene_goes_there_and_back() {
    let mut wrong = Vec::new();
    let mut large = 0;
    for entry in catalogue() {
        there_and_back(entry, &mut large, &mut wrong);
    }
    assert!(large > 2, "{large}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
