//! Why there is no posture.

/// Why [`stand`](super::stand()) found no posture.
///
/// The first variants are mistakes in the request. [`OutOfReach`](Self::OutOfReach), [`Collision`](Self::Collision),
/// [`SelfCollision`](Self::SelfCollision), [`Unbalanced`](Self::Unbalanced), [`NotCarried`](Self::NotCarried) and
/// [`CenterOfMassOutsideWorld`](Self::CenterOfMassOutsideWorld) describe the attempt that came closest.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StandError {
    /// The request has no contacts.
    #[error("a posture needs at least one contact")]
    NoContacts,
    /// The character has no such effector.
    #[error("the character has no effector `{effector}`")]
    UnknownEffector {
        /// Its name or index.
        effector: String,
    },
    /// The world has no such hold.
    #[error("the world has no hold `{hold}`")]
    UnknownHold {
        /// Its name or index.
        hold: String,
    },
    /// Two contacts have the same effector.
    #[error("effector `{effector}` has two contacts")]
    DuplicateEffector {
        /// Its name.
        effector: String,
    },
    /// The mode table has no such mode.
    #[error("the mode table has no mode `{mode}`")]
    UnknownMode {
        /// Its name.
        mode: String,
    },
    /// The mode does not allow these contacts.
    #[error("mode `{mode}` does not allow these contacts")]
    ModeMismatch {
        /// Its name.
        mode: String,
    },
    /// No mode allows these contacts.
    #[error("no mode allows these contacts")]
    NoModeAllowsContacts,
    /// The mode table belongs to a character with other links, limbs or effectors.
    #[error("the mode table belongs to another character")]
    ForeignModeTable,
    /// A position or direction is not finite, or a heading has no horizontal part.
    #[error("`{field}` is not a usable vector")]
    InvalidVector {
        /// The field of the request.
        field: &'static str,
    },
    /// The reference is not a configuration of the character.
    #[error("invalid reference configuration: {reason}")]
    InvalidReferenceConfiguration {
        /// The first violation.
        reason: String,
    },
    /// An effector cannot reach its hold together with the other contacts.
    #[error("`{effector}` misses `{hold}` by {distance:.3} m")]
    OutOfReach {
        /// The effector that is farthest from its contact.
        effector: String,
        /// Its hold.
        hold: String,
        /// How far it is from its contact, in meters.
        distance: f32,
    },
    /// The body is inside an obstacle.
    #[error("`{link}` is {:.0} mm inside `{obstacle}`", 1000.0 * depth)]
    Collision {
        /// The link.
        link: String,
        /// The obstacle.
        obstacle: String,
        /// How deep, in meters.
        depth: f32,
    },
    /// Two links of the body are in each other.
    #[error("`{link}` is {:.0} mm inside `{other}`", 1000.0 * depth)]
    SelfCollision {
        /// One of the links.
        link: String,
        /// The other.
        other: String,
        /// How deep, in meters.
        depth: f32,
    },
    /// The center of mass is too far from the support.
    #[error("the center of mass is {distance:.3} m outside the support of the {group}")]
    Unbalanced {
        /// The group of effectors that support the body.
        group: String,
        /// How far outside of their support polygon it is, in meters.
        distance: f32,
    },
    /// The contacts cannot carry the body, which the request requires. Each of these amounts alone would do; `None` where no
    /// amount does.
    #[error("the contacts cannot carry the body{}", remedies(*.balance, *.strength, *.friction))]
    NotCarried {
        /// How much nearer the center of mass would have to be, in meters.
        balance: Option<f32>,
        /// The factor by which the effectors would have to be stronger.
        strength: Option<f32>,
        /// The factor by which the friction would have to be greater.
        friction: Option<f32>,
    },
    /// The center of mass is outside the bounds of the world.
    #[error("the center of mass is outside the bounds of the world")]
    CenterOfMassOutsideWorld,
}

/// What would let the contacts carry the body.
fn remedies(balance: Option<f32>, strength: Option<f32>, friction: Option<f32>) -> String {
    let remedies = [
        friction.map(|factor| format!("{factor:.2} times the friction would do")),
        strength.map(|factor| format!("{factor:.2} times the strength would do")),
        balance.map(|distance| format!("the center of mass would have to be {distance:.3} m nearer")),
    ];
    let remedies: Vec<String> = remedies.into_iter().flatten().collect();
    if remedies.is_empty() { String::new() } else { format!(": {}", remedies.join(", or ")) }
}
