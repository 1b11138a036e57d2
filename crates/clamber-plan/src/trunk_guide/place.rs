//! A place of the trunk, and what is known about it.

use super::cells::Cell;
use super::mode_shape::AXES;

/// A cell and a mode. The shape is an index into [`Places::shapes`](super::places::Places::shapes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PlaceId {
    pub cell: Cell,
    pub shape: usize,
}

/// What is known about a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub status: Status,
    /// Whether this search has asked for it.
    pub is_counted: bool,
    /// Whether the places around it were offered paths through it at its present cost-to-go.
    pub is_relaxed: bool,
    /// Whether a place around it was offered a path that begins with an unusually costly step to it.
    pub has_costly_step: bool,
    /// The number of the heading of a body that faces what carries it.
    pub facing: u8,
    /// How much slower the body is here when it faces along each axis; infinite where it does not fit.
    pub factors: [f32; AXES],
    /// The cost-to-go, in meters.
    pub cost: f32,
    /// The same without penalties.
    pub unpenalized: f32,
    next: Option<NextPlace>,
}

/// Where the path goes on from a place: how many cells away, and in which shape. Worlds have millions of places, so it is small.
#[derive(Clone, Copy, Debug, PartialEq)]
struct NextPlace {
    offset: [i8; 3],
    shape: u8,
}

/// Whether a trunk can be at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Unknown,
    Closed,
    Open,
}

impl Place {
    pub const UNKNOWN: Self = Self {
        status: Status::Unknown,
        is_counted: false,
        is_relaxed: false,
        has_costly_step: false,
        facing: 0,
        factors: [f32::INFINITY; AXES],
        cost: f32::INFINITY,
        unpenalized: f32::INFINITY,
        next: None,
    };

    /// How much slower the body is here when it faces as it fits best.
    pub fn least_factor(&self) -> f32 {
        self.factors.into_iter().fold(f32::INFINITY, f32::min)
    }

    /// The place as a search knows it: one that it has not asked for is unknown to it, although an earlier search has evaluated it.
    #[inline]
    pub fn as_known(self) -> Self {
        if self.is_counted { self } else { Self { status: Status::Unknown, ..self } }
    }

    /// The next place on the path to the goal, of the place with this identity.
    pub fn next(&self, id: PlaceId) -> Option<PlaceId> {
        let NextPlace { offset, shape } = self.next?;
        Some(PlaceId { cell: id.cell.offset(offset.map(i32::from)), shape: usize::from(shape) })
    }

    /// Gives the place with this identity a path through the next one, which is a few cells away.
    pub fn set_path(&mut self, cost: f32, id: PlaceId, next: PlaceId) {
        let offset = std::array::from_fn(|axis| (next.cell.0[axis] - id.cell.0[axis]) as i8);
        (self.cost, self.next) = (cost, Some(NextPlace { offset, shape: next.shape as u8 }));
        (self.is_relaxed, self.has_costly_step) = (false, false);
    }

    pub fn forget_path(&mut self) {
        (self.cost, self.next) = (f32::INFINITY, None);
        (self.is_relaxed, self.has_costly_step) = (false, false);
    }
}
