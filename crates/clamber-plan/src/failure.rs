//! Why planning failed, where, and what to change.

use clamber_model::math::Vec3;
use clamber_model::world::HoldType;
use clamber_model::{MotionError, ProblemError};

use crate::budget::{Budget, Interrupt};

/// An overlap that may come from the roughness of a surface, in meters.
const MAX_ROUGHNESS: f32 = 0.01;
/// The contact tolerance that is suggested for an overlap, relative to it: other places of the surface are rougher.
const TOLERANCE_FACTOR: f32 = 2.0;

/// Why planning failed. [`suggestion`](Self::suggestion) says what to change.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// A setting is outside its limits.
    #[error("the setting `{setting}` must be {limit}")]
    InvalidSetting {
        /// The field of [`PlanSettings`](crate::PlanSettings).
        setting: &'static str,
        /// Its limits.
        limit: &'static str,
    },
    /// The problem refers to something that does not exist, or is not finite.
    #[error("invalid problem: {0}")]
    InvalidProblem(ProblemError),
    /// The motion to repair or to continue does not belong to the problem.
    #[error("the given motion is invalid: {0}")]
    InvalidGivenMotion(#[from] MotionError),
    /// The start, the goal or a passage is inside an obstacle or too near to one.
    #[error("at the {posture_name}, {}", depth_or_gap(*.distance, link, obstacle))]
    Collides {
        /// `start`, `goal`, or the passage and its frame.
        posture_name: String,
        /// The link that is deepest inside, or nearest.
        link: String,
        /// The obstacle.
        obstacle: String,
        /// Distance between them in meters; negative inside.
        distance: f32,
    },
    /// At the start, the goal or a passage, two links of the body are in each other.
    #[error("at the {posture_name}, {}", depth_or_gap(-*.depth, link, other))]
    SelfCollides {
        /// `start`, `goal`, or the passage and its frame.
        posture_name: String,
        /// One of the links.
        link: String,
        /// The other.
        other: String,
        /// How deep, in meters.
        depth: f32,
    },
    /// The start, the goal or a passage is not a configuration of the character.
    #[error("invalid {posture_name} configuration: {reason}")]
    InvalidConfiguration {
        /// `start`, `goal` or `passage`.
        posture_name: &'static str,
        /// The first violation.
        reason: String,
    },
    /// The character has no mode table, which planning on holds needs.
    #[error("the character has no mode table, so it cannot move on holds; write one beside its file, or let it fly")]
    MissingModeTable,
    /// The start or the goal has no contacts, which planning on holds needs.
    #[error("the {posture_name} has no contacts; give it `contacts`, or let the character fly")]
    NoContacts {
        /// `start` or `goal`.
        posture_name: &'static str,
    },
    /// A hold is pinned, but only the stance planner plans for pinned holds.
    #[error(
        "hold `{hold}` is pinned, but this planner does not support pinned holds; \
         use the stance planner (`--planner stance`) or remove the pin"
    )]
    RequiredHoldsUnsupported {
        /// Name of the first pinned hold.
        hold: String,
    },
    /// The center of mass is outside the scene's bounds.
    #[error("the center of mass at the {posture_name}, ({x:.2}, {y:.2}, {z:.2}), is outside the scene's bounds")]
    CenterOfMassOutsideWorld {
        /// `start` or `goal`.
        posture_name: &'static str,
        /// In meters.
        x: f32,
        /// In meters.
        y: f32,
        /// In meters.
        z: f32,
    },
    /// The guide's map of free cells does not connect start and goal.
    #[error("obstacles block every path from the start to the goal, on a map with cells of {cell_size:.2} m")]
    NoPath {
        /// The side of a cell, in meters.
        cell_size: f32,
    },
    /// The budget was spent.
    #[error(
        "no path found after {expansions} configurations and {backtracks} backtracks; \
         the nearest ended {distance_to_goal:.2} m from the goal"
    )]
    BudgetSpent {
        /// Configurations tried.
        expansions: u64,
        /// Backtracks.
        backtracks: u64,
        /// The least distance to the goal, along the guide, at which a path ended, in meters.
        distance_to_goal: f32,
    },
    /// Every path ends short of the goal, for a known reason.
    #[error("{0}")]
    Impasse(Impasse),
    /// The motion that was found fails the caller's check, so it is not returned as a plan.
    #[error("the motion that was found is invalid: it fails {properties}")]
    CheckFailed {
        /// The properties that fail, with commas between.
        properties: String,
    },
    /// The caller cancelled.
    #[error("planning was cancelled")]
    Cancelled,
}

/// Where the best path ends, and why it cannot continue.
#[derive(Clone, Debug, PartialEq)]
pub struct Impasse {
    /// Where, in meters: the hold that is out of reach, or the blocked place.
    pub blocked_position: Vec3,
    /// Name of the mode in which the character got there.
    pub mode: String,
    /// Why the path cannot continue.
    pub cause: ImpasseCause,
    /// Whether it is proved that there is no way for this character in the modes of its table. Otherwise none was found: another seed
    /// or a larger budget may find one.
    pub is_proved: bool,
}

/// Why a path cannot continue.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ImpasseCause {
    /// The next hold is out of reach.
    TooFar {
        /// The group of effectors that would take it, as the mode table names it.
        group: String,
        /// The hold from which it would be reached.
        from_hold: String,
        /// The hold that is too far.
        to_hold: String,
        /// Its type.
        hold_type: HoldType,
        /// From hold to hold, in meters.
        distance: f32,
        /// What the character reaches from there, in meters.
        reach: f32,
    },
    /// The next hold is within reach, but an obstacle leaves no room for the body.
    Blocked {
        /// The obstacle.
        obstacle: String,
        /// The link that does not fit past it.
        link: String,
        /// How deep the link is inside in the best posture found, in meters.
        penetration_depth: f32,
        /// The hold beyond.
        to_hold: String,
    },
    /// The next hold is within reach, but the body would enter itself.
    BlockedByBody {
        /// One of the two links.
        link: String,
        /// The other.
        other: String,
        /// How deep they are in each other in the best posture found, in meters.
        penetration_depth: f32,
        /// The hold beyond.
        to_hold: String,
    },
    /// The contacts that come next cannot carry the body. Only where equilibrium is required
    /// ([`PlanSettings::equilibrium`](crate::PlanSettings::equilibrium)).
    NotCarried {
        /// The effectors in contact.
        effectors: Vec<String>,
        /// The hold of each.
        holds: Vec<String>,
        /// What would let the path continue, the smallest change first. Empty if nothing does alone.
        missing: Vec<MissingSupport>,
    },
    /// The mode table has no edge that can be taken with these contacts, whatever the posture and the holds.
    NoModeEdge {
        /// The edges from the mode, none of which applies. It may have none.
        inapplicable_edges: Vec<String>,
        /// The groups whose effectors the edges would move, but all of them are in contact.
        groups_in_contact: Vec<String>,
    },
    /// Holds are within reach and nothing blocks the body, but no posture on them leads further.
    NoPosture {
        /// The last hold reached.
        from_hold: String,
        /// The next hold.
        to_hold: String,
    },
}

/// What contacts lack to carry the body, and how much of it would do alone: with it, the search gets on from where its best path ends.
/// Farther on, something else may be missing.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MissingSupport {
    /// Surfaces are too slippery.
    Friction {
        /// The obstacles in contact, or the holds that have a friction of their own.
        surfaces: Vec<String>,
        /// Their least coefficient of friction.
        friction: f32,
        /// The coefficient that would do.
        sufficient: f32,
    },
    /// Effectors are too weak.
    Strength {
        /// Their groups, as the mode table names them.
        groups: Vec<String>,
        /// What the weakest of them bears, in newtons.
        force: f32,
        /// The factor on their forces that would do.
        factor: f32,
    },
    /// The center of mass is too far from where the contacts carry it.
    Balance {
        /// How much nearer it would have to be, in meters.
        distance: f32,
    },
}

impl From<ProblemError> for Failure {
    fn from(error: ProblemError) -> Self {
        match error {
            ProblemError::InvalidConfiguration { posture, reason } => {
                Self::InvalidConfiguration { posture_name: posture, reason }
            }
            error => Self::InvalidProblem(error),
        }
    }
}

impl Failure {
    /// Why a search that was interrupted failed. The distance is the least to the goal at which a path ended, in meters.
    pub(crate) fn interrupted(interrupt: Interrupt, budget: &Budget, distance_to_goal: f32) -> Self {
        let Budget { expansions, backtracks, .. } = *budget;
        match interrupt {
            Interrupt::BudgetSpent => Self::BudgetSpent { expansions, backtracks, distance_to_goal },
            Interrupt::Cancelled => Self::Cancelled,
        }
    }

    /// What to change, for the author of the scene; `None` where the message already says it.
    pub fn suggestion(&self) -> Option<String> {
        Some(match self {
            Self::Collides { posture_name: posture, obstacle, distance, .. } => {
                let moved = format!("move the {posture} or `{obstacle}` apart");
                // Of a scan, the surface is rough.
                match *distance {
                    depth if (-MAX_ROUGHNESS..0.0).contains(&depth) => format!(
                        "{moved}; if its surface is rough, as that of a scan, set a contact tolerance of {:.3} m",
                        (TOLERANCE_FACTOR * -depth * 1000.0).ceil() / 1000.0
                    ),
                    _ => moved,
                }
            }
            Self::SelfCollides { posture_name: posture, link, other, .. } => {
                format!("change the angles or contacts of the {posture} so that `{link}` and `{other}` are apart")
            }
            Self::InvalidConfiguration { posture_name: posture, .. } => {
                format!("change the {posture} to a configuration that the character can take")
            }
            Self::CenterOfMassOutsideWorld { posture_name: posture, .. } => {
                format!("enlarge `bounds`, or move the {posture} into them")
            }
            Self::NoPath { cell_size } => format!(
                "open a gap between the obstacles: the map shows only gaps wider than {cell_size:.2} m; in a large world, \
                 smaller `bounds` make the map finer"
            ),
            Self::CheckFailed { .. } => "try another seed".to_owned(),
            Self::BudgetSpent { .. } => {
                "try another seed, allow more configurations, or make the scene easier where the motion ends".to_owned()
            }
            Self::Impasse(impasse) => impasse.suggestion(),
            Self::InvalidSetting { .. }
            | Self::InvalidProblem(_)
            | Self::InvalidGivenMotion(_)
            | Self::MissingModeTable
            | Self::RequiredHoldsUnsupported { .. }
            | Self::NoContacts { .. }
            | Self::Cancelled => return None,
        })
    }
}

impl Impasse {
    /// What to change in the world so that the path can continue.
    pub fn suggestion(&self) -> String {
        match &self.cause {
            ImpasseCause::TooFar { from_hold, to_hold, hold_type, distance, reach, .. } => {
                let (kind, within, missing) = (hold_type.keyword(), round_down(*reach), round_up(distance - reach));
                // Holds needed between the two when each is as far from the one before as the character reaches.
                let count = (round_up(*distance) / within).ceil() - 1.0;
                if within <= 0.0 || count > 99.0 {
                    format!("move hold `{to_hold}` at least {missing:.2} m nearer to `{from_hold}`")
                } else if count > 1.0 {
                    format!(
                        "add {count} {kind} holds between `{from_hold}` and `{to_hold}`, at most {within:.2} m apart"
                    )
                } else {
                    format!(
                        "add a {kind} hold within {within:.2} m of both `{from_hold}` and `{to_hold}`, or move these at least \
                         {missing:.2} m nearer to each other"
                    )
                }
            }
            ImpasseCause::Blocked { obstacle, link, penetration_depth: depth, .. } => format!(
                "move or cut back `{obstacle}` by at least {:.2} m where the {link} hits it, or open another route",
                round_up(*depth)
            ),
            ImpasseCause::BlockedByBody { link, other, to_hold, .. } => {
                format!("move hold `{to_hold}` so that the {link} and the {other} stay apart, or add a hold before it")
            }
            ImpasseCause::NotCarried { missing, .. } if missing.is_empty() => {
                "add holds there, or make the surfaces less steep".to_owned()
            }
            ImpasseCause::NotCarried { missing, .. } => {
                missing.iter().map(MissingSupport::suggestion).collect::<Vec<_>>().join(", or ")
            }
            ImpasseCause::NoModeEdge { groups_in_contact: groups, .. } => {
                let fewer = if groups.is_empty() { "" } else { ", or start with fewer contacts" };
                let mode = &self.mode;
                format!(
                    "in the mode table, add an edge from `{mode}` that releases a contact or needs no free effector{fewer}"
                )
            }
            ImpasseCause::NoPosture { from_hold, to_hold } if from_hold == to_hold => {
                format!("give the character more room along hold `{to_hold}`, or make its surface less steep")
            }
            ImpasseCause::NoPosture { from_hold, to_hold } => {
                format!(
                    "add a hold between `{from_hold}` and `{to_hold}`, move one of them, or give the character more room there"
                )
            }
        }
    }
}

impl MissingSupport {
    fn suggestion(&self) -> String {
        match self {
            Self::Friction { surfaces, sufficient, .. } => {
                format!("raise the friction of {} to at least {:.2}", quoted(surfaces), round_up(*sufficient))
            }
            Self::Strength { groups, force, factor } => {
                let newtons = (force * round_up(*factor)).ceil();
                format!("let the {} bear at least {newtons:.0} N each", groups.join(" and the "))
            }
            Self::Balance { distance } => {
                let missing = round_up(*distance);
                format!(
                    "move or add holds, or give the body room, so that its center of mass can be {missing:.2} m nearer to \
                     what carries it"
                )
            }
        }
    }
}

impl std::fmt::Display for MissingSupport {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Friction { surfaces, friction, sufficient } => {
                let is = if surfaces.len() == 1 { "is" } else { "are" };
                let (surfaces, sufficient) = (quoted(surfaces), round_up(*sufficient));
                write!(f, "{surfaces} {is} too slippery, with a friction of {friction:.2}; {sufficient:.2} would do")
            }
            Self::Strength { groups, force, factor } => {
                let (groups, factor) = (groups.join(" and the "), round_up(*factor));
                write!(f, "the {groups} are too weak, bearing {force:.0} N each; {factor:.2} times that would do")
            }
            Self::Balance { distance } => {
                let distance = round_up(*distance);
                write!(f, "the center of mass would have to be {distance:.2} m nearer to the holds")
            }
        }
    }
}

/// Rounds up to hundredths, of a meter or of another unit, and to at least one.
pub(crate) fn round_up(amount: f32) -> f32 {
    ((100.0 * amount - 1e-3).ceil() * 0.01).max(0.01)
}

/// Rounds down to centimeters.
fn round_down(meters: f32) -> f32 {
    (100.0 * meters + 1e-3).floor() * 0.01
}

impl std::fmt::Display for Impasse {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let (x, y, mode) = (self.blocked_position.x, self.blocked_position.y, &self.mode);
        let cause = &self.cause;
        let certainty = if self.is_proved { "it is proved that there is no way" } else { "no other way was found" };
        write!(f, "stuck at ({x:.2}, {y:.2}) in mode `{mode}`: {cause}; {certainty}")
    }
}

impl std::fmt::Display for ImpasseCause {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            ImpasseCause::TooFar { group, from_hold, to_hold, hold_type, distance, reach } => write!(
                f,
                "the next {} hold, `{to_hold}`, is {distance:.2} m from `{from_hold}`, but the {group} reach only {reach:.2} m",
                hold_type.keyword()
            ),
            ImpasseCause::Blocked { obstacle, link, penetration_depth: depth, to_hold } => {
                write!(f, "`{obstacle}` blocks the {link} by {depth:.2} m before hold `{to_hold}`")
            }
            ImpasseCause::BlockedByBody { link, other, penetration_depth: depth, to_hold } => {
                write!(f, "the {link} would be {depth:.2} m inside the {other} before hold `{to_hold}`")
            }
            ImpasseCause::NotCarried { effectors, holds, missing } => write_not_carried(f, [effectors, holds], missing),
            ImpasseCause::NoModeEdge { inapplicable_edges: edges, .. } if edges.is_empty() => {
                write!(f, "the mode table has no edge from this mode")
            }
            ImpasseCause::NoModeEdge { inapplicable_edges: edges, groups_in_contact: groups } => {
                write!(f, "the mode table has no edge for these contacts: {} cannot be taken", quoted(edges))?;
                if groups.is_empty() {
                    return Ok(());
                }
                write!(f, ", since every effector of {} is in contact already", quoted(groups))
            }
            ImpasseCause::NoPosture { from_hold, to_hold } if from_hold == to_hold => {
                write!(f, "no posture was found for moving along hold `{to_hold}`")
            }
            ImpasseCause::NoPosture { from_hold, to_hold } => {
                write!(f, "no posture was found for moving from hold `{from_hold}` to hold `{to_hold}`")
            }
        }
    }
}

/// Writes who is where and cannot carry the body, and why.
fn write_not_carried(
    f: &mut std::fmt::Formatter,
    [effectors, holds]: [&[String]; 2],
    missing: &[MissingSupport],
) -> std::fmt::Result {
    for (number, (effector, hold)) in effectors.iter().zip(holds).enumerate() {
        let separator = match effectors.len() - number {
            _ if number == 0 => "",
            1 => " and ",
            _ => ", ",
        };
        write!(f, "{separator}the {effector} on `{hold}`")?;
    }
    write!(f, " cannot carry the body")?;
    if missing.is_empty() {
        return write!(f, ", and no friction, strength or balance alone would do");
    }
    for (number, missing) in missing.iter().enumerate() {
        write!(f, "{} {missing}", if number == 0 { ":" } else { "; or" })?;
    }
    Ok(())
}

/// Names in quotation marks, with commas between.
fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn depth_or_gap(distance: f32, link: &str, obstacle: &str) -> String {
    let millimeters = 1000.0 * distance.abs();
    // Below a millimeter, one more digit.
    let digits = usize::from(millimeters < 10.0);
    if distance < 0.0 {
        format!("`{link}` is {millimeters:.digits$} mm inside `{obstacle}`")
    } else {
        format!("`{link}` is only {millimeters:.digits$} mm from `{obstacle}`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn impasse(cause: ImpasseCause) -> Failure {
        Failure::Impasse(Impasse {
            blocked_position: Vec3::new(4.2, 0.0, 0.0),
            mode: "walking".to_owned(),
            cause,
            is_proved: false,
        })
    }

    fn too_far(distance: f32, reach: f32) -> Failure {
        let [group, from_hold, to_hold] = ["feet", "ground 12", "ground 13"].map(str::to_owned);
        impasse(ImpasseCause::TooFar { group, from_hold, to_hold, hold_type: HoldType::LoadBearing, distance, reach })
    }

    #[test]
    fn the_suggestion_for_a_slight_overlap_mentions_rough_surfaces() {
        let suggestion = |distance| {
            let [posture_name, link, obstacle] = ["start", "left_foot", "scan"].map(str::to_owned);
            Failure::Collides { posture_name, link, obstacle, distance }.suggestion().unwrap()
        };
        assert!(suggestion(-0.0013).ends_with("set a contact tolerance of 0.003 m"));
        assert_eq!(suggestion(-0.2), "move the start or `scan` apart");
        assert!(suggestion(-1e-5).ends_with("0.001 m"));
        assert_eq!(suggestion(0.001), suggestion(-0.2));
    }

    #[test]
    fn the_suggestion_for_a_hold_out_of_reach_adds_holds_within_reach() {
        let suggestion = |distance, reach| too_far(distance, reach).suggestion().unwrap();
        assert_eq!(
            suggestion(1.31, 0.98),
            "add a load-bearing hold within 0.98 m of both `ground 12` and `ground 13`, or move these at least 0.33 m \
             nearer to each other"
        );
        // Rounded toward the safe side.
        assert!(
            suggestion(1.312, 0.989).contains("within 0.98 m") && suggestion(1.312, 0.989).contains("at least 0.33 m")
        );
        assert_eq!(
            suggestion(2.5, 0.98),
            "add 2 load-bearing holds between `ground 12` and `ground 13`, at most 0.98 m apart"
        );
        assert_eq!(suggestion(0.5, 0.0), "move hold `ground 13` at least 0.50 m nearer to `ground 12`");
        for (distance, reach) in [(f32::NAN, 1.0), (1.0, f32::NAN), (f32::INFINITY, 0.5), (0.0, 0.0), (-1.0, 1e9)] {
            assert!(suggestion(distance, reach).contains("ground 13"));
        }
    }

    #[test]
    fn every_impasse_names_the_place_and_suggests_a_change() {
        let [obstacle, link, from_hold, to_hold] = ["roof", "head", "ground 3", "ground 4"].map(str::to_owned);
        let blocked =
            impasse(ImpasseCause::Blocked { obstacle, link, penetration_depth: 0.2041, to_hold: to_hold.clone() });
        assert_eq!(
            blocked.suggestion().unwrap(),
            "move or cut back `roof` by at least 0.21 m where the head hits it, or open another route"
        );
        let no_posture = impasse(ImpasseCause::NoPosture { from_hold, to_hold });
        assert!(no_posture.suggestion().unwrap().contains("between `ground 3` and `ground 4`"));
        let ground = || "ground".to_owned();
        let along = impasse(ImpasseCause::NoPosture { from_hold: ground(), to_hold: ground() });
        assert!(
            along.to_string().contains("along hold `ground`")
                && along.suggestion().unwrap().contains("along hold `ground`")
        );
        let [link, other, to_hold] = ["left_shin", "right_shin", "ground 4"].map(str::to_owned);
        let by_body = impasse(ImpasseCause::BlockedByBody { link, other, penetration_depth: 0.05, to_hold });
        assert!(by_body.to_string().contains("the left_shin would be 0.05 m inside the right_shin"), "{by_body}");
        assert!(by_body.suggestion().unwrap().contains("hold `ground 4`"));
        let not_carried = not_carried(&["left_foot"], Vec::new());
        for failure in [blocked, no_posture, along, by_body, not_carried, too_far(1.31, 0.98)] {
            assert!(failure.to_string().starts_with("stuck at (4.20, 0.00) in mode `walking`: "), "{failure}");
        }
    }

    fn not_carried(effectors: &[&str], missing: Vec<MissingSupport>) -> Failure {
        let effectors: Vec<String> = effectors.iter().map(|effector| (*effector).to_owned()).collect();
        let holds = (1..=effectors.len()).map(|number| format!("slab {number}")).collect();
        impasse(ImpasseCause::NotCarried { effectors, holds, missing })
    }

    #[test]
    fn what_does_not_carry_the_body_is_named_with_all_that_would_do() {
        let [surfaces, groups] = ["slab", "hands"].map(|name| vec![name.to_owned()]);
        let friction = MissingSupport::Friction { surfaces, friction: 0.3, sufficient: 0.5142 };
        let strength = MissingSupport::Strength { groups, force: 400.0, factor: 1.391 };
        let balance = MissingSupport::Balance { distance: 0.1724 };
        let slope = not_carried(&["left_foot"], vec![friction.clone()]);
        let said = "stuck at (4.20, 0.00) in mode `walking`: the left_foot on `slab 1` cannot carry the body: ";
        // Rounded toward the safe side.
        let slippery = "`slab` is too slippery, with a friction of 0.30; 0.52 would do; no other way was found";
        assert_eq!(slope.to_string(), format!("{said}{slippery}"));
        assert_eq!(slope.suggestion().unwrap(), "raise the friction of `slab` to at least 0.52");
        let wall = not_carried(&["left_hand", "left_foot", "right_foot"], vec![balance, strength, friction]);
        assert!(
            wall.to_string().ends_with(
                "the left_hand on `slab 1`, the left_foot on `slab 2` and the right_foot on `slab 3` cannot carry the body: the \
                 center of mass would have to be 0.18 m nearer to the holds; or the hands are too weak, bearing 400 N each; 1.40 \
                 times that would do; or `slab` is too slippery, with a friction of 0.30; 0.52 would do; no other way was found"
            ),
            "{wall}"
        );
        assert!(wall.suggestion().unwrap().contains("let the hands bear at least 560 N each, or raise the friction"));
        let hopeless = not_carried(&["left_hand"], Vec::new());
        assert!(hopeless.to_string().contains("no friction, strength or balance alone would do"), "{hopeless}");
        assert!(hopeless.suggestion().unwrap().contains("holds"));
    }

    #[test]
    fn an_impasse_says_whether_it_is_proved() {
        let Failure::Impasse(found) = too_far(1.3, 0.9) else { panic!("it is an impasse") };
        assert!(found.to_string().ends_with("reach only 0.90 m; no other way was found"), "{found}");
        let proved = Impasse { is_proved: true, ..found };
        assert!(proved.to_string().ends_with("reach only 0.90 m; it is proved that there is no way"), "{proved}");
    }

    #[test]
    fn a_message_that_says_what_to_change_has_no_suggestion() {
        assert_eq!(Failure::MissingModeTable.suggestion(), None);
        assert_eq!(Failure::Cancelled.suggestion(), None);
        let spent = Failure::BudgetSpent { expansions: 1, backtracks: 0, distance_to_goal: 1.0 };
        assert!(spent.suggestion().unwrap().contains("another seed"));
        let [posture, link, obstacle] = ["start", "head", "roof"].map(str::to_owned);
        let collides = Failure::Collides { posture_name: posture, link, obstacle, distance: -0.012 };
        assert!(collides.suggestion().unwrap().contains("the start or `roof`"));
    }
    #[test]
    fn a_collision_names_the_link_the_obstacle_and_the_depth() {
        let at = |distance| {
            let [posture, link, obstacle] = ["start", "left_thigh", "wall"].map(str::to_owned);
            Failure::Collides { posture_name: posture, link, obstacle, distance }.to_string()
        };
        assert_eq!(at(-0.575), "at the start, `left_thigh` is 575 mm inside `wall`");
        assert_eq!(at(0.0012), "at the start, `left_thigh` is only 1.2 mm from `wall`");
        let [posture_name, link, other] = ["goal", "left_hand", "chest"].map(str::to_owned);
        let inside = Failure::SelfCollides { posture_name, link, other, depth: 0.02 };
        assert_eq!(inside.to_string(), "at the goal, `left_hand` is 20 mm inside `chest`");
        assert!(inside.suggestion().unwrap().contains("`left_hand` and `chest`"));
    }
}
