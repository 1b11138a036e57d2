//! What to ask [`stand`](super::stand()) for.

use std::fmt;

use clamber_model::Configuration;
use clamber_model::id::{EffectorId, HoldId};
use clamber_model::math::Vec3;

/// An effector or a hold, by id or by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdOrName<Id> {
    /// The id.
    Id(Id),
    /// The name.
    Name(String),
}

impl From<EffectorId> for IdOrName<EffectorId> {
    fn from(id: EffectorId) -> Self {
        Self::Id(id)
    }
}

impl From<HoldId> for IdOrName<HoldId> {
    fn from(id: HoldId) -> Self {
        Self::Id(id)
    }
}

impl<Id> From<&str> for IdOrName<Id> {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl<Id> From<String> for IdOrName<Id> {
    fn from(name: String) -> Self {
        Self::Name(name)
    }
}

impl<Id: Copy + Into<usize>> fmt::Display for IdOrName<Id> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Id(id) => write!(f, "{}", (*id).into()),
            Self::Name(name) => f.write_str(name),
        }
    }
}

/// An effector to put on a hold.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactRequest {
    /// The effector.
    pub effector: IdOrName<EffectorId>,
    /// The hold.
    pub hold: IdOrName<HoldId>,
    /// The point to touch, in the world; the nearest point of the hold is used. By default, the point of the hold nearest to
    /// the effector in the rest posture.
    pub point: Option<Vec3>,
}

/// The contacts of a posture, and optional hints.
///
/// ```
/// use clamber_posture::StandRequest;
/// let request = StandRequest::new().contact("left_foot", "step").contact("right_hand", "rail").mode("climbing");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct StandRequest {
    /// The contacts; at least one, and at most one per effector.
    pub contacts: Vec<ContactRequest>,
    /// The name of the mode whose heuristics and balance apply. Default: the first mode that allows the contacts.
    pub mode_name: Option<String>,
    /// Where the root roughly is, in the world. Default: derived from the contacts.
    pub root_position: Option<Vec3>,
    /// The direction the character faces; only its horizontal part counts. Default: toward the holds where at
    /// least half of the contacts are steep, otherwise the direction with the most comfortable posture.
    pub heading: Option<Vec3>,
    /// The point to look at, in the world. Default: none, the head is level and looks ahead. For characters with a gaze.
    pub gaze: Option<Vec3>,
    /// A configuration to resemble. Default: none, the posture is the most comfortable one. Replaces `root_position`,
    /// `heading` and `gaze`.
    pub reference: Option<Configuration>,
    /// Whether the contacts must carry the body in static equilibrium. Default: no, only the mode's balance applies.
    pub equilibrium: bool,
}

impl StandRequest {
    /// A request without contacts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a contact of an effector on a hold, each by name or id.
    pub fn contact(mut self, effector: impl Into<IdOrName<EffectorId>>, hold: impl Into<IdOrName<HoldId>>) -> Self {
        self.contacts.push(ContactRequest { effector: effector.into(), hold: hold.into(), point: None });
        self
    }

    /// Adds a contact of an effector at a point of a hold.
    pub fn contact_at(
        mut self,
        effector: impl Into<IdOrName<EffectorId>>,
        hold: impl Into<IdOrName<HoldId>>,
        point: Vec3,
    ) -> Self {
        self.contacts.push(ContactRequest { effector: effector.into(), hold: hold.into(), point: Some(point) });
        self
    }

    /// Sets the mode.
    pub fn mode(self, name: impl Into<String>) -> Self {
        Self { mode_name: Some(name.into()), ..self }
    }

    /// Sets the approximate position of the root.
    pub fn root_position(self, position: Vec3) -> Self {
        Self { root_position: Some(position), ..self }
    }

    /// Sets the direction the character faces.
    pub fn heading(self, direction: Vec3) -> Self {
        Self { heading: Some(direction), ..self }
    }

    /// Sets the point to look at.
    pub fn looking_at(self, point: Vec3) -> Self {
        Self { gaze: Some(point), ..self }
    }

    /// Requires that the contacts carry the body.
    pub fn in_equilibrium(self) -> Self {
        Self { equilibrium: true, ..self }
    }

    /// Sets the configuration to resemble.
    pub fn reference(self, configuration: Configuration) -> Self {
        Self { reference: Some(configuration), ..self }
    }
}
