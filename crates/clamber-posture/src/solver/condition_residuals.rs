//! The conditions that a posture must meet, as residuals that are 0 where they are met with a little to spare.

use clamber_model::id::LimbId;
use clamber_model::math::{Vec3, atan2};
use clamber_model::mode_table::{BodyLine, Condition};
use clamber_model::world::UP;

use super::tuning;
use crate::comfort::{PostureState, ResidualVisitor, add_landmark, add_point};

/// Reports one residual for a condition on landmarks or limbs and none for any other. It is in radians, body sizes or lengths of a limb.
pub(super) fn visit_condition(condition: &Condition, posture: PostureState, visitor: &mut impl ResidualVisitor) {
    match condition {
        Condition::Upright { line, max_lean } => visit_excess_lean(line, *max_lean, posture, visitor),
        Condition::Higher { landmark, than } => {
            let size = posture.character.body_size();
            let [high, low] = [landmark, than].map(|at| posture.anatomy.landmark_position(at, posture.link_frames));
            let missing = tuning::HIGHER_AIM - UP.dot(high - low) / size;
            visitor.residual(missing.max(0.0));
            if missing > 0.0 {
                add_landmark(landmark, posture, visitor, -UP / size);
                add_landmark(than, posture, visitor, UP / size);
            }
        }
        Condition::Stretched { limbs, share } => visit_missing_stretch(limbs, *share, posture, visitor),
        _ => {}
    }
}

/// What the limb that is stretched the most lacks of a share of its length.
fn visit_missing_stretch(limbs: &[LimbId], share: f32, posture: PostureState, visitor: &mut impl ResidualVisitor) {
    let PostureState { character, anatomy, link_frames: frames, stance, .. } = posture;
    let limb = anatomy.most_stretched(character, limbs, stance, frames).map(|limb| &anatomy.limbs[limb]);
    let missing = limb.map_or(0.0, |limb| share + tuning::STRETCH_AIM - limb.stretch(frames));
    visitor.residual(missing.max(0.0));
    if let Some(limb) = limb.filter(|_| missing > 0.0) {
        let (root, tip) = (limb.root_point(frames), limb.tip_point(frames));
        let gradient = (root.position - tip.position).normalize_or_zero() / limb.length;
        add_point(visitor, tip, gradient);
        add_point(visitor, root, -gradient);
    }
}

/// The angle by which a line of the body leans farther from the vertical than it may.
fn visit_excess_lean(line: &BodyLine, max_lean: f32, posture: PostureState, visitor: &mut impl ResidualVisitor) {
    let PostureState { anatomy, link_frames: frames, .. } = posture;
    let extent = anatomy.landmark_position(&line.to, frames) - anatomy.landmark_position(&line.from, frames);
    let rise = UP.dot(extent);
    let across = extent - UP * rise;
    let (length, square) = (across.length(), extent.length_squared());
    let excess = atan2(length, rise) - tuning::LEAN_AIM * max_lean;
    visitor.residual(excess.max(0.0));
    if excess > 0.0 && square > 0.0 {
        // An upside-down line leans in no direction; any will do.
        let direction = across.try_normalize().unwrap_or(Vec3::X);
        let gradient = (direction * rise - UP * length) / square;
        add_landmark(&line.to, posture, visitor, gradient);
        add_landmark(&line.from, posture, visitor, -gradient);
    }
}
