//! Color palettes, shared by all frames of an animation.

use std::collections::BTreeMap;

/// An opaque color.
pub(crate) type Rgb = [u8; 3];

/// Colors with their pixel counts: a box of the median cut algorithm.
type ColorBox = Vec<(Rgb, u32)>;

/// A limited set of colors, and a cache of the nearest one to any color.
pub(crate) struct Palette {
    pub colors: Vec<Rgb>,
    nearest: BTreeMap<Rgb, u8>,
}

impl Palette {
    /// Chooses representative colors by median cut (Heckbert, 1982): splits the box with the largest spread at its
    /// median until there are enough boxes.
    pub fn new(counts: &BTreeMap<Rgb, u32>, max_colors: usize) -> Self {
        let mut boxes: Vec<ColorBox> = vec![counts.iter().map(|(color, count)| (*color, *count)).collect()];
        while boxes.len() < max_colors {
            let widest = (0..boxes.len()).max_by_key(|&index| spread(&boxes[index]));
            let Some(widest) = widest.filter(|&index| boxes[index].len() > 1) else { break };
            let (low, high) = split(std::mem::take(&mut boxes[widest]));
            boxes[widest] = low;
            boxes.push(high);
        }
        let colors = boxes.iter().filter(|color_box| !color_box.is_empty()).map(|color_box| mean(color_box)).collect();
        Self { colors, nearest: BTreeMap::new() }
    }

    /// Returns the index of the nearest palette color.
    pub fn index_of(&mut self, color: Rgb) -> u8 {
        let Self { colors, nearest } = self;
        *nearest.entry(color).or_insert_with(|| {
            let distance = |other: &Rgb| -> i32 {
                (0..3)
                    .map(|k| i32::from(color[k]) - i32::from(other[k]))
                    .map(|difference| difference * difference)
                    .sum()
            };
            (0..colors.len()).min_by_key(|&index| distance(&colors[index])).unwrap_or(0) as u8
        })
    }

    /// Whether the palette color with this index is visually the same as the color.
    pub fn is_close(&self, number: u8, color: Rgb) -> bool {
        let own = self.colors.get(usize::from(number)).copied().unwrap_or_default();
        (0..3).all(|k| own[k].abs_diff(color[k]) <= 5)
    }
}

/// Returns the channel in which a box is widest, and its width there.
fn widest_channel(color_box: &[(Rgb, u32)]) -> (usize, u8) {
    let width = |k: usize| {
        let channel = || color_box.iter().map(|(color, _)| color[k]);
        channel().max().unwrap_or(0) - channel().min().unwrap_or(0)
    };
    (0..3).map(|k| (k, width(k))).max_by_key(|(_, width)| *width).unwrap_or((0, 0))
}

/// Priority for splitting a box: grows with its width, and slowly with its pixel count.
fn spread(color_box: &[(Rgb, u32)]) -> u64 {
    let (_, width) = widest_channel(color_box);
    let count: u64 = color_box.iter().map(|(_, count)| u64::from(*count)).sum();
    u64::from(width) * u64::from(width) * (1 + count.isqrt())
}

fn split(mut color_box: ColorBox) -> (ColorBox, ColorBox) {
    let (channel, _) = widest_channel(&color_box);
    color_box.sort_by_key(|(color, _)| (color[channel], *color));
    let total: u64 = color_box.iter().map(|(_, count)| u64::from(*count)).sum();
    let mut before = 0;
    let middle = color_box.iter().position(|(_, count)| {
        before += u64::from(*count);
        2 * before >= total
    });
    // Neither half may be empty.
    let high = color_box.split_off((middle.unwrap_or(0) + 1).clamp(1, color_box.len() - 1));
    (color_box, high)
}

fn mean(color_box: &[(Rgb, u32)]) -> Rgb {
    let total: u64 = color_box.iter().map(|(_, count)| u64::from(*count)).sum();
    std::array::from_fn(|k| {
        let sum: u64 = color_box.iter().map(|(color, count)| u64::from(color[k]) * u64::from(*count)).sum();
        ((sum + total / 2) / total.max(1)) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colors_are_kept_exactly_and_many_are_approximated() {
        let counts: BTreeMap<Rgb, u32> = [([0, 0, 0], 900), ([255, 0, 0], 3), ([250, 250, 9], 1)].into();
        let mut palette = Palette::new(&counts, 255);
        assert_eq!(palette.colors.len(), 3);
        for color in counts.keys() {
            let index = palette.index_of(*color);
            assert_eq!(palette.colors[usize::from(index)], *color);
        }
        let many: BTreeMap<Rgb, u32> = (0..=255u8).map(|x| ([x, 255 - x, x / 2], 1)).collect();
        let mut palette = Palette::new(&many, 32);
        assert_eq!(palette.colors.len(), 32);
        for color in many.keys() {
            let index = usize::from(palette.index_of(*color));
            let near = palette.colors[index];
            assert!((0..3).all(|k| color[k].abs_diff(near[k]) < 12), "{color:?} {near:?}");
        }
    }

    #[test]
    fn an_empty_palette_does_not_panic() {
        assert_eq!(Palette::new(&BTreeMap::new(), 255).index_of([1, 2, 3]), 0);
    }
}
