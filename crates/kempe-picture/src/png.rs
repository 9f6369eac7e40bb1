//! Pixels as PNG: with a palette where there are few colours, as there mostly are.

use crate::raster::Pixels;
use miniz_oxide::deflate::compress_to_vec_zlib;
use std::collections::HashMap;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// How hard it is tried to make it small, 0 to 10.
const LEVEL: u8 = 8;

pub(crate) fn encode(pixels: &Pixels) -> Vec<u8> {
    let mut file = SIGNATURE.to_vec();
    let mut head = Vec::with_capacity(13);
    head.extend(pixels.width.to_be_bytes());
    head.extend(pixels.height.to_be_bytes());
    let row = pixels.width as usize;
    let mut rows = Vec::new();
    if let Some((palette, indices)) = indexed(pixels) {
        // Eight bits, with a palette.
        head.extend([8, 3, 0, 0, 0]);
        chunk(b"IHDR", &head, &mut file);
        chunk(b"PLTE", palette.as_flattened(), &mut file);
        for line in indices.chunks(row) {
            rows.push(0);
            rows.extend(line);
        }
    } else {
        // Eight bits each of red, green and blue.
        head.extend([8, 2, 0, 0, 0]);
        chunk(b"IHDR", &head, &mut file);
        for line in pixels.colors.chunks(row) {
            rows.push(0);
            rows.extend(line.as_flattened());
        }
    }
    chunk(b"IDAT", &compress_to_vec_zlib(&rows, LEVEL), &mut file);
    chunk(b"IEND", &[], &mut file);
    file
}

/// The colours and which each pixel has, if there are at most 256.
fn indexed(pixels: &Pixels) -> Option<(Vec<[u8; 3]>, Vec<u8>)> {
    let mut palette = Vec::new();
    let mut known = HashMap::new();
    let mut indices = Vec::with_capacity(pixels.colors.len());
    for color in &pixels.colors {
        let index = *known.entry(*color).or_insert_with(|| {
            palette.push(*color);
            palette.len() - 1
        });
        indices.push(u8::try_from(index).ok()?);
    }
    Some((palette, indices))
}

fn chunk(name: &[u8; 4], data: &[u8], file: &mut Vec<u8>) {
    file.extend((data.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend(name);
    file.extend(data);
    let check = crc(&file[start..]);
    file.extend(check.to_be_bytes());
}

/// The remainder by the polynomial of PNG.
pub(crate) fn crc(data: &[u8]) -> u32 {
    let table: [u32; 256] = std::array::from_fn(|i| {
        (0..8).fold(i as u32, |rest, _| (rest >> 1) ^ (0xedb8_8320 * (rest & 1)))
    });
    let step =
        |rest: u32, byte: &u8| (rest >> 8) ^ table[((rest ^ u32::from(*byte)) & 255) as usize];
    !data.iter().fold(u32::MAX, step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::inflate::decompress_to_vec_zlib;

    /// Name and content of each chunk.
    fn chunks(mut file: &[u8]) -> Vec<([u8; 4], Vec<u8>)> {
        file = file.strip_prefix(SIGNATURE).unwrap();
        let mut result = Vec::new();
        while !file.is_empty() {
            let size = u32::from_be_bytes(file[..4].try_into().unwrap()) as usize;
            let check = u32::from_be_bytes(file[8 + size..12 + size].try_into().unwrap());
            assert_eq!(crc(&file[4..8 + size]), check);
            result.push((file[4..8].try_into().unwrap(), file[8..8 + size].to_vec()));
            file = &file[12 + size..];
        }
        result
    }

    #[test]
    fn the_remainder_is_that_of_the_standard() {
        // Of an end of a file, as the standard writes it.
        assert_eq!(crc(b"IEND"), 0xae42_6082);
        assert_eq!(crc(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn few_colors_are_a_palette() {
        let colors = vec![[1, 2, 3], [4, 5, 6], [4, 5, 6], [1, 2, 3], [1, 2, 3], [9, 9, 9]];
        let chunks = chunks(&encode(&Pixels { width: 3, height: 2, colors }));
        let [head, palette, data, end] = chunks.as_slice() else { panic!("{chunks:?}") };
        assert_eq!(head, &(*b"IHDR", vec![0, 0, 0, 3, 0, 0, 0, 2, 8, 3, 0, 0, 0]));
        assert_eq!(palette, &(*b"PLTE", vec![1, 2, 3, 4, 5, 6, 9, 9, 9]));
        assert_eq!(decompress_to_vec_zlib(&data.1).unwrap(), [0, 0, 1, 1, 0, 0, 0, 2]);
        assert_eq!(end, &(*b"IEND", vec![]));
    }

    #[test]
    fn many_colors_are_written_out() {
        let colors: Vec<[u8; 3]> =
            (0..300).map(|i| [(i % 256) as u8, (i / 256) as u8, 7]).collect();
        let chunks = chunks(&encode(&Pixels { width: 300, height: 1, colors: colors.clone() }));
        assert_eq!(chunks.len(), 3);
        assert_eq!(chunks[0].1[8..], [8, 2, 0, 0, 0]);
        let data = decompress_to_vec_zlib(&chunks[1].1).unwrap();
        assert_eq!(data[0], 0);
        assert_eq!(&data[1..], colors.as_flattened());
    }
}
