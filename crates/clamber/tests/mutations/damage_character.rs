//! Damage to characters: directly in their public fields, or before they are built.

use clamber::Character;
use clamber::model::character::{
    BodyRoles, CharacterDescription, ContactAbility, ExtremityShape, Grip, Hinge, Limb, Link, Patch, RootJoint,
};
use clamber::model::id::{HingeId, LimbId, LinkId};
use clamber::model::math::Vec3;

use crate::damage_modes::strange_landmark;
use crate::random_damage::Damage;

/// Damages one part of a character, with or without building it again.
pub fn damage_character(damage: &mut Damage, character: &mut Character) {
    let mut parts = character.description();
    damage_description(damage, &mut parts);
    if damage.chance(0.5) {
        match Character::new(parts) {
            Ok(built) => *character = built,
            Err(error) => damage.note(format!("refused: {error}")),
        }
        return;
    }
    damage.note("not built again");
    match damage.below(8) {
        0 => damage.list("link_of_capsule", &mut character.link_of_capsule),
        1 => damage.number("total_mass", &mut character.total_mass),
        _ => {}
    }
    let CharacterDescription {
        name,
        root_joint: root,
        root_motion_limits: root_limits,
        links,
        hinges,
        capsules,
        limbs,
        effectors,
        extremities,
        roles,
        self_collision,
    } = parts;
    (character.name, character.root_joint, character.root_motion_limits) = (name, root, root_limits);
    (character.links, character.hinges, character.capsules) = (links, hinges, capsules);
    (character.limbs, character.effectors, character.extremities) = (limbs, effectors, extremities);
    (character.roles, character.self_collision) = (roles, self_collision);
}

fn damage_description(damage: &mut Damage, parts: &mut CharacterDescription) {
    let links = parts.links.len();
    match damage.below(18) {
        0 => damage.list("links", &mut parts.links.raw),
        1 => damage.list("hinges", &mut parts.hinges.raw),
        2 => damage.list("capsules", &mut parts.capsules),
        3 => damage.list("limbs", &mut parts.limbs.raw),
        4 => damage.list("effectors", &mut parts.effectors.raw),
        5 => damage.list("extremities", &mut parts.extremities),
        6 | 7 => {
            if let Some(link) = damage.pick(&mut parts.links.raw) {
                damage_link(damage, link, links);
            }
        }
        8 | 9 => {
            if let Some(hinge) = damage.pick(&mut parts.hinges.raw) {
                damage_hinge(damage, hinge, links);
            }
        }
        10 => {
            if let Some(limb) = damage.pick(&mut parts.limbs.raw) {
                damage_limb(damage, limb);
            }
        }
        11 | 12 => damage_capsule_or_effector(damage, parts),
        13 => damage_extremity(damage, parts),
        14 => {
            let limits = &mut parts.root_motion_limits;
            let mut numbers =
                [&mut limits.speed, &mut limits.acceleration, &mut limits.turn_speed, &mut limits.turn_acceleration];
            if let Some(number) = damage.pick(&mut numbers) {
                damage.number("limit of the root", number);
            }
        }
        15 | 16 => damage_roles(damage, &mut parts.roles),
        _ => {
            parts.root_joint = if parts.root_joint == RootJoint::Planar { RootJoint::Free } else { RootJoint::Planar };
            damage.note("the other kind of root");
            if damage.chance(0.3) {
                damage.name("the character", &mut parts.name);
            }
        }
    }
}

fn damage_roles(damage: &mut Damage, roles: &mut BodyRoles) {
    match damage.below(8) {
        0 => damage.id("trunk", &mut roles.trunk_link, 9),
        1 => roles.gaze_link.iter_mut().for_each(|link| damage.id("gaze", link, 9)),
        2 => damage.list("roles", &mut roles.limb_roles),
        3 => {
            if let Some(role) = damage.pick(&mut roles.limb_roles) {
                damage.list("limbs of a role", &mut role.limbs);
            }
        }
        4 => damage.list("landmarks", &mut roles.landmarks),
        5 => {
            if let Some(named) = damage.pick(&mut roles.landmarks) {
                named.landmark = strange_landmark(damage);
                damage.note(format!("{named:?}"));
            }
        }
        6 => damage.list("limbs of the span", &mut roles.span_limbs[0]),
        _ => {
            let pairs = roles.mirrored_limbs.get_or_insert_default();
            damage.list("mirrored limbs", pairs);
            if let Some(pair) = damage.pick(pairs) {
                damage.id("a mirrored limb", &mut pair[0], 4);
            }
        }
    }
}

fn damage_link(damage: &mut Damage, link: &mut Link, links: usize) {
    match damage.below(7) {
        0 => {
            link.parent = Some(LinkId::new(damage.index(links)));
            damage.note(format!("parent of a link -> {:?}", link.parent));
        }
        1 => link.parent = None,
        2 => damage.pose("a joint", &mut link.parent_from_joint),
        3 => {
            link.hinges = (HingeId::new(damage.index(3))..HingeId::new(damage.index(9))).into();
            damage.note(format!("hinges of a link -> {:?}", link.hinges));
        }
        4 => {
            link.capsules = damage.index(3)..damage.index(9);
            damage.note(format!("capsules of a link -> {:?}", link.capsules));
        }
        5 => damage.number("mass", &mut link.mass),
        _ => damage.vector("center of mass", &mut link.center_of_mass),
    }
}

fn damage_hinge(damage: &mut Damage, hinge: &mut Hinge, links: usize) {
    match damage.below(7) {
        0 => damage.id("link of a hinge", &mut hinge.link, links),
        1 => damage.vector("axis", &mut hinge.axis),
        2 => damage.number("min of a hinge", &mut hinge.min),
        3 => damage.number("max of a hinge", &mut hinge.max),
        4 => damage.number("rest of a hinge", &mut hinge.rest),
        5 => damage.number("speed of a hinge", &mut hinge.max_speed),
        _ => damage.number("acceleration of a hinge", &mut hinge.max_acceleration),
    }
}

fn damage_limb(damage: &mut Damage, limb: &mut Limb) {
    match damage.below(4) {
        0 => damage.list("links of a limb", &mut limb.links),
        1 => damage.list("hinges of a limb", &mut limb.hinges),
        2 => limb.links.iter_mut().for_each(|link| damage.id("link of a limb", link, 9)),
        _ => limb.hinges.iter_mut().for_each(|hinge| damage.id("hinge of a limb", hinge, 9)),
    }
}

fn damage_capsule_or_effector(damage: &mut Damage, parts: &mut CharacterDescription) {
    let part = damage.below(7);
    if part < 3 {
        let Some(capsule) = damage.pick(&mut parts.capsules) else { return };
        match part {
            0 => damage.vector("end of a capsule", &mut capsule.a),
            1 => damage.vector("end of a capsule", &mut capsule.b),
            _ => damage.number("radius of a capsule", &mut capsule.radius),
        }
        return;
    }
    let Some(effector) = damage.pick(&mut parts.effectors.raw) else { return };
    match part {
        3 => damage.id("link of an effector", &mut effector.link, 9),
        4 => {
            effector.limb = Some(LimbId::new(damage.index(4)));
            damage.note(format!("limb of an effector -> {:?}", effector.limb));
        }
        5 => damage.vector("center of an effector", &mut effector.center),
        _ => damage.number("radius of an effector", &mut effector.radius),
    }
}

fn damage_ability(damage: &mut Damage, ability: &mut ContactAbility) {
    let patch = ability.patch.get_or_insert(Patch { forward: Vec3::X, front: 0.1, back: 0.1, width: 0.0 });
    let grip = ability.grip.get_or_insert(Grip { axis: Vec3::Z, width: 0.0, edge_reach: None, max_force: 100.0 });
    match damage.below(4) {
        0 => damage.vector("forward of a patch", &mut patch.forward),
        1 => damage.vector("axis of a grip", &mut grip.axis),
        _ => {
            let mut numbers = [
                &mut patch.front,
                &mut patch.back,
                &mut patch.width,
                &mut grip.width,
                &mut grip.max_force,
                &mut ability.max_push,
            ];
            if let Some(number) = damage.pick(&mut numbers) {
                damage.number("length or force of an effector", number);
            }
        }
    }
}

fn damage_extremity(damage: &mut Damage, parts: &mut CharacterDescription) {
    let part = damage.below(4);
    if let Some(effector) = damage.pick(&mut parts.effectors.raw)
        && part == 3
    {
        effector.facing = Some(Default::default());
        if let Some(facing) = &mut effector.facing {
            damage.vector("facing of an effector", facing);
        }
        damage_ability(damage, &mut effector.ability);
        return;
    }
    let Some(extremity) = damage.pick(&mut parts.extremities) else { return };
    if part == 0 {
        damage.id("effector of an extremity", &mut extremity.effector, 4);
        return;
    }
    let mut numbers = match &mut extremity.shape {
        ExtremityShape::Foot { ankle_to_heel: heel, ankle_to_ball: ball, toe_length: toes, thickness } => {
            vec![heel, ball, toes, thickness]
        }
        ExtremityShape::Hand { palm_length: palm, finger_length: fingers, thickness } => vec![palm, fingers, thickness],
    };
    if let Some(number) = damage.pick(&mut numbers) {
        damage.number("length of an extremity", number);
    }
}
