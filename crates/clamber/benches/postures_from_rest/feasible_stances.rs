//! Random stances on which a posture exists: a body in a random posture makes contacts where its effectors are.
//!
//! Of the drawn bodies those remain that do not enter themselves and that their contacts carry. The stance is all that a solver
//! gets; the posture only proves that there is a solution. The world has no obstacles.

use clamber::model::character::RootJoint;
use clamber::model::contact::Stance;
use clamber::model::id::{EffectorId, HoldId};
use clamber::model::kinematics::{LinkFrames, center_of_mass, effector_position, forward};
use clamber::model::math::Vec3;
use clamber::model::obstacle_collision::CheckedLinks;
use clamber::model::rng::Stream;
use clamber::model::self_collision::{self, SelfCollisionWorkspace};
use clamber::model::world::{Hold, HoldShape, HoldType};
use clamber::model::{Character, Configuration, Contact, World};
use clamber::posture::equilibrium::EquilibriumSolver;

use crate::random_body::{
    level_axis, normal_of_type, random_contact_count, random_effectors, random_hold_type, random_posture,
};

/// A stance, with the posture that it was made from.
pub struct FeasibleStance {
    pub stance: Stance,
    /// The empty world with the stance's holds.
    pub world: World,
    pub witness: Configuration,
}

/// How far from the origin the root is drawn, along each axis, in body sizes.
const ROOT_OFFSET: f32 = 2.0;

/// Draws the stance of this number, with a number of contacts or any.
pub fn draw(character: &Character, empty: &World, contacts: Option<usize>, number: u64) -> FeasibleStance {
    let mut stream = Stream::new(number, "feasible stances");
    let (mut collision, mut equilibrium) = (SelfCollisionWorkspace::default(), EquilibriumSolver::default());
    let mut frames = LinkFrames::default();
    loop {
        let witness = place(character, random_posture(character, 1.0, &mut stream), &mut stream);
        let count = contacts.unwrap_or_else(|| random_contact_count(character, &mut stream));
        forward(character, &witness, &mut frames);
        let Some((stance, holds)) = random_stance(character, &frames, count, &mut stream) else { continue };
        if !self_collision::is_free(character, &witness, CheckedLinks::All, &mut collision) {
            continue;
        }
        let world = empty.clone().with_holds(holds);
        let center = center_of_mass(character, &frames);
        if equilibrium.distance_outside(character, &world, &frames, &stance, center) == 0.0 {
            return FeasibleStance { stance, world, witness };
        }
    }
}

fn place(character: &Character, mut posture: Configuration, stream: &mut Stream) -> Configuration {
    let offset = ROOT_OFFSET * character.body_size();
    let mut along = || stream.between(-offset, offset);
    let translation = Vec3::new(along(), along(), along());
    let is_planar = character.root_joint == RootJoint::Planar;
    posture.root.translation = if is_planar { translation.with_z(0.0) } else { translation };
    posture
}

/// Contacts of some effectors where they are; `None` if one of them can bear nothing.
fn random_stance(
    character: &Character,
    frames: &LinkFrames,
    count: usize,
    stream: &mut Stream,
) -> Option<(Stance, Vec<Hold>)> {
    let is_level = stream.uniform() < 0.7;
    let (mut stance, mut holds) = (Stance::new(), Vec::new());
    for id in random_effectors(character, count, stream) {
        let (normal, hold_type) = random_surface(character, frames, id, is_level, stream);
        let effector = &character.effectors[id];
        if !hold_type.allows_pressing() && effector.ability.grip.is_none() {
            return None;
        }
        let point = effector_position(character, frames, id) - normal * effector.radius;
        stance.push(Contact { effector: id, hold: HoldId::from(holds.len()), point, normal });
        let (name, shape) = (format!("hold {}", holds.len() + 1), HoldShape::Point(point));
        holds.push(Hold { name, hold_type, normal, shape, friction: stream.between(0.2, 1.2) });
    }
    Some((stance, holds))
}

/// The surface that an effector faces, or any that suits a type.
fn random_surface(
    character: &Character,
    frames: &LinkFrames,
    id: EffectorId,
    is_level: bool,
    stream: &mut Stream,
) -> (Vec3, HoldType) {
    let effector = &character.effectors[id];
    if let Some(facing) = effector.facing {
        let normal = -(frames.world_from_link[effector.link].rotation * facing).normalize();
        return (normal, HoldType::of_normal(normal));
    }
    let hold_type = random_hold_type(effector, is_level, stream);
    (normal_of_type(hold_type, level_axis(character, stream), stream), hold_type)
}
