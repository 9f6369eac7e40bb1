//! Parameters, expressions, and numbers that are set from outside.

use crate::{ron, ron_with};
use kempe_scenes::file::{self, Notation};

const SCENE: &str = r#"(
    version: 1,
    parameters: { "length": 0.5, "double": "2 * length", "top": 3, unused: 1 },
    settings: (substeps: 2),
    bodies: [
        (name: "arm", position: ("double + 1", "-length"), rotation: "pi / 2"),
        (name: "wheel", position: (0, 0), mass: "length * 4"),
    ],
    joints: [
        (name: "drive", kind: revolute, bodies: (ground, wheel),
         motor: (speed: "top * sin(time)", max_force: "top"), friction: "length"),
        (name: "still", kind: revolute, bodies: (ground, arm), motor: (speed: "top * 2")),
    ],
)"#;

#[test]
fn expressions_name_parameters() {
    let scene = ron(SCENE).unwrap();
    let arm = &scene.world[scene.bodies["arm"]];
    assert_eq!([arm.position().x, arm.position().y], [2.0, -0.5]);
    assert_eq!(arm.rotation(), std::f64::consts::FRAC_PI_2);
    assert_eq!(scene.world[scene.bodies["wheel"]].mass_properties().mass, 2.0);
    let motor = |name: &str| {
        let joint = scene.world.joint(scene.joints[name]).unwrap();
        format!("{:?}", joint.def().axes[0].motor)
    };
    assert!(motor("drive").contains(r#"Expression("let top = (3.0) in (top * sin(time)\n)")"#));
    assert!(motor("drive").contains("lower: -3.0, upper: 3.0"));
    assert!(motor("still").contains("Constant(6.0)"), "{}", motor("still"));
}

#[test]
fn writing_keeps_expressions() {
    let scene = ron(SCENE).unwrap();
    for notation in [Notation::Ron, Notation::Json] {
        let text = file::write(&scene.model, notation).unwrap();
        assert!(text.contains("double + 1") && text.contains("top * sin(time)"), "{text}");
        let again = file::parse("again", &text, notation, &[]).unwrap();
        assert_eq!(again.model, scene.model);
        assert_eq!(again.world.state_hash(), scene.world.state_hash());
        let set = [("length".to_owned(), 2.0)];
        let [again, first] = [&text, &file::write(&scene.model, notation).unwrap()]
            .map(|text| file::parse("again", text, notation, &set).unwrap());
        assert_eq!(again.world.state_hash(), first.world.state_hash());
        assert_eq!(again.world[again.bodies["arm"]].position().x, 5.0);
    }
}

#[test]
fn numbers_are_set_from_outside() {
    let arm = |overrides: &[(&str, f64)]| {
        let scene = ron_with(SCENE, overrides).unwrap();
        let arm = &scene.world[scene.bodies["arm"]];
        [arm.position().x, arm.position().y, arm.rotation(), arm.angular_velocity()]
    };
    assert_eq!(arm(&[("length", 1.0)])[..2], [3.0, -1.0]);
    assert_eq!(arm(&[("double", 0.0)])[..2], [1.0, -0.5]);
    assert_eq!(
        arm(&[("bodies.arm.position.0", 7.0), ("bodies.0.rotation", 0.0)])[..3],
        [7.0, -0.5, 0.0]
    );
    // One that the scene leaves out.
    assert_eq!(arm(&[("bodies.arm.angular_velocity", 7.0)])[3], 7.0);
    let scene = ron_with(SCENE, &[("joints.drive.motor.speed", 1.25), ("settings.substeps", 7.0)]);
    let scene = scene.unwrap();
    let joint = scene.world.joint(scene.joints["drive"]).unwrap();
    assert!(format!("{:?}", joint.def().axes[0].motor).contains("Constant(1.25)"));
    assert_eq!(scene.world.settings().substeps, 7);
}

#[test]
fn what_cannot_be_set_is_told() {
    let error = |overrides: &[(&str, f64)]| ron_with(SCENE, overrides).unwrap_err().to_string();
    let lines = [
        (
            "lenght",
            "scene.ron:3:17: `lenght` cannot be set: there is no `lenght` here \
             (did you mean `length`?)",
        ),
        (
            "joints.drve.motor.speed",
            "scene.ron:9:13: `joints.drve.motor.speed` cannot be set: there is no `drve` here \
             (did you mean `drive`?)",
        ),
        (
            "bodies.arm.position",
            "scene.ron:6:33: `bodies.arm.position` cannot be set: there is a list",
        ),
        (
            "bodies.arm.position.2",
            "scene.ron:6:33: `bodies.arm.position.2` cannot be set: there is no `2` here",
        ),
        (
            "joints.drive.motor.sped",
            "scene.ron:11:17: there is no field `sped` here (did you mean `speed`?)",
        ),
        (
            "bodies.arm.name.x",
            "scene.ron:6:16: `bodies.arm.name.x` cannot be set: there is no `x` here",
        ),
    ];
    for (path, line) in lines {
        assert_eq!(error(&[(path, 1.0)]), line);
    }
}

#[test]
fn wrong_expressions_are_shown_inside() {
    let wrong = SCENE.replace("double + 1", "dubble + 1").replace("length * 4", "length * time");
    let error = ron(&wrong).unwrap_err();
    let text = error.to_string();
    let first = "scene.ron:6:35: nothing is called `dubble` (did you mean `double`?)";
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], first, "{text}");
    assert_eq!(
        lines[1],
        "scene.ron:7:50: `time` cannot be here: the number is needed when the scene is loaded"
    );
    assert_eq!(lines.len(), 2, "{text}");
    let reserved = SCENE.replace("unused: 1", "time: 1");
    assert!(ron(&reserved).unwrap_err().to_string().contains("cannot be called `time`"));
    let infinite = SCENE.replace("2 * length", "1 / (length - length)");
    assert!(ron(&infinite).unwrap_err().to_string().contains("no finite number"));
}
