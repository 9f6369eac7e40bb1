//! Any bytes give an error, never a panic or a hang.

use crate::ron;
use kempe_scenes::file::{self, MOST_DEPTH, MOST_PROBLEMS, Notation};
use std::fs;

const SCENE: &str = include_str!("every.ron");

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % below.max(1)
    }
}

/// Loads, and shows what is wrong in every way.
fn load(text: &str, notation: Notation) {
    if let Err(error) = file::parse("scene", text, notation, &[]) {
        assert!(!error.problems().is_empty());
        assert!(error.problems().len() <= MOST_PROBLEMS);
        assert!(!error.to_string().is_empty() && !error.render(false).is_empty());
    }
}

#[test]
fn random_bytes_are_refused() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let letters = b"()[]{}\",:./*#!r-+0123456789eE\\unaSometrufls \n\t'";
    for round in 0..3000 {
        let length = random.next(40);
        let bytes: Vec<u8> = (0..length)
            .map(|_| match round % 2 {
                0 => letters[random.next(letters.len())],
                _ => random.next(256) as u8,
            })
            .collect();
        let text = String::from_utf8_lossy(&bytes);
        load(&text, Notation::Ron);
        load(&text, Notation::Json);
    }
}

#[test]
fn scenes_with_random_changes_load_or_are_refused() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let json = file::write(&ron(SCENE).unwrap().model, Notation::Json).unwrap();
    let pieces = [
        "(", ")", "]", "{", "\"", ",", ":", "-", "1e308", "\"inf\"", "NaN", "()", "[]", "null",
        "\"time\"", "r#\"", "/*", "\u{fc}", "0", "bodies", "ground", "-1", "\"1/0\"",
    ];
    for (source, notation) in [(SCENE, Notation::Ron), (json.as_str(), Notation::Json)] {
        for _ in 0..1500 {
            let mut text = source.to_owned();
            for _ in 0..=random.next(3) {
                let [start, length] = [random.next(text.len()), random.next(12)];
                let start = text.floor_char_boundary(start);
                let end = text.floor_char_boundary((start + length).min(text.len()));
                let piece = match random.next(4) {
                    0 => "",
                    1 => {
                        let from = text.floor_char_boundary(random.next(text.len()));
                        let to = (from + random.next(30)).min(text.len());
                        &text[from..text.floor_char_boundary(to).max(from)].to_owned()
                    }
                    _ => pieces[random.next(pieces.len())],
                };
                text.replace_range(start..end, piece);
            }
            load(&text, notation);
        }
    }
}

#[test]
fn every_beginning_of_a_scene_is_refused() {
    for end in (0..SCENE.trim_end().len()).step_by(7).filter(|end| SCENE.is_char_boundary(*end)) {
        let error = ron(&SCENE[..end]).unwrap_err();
        assert!(!error.to_string().is_empty());
    }
}

#[test]
fn nesting_is_limited() {
    for (open, close, notation) in
        [("[", "]", Notation::Json), ("(", ")", Notation::Ron), ("Some(", ")", Notation::Ron)]
    {
        let deep = |depth: usize| {
            let text = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            file::parse("deep", &text, notation, &[]).unwrap_err().to_string()
        };
        assert!(deep(MOST_DEPTH).contains("a scene is a map"), "{}", deep(MOST_DEPTH));
        assert!(deep(MOST_DEPTH + 1).contains("nested more than 64 deep"));
        assert!(deep(100_000).contains("nested more than 64 deep"));
    }
    let comment = format!("{} {}", "/*".repeat(100_000), "*/".repeat(99_999));
    assert!(ron(&comment).unwrap_err().to_string().contains("the comment does not end"));
}

#[test]
fn other_versions_are_refused() {
    let error = |text: &str| ron(text).unwrap_err().to_string();
    assert_eq!(
        error("(version: 2, bodis: 3)"),
        "scene.ron:1:11: this is a version of the format that is not known; 1 is"
    );
    assert_eq!(
        error("()"),
        "scene.ron:1:1: the scene does not say its `version` (write `version: 1`)"
    );
    assert!(ron("(version: 1)").is_ok());
    assert!(error("(version: \"1\")").contains("not known"));
}

#[test]
fn numbers_are_checked() {
    let body = |number: &str| {
        let text = format!("(version: 1, bodies: [(rotation: {number})])");
        ron(&text)
            .map(|scene| scene.world.bodies().next().map(|(_, body)| body.rotation()).unwrap())
    };
    for (text, value) in [
        ("1", 1.0),
        ("-0", -0.0),
        ("+1.5e-3", 0.0015),
        (".5", 0.5),
        ("1.", 1.0),
        ("1_000", 1000.0),
        ("0x10", 16.0),
        ("5e-324", 5e-324),
        ("0.1000000000000000055511151231257827", 0.1),
        ("Some(3)", 3.0),
        ("None", 0.0),
    ] {
        assert_eq!(body(text).unwrap().to_bits(), f64::to_bits(value), "{text}");
    }
    for text in
        ["1e999", "NaN", "inf", "-inf", "\"inf\"", "1.2.3", "--1", "1e", ".", "0xg", "_1", "1__"]
    {
        if text == "1__" {
            assert!(body(text).is_ok());
        } else {
            assert!(body(text).is_err(), "{text}");
        }
    }
    let json = |number: &str| {
        let text = format!("{{\"version\": 1, \"bodies\": [{{\"rotation\": {number}}}]}}");
        file::parse("scene.json", &text, Notation::Json, &[]).is_ok()
    };
    assert!(["0", "-1.5e+3", "0.25"].into_iter().all(json));
    assert!(!["01", "1.", ".5", "+1", "inf", "0x1", "1_0"].into_iter().any(json));
}

#[test]
fn texts_have_escapes() {
    let name = |text: &str, notation| {
        let text = match notation {
            Notation::Ron => format!("(version: 1, name: {text})"),
            Notation::Json => format!("{{\"version\": 1, \"name\": {text}}} // comments are fine"),
        };
        file::parse("scene", &text, notation, &[]).map(|scene| scene.model.name.unwrap())
    };
    for notation in [Notation::Ron, Notation::Json] {
        let text = name(r#""a\"\\\/\n\t\u00fc\ud83d\ude00""#, notation).unwrap();
        assert_eq!(text, "a\"\\/\n\tü😀");
        for wrong in [r#""\q""#, r#""\u12"#, r#""\ud83d""#, r#""\ud83dx""#, r#""\"#, r#"""""#] {
            assert!(name(wrong, notation).is_err(), "{wrong}");
        }
    }
    assert_eq!(name(r#""\x41\u{1F600}\'""#, Notation::Ron).unwrap(), "A😀'");
    assert_eq!(name(r###"r##"a"#b"##"###, Notation::Ron).unwrap(), "a\"#b");
    assert_eq!(name("\"two\nlines\"", Notation::Ron).unwrap(), "two\nlines");
    assert!(name("\"two\nlines\"", Notation::Json).is_err());
    for text in ["a\"b\\c\nd\u{1}\u{7f}é😀 r#\"x\"#", "\r\n", ""] {
        let mut model = ron("(version: 1)").unwrap().model;
        model.name = Some(text.to_owned());
        for notation in [Notation::Ron, Notation::Json] {
            let written = file::write(&model, notation).unwrap();
            let again = file::parse("again", &written, notation, &[]).unwrap();
            assert_eq!(again.model.name.as_deref(), Some(text));
        }
    }
}

#[test]
fn files_are_plain_and_end_well() {
    let folder = std::env::temp_dir().join(format!("kempe-scenes-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let error = |path: &std::path::Path| {
        let error = file::load(path).unwrap_err().to_string();
        error.replace(&*folder.to_string_lossy(), "")
    };
    let program = b"body a, b\nscalar length\nconstraint |b.position - a.position| - length";
    write("rod.kempe", program);
    write("wrong.kempe", b"body a, b\nconstraint |b.positoin - a.position|");
    write("long.kempe", &vec![b' '; 70_000]);
    let scene = |file: &str| {
        let text = format!(
            "(version: 1, bodies: [(name: bob, position: (2, 0))], joints: [(name: rod, kind: text, \
             file: \"{file}\", bodies: (a: ground, b: bob), parameters: (length: 2))])"
        );
        write("scene.ron", text.as_bytes())
    };
    let mut loaded = file::load(scene("rod.kempe")).unwrap();
    for _ in 0..30 {
        loaded.world.step(1.0 / 60.0).unwrap();
    }
    let bob = loaded.world[loaded.bodies["bob"]].position();
    assert!((bob.length() - 2.0).abs() < 1e-3 && bob.y < -0.3, "{bob:?}");
    assert_eq!(
        error(&scene("wrong.kempe")),
        "/wrong.kempe:2:15: a body has no `positoin` (did you mean `position`?)"
    );
    assert!(error(&scene("none.kempe")).contains("/none.kempe cannot be read"));
    assert!(error(&scene("long.kempe")).contains("/long.kempe is larger than 64 KB"));
    assert!(error(&scene(".")).contains("is not a plain file"));
    for outside in ["/etc/hostname", "../hostname", "a/../../hostname"] {
        assert!(error(&scene(outside)).contains("in the folder of the scene"), "{outside}");
    }
    assert_eq!(error(&folder.join("none.ron")).split(':').nth(1), Some(" it cannot be read"));
    assert_eq!(error(&write("scene.txt", b"")), "/scene.txt: a scene's file ends in .ron or .json");
    assert!(
        error(&write("bytes.ron", b"(version: 1, name: \"\xff\")"))
            .contains(":1:21: this is not UTF-8")
    );
    assert!(error(&folder.join("..").join(folder.file_name().unwrap())).contains("ends in"));
    fs::create_dir_all(folder.join("folder.ron")).unwrap();
    assert_eq!(error(&folder.join("folder.ron")), "/folder.ron: it is not a plain file");
    fs::remove_dir_all(&folder).unwrap();
}

/// Wrong names are compared with right ones; that must not take the product of their numbers.
#[test]
fn many_mistakes_take_little_time() {
    let count = 20_000;
    let all = |text: &dyn Fn(usize) -> String| (0..count).map(text).collect::<String>();
    let bodies = all(&|k| format!("(name: \"body {k}\"), "));
    let joints =
        all(&|k| format!("(name: \"j{k}\", kind: weld, bodies: (\"boddy {k}\", ground)), "));
    let terms = all(&|k| format!("(joint: \"i{k}\"), "));
    let fields = all(&|k| format!("field_{k}: 1, "));
    let text = format!(
        "(version: 1, bodies: [{bodies}], joints: [{joints} (kind: coupling, terms: [{terms}]), \
         (kind: text, program: \"body a, b constraint a.position - b.position\", \
         parameters: ({fields}))], settings: ({fields}))"
    );
    let start = std::time::Instant::now();
    let error = ron(&text).unwrap_err();
    assert_eq!(error.problems().len(), MOST_PROBLEMS);
    assert!(error.left_out() > 2 * count, "{}", error.left_out());
    assert!(!error.render(false).is_empty());
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
