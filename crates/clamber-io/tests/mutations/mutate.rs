//! Mutations of files: on bytes, and on the words, numbers and lines of text.

#![allow(clippy::ptr_arg, reason = "all mutations have one type, also those that need no more than a slice")]

use std::ops::Range;

use clamber_model::rng::Stream;

use crate::seeds::{Kind, pack_glb, unpack_glb};

type Mutation = fn(&mut Stream, &mut Vec<u8>);

const BLIND: [Mutation; 9] = [
    flip_bits,
    change_byte,
    insert_bytes,
    insert_not_utf8,
    delete_block,
    truncate,
    duplicate_block,
    move_block,
    overwrite_with_block,
];

/// These often produce files that are accepted with unusual numbers.
const GENTLE: [Mutation; 7] =
    [replace_number, replace_number, change_number, change_number, swap_numbers, swap_numbers, repeat_line];

const KNOWING: [Mutation; 12] = [
    replace_number,
    change_number,
    swap_numbers,
    misspell_word,
    replace_word,
    replace_text,
    swap_lines,
    drop_line,
    repeat_line,
    nest_deeply,
    grow_list,
    grow_line,
];

/// A few changes to a file.
pub fn mutant(stream: &mut Stream, kind: Kind, original: &[u8]) -> Vec<u8> {
    // Most changes to binary glTF break its chunk lengths; half of its mutants get corrected lengths.
    if kind == Kind::Mesh && original.starts_with(b"glTF") && stream.below(2) == 0 {
        let (json, binary) = unpack_glb(original);
        let (mut json, mut binary) = (json.to_vec(), binary.to_vec());
        if stream.below(3) == 0 {
            change(stream, &mut binary)
        } else {
            change(stream, &mut json)
        }
        return pack_glb(&json, &binary);
    }
    let mut bytes = original.to_vec();
    change(stream, &mut bytes);
    bytes
}

fn change(stream: &mut Stream, bytes: &mut Vec<u8>) {
    let (mutations, times): (&[Mutation], usize) = match stream.below(5) {
        0 | 1 => (&GENTLE, 1 + stream.below(2)),
        2 => (&BLIND, 1),
        3 => (&KNOWING, 1),
        _ => (&[BLIND.as_slice(), &KNOWING].concat(), 2 + stream.below(4)),
    };
    for _ in 0..times {
        mutations[stream.below(mutations.len())](stream, bytes);
    }
}

/// A random position between two bytes.
fn place(stream: &mut Stream, bytes: &[u8]) -> usize {
    stream.below(bytes.len() + 1)
}

/// A random block, usually short.
fn block(stream: &mut Stream, bytes: &[u8]) -> Range<usize> {
    let start = place(stream, bytes);
    let longest = if stream.below(4) == 0 { 1000 } else { 20 };
    start..bytes.len().min(start + 1 + stream.below(longest))
}

fn byte(stream: &mut Stream) -> u8 {
    stream.below(256) as u8
}

fn pick<T: Clone>(stream: &mut Stream, list: &[T]) -> Option<T> {
    if list.is_empty() { None } else { Some(list[stream.below(list.len())].clone()) }
}

fn flip_bits(stream: &mut Stream, bytes: &mut Vec<u8>) {
    for _ in 0..1 + stream.below(4) {
        if !bytes.is_empty() {
            let at = stream.below(bytes.len());
            bytes[at] ^= 1 << stream.below(8);
        }
    }
}

fn change_byte(stream: &mut Stream, bytes: &mut Vec<u8>) {
    if !bytes.is_empty() {
        let at = stream.below(bytes.len());
        bytes[at] = byte(stream);
    }
}

fn insert_bytes(stream: &mut Stream, bytes: &mut Vec<u8>) {
    let at = place(stream, bytes);
    let new: Vec<u8> = (0..1 + stream.below(8)).map(|_| byte(stream)).collect();
    bytes.splice(at..at, new);
}

fn insert_not_utf8(stream: &mut Stream, bytes: &mut Vec<u8>) {
    let at = place(stream, bytes);
    bytes.splice(at..at, [0xff, 0xc3, 0x28, 0x80]);
}

fn delete_block(stream: &mut Stream, bytes: &mut Vec<u8>) {
    let block = block(stream, bytes);
    bytes.drain(block);
}

fn truncate(stream: &mut Stream, bytes: &mut Vec<u8>) {
    bytes.truncate(place(stream, bytes));
}

fn duplicate_block(stream: &mut Stream, bytes: &mut Vec<u8>) {
    let block = block(stream, bytes);
    let copy = bytes[block.clone()].to_vec();
    let times = if stream.below(10) == 0 { 100 } else { 1 };
    bytes.splice(block.end..block.end, copy.repeat(times));
}

fn move_block(stream: &mut Stream, bytes: &mut Vec<u8>) {
    let block = block(stream, bytes);
    let moved: Vec<u8> = bytes.drain(block).collect();
    let at = place(stream, bytes);
    bytes.splice(at..at, moved);
}

fn overwrite_with_block(stream: &mut Stream, bytes: &mut Vec<u8>) {
    let (from, to) = (block(stream, bytes), block(stream, bytes));
    let copy = bytes[from].to_vec();
    bytes.splice(to, copy);
}

/// Returns the runs of bytes that satisfy a predicate.
fn runs(bytes: &[u8], holds: impl Fn(u8) -> bool) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut start = None;
    for at in 0..=bytes.len() {
        match (start, at < bytes.len() && holds(bytes[at])) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                runs.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    runs
}

fn words(bytes: &[u8]) -> Vec<Range<usize>> {
    runs(bytes, |byte| byte.is_ascii_alphabetic() || byte == b'_')
}

fn numbers(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut numbers = runs(bytes, |byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+'));
    numbers.retain(|number| bytes[number.clone()].iter().any(u8::is_ascii_digit));
    numbers
}

/// Returns the ranges between quotes.
fn texts(bytes: &[u8]) -> Vec<Range<usize>> {
    let quotes: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'"').collect();
    quotes.chunks_exact(2).map(|pair| pair[0] + 1..pair[1]).collect()
}

/// Returns the lines with their line endings.
fn lines(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        lines.push(start..start + line.len());
        start += line.len();
    }
    lines
}

fn replace(stream: &mut Stream, bytes: &mut Vec<u8>, places: &[Range<usize>], new: &[u8]) {
    if let Some(place) = pick(stream, places) {
        bytes.splice(place, new.iter().copied());
    }
}

fn replace_number(stream: &mut Stream, bytes: &mut Vec<u8>) {
    const NUMBERS: [&str; 25] = [
        "nan",
        "inf",
        "-inf",
        "-1",
        "-1.0",
        "0",
        "0.0",
        "-0.0",
        "1",
        "2",
        "3.5",
        "1e30",
        "-1e30",
        "1e-30",
        "1e-7",
        "1e400",
        "99999",
        "-99999.5",
        "100000",
        "65536",
        "4294967295",
        "99999999999999999999",
        "\"\"",
        "[]",
        "true",
    ];
    let new = NUMBERS[stream.below(NUMBERS.len())];
    replace(stream, bytes, &numbers(bytes), new.as_bytes());
}

/// Changes a number slightly: such mutants are usually accepted and used.
fn change_number(stream: &mut Stream, bytes: &mut Vec<u8>) {
    let new = match stream.below(3) {
        0 => format!("{:.2}", stream.between(-10.0, 10.0)),
        1 => format!("{:.5}", stream.between(0.0, 0.01)),
        _ => format!("{:.1}", stream.between(-2000.0, 2000.0)),
    };
    replace(stream, bytes, &numbers(bytes), new.as_bytes());
}

fn swap_numbers(stream: &mut Stream, bytes: &mut Vec<u8>) {
    swap(stream, bytes, &numbers(bytes));
}

fn swap(stream: &mut Stream, bytes: &mut Vec<u8>, places: &[Range<usize>]) {
    let (Some(a), Some(b)) = (pick(stream, places), pick(stream, places)) else { return };
    let (first, second) = if a.start <= b.start { (a, b) } else { (b, a) };
    if first != second {
        let (one, other) = (bytes[first.clone()].to_vec(), bytes[second.clone()].to_vec());
        bytes.splice(second, one);
        bytes.splice(first, other);
    }
}

fn misspell_word(stream: &mut Stream, bytes: &mut Vec<u8>) {
    let Some(word) = pick(stream, &words(bytes)) else { return };
    let at = word.start + stream.below(word.len());
    let letter = b'a' + stream.below(26) as u8;
    match stream.below(3) {
        0 => bytes[at] = letter,
        1 => bytes.insert(at, letter),
        _ => drop(bytes.remove(at)),
    }
}

fn replace_word(stream: &mut Stream, bytes: &mut Vec<u8>) {
    let words = words(bytes);
    let Some(new) = pick(stream, &words) else { return };
    let new = bytes[new].to_vec();
    replace(stream, bytes, &words, &new);
}

fn replace_text(stream: &mut Stream, bytes: &mut Vec<u8>) {
    let texts = texts(bytes);
    let new = match (stream.below(4), pick(stream, &texts)) {
        (0, _) | (_, None) => Vec::new(),
        (1, _) => "\u{1f9d7} caf\u{e9}\\n".into(),
        (2, _) => vec![b'x'; 5000],
        (_, Some(other)) => bytes[other].to_vec(),
    };
    replace(stream, bytes, &texts, &new);
}

fn swap_lines(stream: &mut Stream, bytes: &mut Vec<u8>) {
    swap(stream, bytes, &lines(bytes));
}

fn drop_line(stream: &mut Stream, bytes: &mut Vec<u8>) {
    replace(stream, bytes, &lines(bytes), b"");
}

fn repeat_line(stream: &mut Stream, bytes: &mut Vec<u8>) {
    let Some(line) = pick(stream, &lines(bytes)) else { return };
    let copy = bytes[line.clone()].to_vec();
    let times = if stream.below(5) == 0 { 200 } else { 1 };
    bytes.splice(line.end..line.end, copy.repeat(times));
}

fn nest_deeply(stream: &mut Stream, bytes: &mut Vec<u8>) {
    const BEGINNINGS: [&str; 4] = ["[", "{ a = ", "{\"a\":", "a."];
    let beginning = BEGINNINGS[stream.below(BEGINNINGS.len())].repeat(50 + stream.below(2000));
    let places = if stream.below(2) == 0 { numbers(bytes) } else { words(bytes) };
    replace(stream, bytes, &places, beginning.as_bytes());
}

/// Replaces a list of numbers, or one of its numbers, with a long list.
fn grow_list(stream: &mut Stream, bytes: &mut Vec<u8>) {
    let count = [10, 1100, 20_000][stream.below(3)];
    let new = ["1, ", "[0, 1], ", "0.5 "][stream.below(3)].repeat(count);
    replace(stream, bytes, &numbers(bytes), new.trim_end_matches([',', ' ']).as_bytes());
}

fn grow_line(stream: &mut Stream, bytes: &mut Vec<u8>) {
    let at = place(stream, bytes);
    let letter = b" #ax1\t"[stream.below(6)];
    bytes.splice(at..at, vec![letter; 1000 + stream.below(50_000)]);
}
