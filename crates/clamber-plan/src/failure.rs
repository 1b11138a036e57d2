//! Why there is no plan.

use clamber_model::math::Vec3;
use clamber_model::world::HoldType;

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// A setting is outside its limits.
    #[error("the setting `{setting}` must be {limit}")]
    BadSetting {
        /// The field of [`PlanSettings`](crate::PlanSettings).
        setting: &'static str,
        /// What it may be.
        limit: &'static str,
    },
    /// The start or the goal is too near to an obstacle, or inside.
    #[error(
        "the {posture} posture {}: link `{link}`, obstacle `{obstacle}`",
        touching(*.distance)
    )]
    Collides {
        /// `start`, `goal`, or which frame of which passage.
        posture: String,
        /// The link that is worst off.
        link: String,
        /// What it is too near to.
        obstacle: String,
        /// In metres; negative is how deep it is inside.
        distance: f32,
    },
    /// The start or the goal is not a configuration of the character.
    #[error("the {posture} posture is not one of the character's: {reason}")]
    BadPosture {
        /// `start` or `goal`.
        posture: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A search on contacts needs to know how the character may move.
    #[error("the character has no mode table, so it cannot move on holds; write one beside its file, or let it fly")]
    NoModes,
    /// A search on contacts begins and ends with some.
    #[error("the {posture} posture holds on to nothing; give it `contacts`, or let the character fly")]
    NoContacts {
        /// `start` or `goal`.
        posture: &'static str,
    },
    /// A hold is pinned, and the search does not see to it that such are held.
    #[error(
        "hold `{hold}` is pinned, and this search does not look for pinned holds; \
         plan with the stance planner (`--planner stance`), or leave the pin out"
    )]
    NoPins {
        /// The first such hold's name.
        hold: String,
    },
    /// The centre of mass is outside the region.
    #[error("the {posture} posture's centre of mass is outside the scene's bounds, at ({x:.2}, {y:.2}, {z:.2})")]
    OutOfBounds {
        /// `start` or `goal`.
        posture: &'static str,
        /// In metres.
        x: f32,
        /// In metres.
        y: f32,
        /// In metres.
        z: f32,
    },
    /// The map of free cells does not connect start and goal.
    #[error("obstacles close every way from the start to the goal, as seen at cells of {cell:.2} m")]
    NoPath {
        /// The side of a cell, in metres.
        cell: f32,
    },
    /// The budget was spent.
    #[error(
        "no way was found after {expansions} configurations and {backtracks} times going back; \
         the nearest was {remaining:.2} m of way from the goal"
    )]
    BudgetSpent {
        /// Configurations tried.
        expansions: u64,
        /// Times the search went back.
        backtracks: u64,
        /// The least distance to the goal, along the guide, at which a way ended, in metres.
        remaining: f32,
    },
    /// Every way ends somewhere.
    #[error("{0}")]
    Impasse(Impasse),
    /// The observer stopped it.
    #[error("the plan was stopped")]
    Cancelled,
}

/// Where the best way ends, and what would have to change for it to go on.
#[derive(Clone, Debug, PartialEq)]
pub struct Impasse {
    /// Where, in metres: the hold that is out of reach, or the place that is blocked.
    pub place: Vec3,
    /// The mode's name in which the character got there.
    pub mode: String,
    /// What is in the way or missing.
    pub cause: Cause,
}

/// What is in the way or missing.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// The next hold on the way is farther than the character reaches.
    TooFar {
        /// The group whose effectors would have to take it, as the mode table names it.
        group: String,
        /// The hold from which it would be reached.
        from: String,
        /// The hold that is too far.
        to: String,
        /// Its type.
        hold_type: HoldType,
        /// From hold to hold, in metres.
        distance: f32,
        /// What the character reaches from there, in metres.
        reach: f32,
    },
    /// A hold is near enough, but an obstacle leaves no room for the body to get to it.
    Blocked {
        /// The obstacle.
        obstacle: String,
        /// The link that does not get past it.
        link: String,
        /// How deep the link would be inside in the best posture found, in metres.
        by: f32,
        /// The hold beyond.
        to: String,
    },
    /// Holds are in reach and nothing is in the way, but no posture on them lets the character go on.
    NoPosture {
        /// The hold from which it would go on.
        from: String,
        /// The next hold on the way.
        to: String,
    },
}

impl Failure {
    /// What would help, in words that whoever made the scene can act on; nothing where the failure itself says it.
    pub fn mend(&self) -> Option<String> {
        Some(match self {
            Self::Collides { posture, obstacle, .. } => {
                format!("move the {posture} posture or `{obstacle}` until they are clear of each other")
            }
            Self::OutOfBounds { posture, .. } => format!("widen `bounds`, or move the {posture} posture into them"),
            Self::NoPath { cell } => format!("open a way that is wider than {cell:.2} m, or make the cells smaller"),
            Self::BudgetSpent { .. } => {
                "try another seed or allow more configurations; or ease the way at the end of the motion".to_owned()
            }
            Self::Impasse(impasse) => impasse.mend(),
            Self::BadSetting { .. }
            | Self::BadPosture { .. }
            | Self::NoModes
            | Self::NoPins { .. }
            | Self::NoContacts { .. }
            | Self::Cancelled => return None,
        })
    }
}

impl Impasse {
    /// What would have to change in the world for the way to go on.
    pub fn mend(&self) -> String {
        match &self.cause {
            Cause::TooFar { from, to, hold_type, distance, reach, .. } => {
                let (kind, within, missing) = (hold_type.word(), down(*reach), up(distance - reach));
                // Holds that are missing between the two, when each is as far from the one before as can be.
                let count = (up(*distance) / within).ceil() - 1.0;
                if within <= 0.0 || count > 99.0 {
                    format!("bring hold `{to}` at least {missing:.2} m nearer to `{from}`")
                } else if count > 1.0 {
                    format!("add {count} {kind} holds between `{from}` and `{to}`, at most {within:.2} m apart")
                } else {
                    format!(
                        "add a {kind} hold within {within:.2} m of `{from}` and of `{to}`, or move these at least \
                         {missing:.2} m nearer to each other"
                    )
                }
            }
            Cause::Blocked { obstacle, link, by, .. } => format!(
                "move or cut back `{obstacle}` by at least {:.2} m where the {link} meets it, or give a way around it",
                up(*by)
            ),
            Cause::NoPosture { from, to } if from == to => {
                format!("give the character more room along hold `{to}`, or make what it is on less steep")
            }
            Cause::NoPosture { from, to } => {
                format!(
                    "add a hold between `{from}` and `{to}`, move one of them, or give the character more room there"
                )
            }
        }
    }
}

/// To centimetres, never less than it is; at least one.
fn up(metres: f32) -> f32 {
    ((100.0 * metres - 1e-3).ceil() * 0.01).max(0.01)
}

/// To centimetres, never more than it is.
fn down(metres: f32) -> f32 {
    (100.0 * metres + 1e-3).floor() * 0.01
}

impl std::fmt::Display for Impasse {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let (x, y) = (self.place.x, self.place.y);
        write!(f, "no way on at ({x:.2}, {y:.2}), {}: ", self.mode)?;
        match &self.cause {
            Cause::TooFar { group, from, to, hold_type, distance, reach } => write!(
                f,
                "the next {} hold, `{to}`, is {distance:.2} m from `{from}`, and the {group} reach {reach:.2} m",
                hold_type.word()
            ),
            Cause::Blocked { obstacle, link, by, to } => write!(
                f,
                "obstacle `{obstacle}` is in the way of the {link} by {by:.2} m, so that hold `{to}` is not reached"
            ),
            Cause::NoPosture { from, to } if from == to => {
                write!(f, "no posture was found in which the character gets on along hold `{to}`")
            }
            Cause::NoPosture { from, to } => {
                write!(f, "no posture was found in which the character gets from hold `{from}` to hold `{to}`")
            }
        }
    }
}

fn touching(distance: f32) -> String {
    if distance < 0.0 {
        format!("is {:.1} mm inside an obstacle", -1000.0 * distance)
    } else {
        format!("is only {:.1} mm away from an obstacle", 1000.0 * distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn impasse(cause: Cause) -> Failure {
        Failure::Impasse(Impasse { place: Vec3::new(4.2, 0.0, 0.0), mode: "walking".to_owned(), cause })
    }

    fn too_far(distance: f32, reach: f32) -> Failure {
        let [group, from, to] = ["feet", "ground 12", "ground 13"].map(str::to_owned);
        impasse(Cause::TooFar { group, from, to, hold_type: HoldType::LoadBearing, distance, reach })
    }

    #[test]
    fn a_hold_out_of_reach_is_mended_by_holds_that_are_in_reach() {
        let mend = |distance, reach| too_far(distance, reach).mend().unwrap();
        assert_eq!(
            mend(1.31, 0.98),
            "add a load-bearing hold within 0.98 m of `ground 12` and of `ground 13`, or move these at least 0.33 m \
             nearer to each other"
        );
        // Rounded so that whoever follows it succeeds.
        assert!(mend(1.312, 0.989).contains("within 0.98 m") && mend(1.312, 0.989).contains("at least 0.33 m"));
        assert_eq!(
            mend(2.5, 0.98),
            "add 2 load-bearing holds between `ground 12` and `ground 13`, at most 0.98 m apart"
        );
        assert_eq!(mend(0.5, 0.0), "bring hold `ground 13` at least 0.50 m nearer to `ground 12`");
        for (distance, reach) in [(f32::NAN, 1.0), (1.0, f32::NAN), (f32::INFINITY, 0.5), (0.0, 0.0), (-1.0, 1e9)] {
            assert!(mend(distance, reach).contains("ground 13"));
        }
    }

    #[test]
    fn every_impasse_names_the_place_and_what_to_change() {
        let [obstacle, link, from, to] = ["roof", "head", "ground 3", "ground 4"].map(str::to_owned);
        let blocked = impasse(Cause::Blocked { obstacle, link, by: 0.2041, to: to.clone() });
        assert_eq!(
            blocked.mend().unwrap(),
            "move or cut back `roof` by at least 0.21 m where the head meets it, or give a way around it"
        );
        let no_posture = impasse(Cause::NoPosture { from, to });
        assert!(no_posture.mend().unwrap().contains("between `ground 3` and `ground 4`"));
        let ground = || "ground".to_owned();
        let along = impasse(Cause::NoPosture { from: ground(), to: ground() });
        assert!(
            along.to_string().contains("along hold `ground`") && along.mend().unwrap().contains("along hold `ground`")
        );
        for failure in [blocked, no_posture, along, too_far(1.31, 0.98)] {
            assert!(failure.to_string().starts_with("no way on at (4.20, 0.00), walking: "), "{failure}");
        }
    }

    #[test]
    fn a_failure_that_says_how_to_mend_it_says_it_once() {
        assert_eq!(Failure::NoModes.mend(), None);
        assert_eq!(Failure::Cancelled.mend(), None);
        let spent = Failure::BudgetSpent { expansions: 1, backtracks: 0, remaining: 1.0 };
        assert!(spent.mend().unwrap().contains("another seed"));
        let [posture, link, obstacle] = ["start", "head", "roof"].map(str::to_owned);
        let collides = Failure::Collides { posture, link, obstacle, distance: -0.012 };
        assert!(collides.mend().unwrap().contains("the start posture or `roof`"));
    }
}
