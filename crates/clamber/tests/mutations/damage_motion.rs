//! Damage to motions.

use clamber::Motion;

use crate::random_damage::Damage;

/// Damages one part of a motion.
pub fn damage_motion(damage: &mut Damage, motion: &mut Motion) {
    let frames = motion.frames.len();
    match damage.below(13) {
        0 => damage.list("frames", &mut motion.frames),
        1 | 2 => {
            if let Some(frame) = damage.pick(&mut motion.frames) {
                damage.number("time of a frame", &mut frame.time);
            }
        }
        3 => {
            if let Some(frame) = damage.pick(&mut motion.frames) {
                damage.pose("root of a frame", &mut frame.configuration.root);
            }
        }
        4 => {
            if let Some(frame) = damage.pick(&mut motion.frames) {
                damage.list("angles of a frame", &mut frame.configuration.angles.raw);
            }
        }
        5 => {
            if let Some(frame) = damage.pick(&mut motion.frames)
                && let Some(angle) = damage.pick(&mut frame.configuration.angles.raw)
            {
                damage.number("angle of a frame", angle);
            }
        }
        6 => damage.list("spans", &mut motion.mode_spans),
        7 => damage_span(damage, motion),
        8 => damage.list("contacts", &mut motion.contacts),
        9 => damage_contact(damage, motion),
        10 => {
            motion.is_clip = !motion.is_clip;
            damage.note("is_clip");
        }
        11 => {
            motion.in_equilibrium = !motion.in_equilibrium;
            damage.note("in_equilibrium");
        }
        _ => match damage.below(3) {
            0 => damage.name("the motion's character", &mut motion.character),
            1 => {
                motion.frames.iter_mut().for_each(|frame| frame.time = 0.0);
                damage.note("all times 0");
            }
            _ => {
                let factor = damage.bad_number(1.0);
                motion.frames.iter_mut().for_each(|frame| frame.time *= factor);
                damage.note(format!("times of {frames} frames * {factor}"));
            }
        },
    }
}

fn damage_span(damage: &mut Damage, motion: &mut Motion) {
    let frames = motion.frames.len();
    let part = damage.below(3);
    let Some(span) = damage.pick(&mut motion.mode_spans) else { return };
    match part {
        0 => span.first_frame = damage.index(frames),
        1 => span.last_frame = damage.index(frames),
        _ => damage.name("the mode of a span", &mut span.mode),
    }
    let (first, last) = (span.first_frame, span.last_frame);
    damage.note(format!("mode span {first}..{last} of {frames}"));
}

fn damage_contact(damage: &mut Damage, motion: &mut Motion) {
    let frames = motion.frames.len();
    let part = damage.below(7);
    let Some(span) = damage.pick(&mut motion.contacts) else { return };
    match part {
        0 => span.first_frame = damage.index(frames),
        1 => span.last_frame = damage.index(frames),
        2 => std::mem::swap(&mut span.first_frame, &mut span.last_frame),
        3 => damage.id("effector", &mut span.contact.effector, 8),
        4 => damage.id("hold", &mut span.contact.hold, 40),
        5 => damage.vector("point", &mut span.contact.point),
        _ => damage.vector("normal", &mut span.contact.normal),
    }
    let (first, last) = (span.first_frame, span.last_frame);
    damage.note(format!("contact span {first}..{last} of {frames}"));
}
