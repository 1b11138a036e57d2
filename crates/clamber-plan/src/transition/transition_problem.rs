//! The problem that a transition solves: from one posture to another on given contacts.

use clamber_model::math::Vec3;
use clamber_model::{Configuration, Contact};
use clamber_posture::solver::CenterRegion;

use crate::local_planner::LocalPlanner;

/// How hard to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Thoroughness {
    /// Only what mostly works.
    Quick,
    /// Everything.
    Thorough,
}

/// A change of posture.
#[derive(Clone, Copy)]
pub(crate) struct PostureChange<'a> {
    pub from: &'a Configuration,
    pub to: &'a Configuration,
    /// The contacts that last.
    pub held: &'a [Contact],
    /// The contacts that are made at its end; their effectors swing there.
    pub adds: &'a [Contact],
    /// How far the center of mass may be outside of where the contacts that last carry the body, in meters; `None` for anywhere.
    pub center_allowance: Option<f32>,
    /// How far the body is half-way from the straight path, where it has room, in meters: on one leg it stands higher than with both apart.
    pub bulge: Vec3,
    /// The same where a limb has no room beside that path: on a wall, the body leans away from it.
    pub lean: Vec3,
    /// Whether limbs without contact may end elsewhere.
    pub is_loose: bool,
}

impl PostureChange<'_> {
    /// The same for a body that leans to make room; `None` if that is of no use.
    pub fn leaning(self) -> Option<Self> {
        (self.lean != Vec3::ZERO).then_some(Self { bulge: self.lean, ..self })
    }

    /// The same on the straight path, and whatever is in the way.
    pub fn straight(self) -> Self {
        Self { bulge: Vec3::ZERO, lean: Vec3::ZERO, ..self }
    }

    /// The region that the center of mass should stay in, if any.
    pub fn region_to_aim_for(&self, local: &mut LocalPlanner) -> Option<CenterRegion> {
        local.region_to_aim_for(self.from, self.held, self.center_allowance?)
    }
}
