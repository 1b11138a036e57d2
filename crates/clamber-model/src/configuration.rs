//! Configurations: where a character is and how it is bent.

use typed_index_collections::TiVec;

use crate::character::{Character, Hinge, Root, RootAxis};
use crate::id::{HingeId, LinkId};
use crate::math::{Pose, Rotation, Vec3, angle_between, rotation_about, rotation_from_turn, turn_from_rotation};

/// The root's placement and all hinge angles (the papers' **q**).
#[derive(Debug, PartialEq)]
pub struct Configuration {
    /// The first link's frame in the world. Planar characters keep z = 0 and turn about z, before the half turn
    /// about y that says which way they face.
    pub root: Pose,
    /// In radians, in the order of [`Character::hinges`].
    pub angles: TiVec<HingeId, f32>,
}

// By hand for `clone_from`, which reuses the angles' memory: searches copy configurations in their hot loops.
impl Clone for Configuration {
    fn clone(&self) -> Self {
        Self { root: self.root, angles: self.angles.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.root = source.root;
        self.angles.raw.clone_from(&source.angles.raw);
    }
}

impl Configuration {
    /// The relaxed body at the origin, looking along +x.
    pub fn rest(character: &Character) -> Self {
        let angles = character.hinges.iter().map(|hinge| hinge.rest).collect();
        Self { root: Pose::IDENTITY, angles }
    }

    /// The placement of a planar root: in the plane, looking along +x or -x, leaning back by `pitch`.
    pub fn planar_root_pose(x: f32, y: f32, pitch: f32, looks_right: bool) -> Pose {
        let facing = if looks_right { Rotation::IDENTITY } else { Rotation::from_xyzw(0.0, 1.0, 0.0, 0.0) };
        Pose::from_parts(Vec3::new(x, y, 0.0), facing * rotation_about(Vec3::Z, pitch))
    }

    /// Moves every degree of freedom by its entry of `displacement` (root first, then hinges) and keeps the
    /// hinges within their limits.
    pub fn displace(&mut self, character: &Character, displacement: &[f32]) {
        let (root, hinges) = displacement.split_at(character.root.axes().len());
        let mut turn = Vec3::ZERO;
        for (axis, amount) in character.root.axes().iter().zip(root) {
            match axis {
                RootAxis::Move(direction) => self.root.translation += *direction * *amount,
                RootAxis::Turn(direction) => turn += *direction * *amount,
            }
        }
        if turn != Vec3::ZERO {
            self.root.rotation = (rotation_from_turn(turn) * self.root.rotation).normalize();
        }
        for ((angle, hinge), amount) in self.angles.iter_mut().zip(&character.hinges).zip(hinges) {
            *angle = (*angle + amount).clamp(hinge.min, hinge.max);
        }
    }

    /// Fills `displacement` with what [`Self::displace`] needs to make this configuration the other one.
    pub fn displacement_to(&self, character: &Character, to: &Self, displacement: &mut Vec<f32>) {
        let way = to.root.translation - self.root.translation;
        let turn = turn_from_rotation(to.root.rotation * self.root.rotation.inverse());
        displacement.clear();
        displacement.extend(character.root.axes().iter().map(|axis| match axis {
            RootAxis::Move(direction) => direction.dot(way),
            RootAxis::Turn(direction) => direction.dot(turn),
        }));
        displacement.extend(self.angles.iter().zip(&to.angles).map(|(from, to)| to - from));
    }

    /// Returns the configuration of the character scaled by `factor`: the root's position grows, angles stay.
    pub(crate) fn scaled(&self, factor: f32) -> Self {
        let root = Pose::from_parts(self.root.translation * factor, self.root.rotation);
        Self { root, angles: self.angles.clone() }
    }

    /// Makes this the configuration a fraction `t` of the way from `from` to `to`: the root moves on a straight
    /// line and turns the short way about a fixed axis, the angles change evenly.
    pub fn interpolate(&mut self, from: &Self, to: &Self, t: f32) {
        self.root.translation = from.root.translation + (to.root.translation - from.root.translation) * t;
        self.root.rotation = from.root.rotation.slerp(to.root.rotation, t);
        self.angles.clear();
        self.angles.extend(from.angles.iter().zip(&to.angles).map(|(a, b)| a + (b - a) * t));
    }

    /// Whether the hinges are the character's: as many angles as it has hinges, within their limits. What is wrong is said
    /// in words.
    pub fn check_hinges(&self, character: &Character) -> Result<(), String> {
        if self.angles.len() != character.hinges.len() {
            return Err(format!("it has {} angles for {} hinges", self.angles.len(), character.hinges.len()));
        }
        let beyond = |(angle, hinge): (&f32, &Hinge)| !(*angle >= hinge.min - 1e-4 && *angle <= hinge.max + 1e-4);
        match self.angles.iter().zip(&character.hinges).position(beyond).map(HingeId::from) {
            Some(hinge) => Err(format!("hinge `{}` is beyond its limits", character.hinges[hinge].name)),
            None => Ok(()),
        }
    }

    /// Whether this is a configuration of the character: as many angles as it has hinges, within their limits, a root
    /// that is a placement and, for a planar character, in the plane. What is wrong is said in words.
    pub fn check(&self, character: &Character) -> Result<(), String> {
        self.check_hinges(character)?;
        if !self.root.translation.is_finite() || !self.root.rotation.is_normalized() {
            return Err("its root is not at a finite place, or its rotation is not of length 1".to_owned());
        }
        if !self.is_in_plane(character.root) {
            return Err("its root is not in the plane z = 0".to_owned());
        }
        Ok(())
    }

    /// Whether a planar character's root is in its plane; true of any free one.
    fn is_in_plane(&self, root: Root) -> bool {
        // A rotation about z, before or after a half turn about y, has either no x and y or no z and w.
        let [x, y, z, w] = self.root.rotation.to_array().map(f32::abs);
        root == Root::Free || (self.root.translation.z.abs() < 1e-4 && x.max(y).min(z.max(w)) < 1e-4)
    }
}

/// For each link, at least as much as any of its points moves along while `from` is interpolated to `to`.
///
/// A point's way is at most the root's, plus, for each joint that carries it, the joint's turn times the
/// longest way from the joint to the link's points. The bound is linear in time: over a part of the
/// interpolation it shrinks in proportion.
pub fn bound_motion(character: &Character, from: &Configuration, to: &Configuration, bounds: &mut TiVec<LinkId, f32>) {
    let root_way = (to.root.translation - from.root.translation).length();
    let root_turn = angle_between(from.root.rotation, to.root.rotation);
    bounds.clear();
    bounds.extend(character.links.keys().map(|link| {
        let mut bound = root_way;
        for lever in character.levers(link) {
            let hinges = character.links[lever.link].hinges.range();
            let turn: f32 =
                from.angles[hinges.clone()].iter().zip(&to.angles[hinges]).map(|(a, b)| (b - a).abs()).sum();
            let turn = if lever.link == LinkId::ROOT { turn + root_turn } else { turn };
            bound += turn * lever.length;
        }
        bound
    }));
}

/// At least as much as any point of the character moves along while `from` is interpolated to `to`, in metres.
pub fn max_motion_bound(
    character: &Character,
    from: &Configuration,
    to: &Configuration,
    bounds: &mut TiVec<LinkId, f32>,
) -> f32 {
    bound_motion(character, from, to, bounds);
    bounds.iter().copied().fold(0.0, f32::max)
}
