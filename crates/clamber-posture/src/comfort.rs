//! Discomfort of a posture: a product of posture heuristics, each at least 1 (thesis 4.3 and 5.2).
//!
//! The thesis measures angles in degrees; where one of its formulas divides by a number of degrees, the code divides by the
//! same angle in radians. Heights are along the up direction, and limb angles are in the plane of up and the heading, so no
//! heuristic assumes a planar world.

use std::f32::consts::{FRAC_PI_2, PI};

use clamber_model::character::{Landmark, Side};
use clamber_model::id::LimbId;
use clamber_model::kinematics::{JacobianTerm, LinkFrames, center_of_mass};
use clamber_model::math::{Vec3, atan2, pow};
use clamber_model::mode_table::{BodyLine, Mode, PostureHeuristic};
use clamber_model::world::UP;
use clamber_model::{Character, Configuration, Contact};

use crate::anatomy::{Anatomy, LimbGeometry, LinkPoint};

/// Tuning of the heuristics' derivatives.
mod tuning {
    use clamber_model::character::REFERENCE_BODY_SIZE;

    /// Lengths below this have no reliable direction, in units of [`Anatomy::unit`](crate::anatomy::Anatomy::unit): about a
    /// millimeter for a human-sized body. Guards divisions.
    pub const MIN_LENGTH: f32 = 2e-3 / REFERENCE_BODY_SIZE;
}

/// A posture to be rated: a configuration with its frames and contacts.
#[derive(Clone, Copy)]
pub struct PostureState<'a> {
    /// The character.
    pub character: &'a Character,
    /// Its body parts.
    pub anatomy: &'a Anatomy,
    /// The configuration.
    pub configuration: &'a Configuration,
    /// The frames of the configuration.
    pub link_frames: &'a LinkFrames,
    /// The contacts.
    pub stance: &'a [Contact],
}

/// The product of a mode's heuristics, each raised to the power of its weight. 1 is the most comfortable.
pub fn discomfort(mode: &Mode, posture: PostureState) -> f32 {
    let factor = |(heuristic, weight): &(PostureHeuristic, f32)| {
        let value = evaluate(heuristic, posture);
        if *weight == 1.0 { value } else { pow(value, *weight) }
    };
    mode.posture_heuristics.iter().map(factor).product()
}

/// The value of one heuristic, computed from its residuals.
fn evaluate(heuristic: &PostureHeuristic, posture: PostureState) -> f32 {
    let mut totals = ResidualTotals::default();
    visit_residuals(heuristic, posture, &mut totals);
    let ResidualTotals { absolute_sum, squared_sum } = totals;
    match heuristic {
        // 1 + |neck| / 180.
        PostureHeuristic::AlignedWithParent(_) => 1.0 + squared_sum.sqrt() / PI,
        // 1 + the sum over elbows and knees of |angle - rest| / 720 for four limbs: 180 per limb for any number of limbs.
        PostureHeuristic::BendsNearRest(limbs) => 1.0 + absolute_sum / (PI * limbs.len().max(1) as f32),
        // 1 + the squared horizontal distance between the center of mass and the mean of the contacts.
        PostureHeuristic::Balance => 1.0 + squared_sum,
        // 1 + the angle between the spine and the vertical / 90. The thesis lets leans forward and backward count the same.
        PostureHeuristic::Upright { .. } => 1.0 + squared_sum.sqrt() / FRAC_PI_2,
        // 1 + (|left arm + left leg| + |right arm + right leg|) / 90.
        PostureHeuristic::OppositeSwing { .. } => 1.0 + absolute_sum / FRAC_PI_2,
        // 1 + the missing drop / 4.
        PostureHeuristic::HangDown { .. } => 1.0 + absolute_sum / 4.0,
        // 1 + the square of the sum over the legs of |height of the foot - height of the knee|.
        PostureHeuristic::LevelTips(_) => 1.0 + absolute_sum * absolute_sum,
    }
}

/// Receives the residuals of a heuristic.
pub(crate) trait ResidualVisitor {
    /// The next residual.
    fn residual(&mut self, value: f32);

    /// A term of the derivative of the last residual. Lazy: visitors that need no derivatives do not compute the term.
    fn derivative(&mut self, _term: impl FnOnce() -> JacobianTerm) {}
}

/// Sums over the residuals of a heuristic.
#[derive(Default)]
struct ResidualTotals {
    absolute_sum: f32,
    squared_sum: f32,
}

impl ResidualVisitor for ResidualTotals {
    fn residual(&mut self, value: f32) {
        self.absolute_sum += value.abs();
        self.squared_sum += value * value;
    }
}

/// Reports the residuals of a heuristic: values that are 0 in the most comfortable posture, in radians or in units of
/// [`Anatomy::unit`], signed where a posture can err on two sides. Their number depends on the stance alone.
pub(crate) fn visit_residuals(heuristic: &PostureHeuristic, posture: PostureState, visitor: &mut impl ResidualVisitor) {
    let PostureState { character, anatomy, configuration, link_frames: frames, stance } = posture;
    match heuristic {
        PostureHeuristic::AlignedWithParent(link) => {
            let link = *link;
            let Some(parent) = character.links[link].parent else { return };
            let rotation = anatomy.rotation_from_rest(link, parent, frames);
            for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                visitor.residual(axis.dot(rotation));
                // The derivative of the rotation vector: its series in the rotation, up to second order.
                let across = rotation.cross(axis);
                let about = axis + rotation.cross(across) / 12.0;
                visitor.derivative(|| JacobianTerm::Rotation { link, gradient: about + 0.5 * across });
                visitor.derivative(|| JacobianTerm::Rotation { link: parent, gradient: 0.5 * across - about });
            }
        }
        PostureHeuristic::BendsNearRest(limbs) => {
            for &hinge in limbs.iter().flat_map(|&limb| &anatomy.limbs[limb].bend_hinges) {
                visitor.residual(configuration.angles[hinge] - character.hinges[hinge].rest);
                visitor.derivative(|| JacobianTerm::Hinge { hinge, slope: 1.0 });
            }
        }
        PostureHeuristic::Balance if stance.is_empty() => {}
        PostureHeuristic::Balance => {
            let middle = |contact: &Contact| {
                let [front, back] = contact.pressing_ends(character, frames);
                0.5 * (front + back)
            };
            let mean = stance.iter().map(middle).sum::<Vec3>() / stance.len() as f32;
            let offset = center_of_mass(character, frames) - mean;
            for axis in HORIZONTAL {
                visitor.residual(axis.dot(offset) / anatomy.thesis_unit);
                visitor.derivative(|| JacobianTerm::CenterOfMass(axis / anatomy.thesis_unit));
            }
        }
        PostureHeuristic::Upright { line, backward } => visit_lean(line, *backward, posture, visitor),
        PostureHeuristic::OppositeSwing { limbs, against } => visit_swings(limbs, against, posture, visitor),
        PostureHeuristic::HangDown { holding, below_holding, hanging, above_hanging } => {
            visit_missing_drop([holding, hanging], [below_holding, above_hanging], posture, visitor);
        }
        PostureHeuristic::LevelTips(limbs) => {
            for limb in limbs.iter().map(|&limb| &anatomy.limbs[limb]) {
                let Some(bend) = limb.bend_point(frames) else { continue };
                let tip = limb.tip_point(frames);
                visitor.residual(UP.dot(tip.position - bend.position) / anatomy.thesis_unit);
                add_point(visitor, tip, UP / anatomy.thesis_unit);
                add_point(visitor, bend, -UP / anatomy.thesis_unit);
            }
        }
    }
}

/// The two horizontal axes.
const HORIZONTAL: [Vec3; 2] = [Vec3::X, Vec3::Z];

/// The last residual changes by `gradient` per meter that a point moves.
pub(crate) fn add_point(visitor: &mut impl ResidualVisitor, LinkPoint { link, position }: LinkPoint, gradient: Vec3) {
    visitor.derivative(|| JacobianTerm::Point { link, at: position, gradient });
}

/// The last residual changes by `gradient` per meter that a landmark moves.
pub(crate) fn add_landmark(
    landmark: &Landmark,
    PostureState { anatomy, link_frames: frames, .. }: PostureState,
    visitor: &mut impl ResidualVisitor,
    gradient: Vec3,
) {
    match landmark {
        Landmark::Joint(link) => {
            let position = frames.world_from_link[*link].translation;
            add_point(visitor, LinkPoint { link: *link, position }, gradient);
        }
        Landmark::MeanOfFirstJoints(limbs) => {
            for &limb in limbs {
                add_point(visitor, anatomy.limbs[limb].root_point(frames), gradient / limbs.len() as f32);
            }
        }
    }
}

/// The angle between a line of the body and the vertical, as a vector in the direction of the lean. Its part against the heading
/// counts `backward` times.
fn visit_lean(line: &BodyLine, backward: f32, posture: PostureState, visitor: &mut impl ResidualVisitor) {
    let PostureState { anatomy, link_frames: frames, .. } = posture;
    let min_length = tuning::MIN_LENGTH * anatomy.thesis_unit;
    let extent = anatomy.landmark_position(&line.to, frames) - anatomy.landmark_position(&line.from, frames);
    let rise = UP.dot(extent);
    let across = extent - UP * rise;
    let (length, square) = (across.length(), extent.length_squared().max(min_length * min_length));
    let angle = atan2(length, rise);
    // An upside-down line leans in no direction; any will do.
    let direction = across.try_normalize().unwrap_or(Vec3::X);
    let lean = direction * angle;
    let sideways = if length > min_length { angle / length } else { 1.0 / rise.abs().max(min_length) };
    let Heading { ahead, left, axis: heading_axis } = Heading::new(posture);
    let more = if ahead.dot(lean) < 0.0 { backward - 1.0 } else { 0.0 };
    for axis in HORIZONTAL {
        visitor.residual(axis.dot(lean + ahead * (more * ahead.dot(lean))));
        let along = axis + ahead * (more * ahead.dot(axis));
        // A motion along the lean changes the angle, a motion across it the direction.
        let gradient =
            along * sideways + (direction * (rise / square - sideways) - UP * (length / square)) * along.dot(direction);
        add_landmark(&line.to, posture, visitor, gradient);
        add_landmark(&line.from, posture, visitor, -gradient);
        if more > 0.0 {
            let turning = axis.dot(ahead) * left.dot(lean) + axis.dot(left) * ahead.dot(lean);
            let gradient = heading_axis * (more * turning);
            visitor.derivative(|| JacobianTerm::Rotation { link: anatomy.trunk(), gradient });
        }
    }
}

/// The way the body faces, and how it turns.
struct Heading {
    ahead: Vec3,
    left: Vec3,
    /// The heading turns to the left by this axis' share of the trunk's rotation.
    axis: Vec3,
}

impl Heading {
    fn new(PostureState { anatomy, link_frames: frames, .. }: PostureState) -> Self {
        let ahead = anatomy.heading_direction(frames);
        let left = UP.cross(ahead);
        // The heading follows the trunk, mostly as it turns about the vertical.
        let right = frames.world_from_link[anatomy.trunk()].rotation * Vec3::Z;
        let axis = UP - left * (UP.dot(right) / left.dot(right).min(-1e-3));
        Self { ahead, left, axis }
    }
}

/// For each side, the sum of the angles of two limbs to the vertical.
///
/// The thesis' text speaks of the opposite leg, its formula of the leg on the same side. People swing an arm against the leg
/// of its own side, so the formula is right.
///
/// Angles wrap opposite to the middle of a limb's range, where it cannot point, and not straight overhead: there, an arm a little
/// behind the vertical would be drawn all the way around its back.
fn visit_swings(limbs: &[LimbId], against: &[LimbId], posture: PostureState, visitor: &mut impl ResidualVisitor) {
    let PostureState { character, anatomy, link_frames: frames, .. } = posture;
    let Heading { ahead: heading, left, axis: heading_axis } = Heading::new(posture);
    let min_length = tuning::MIN_LENGTH * anatomy.thesis_unit;
    let extent = |limb: &LimbGeometry| limb.tip_position(frames) - limb.root_position(frames);
    let swing = |limb: &LimbGeometry| {
        let in_plane = |direction: Vec3| [heading.dot(direction), -UP.dot(direction)];
        let ([x, y], [mx, my]) = (in_plane(extent(limb)), in_plane(limb.middle_direction(frames)));
        atan2(mx, my) + atan2(x * my - y * mx, x * mx + y * my)
    };
    let side = |limb: LimbId| character.limbs[limb].side;
    for &limb in limbs.iter().filter(|&&limb| side(limb) != Side::Middle) {
        let Some(&other) = against.iter().find(|&&other| side(other) == side(limb)) else { continue };
        let pair = [&anatomy.limbs[limb], &anatomy.limbs[other]];
        visitor.residual(swing(pair[0]) + swing(pair[1]));
        for limb in pair {
            let extent = extent(limb);
            let (ahead, down) = (heading.dot(extent), -UP.dot(extent));
            let square = (ahead * ahead + down * down).max(min_length * min_length);
            let gradient = (heading * down + UP * ahead) / square;
            add_point(visitor, limb.tip_point(frames), gradient);
            add_point(visitor, limb.root_point(frames), -gradient);
            let gradient = heading_axis * (left.dot(extent) * down / square);
            visitor.derivative(|| JacobianTerm::Rotation { link: anatomy.trunk(), gradient });
        }
    }
}

/// How far the body is from hanging straight: (length of the holding limbs - drop from the highest tip in contact to the first
/// landmark) + (length of the hanging limbs - drop from the second landmark to the mean of their tips).
fn visit_missing_drop(
    [holding, hanging]: [&[LimbId]; 2],
    [below_holding, above_hanging]: [&Landmark; 2],
    posture: PostureState,
    visitor: &mut impl ResidualVisitor,
) {
    let PostureState { character, anatomy, link_frames: frames, stance, .. } = posture;
    let position = |landmark: &Landmark| anatomy.landmark_position(landmark, frames);
    let max_length = |limbs: &[LimbId]| limbs.iter().map(|&limb| anatomy.limbs[limb].length).fold(0.0, f32::max);
    let tip = |&limb: &LimbId| anatomy.limbs[limb].tip_point(frames);
    let is_in_contact =
        |limb: &&LimbId| stance.iter().any(|contact| character.effectors[contact.effector].limb == Some(**limb));
    let higher = |a: LinkPoint, b: LinkPoint| if UP.dot(b.position) > UP.dot(a.position) { b } else { a };
    let highest = holding.iter().filter(is_in_contact).map(tip).reduce(higher);
    let mut missing = 0.0;
    if let Some(highest) = highest {
        missing += max_length(holding) - UP.dot(highest.position - position(below_holding));
    }
    if !hanging.is_empty() {
        let tips = hanging.iter().map(|limb| UP.dot(tip(limb).position)).sum::<f32>() / hanging.len() as f32;
        missing += max_length(hanging) - (UP.dot(position(above_hanging)) - tips);
    }
    // The landmark may be above the first joints, so a little is missing even at full stretch. Never negative.
    visitor.residual((missing / anatomy.thesis_unit).max(0.0));
    if missing <= 0.0 {
        return;
    }
    let gradient = UP / anatomy.thesis_unit;
    if let Some(highest) = highest {
        add_point(visitor, highest, -gradient);
        add_landmark(below_holding, posture, visitor, gradient);
    }
    if !hanging.is_empty() {
        add_landmark(above_hanging, posture, visitor, -gradient);
        for limb in hanging {
            add_point(visitor, tip(limb), gradient / hanging.len() as f32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clamber_model::ModeTable;
    use clamber_model::contact::Stance;
    use clamber_model::id::HoldId;
    use clamber_model::kinematics::forward;

    /// A posture of the figure. Hinges that are not listed are at 0, so limbs hang straight down.
    struct Figure {
        character: Character,
        table: ModeTable,
        pitch: f32,
        /// In degrees.
        angles: Vec<(&'static str, f32)>,
        /// Contacts: effectors and their distances ahead of the root, in meters.
        holds: Vec<(&'static str, f32)>,
    }

    /// The hands and ankles of the figure without feet can be 0.665 + 0.46 + 0.875 meters apart.
    const UNIT: f32 = 2.0 / 4.3;

    fn figure() -> Figure {
        of(clamber_testing::character("figure"))
    }

    fn figure_without_feet() -> Figure {
        of(clamber_testing::figure_without_feet())
    }

    fn of(character: Character) -> Figure {
        let table = clamber_testing::table(&character);
        Figure { character, table, pitch: 0.0, angles: Vec::new(), holds: Vec::new() }
    }

    impl Figure {
        fn angles(self, angles: &[(&'static str, f32)]) -> Self {
            Self { angles: angles.to_vec(), ..self }
        }

        fn pitch(self, pitch: f32) -> Self {
            Self { pitch, ..self }
        }

        fn holds(self, holds: &[(&'static str, f32)]) -> Self {
            Self { holds: holds.to_vec(), ..self }
        }

        fn discomfort_facing(&self, right: bool, heuristics: &[(&str, f32)]) -> f32 {
            let (x, y) = (2.0, 0.9);
            let mut configuration = Configuration::rest(&self.character);
            configuration.root = Configuration::planar_root_pose(x, y, self.pitch.to_radians(), right);
            configuration.angles.fill(0.0);
            for (hinge, angle) in &self.angles {
                configuration.angles[self.character.find_hinge(hinge).unwrap()] = angle.to_radians();
            }
            configuration.check(&self.character).unwrap();
            let ahead = if right { 1.0 } else { -1.0 };
            let contact = |(effector, distance): &(&str, f32)| Contact {
                effector: self.character.find_effector(effector).unwrap(),
                hold: HoldId::new(0),
                point: Vec3::new(x + ahead * distance, 0.3, 0.0),
                normal: Vec3::Y,
            };
            let stance: Stance = self.holds.iter().map(contact).collect();
            let mut frames = LinkFrames::default();
            forward(&self.character, &configuration, &mut frames);
            let anatomy = Anatomy::new(&self.character, &self.table);
            let known = clamber_testing::heuristics(&self.character);
            let posture_heuristics = heuristics.iter().map(|(name, weight)| (known[name].clone(), *weight)).collect();
            let mode = Mode { posture_heuristics, ..self.table.modes.raw[0].clone() };
            let (character, anatomy) = (&self.character, &anatomy);
            let posture = PostureState {
                character,
                anatomy,
                configuration: &configuration,
                link_frames: &frames,
                stance: &stance,
            };
            discomfort(&mode, posture)
        }

        /// Asserts the value of one heuristic, for either heading.
        fn assert_value(self, heuristic: &str, expected: f32) {
            for right in [true, false] {
                let value = self.discomfort_facing(right, &[(heuristic, 1.0)]);
                assert!((value - expected).abs() < 1e-4, "{heuristic}, right {right}: {value}, not {expected}");
            }
        }
    }

    #[test]
    fn head_up_depends_on_the_neck_and_not_on_the_lean_of_the_spine() {
        figure().assert_value("head-up", 1.0);
        figure().pitch(-40.0).assert_value("head-up", 1.0);
        figure().angles(&[("neck", -45.0)]).assert_value("head-up", 1.0 + 45.0 / 180.0);
        figure().pitch(20.0).angles(&[("neck", 30.0)]).assert_value("head-up", 1.0 + 30.0 / 180.0);
    }

    #[test]
    fn comfy_limbs_measures_elbows_and_knees_against_their_rest_angles() {
        let rest = [("left_elbow", 20.0), ("right_elbow", 20.0), ("left_knee", -20.0), ("right_knee", -20.0)];
        figure().angles(&rest).assert_value("comfy-limbs", 1.0);
        // Each of the four limbs is 20 degrees from rest.
        figure().assert_value("comfy-limbs", 1.0 + 80.0 / 720.0);
        let mut bent = rest;
        (bent[0].1, bent[3].1) = (110.0, -65.0);
        figure().angles(&bent).assert_value("comfy-limbs", 1.0 + (90.0 + 45.0) / 720.0);
        // Shoulders and hips do not count.
        let swung = [&rest[..], &[("left_shoulder", 70.0), ("right_hip", 50.0)]].concat();
        figure().angles(&swung).assert_value("comfy-limbs", 1.0);
    }

    #[test]
    fn balance_is_the_squared_distance_in_thesis_units() {
        // With straight limbs the center of mass is above the root.
        figure_without_feet().assert_value("balance", 1.0);
        figure_without_feet().holds(&[("left_foot", -0.2), ("right_foot", 0.2)]).assert_value("balance", 1.0);
        figure_without_feet().holds(&[("left_foot", UNIT)]).assert_value("balance", 2.0);
        figure_without_feet().holds(&[("left_foot", UNIT), ("right_foot", -2.0 * UNIT)]).assert_value("balance", 1.25);
        figure_without_feet().holds(&[("left_foot", 3.0 * UNIT)]).assert_value("balance", 10.0);
    }

    /// With straight limbs the soles are flat. The feet are ahead of the ankles, so the center of mass is 1 mm ahead of the root.
    #[test]
    fn balance_is_over_the_middle_of_a_flat_sole() {
        let ahead = 2.0 * 1.09 * 0.04 / 75.0;
        figure().holds(&[("left_foot", 0.065 + ahead)]).assert_value("balance", 1.0);
        let feet = [("left_foot", 0.3 + 0.065 + ahead), ("right_foot", -0.3 + 0.065 + ahead)];
        figure().holds(&feet).assert_value("balance", 1.0);
        let over_the_ball = figure().holds(&[("left_foot", ahead)]);
        assert!(over_the_ball.discomfort_facing(true, &[("balance", 1.0)]) > 1.01);
        // A foot on its toes stands on its ball.
        let on_toes = over_the_ball.angles(&[("left_ankle", -40.0)]);
        assert!(on_toes.discomfort_facing(true, &[("balance", 1.0)]) < 1.001);
    }

    #[test]
    fn upright_spine_measures_the_lean() {
        figure().assert_value("upright-spine", 1.0);
        figure().pitch(-30.0).assert_value("upright-spine", 1.0 + 30.0 / 90.0);
        figure().pitch(-90.0).assert_value("upright-spine", 2.0);
        // A lean backward counts three times.
        figure().pitch(30.0).assert_value("upright-spine", 1.0 + 90.0 / 90.0);
        // Limbs and head do not count.
        figure().angles(&[("left_hip", 90.0), ("neck", 20.0)]).assert_value("upright-spine", 1.0);
    }

    #[test]
    fn limb_counter_balance_compares_arm_and_leg_of_one_side() {
        let heuristic = "limb-counter-balance";
        figure().assert_value(heuristic, 1.0);
        let against = [("left_shoulder", 25.0), ("left_hip", -25.0), ("right_shoulder", -20.0), ("right_hip", 20.0)];
        figure().angles(&against).assert_value(heuristic, 1.0);
        figure().angles(&[("left_shoulder", 30.0), ("left_hip", 20.0)]).assert_value(heuristic, 1.0 + 50.0 / 90.0);
        // The leg of the other side does not count.
        figure().angles(&[("left_shoulder", 30.0), ("right_hip", -20.0)]).assert_value(heuristic, 1.0 + 50.0 / 90.0);
        // An arm straight up and a little behind is a little more than half a turn ahead.
        figure().angles(&[("left_shoulder", 170.0)]).assert_value(heuristic, 1.0 + 170.0 / 90.0);
        figure()
            .pitch(20.0)
            .angles(&[("left_shoulder", 170.0)])
            .assert_value(heuristic, 1.0 + (190.0 + 20.0 + 40.0) / 90.0);
        // Angles are to the vertical, not to the trunk.
        let level = [("left_shoulder", 10.0), ("left_hip", 10.0), ("right_shoulder", 10.0), ("right_hip", 10.0)];
        figure().pitch(-10.0).angles(&level).assert_value(heuristic, 1.0);
    }

    #[test]
    fn hang_down_measures_the_missing_drop_below_hands_and_hips() {
        let heuristic = "hang-down";
        let up = [("left_shoulder", 180.0), ("right_shoulder", 180.0)];
        let hands = [("left_hand", 0.0), ("right_hand", 0.0)];
        // The neck is 0.05 above the shoulders, so at least this much is missing.
        let neck = 0.05 / UNIT / 4.0;
        figure_without_feet().angles(&up).holds(&hands).assert_value(heuristic, 1.0 + neck);
        // With arms straight ahead, the arm length and the rise from shoulder to neck are missing.
        let ahead = [("left_shoulder", 90.0), ("right_shoulder", 90.0)];
        figure_without_feet().angles(&ahead).holds(&hands).assert_value(heuristic, 1.0 + (0.665 + 0.05) / UNIT / 4.0);
        // The higher hand counts; hands without a contact do not.
        let one = [up[0], ("right_shoulder", 90.0)];
        figure_without_feet().angles(&one).holds(&hands).assert_value(heuristic, 1.0 + neck);
        figure_without_feet().angles(&one).holds(&hands[..1]).assert_value(heuristic, 1.0 + neck);
        figure_without_feet()
            .angles(&one)
            .holds(&hands[1..])
            .assert_value(heuristic, 1.0 + (0.665 + 0.05) / UNIT / 4.0);
        // A leg raised to hip level lifts the mean of the feet by half its length.
        let sitting = [up[0], up[1], ("left_hip", 90.0)];
        figure_without_feet()
            .angles(&sitting)
            .holds(&hands)
            .assert_value(heuristic, 1.0 + neck + 0.5 * 0.875 / UNIT / 4.0);
    }

    #[test]
    fn knees_down_measures_feet_against_knees() {
        let level = [("left_knee", -90.0), ("right_knee", -90.0)];
        figure_without_feet().angles(&level).assert_value("knees-down", 1.0);
        let rise = 0.445 / UNIT;
        figure_without_feet().angles(&level[..1]).assert_value("knees-down", 1.0 + rise * rise);
        figure_without_feet().assert_value("knees-down", 1.0 + 4.0 * rise * rise);
        // A foot above its knee counts as much as one below.
        figure_without_feet()
            .angles(&[("left_knee", -120.0), level[1]])
            .assert_value("knees-down", 1.0 + 0.25 * rise * rise);
    }

    #[test]
    fn discomfort_is_the_product_of_heuristics_raised_to_their_weights() {
        let leaning = figure().pitch(-45.0).angles(&[("neck", -36.0)]);
        let near = |heuristics: &[(&str, f32)], expected: f32| {
            let value = leaning.discomfort_facing(true, heuristics);
            assert!((value - expected).abs() < 1e-4, "{heuristics:?}: {value}, not {expected}");
        };
        let (head, spine) = ("head-up", "upright-spine");
        near(&[], 1.0);
        near(&[(head, 1.0)], 1.2);
        near(&[(head, 2.0)], 1.44);
        near(&[(spine, 3.0)], 3.375);
        near(&[(spine, 0.0)], 1.0);
        near(&[(head, 1.0), (spine, 1.0)], 1.8);
        near(&[(head, 2.0), (spine, 3.0)], 1.44 * 3.375);
    }
}
