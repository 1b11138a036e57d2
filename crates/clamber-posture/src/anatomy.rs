//! What the heuristics and conditions of a mode table need to know of a character's build.

use clamber_model::kinematics::{Workspace, forward, link_in_world};
use clamber_model::math::{Pose, Rotation, Vec3, turn_from_rotation};
use clamber_model::mode::{Body, Mark};
use clamber_model::world::UP;
use clamber_model::{Character, Configuration, ModeTable};

/// Lengths and landmarks of a character, by the parts that its mode table names.
pub struct Anatomy {
    /// The thesis' unit of length, in metres. Its figure's hands and feet can be 4.3 units apart (5.3.1); where a
    /// formula has a length to a power or a length with a plain number, lengths are taken in this unit.
    pub unit: f32,
    /// The farthest that a hand and a foot can be apart, in metres.
    pub max_span: f32,
    /// From the soles to the top of the head when it stands at rest, in metres.
    pub standing_height: f32,
    /// The radius of the thickest capsule of the trunk, in metres.
    pub trunk_radius: f32,
    pub arms: Vec<LimbShape>,
    pub legs: Vec<LimbShape>,
    body: Body,
    parent_from_head_at_rest: Rotation,
}

/// A point of a link.
#[derive(Clone, Copy)]
pub struct Landmark {
    pub link: usize,
    /// In the world.
    pub place: Vec3,
}

/// An arm or a leg.
pub struct LimbShape {
    /// Index into `Character::limbs`.
    pub limb: usize,
    /// The link at whose joint it begins.
    first: usize,
    /// The link that begins at its knee or elbow, where it has one.
    second: Option<usize>,
    /// The tip: a point of a link.
    tip: (usize, Vec3),
    /// From the first joint to the tip when it is stretched, in metres.
    pub length: f32,
    /// The hinges of its knee or elbow.
    pub bends: Vec<usize>,
}

impl LimbShape {
    fn new(character: &Character, limb: usize) -> Self {
        let links = &character.limbs[limb].links;
        let (first, last) = (links[0], links[links.len() - 1]);
        let own = character.effectors.iter().filter(|effector| effector.link == last).map(|effector| effector.center);
        let ends = character.capsules[character.links[last].capsules.clone()].iter().flat_map(|c| [c.a, c.b]);
        let farthest = |best: Vec3, point: Vec3| if point.length() > best.length() { point } else { best };
        let mut tip = own.fold(Vec3::ZERO, farthest);
        if tip == Vec3::ZERO {
            tip = ends.fold(Vec3::ZERO, farthest);
        }
        let between: f32 =
            links[1..].iter().map(|&link| character.links[link].parent_from_joint.translation.length()).sum();
        let hinges = character.limbs[limb].hinges.iter().copied();
        let second = links.get(1).copied();
        let bends = hinges.filter(|&hinge| Some(character.hinges[hinge].link) == second).collect();
        Self { limb, first, second, tip: (last, tip), length: between + tip.length(), bends }
    }

    /// The shoulder or the hip.
    pub fn root(&self, frames: &Workspace) -> Vec3 {
        self.root_of(frames).place
    }

    pub fn root_of(&self, frames: &Workspace) -> Landmark {
        Landmark { link: self.first, place: frames.world_from_link[self.first].translation }
    }

    /// The elbow or the knee.
    pub fn bend_of(&self, frames: &Workspace) -> Option<Landmark> {
        self.second.map(|link| Landmark { link, place: frames.world_from_link[link].translation })
    }

    /// The hand or the foot.
    pub fn tip(&self, frames: &Workspace) -> Vec3 {
        self.tip_of(frames).place
    }

    pub fn tip_of(&self, frames: &Workspace) -> Landmark {
        let (link, at) = self.tip;
        Landmark { link, place: frames.world_from_link[link] * at }
    }
}

impl Anatomy {
    pub fn new(character: &Character, table: &ModeTable) -> Self {
        let body = table.body.clone();
        let shapes = |limbs: &[usize]| limbs.iter().map(|&limb| LimbShape::new(character, limb)).collect::<Vec<_>>();
        let (arms, legs) = (shapes(&body.arms), shapes(&body.legs));

        let rest = Configuration::rest(character);
        let mut frames = Workspace::default();
        forward(character, &rest, &mut frames);
        let head_parent = character.links[body.head].parent.unwrap_or(body.head);
        let rotation = |link: usize| frames.world_from_link[link].rotation;
        let parent_from_head_at_rest = rotation(head_parent).inverse() * rotation(body.head);

        let longest = |limbs: &[LimbShape]| limbs.iter().map(|limb| limb.length).fold(0.0, f32::max);
        let mut apart: f32 = 0.0;
        for arm in &arms {
            for leg in &legs {
                apart = apart.max((arm.root(&frames) - leg.root(&frames)).length());
            }
        }
        let max_span = longest(&arms) + apart + longest(&legs);
        let heights = (0..character.capsules.len()).flat_map(|index| {
            let capsule = clamber_model::kinematics::capsule_in_world(character, &frames, index);
            [capsule.a, capsule.b].map(|end| (UP.dot(end) - capsule.radius, UP.dot(end) + capsule.radius))
        });
        let (low, high) =
            heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), (l, h)| (low.min(l), high.max(h)));
        let trunk = &character.capsules[character.links[body.trunk].capsules.clone()];
        let trunk_radius = trunk.iter().map(|capsule| capsule.radius).fold(0.0, f32::max);
        Self {
            unit: max_span / 4.3,
            max_span,
            standing_height: high - low,
            trunk_radius,
            arms,
            legs,
            body,
            parent_from_head_at_rest,
        }
    }

    /// The joint of the head.
    pub fn neck(&self, frames: &Workspace) -> Vec3 {
        self.neck_of(frames).place
    }

    pub fn neck_of(&self, frames: &Workspace) -> Landmark {
        Landmark { link: self.body.head, place: frames.world_from_link[self.body.head].translation }
    }

    /// The middle of the joints of the legs; the trunk's own where there are none.
    pub fn hip(&self, frames: &Workspace) -> Vec3 {
        if self.legs.is_empty() {
            return frames.world_from_link[self.body.trunk].translation;
        }
        self.legs.iter().map(|leg| leg.root(frames)).sum::<Vec3>() / self.legs.len() as f32
    }

    pub fn mark(&self, mark: Mark, frames: &Workspace) -> Vec3 {
        match mark {
            Mark::Head => self.neck(frames),
            Mark::Hip => self.hip(frames),
        }
    }

    /// The horizontal unit vector that the character looks along, also when it is bent forward.
    pub fn heading(&self, frames: &Workspace) -> Vec3 {
        heading_of(&frames.world_from_link[self.body.trunk])
    }

    /// The same, of a configuration whose frames are not there.
    pub fn heading_at(&self, character: &Character, configuration: &Configuration) -> Vec3 {
        heading_of(&link_in_world(character, configuration, self.body.trunk))
    }

    /// The horizontal unit vector to the character's right.
    pub fn right(&self, frames: &Workspace) -> Vec3 {
        self.heading(frames).cross(UP)
    }

    /// The link of the head, and the one that carries it.
    pub fn head(&self, character: &Character) -> Option<[usize; 2]> {
        Some([self.body.head, character.links[self.body.head].parent?])
    }

    /// The trunk's link.
    pub fn trunk(&self) -> usize {
        self.body.trunk
    }

    /// How the head is turned from where it rests on the trunk: about the direction, by the length in radians.
    pub fn head_turn(&self, character: &Character, frames: &Workspace) -> Vec3 {
        let Some(parent) = character.links[self.body.head].parent else { return Vec3::ZERO };
        let at_rest = frames.world_from_link[parent].rotation * self.parent_from_head_at_rest;
        turn_from_rotation(frames.world_from_link[self.body.head].rotation * at_rest.inverse())
    }
}

/// The horizontal unit vector that a trunk looks along.
fn heading_of(trunk: &Pose) -> Vec3 {
    UP.cross(trunk.rotation * Vec3::Z).try_normalize().unwrap_or(Vec3::X)
}
