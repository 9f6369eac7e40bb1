//! Strings and numbers of both notations.

use super::notation::{Reader, Step};
use super::problem::Problem;
use std::borrow::Cow;

impl<'a> Reader<'a> {
    /// A string in quotes.
    pub(super) fn string(&mut self) -> Step<Cow<'a, str>> {
        let open = self.at;
        self.at += 1;
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let plain = bytes.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20));
        let Some(end) = plain else {
            return Err(Problem::at(open..open + 1, "the text does not end"));
        };
        if bytes[end] == b'"' {
            self.at += end + 1;
            return Ok(Cow::Borrowed(&rest[..end]));
        }
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let Some(end) =
                rest.as_bytes().iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20))
            else {
                return Err(Problem::at(open..open + 1, "the text does not end"));
            };
            text += &rest[..end];
            self.at += end;
            match rest.as_bytes()[end] {
                b'"' => {
                    self.at += 1;
                    return Ok(Cow::Owned(text));
                }
                b'\\' => text.push(self.escape()?),
                // RON's strings may have several lines.
                control if self.ron => {
                    text.push(control as char);
                    self.at += 1;
                }
                _ => {
                    let message = "a text of JSON has no line breaks or other control characters";
                    return Err(Problem::at(self.at..self.at + 1, message));
                }
            }
        }
    }

    /// What stands behind a backslash.
    fn escape(&mut self) -> Step<char> {
        let start = self.at;
        self.at += 1;
        let letter = self.peek();
        self.at += usize::from(letter.is_some_and(|letter| letter.is_ascii()));
        let found = match letter {
            Some(b'"') => Some('"'),
            Some(b'\\') => Some('\\'),
            Some(b'/') => Some('/'),
            Some(b'b') => Some('\u{8}'),
            Some(b'f') => Some('\u{c}'),
            Some(b'n') => Some('\n'),
            Some(b'r') => Some('\r'),
            Some(b't') => Some('\t'),
            Some(b'\'') if self.ron => Some('\''),
            Some(b'0') if self.ron => Some('\0'),
            Some(b'x') if self.ron => self.hex(2).and_then(char::from_u32),
            Some(b'u') if self.ron && self.peek() == Some(b'{') => {
                let end = self.rest().find('}').filter(|end| (2..=7).contains(end));
                end.and_then(|end| {
                    let digits = &self.rest()[1..end];
                    self.at += end + 1;
                    u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)
                })
            }
            Some(b'u') => self.utf16(),
            _ => None,
        };
        found.ok_or_else(|| {
            let end = self.at.min(self.text.len());
            Problem::at(start..end, "there is no such escape")
        })
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        let text = self.rest().get(..digits)?;
        if !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.at += digits;
        u32::from_str_radix(text, 16).ok()
    }

    /// Four digits, or twice four for a character beyond 16 bits.
    fn utf16(&mut self) -> Option<char> {
        let first = self.hex(4)?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first);
        }
        if !self.rest().starts_with("\\u") {
            return None;
        }
        self.at += 2;
        let second = self.hex(4).filter(|second| (0xdc00..0xe000).contains(second))?;
        char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00))
    }

    /// Whether an `r` begins a raw string.
    pub(super) fn at_raw_string(&self) -> bool {
        self.rest()[1..].trim_start_matches('#').starts_with('"')
    }

    /// `r"…"` or `r#"…"#`.
    pub(super) fn raw_string(&mut self) -> Step<Cow<'a, str>> {
        let open = self.at;
        let rest = self.rest();
        let marks = rest[1..].bytes().take_while(|byte| *byte == b'#').count();
        let start = marks + 2;
        let close = format!("\"{}", "#".repeat(marks));
        let Some(length) = rest[start..].find(&close) else {
            return Err(Problem::at(open..open + start, "the text does not end"));
        };
        self.at += start + length + close.len();
        Ok(Cow::Borrowed(&rest[start..start + length]))
    }

    /// A number as the notation has it.
    pub(super) fn number(&mut self) -> Step<f64> {
        let start = self.at;
        let rest = self.rest();
        let part = |byte: &u8| !(byte.is_ascii_alphanumeric() || b"+-._".contains(byte));
        let end = rest.as_bytes().iter().position(part).unwrap_or(rest.len());
        let text = &rest[..end];
        self.at += end;
        let value = if self.ron { ron_number(text) } else { json_number(text) };
        match value {
            Some(value) if value.is_finite() || text.ends_with("inf") => Ok(value),
            Some(_) => {
                Err(Problem::at(start..self.at, format!("`{text}` is too large for a number")))
            }
            None => {
                let problem = Problem::at(start..self.at, format!("`{text}` is not a number"));
                let expression = text.contains(['+', '-', '_', '.']) || text.len() > 1;
                let hint = expression.then(|| "an expression stands in quotes".to_owned());
                Err(problem.hint(hint))
            }
        }
    }
}

/// Whether it has the digits of a number: sign, whole part, fraction, exponent.
fn is_decimal(text: &str, strict: bool) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let exponent =
        exponent.is_none_or(|text| digits(text.strip_prefix(['+', '-']).unwrap_or(text)));
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let mantissa = if strict {
        let zero = whole.len() > 1 && whole.starts_with('0');
        digits(whole) && !zero && fraction.is_none_or(digits)
    } else {
        let empty = |text: &str| text.is_empty() || digits(text);
        empty(whole)
            && fraction.is_none_or(empty)
            && mantissa.len() > usize::from(fraction.is_some())
    };
    mantissa && exponent
}

fn json_number(text: &str) -> Option<f64> {
    if is_decimal(text, true) { text.parse().ok() } else { None }
}

fn ron_number(text: &str) -> Option<f64> {
    let text = text.strip_prefix('+').unwrap_or(text);
    if is_decimal(text, false) {
        return text.parse().ok();
    }
    let (sign, bare) = match text.strip_prefix('-') {
        Some(bare) => (-1.0, bare),
        None => (1.0, text),
    };
    if bare == "inf" {
        return Some(sign * f64::INFINITY);
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = bare.strip_prefix(prefix) {
            let digits = digits.replace('_', "");
            return u64::from_str_radix(&digits, radix).ok().map(|value| sign * value as f64);
        }
    }
    let joined = text.replace('_', "");
    let between = text.contains('_') && is_decimal(&joined, false);
    if between { joined.parse().ok() } else { None }
}
