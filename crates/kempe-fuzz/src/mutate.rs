//! Programs with mistakes, and bytes that were never a program.
//!
//! Most mutations keep to the tokens of the program at hand, or replace a token by one of the same
//! sort, so that a good part of the results is still well-typed, in ways that no generator thinks
//! of; the others reach the parser's errors.

mod extreme;
mod token;

use crate::generate::program;
use crate::random::Random;
use extreme::{extreme, nested};
use kempe_equation::gallery::GALLERY;
use token::{Class, Token, VOCABULARY, number, random_token, split};

/// A mutation of `source`: one to four changes of its tokens or bytes.
pub fn mutated(seed: u64, source: &str) -> String {
    let mut random = Random::new(seed);
    // Rarely: such inputs are large, and take as long as a hundred others.
    if random.below(120) == 0 {
        return extreme(&mut random);
    }
    let mut tokens = split(source);
    let changes = random.pick(&[1, 1, 1, 2, 2, 3, 4]);
    for _ in 0..changes {
        change(&mut random, &mut tokens);
    }
    let text: String = tokens.into_iter().map(|token| token.text).collect();
    if random.chance(10) { bytes_changed(&mut random, &text) } else { text }
}

fn change(random: &mut Random, tokens: &mut Vec<Token>) {
    let at = random.below(tokens.len());
    let place = |tokens: &Vec<Token>, at: usize| at.min(tokens.len());
    match random.below(24) {
        _ if tokens.is_empty() => tokens.push(new(random_token(random))),
        0..=1 => {
            tokens.remove(at);
        }
        2 => {
            let end = place(tokens, at + random.between(1, 12));
            tokens.drain(at..end);
        }
        3 => {
            let copy = tokens[at].clone();
            tokens.insert(at, copy);
        }
        4 => {
            let end = place(tokens, at + random.between(1, 30));
            let copy: Vec<Token> = tokens[at..end].to_vec();
            let to = random.below(tokens.len() + 1);
            tokens.splice(to..to, copy);
        }
        5 => {
            let other = random.below(tokens.len());
            tokens.swap(at, other);
        }
        // One of the same sort in the same program.
        6..=12 => exchange(random, tokens),
        13..=14 => {
            let token = new(random_token(random));
            tokens.insert(at, token);
        }
        15..=16 => tokens[at] = new(random_token(random)),
        17..=18 => numbers_changed(random, tokens),
        19..=20 => splice(random, tokens, at),
        21 => wrap(random, tokens, at),
        22 => {
            let nest = if random.chance(5) { nested(random) } else { "(-|1|)".to_owned() };
            tokens.insert(at, new(nest));
        }
        _ => {
            let end = place(tokens, at + random.between(1, 6));
            tokens[at..end].reverse();
        }
    }
}

fn new(text: String) -> Token {
    Token { class: Class::Mark, text }
}

/// Replaces a token by another of the program that is like it.
fn exchange(random: &mut Random, tokens: &mut [Token]) {
    let class = random.pick(&[Class::Word, Class::Word, Class::Word, Class::Number, Class::Mark]);
    let alike: Vec<usize> = (0..tokens.len()).filter(|at| tokens[*at].class == class).collect();
    if alike.is_empty() {
        return;
    }
    let at = random.pick(&alike);
    tokens[at].text = match class {
        Class::Mark if random.chance(60) => random.pick(&["+", "-", "*", "/", "^"]).to_owned(),
        Class::Word if random.chance(30) => random.pick(&VOCABULARY).to_owned(),
        _ => tokens[random.pick(&alike)].text.clone(),
    };
}

fn numbers_changed(random: &mut Random, tokens: &mut [Token]) {
    let all = random.chance(20);
    let count = tokens.iter().filter(|token| token.class == Class::Number).count();
    let chosen = random.below(count);
    let numbers = tokens.iter_mut().filter(|token| token.class == Class::Number);
    for (index, token) in numbers.enumerate() {
        if all || index == chosen {
            token.text = number(random);
        }
    }
}

/// Puts a part of another program here.
fn splice(random: &mut Random, tokens: &mut Vec<Token>, at: usize) {
    let other = match random.below(2) {
        0 => random.pick(GALLERY).source.to_owned(),
        _ => program(random.bits()),
    };
    let other = split(&other);
    let from = random.below(other.len());
    let to = (from + random.between(1, 40)).min(other.len());
    let end = if random.chance(50) { at } else { (at + random.below(20)).min(tokens.len()) };
    tokens.splice(at..end, other[from..to].iter().cloned());
}

/// Puts a word in front of a token, or brackets around it.
fn wrap(random: &mut Random, tokens: &mut [Token], at: usize) {
    let text = &tokens[at].text;
    let (open, close) = random.pick(&[
        ("(", ")"),
        ("|", "|"),
        ("unit ", ""),
        ("perp ", ""),
        ("-", ""),
        (" -", ""),
        ("sin(", ")"),
        ("sqrt(", ")"),
        ("ln(", ")"),
        ("asin(", ")"),
        ("{", "}"),
        ("[", " 0]"),
        ("relative 1 ", ""),
        ("abs(", ")"),
        ("", "^2"),
        ("", "^-3"),
        ("", "^0.5"),
        ("", "/0"),
        ("0*", ""),
    ]);
    tokens[at].text = format!("{open}{text}{close}");
}

fn bytes_changed(random: &mut Random, text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..random.between(1, 4) {
        let at = random.below(bytes.len());
        let byte = random.bits() as u8;
        match random.below(4) {
            _ if bytes.is_empty() => bytes.push(byte),
            0 => bytes[at] = byte,
            1 => bytes[at] ^= 1 << (byte % 8),
            2 => bytes.insert(at, byte),
            _ => {
                bytes.remove(at);
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Bytes, mostly from the alphabet of the language and often its words.
pub fn arbitrary(seed: u64) -> Vec<u8> {
    const ALPHABET: &[u8] = b"abxy_ 0123456789.eE+-*/^()[]{}|,;=#\n >";
    let mut random = Random::new(seed);
    let length = random.pick(&[4, 16, 16, 40, 40, 80, 200]);
    let (words, wild) = (random.pick(&[0, 20, 60, 90]), random.pick(&[0, 0, 0, 2, 30]));
    let mut bytes = Vec::with_capacity(length + 8);
    // Something to refer to, at times, so that more than the parser is reached.
    if random.chance(50) {
        bytes.extend_from_slice(b"body a, b scalar x vector y constraint ");
    }
    let length = bytes.len() + random.below(length);
    while bytes.len() < length {
        if random.chance(words) {
            bytes.extend_from_slice(random_token(&mut random).as_bytes());
            if random.chance(60) {
                bytes.push(b' ');
            }
        } else if random.chance(wild) {
            bytes.push(random.bits() as u8);
        } else {
            bytes.push(random.pick(ALPHABET));
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutations_differ_and_are_repeatable() {
        let source = GALLERY[0].source;
        let all: Vec<String> = (0..200).map(|seed| mutated(seed, source)).collect();
        assert_eq!(all[7], mutated(7, source));
        assert!(all.iter().filter(|text| *text != source).count() > 150);
        assert_eq!(arbitrary(5), arbitrary(5));
        assert_ne!(arbitrary(5), arbitrary(6));
    }

    #[test]
    fn nothing_is_too_short_to_mutate() {
        for seed in 0..2000 {
            mutated(seed, "");
            mutated(seed, "1");
            arbitrary(seed);
        }
    }

    #[test]
    fn some_mutations_are_still_programs() {
        let parses =
            |seed| kempe_equation::Program::parse(&mutated(seed, GALLERY[2].source)).is_ok();
        let count = (0..500).filter(|seed| parses(*seed)).count();
        assert!((25..475).contains(&count), "{count} of 500");
    }

    #[test]
    fn a_split_text_is_the_text() {
        for seed in 0..50 {
            let text = program(seed);
            let joined: String = split(&text).into_iter().map(|token| token.text).collect();
            assert_eq!(joined, text);
        }
    }
}
