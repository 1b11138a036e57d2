//! Motions: what a plan returns.

use crate::configuration::Configuration;

/// Timed configurations of one character, and the mode of each span.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// The name of the character that moves.
    pub character: String,
    /// In the order of time; between two frames the configuration is interpolated.
    pub frames: Vec<Frame>,
    /// Spans of frames, one after the other, that cover the motion.
    pub spans: Vec<Span>,
}

/// One moment of a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// In seconds from the beginning.
    pub time: f32,
    /// Where the character is and how it is bent.
    pub configuration: Configuration,
}

/// Consecutive frames in one mode of moving.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first frame.
    pub first: usize,
    /// The last frame; the next span begins with it.
    pub last: usize,
    /// The way of moving, for example `flying`.
    pub mode: String,
}

impl Motion {
    /// A motion in one mode with evenly timed frames.
    pub fn evenly_timed(
        character: &str,
        mode: &str,
        configurations: Vec<Configuration>,
        frames_per_second: f32,
    ) -> Self {
        let last = configurations.len().saturating_sub(1);
        let frames = configurations
            .into_iter()
            .enumerate()
            .map(|(index, configuration)| Frame { time: index as f32 / frames_per_second, configuration })
            .collect();
        let spans = vec![Span { first: 0, last, mode: mode.to_owned() }];
        Self { character: character.to_owned(), frames, spans }
    }

    /// In seconds.
    pub fn duration(&self) -> f32 {
        self.frames.last().map_or(0.0, |frame| frame.time)
    }
}
