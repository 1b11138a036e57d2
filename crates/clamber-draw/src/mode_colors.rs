//! Body colors: one hue per mode.

use clamber_model::motion::{FLYING_MODE, TURNING_MODE};

use crate::vector_picture::Color;

/// The colors of one body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BodyColors {
    /// Limbs behind the trunk.
    pub far: Color,
    /// The trunk.
    pub middle: Color,
    /// Limbs in front of the trunk.
    pub near: Color,
    /// Outlines.
    pub outline: Color,
}

impl BodyColors {
    /// Colors of a flying body, and of unknown modes.
    const FLYING: Self = Self::new(0x2b4f7d, 0x4a82bd, 0x8cbfe9);

    const fn new(far: u32, middle: u32, near: u32) -> Self {
        let [far, middle, near, outline] =
            [Color::from_hex(far), Color::from_hex(middle), Color::from_hex(near), Color::from_hex(0x16283f)];
        Self { far, middle, near, outline }
    }

    /// Mixes in a share of another color, for bodies in the background.
    pub fn faded(self, into: Color, share: f32) -> Self {
        let Self { far, middle, near, outline } = self;
        let [far, middle, near, outline] = [far, middle, near, outline].map(|color| color.mix(into, share));
        Self { far, middle, near, outline }
    }
}

/// Colors of the common modes, easy to tell from each other, from rock and from the background.
const KNOWN: [(&str, BodyColors); 7] = [
    (FLYING_MODE, BodyColors::FLYING),
    ("walking", BodyColors::new(0x245c35, 0x4c9a4f, 0x93d28c)),
    ("climbing", BodyColors::new(0x97400f, 0xe07a26, 0xffb76b)),
    ("swinging", BodyColors::new(0x4c3180, 0x8b5fc7, 0xc1a0f0)),
    ("crawling", BodyColors::new(0x86285a, 0xcf4f8b, 0xf297bf)),
    (TURNING_MODE, BodyColors::new(0x49535f, 0x7d8894, 0xb6bfc9)),
    ("sliding", BodyColors::new(0x0f5d67, 0x1f9aa6, 0x76ced5)),
];

/// Colors of all other modes, in order of appearance.
const OTHERS: [BodyColors; 5] = [
    BodyColors::new(0x8a6a08, 0xd9b21c, 0xf3dc72),
    BodyColors::new(0x31378a, 0x5b62c9, 0xa0a5f2),
    BodyColors::new(0x5c7412, 0x9ab82f, 0xcfe27a),
    BodyColors::new(0x6e2219, 0xb4473a, 0xe68d80),
    BodyColors::new(0x2c7593, 0x5fb7d6, 0xaae0f2),
];

/// The colors of all modes of a motion.
pub(crate) struct ModeColors<'a> {
    /// In order of appearance.
    pub modes: Vec<(&'a str, BodyColors)>,
}

impl<'a> ModeColors<'a> {
    /// Assigns colors to these modes, given in order of appearance.
    pub fn new(modes: impl IntoIterator<Item = &'a str>) -> Self {
        let mut others = OTHERS.iter().cycle();
        let mut colors = |mode: &str| {
            let known = KNOWN.iter().find(|(name, _)| *name == mode).map(|(_, colors)| colors);
            known.or_else(|| others.next()).copied().unwrap_or(BodyColors::FLYING)
        };
        Self { modes: modes.into_iter().map(|mode| (mode, colors(mode))).collect() }
    }

    /// Returns the colors of a mode.
    pub fn of(&self, mode: &str) -> BodyColors {
        self.modes.iter().find(|(name, _)| *name == mode).map_or(BodyColors::FLYING, |(_, colors)| *colors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_has_its_own_colors() {
        let names = [
            "vaulting",
            "walking",
            FLYING_MODE,
            "climbing",
            "swinging",
            "crawling",
            TURNING_MODE,
            "sliding",
            "rolling",
        ];
        let mode_colors = ModeColors::new(names);
        for (index, (name, colors)) in mode_colors.modes.iter().enumerate() {
            assert_eq!(mode_colors.of(name), *colors);
            assert!(mode_colors.modes[..index].iter().all(|(_, other)| other.middle != colors.middle), "{name}");
        }
        // Walking looks the same in every motion.
        assert_eq!(mode_colors.of("walking"), ModeColors::new(["walking"]).of("walking"));
        // Other modes get colors in order of appearance.
        assert_eq!(mode_colors.of("rolling"), ModeColors::new(["a", "rolling"]).of("rolling"));
    }
}
