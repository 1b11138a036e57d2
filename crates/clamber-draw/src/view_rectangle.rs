//! A rectangle in view coordinates.

/// A rectangle in meters along the view's right and up axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    pub low: [f32; 2],
    pub high: [f32; 2],
}

impl Extent {
    /// Contains no point.
    pub const EMPTY: Self = Self { low: [f32::INFINITY; 2], high: [f32::NEG_INFINITY; 2] };

    /// Grows to contain the disc of this radius around a point in view coordinates.
    pub fn add_disc(&mut self, [right, up, _]: [f32; 3], radius: f32) {
        self.low = [self.low[0].min(right - radius), self.low[1].min(up - radius)];
        self.high = [self.high[0].max(right + radius), self.high[1].max(up + radius)];
    }

    /// Returns the smallest rectangle that contains both.
    pub fn union(self, other: Self) -> Self {
        Self {
            low: std::array::from_fn(|k| self.low[k].min(other.low[k])),
            high: std::array::from_fn(|k| self.high[k].max(other.high[k])),
        }
    }

    /// Returns the rectangle with a margin on every side.
    pub fn expanded(self, margin: f32) -> Self {
        Self { low: self.low.map(|x| x - margin), high: self.high.map(|x| x + margin) }
    }

    /// Returns the width and the height.
    pub fn size(&self) -> [f32; 2] {
        std::array::from_fn(|k| self.high[k] - self.low[k])
    }
}
