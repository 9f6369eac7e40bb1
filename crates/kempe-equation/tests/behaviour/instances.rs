//! Binding, setting, reading, limits, driven parameters.

use super::{close, joint, program, state};
use kempe_equation::{BodyState, Instance, InstanceError, Type, Value, gallery};

#[test]
fn names_and_types() {
    let program =
        program("body crank scalar speed vector pin matrix shape constraint crank.rotation");
    let mut joint = Instance::new(&program);
    assert_eq!(
        joint.set_body("crnak", 0).unwrap_err().to_string(),
        "the program has no body called `crnak`; did you mean `crank`?"
    );
    assert_eq!(
        joint.set_scalar("sped", 1.0).unwrap_err().to_string(),
        "the program has no parameter called `sped`; did you mean `speed`?"
    );
    let wrong = joint.set_vector("speed", [1.0, 2.0]).unwrap_err();
    assert_eq!(
        wrong,
        InstanceError::WrongType {
            name: "speed".into(),
            expected: Type::Scalar,
            found: Type::Vector
        }
    );
    assert_eq!(wrong.to_string(), "the parameter `speed` is a scalar, not a vector");
    assert!(matches!(joint.set_scalar("speed", f64::NAN), Err(InstanceError::NotFinite { .. })));
    assert_eq!(joint.get("speed").unwrap(), None);
    joint.set_scalar("speed", 2.0).unwrap();
    joint.set_vector("pin", [1.0, 2.0]).unwrap();
    joint.set_matrix("shape", [[1.0, 2.0], [3.0, 4.0]]).unwrap();
    assert_eq!(joint.get("speed").unwrap(), Some(Value::Scalar(2.0)));
    assert_eq!(joint.get("pin").unwrap(), Some(Value::Vector([1.0, 2.0])));
    assert_eq!(joint.get("shape").unwrap(), Some(Value::Matrix([[1.0, 2.0], [3.0, 4.0]])));
    assert_eq!(joint.body("crank").unwrap(), None);
}

#[test]
fn what_is_missing_is_named() {
    let mut joint = joint("body a, b scalar s constraint s * |b.position - a.position|");
    let two = [BodyState::default(), state(1)];
    let name = "s".to_owned();
    assert_eq!(joint.evaluate(&two, 0.0), Err(InstanceError::UnsetParameter { name }));
    joint.set_scalar("s", 1.0).unwrap();
    assert!(joint.evaluate(&two, 0.0).is_ok());
    let error = joint.evaluate(&two[..1], 0.0).unwrap_err();
    assert_eq!(error.to_string(), "the body `b` is bound to number 1 of 1 bodies");
    let unbound = Instance::new(joint.program());
    let name = "a".to_owned();
    assert_eq!(unbound.evaluate(&two, 0.0), Err(InstanceError::UnboundBody { name }));
    let mut broken = two;
    broken[1].velocity[0] = f64::NAN;
    let error = joint.evaluate(&broken, 0.0).unwrap_err();
    assert_eq!(error.to_string(), "the state of `b` is not finite");
    let error = joint.evaluate(&two, f64::INFINITY).unwrap_err();
    assert_eq!(error.to_string(), "the time is not finite");
}

#[test]
fn limits_are_checked_on_use() {
    let mut joint = joint(gallery::find("distance").unwrap().source);
    joint.set_vector("anchor1", [0.0, 0.0]).unwrap();
    joint.set_vector("anchor2", [0.0, 0.0]).unwrap();
    joint.set_scalar("jointMin", 2.0).unwrap();
    joint.set_scalar("jointMax", 1.0).unwrap();
    let bodies = [BodyState::default(), state(1)];
    let error = joint.evaluate(&bodies, 0.0).unwrap_err();
    assert_eq!(error.to_string(), "`limit jointMin 0 jointMax` fails: 2 is not between 0 and 1");
    joint.set_scalar("jointMax", 2.0).unwrap();
    assert!(joint.evaluate(&bodies, 0.0).unwrap().bounds[0].is_equation());
}

#[test]
fn bounds_that_cross_are_reported() {
    let mut joint = joint("scalar lo = 0, hi = 1 constraint 1 limit constraint lo hi");
    assert!(joint.evaluate(&[], 0.0).is_ok());
    joint.set_scalar("lo", 3.0).unwrap();
    assert_eq!(
        joint.evaluate(&[], 0.0).unwrap_err().to_string(),
        "row 1 of the constraint: the lower bound 3 is above the upper bound 1"
    );
}

#[test]
fn limits_may_move() {
    let joint = joint("body b constraint b.rotation limit constraint (2 * time) (3 * time + 1)");
    let bound = joint.evaluate(&[BodyState::default()], 0.5).unwrap().bounds[0];
    assert_eq!((bound.lower, bound.upper), (1.0, 2.5));
    assert_eq!((bound.lower_rate, bound.upper_rate), (2.0, 3.0));
}

#[test]
fn axes_have_bounds_of_their_own() {
    let mut joint = joint(gallery::find("prismatic").unwrap().source);
    joint.set_vector("anchor_a", [0.0, 0.0]).unwrap();
    joint.set_vector("anchor_b", [0.0, 0.0]).unwrap();
    joint.set_scalar("longest", 2.0).unwrap();
    let bodies = [BodyState::default(), BodyState { position: [3.0, 0.0], ..BodyState::default() }];
    let values = joint.evaluate(&bodies, 0.0).unwrap();
    assert_eq!(values.value, [0.0, 0.0, 3.0]);
    assert_eq!(values.bounds[2].violation(3.0), 1.0);
    assert_eq!(values.bounds[2].lower, f64::NEG_INFINITY);
    assert_eq!(joint.program().axes().collect::<Vec<_>>(), ["travel"]);
}

#[test]
fn driven_parameters_advance() {
    let mut joint = joint(gallery::find("driven_crank").unwrap().source);
    joint.set_vector("pin", [0.0, 0.0]).unwrap();
    joint.set_vector("hub", [0.0, 0.0]).unwrap();
    joint.set_scalar("acceleration", 2.0).unwrap();
    joint.set_scalar("speed", 3.0).unwrap();
    let bodies = [BodyState::default(); 2];
    let values = joint.evaluate(&bodies, 0.0).unwrap();
    assert_eq!(values.bias, [0.0, 0.0, -3.0]);
    let second = joint.second_order(&bodies, 0.0, &[0.0; 3]).unwrap();
    assert_eq!(second.acceleration_bias, [0.0, 0.0, -2.0]);
    for step in 0..100 {
        joint.advance(&bodies, f64::from(step) * 0.01, 0.01).unwrap();
    }
    let Some(Value::Scalar(speed)) = joint.get("speed").unwrap() else { panic!() };
    let Some(Value::Scalar(angle)) = joint.get("angle").unwrap() else { panic!() };
    close(speed, 5.0, 1e-12);
    // Explicit Euler: 3 + 2 (0 + 0.01 + … + 0.99) · 0.01
    close(angle, 3.0 + 0.99, 1e-12);
}

#[test]
fn a_rate_may_use_shared_names() {
    let mut joint = joint("let half = speed / 2 scalar speed = 3, x = 0 -> half constraint x");
    joint.advance(&[], 0.0, 2.0).unwrap();
    assert_eq!(joint.get("x").unwrap(), Some(Value::Scalar(3.0)));
}

#[test]
fn a_driven_parameter_that_explodes_is_reported_and_nothing_is_lost() {
    let mut joint = joint("scalar x = 1e300 -> x * 1e10 constraint x");
    let error = joint.advance(&[], 0.0, 1.0).unwrap_err();
    assert_eq!(error.to_string(), "the driven parameter `x` is not finite");
    assert_eq!(joint.get("x").unwrap(), Some(Value::Scalar(1e300)));
}

#[test]
fn slots_number_the_bodies_without_gaps() {
    let program = program(gallery::find("pulley").unwrap().source);
    for good in [[0, 1, 2, 3], [0, 0, 0, 0], [0, 1, 0, 1], [0, 1, 1, 2]] {
        let compiled = program.compiled_for(&good).unwrap();
        assert_eq!(compiled.slots(), good.iter().max().unwrap() + 1);
    }
    for bad in [&[0, 2, 1, 3][..], &[1, 0, 2, 3], &[0, 1, 2], &[0, 1, 2, 3, 4], &[]] {
        assert!(program.compiled_for(bad).is_err());
    }
}

#[test]
fn a_body_against_itself_does_nothing() {
    let mut joint = joint(gallery::find("weld").unwrap().source);
    for name in ["anchor1", "anchor2"] {
        joint.set_vector(name, [0.5, 0.5]).unwrap();
    }
    joint.set_scalar("phase", 0.0).unwrap();
    joint.set_body("body2", 0).unwrap();
    let values = joint.evaluate(&[state(1)], 0.0).unwrap();
    assert_eq!(values.value, [0.0; 3]);
    assert!(values.jacobian.iter().flatten().all(|number| *number == 0.0));
}

#[test]
fn a_check_keeps_its_place_when_bodies_are_shared() {
    let mut joint = joint(
        "body a, b scalar k = 5
         limit k 0 1
         limit 0 (b.rotation - a.rotation) (-1)
         constraint a.rotation - b.rotation",
    );
    joint.set_body("b", 0).unwrap();
    let one = [BodyState::default()];
    let error = joint.evaluate(&one, 0.0).unwrap_err();
    assert_eq!(error.to_string(), "`limit k 0 1` fails: 5 is not between 0 and 1");
    joint.set_scalar("k", 0.5).unwrap();
    let error = joint.evaluate(&one, 0.0).unwrap_err().to_string();
    assert!(error.contains("0 is not between 0 and -1"), "{error}");
}

#[test]
fn a_new_body_is_not_remembered() {
    let mut joint = joint("body a, b constraint |b.position - a.position|");
    let bodies = [
        BodyState::default(),
        BodyState { position: [3.0, 4.0], ..BodyState::default() },
        BodyState::default(),
    ];
    joint.advance(&bodies, 0.0, 0.01).unwrap();
    assert_eq!(joint.memories(), [[0.6, 0.8]]);
    joint.set_body("b", 2).unwrap();
    assert_eq!(joint.evaluate(&bodies, 0.0).unwrap().jacobian[0], [0.0; 6]);
}

#[test]
fn equal_sharing_gives_the_same_tapes() {
    let program = program(gallery::find("pulley").unwrap().source);
    let [first, second] = [0, 1].map(|_| program.compiled_for(&[0, 1, 0, 2]).unwrap());
    assert!(std::sync::Arc::ptr_eq(&first, &second));
}
