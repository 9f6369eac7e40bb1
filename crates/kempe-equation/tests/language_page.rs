//! Everything that `docs/language.md` claims and a machine can check.

use kempe_equation::{Program, Style, limits};
use std::path::Path;

const PAGE: &str = include_str!("../docs/language.md");

/// A fenced block: the word after the fence, the line it starts on, and its text.
struct Block {
    language: &'static str,
    line: usize,
    text: String,
}

fn blocks() -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (index, line) in PAGE.lines().enumerate() {
        match (line.strip_prefix("```"), open.as_mut()) {
            (Some(language), None) => {
                open = Some(Block { language, line: index + 1, text: String::new() });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => {
                block.text += line;
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

fn blocks_of(language: &str) -> Vec<Block> {
    let found: Vec<Block> = blocks().into_iter().filter(|b| b.language == language).collect();
    assert!(!found.is_empty(), "no block of {language} on the page");
    found
}

#[test]
fn every_fence_is_known() {
    for Block { language, line, .. } in blocks() {
        let known = ["kempe", "kempe-fails", "text", "sh", "rust"].contains(&language);
        assert!(known, "line {line}: a block of `{language}`");
    }
}

#[test]
fn programs_parse() {
    for Block { line, text, .. } in blocks_of("kempe") {
        if let Err(errors) = Program::parse(&text) {
            panic!("line {line}:\n{errors}");
        }
    }
}

#[test]
fn broken_programs_fail_as_they_say() {
    for Block { line, text, .. } in blocks_of("kempe-fails") {
        let first = text.lines().next().unwrap_or_default();
        let kind = first.strip_prefix("# error: ").unwrap_or_else(|| {
            panic!("line {line}: the first line is not `# error: KIND` but `{first}`")
        });
        let Err(errors) = Program::parse(&text) else {
            panic!("line {line}: no error");
        };
        for each in errors.diagnostics() {
            assert_eq!(format!("{:?}", each.kind), kind, "line {line}:\n{errors}");
        }
    }
}

/// Whether every line of `shown` is in `real`, in this order; `…` stands for lines left out.
fn assert_shown(shown: &str, real: &str, line: usize) {
    let mut rest = real.lines().map(str::trim_end);
    for each in shown.lines().map(str::trim_end).filter(|each| *each != "…") {
        assert!(rest.any(|real| real == each), "line {line}: `{each}` is not in\n{real}");
    }
}

/// A text that starts like the output of `explain` is that of the program before it.
#[test]
fn explanations_are_real() {
    let blocks = blocks();
    let mut count = 0;
    for (index, block) in blocks.iter().enumerate() {
        if block.language != "text" || !block.text.starts_with("bodies ") {
            continue;
        }
        let program = blocks[..index].iter().rfind(|each| each.language == "kempe").unwrap();
        let program = Program::parse(&program.text).unwrap();
        let real = program.explain_text() + "\n" + &program.sample_text();
        assert_shown(&block.text, &real, block.line);
        count += 1;
    }
    assert!(count > 0, "no explanation on the page");
}

/// A text that starts like a drawn error is that of the broken program before it.
#[cfg(feature = "render")]
#[test]
fn drawn_errors_are_real() {
    use kempe_equation::render;
    let blocks = blocks();
    let mut count = 0;
    for (index, block) in blocks.iter().enumerate() {
        if block.language != "text" || !block.text.starts_with("Error: ") {
            continue;
        }
        let program = blocks[..index].iter().rfind(|each| each.language == "kempe-fails").unwrap();
        let errors = Program::parse(&program.text).unwrap_err();
        let real = render::errors(&errors, "rod.kempe", render::Colors::Off);
        assert_shown(&block.text, &real, block.line);
        count += 1;
    }
    assert!(count > 0, "no drawn error on the page");
}

/// The rows of the tables headed "written" and "read as".
fn readings() -> Vec<(usize, String, String)> {
    let mut readings = Vec::new();
    let mut inside = false;
    for (index, line) in PAGE.lines().enumerate() {
        if line == "| written | read as |" {
            inside = true;
        } else if !line.starts_with('|') {
            inside = false;
        } else if inside && !line.starts_with("|--") {
            let line = line.replace("\\|", "\u{0}");
            let cells: Vec<String> = line
                .split('|')
                .map(|cell| cell.trim().trim_matches('`').replace('\u{0}', "|"))
                .filter(|cell| !cell.is_empty())
                .collect();
            assert_eq!(cells.len(), 2, "line {}: not two cells", index + 1);
            readings.push((index + 1, cells[0].clone(), cells[1].clone()));
        }
    }
    readings
}

#[test]
fn expressions_are_read_as_the_tables_say() {
    let explain = |line: usize, expression: &str| {
        let source = format!(
            "body a, b  scalar s, t  vector u, v  matrix m
             let rows = a.position.x + b.position.x
             constraint {{ rows, {expression} }}"
        );
        match Program::parse(&source) {
            Ok(program) => program.explain(Style::Source),
            Err(errors) => panic!("line {line}: {errors}"),
        }
    };
    let readings = readings();
    assert!(readings.len() > 10, "the tables were not found");
    for (line, written, read) in readings {
        let equal = explain(line, &written) == explain(line, &read);
        assert!(equal, "line {line}: `{written}` is not `{read}`");
    }
}

#[test]
fn reserved_words_are_reserved() {
    let list = blocks().into_iter().find(|b| b.text.starts_with("body scalar vector")).unwrap();
    for word in list.text.split_whitespace() {
        let errors = Program::parse(&format!("body a, {word}\naxis q = a.rotation")).unwrap_err();
        let kind = format!("{:?}", errors.diagnostics()[0].kind);
        assert_eq!(kind, "Reserved", "`{word}`: {errors}");
    }
}

#[test]
fn limits_are_as_stated() {
    for (name, value) in [
        ("MAX_SOURCE", limits::MAX_SOURCE),
        ("MAX_DEPTH", limits::MAX_DEPTH),
        ("MAX_BODIES", limits::MAX_BODIES),
        ("MAX_PARAMETERS", limits::MAX_PARAMETERS),
        ("MAX_ROWS", limits::MAX_ROWS),
        ("MAX_NODES", limits::MAX_NODES),
        ("MAX_TAPE", limits::MAX_TAPE),
        ("MAX_DIAGNOSTICS", limits::MAX_DIAGNOSTICS),
    ] {
        let row = format!("| `{name}` | {value} |");
        assert!(PAGE.contains(&row), "the page does not say `{row}`");
    }
}

#[test]
fn gallery_files_exist() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for (at, _) in PAGE.match_indices("gallery/") {
        let rest = &PAGE[at..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "_./".contains(c)));
        let name = &rest[..end.unwrap_or(rest.len())];
        assert!(name.ends_with(".kempe"), "`{name}` is not a file of the gallery");
        assert!(crate_folder.join(name).is_file(), "`{name}` does not exist");
        count += 1;
    }
    assert!(count > 0, "the page mentions no file of the gallery");
}

#[test]
fn links_within_the_page_lead_somewhere() {
    // The anchors of a heading, as code hosts and rustdoc make them.
    let anchor = |heading: &str| -> String {
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
    };
    let headings = PAGE.lines().filter(|line| line.starts_with('#'));
    let anchors: Vec<String> = headings.map(|line| anchor(line.trim_start_matches('#'))).collect();
    for (at, _) in PAGE.match_indices("](#") {
        let link = PAGE[at + 3..].split(')').next().unwrap_or_default();
        assert!(anchors.iter().any(|anchor| anchor == link), "nothing is called `#{link}`");
    }
}
