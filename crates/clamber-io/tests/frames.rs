//! Frames that are computed one by one or incrementally are bit-identical to those computed all at once.

mod arbitrary;
mod shipped;

use arbitrary::{arbitrary_motion, characters, places};
use clamber_model::kinematics::{
    EndpointLinkFrames, LinkFrames, effector_position, effector_position_at, forward, link_pose,
};

#[test]
fn the_pose_of_one_link_equals_its_pose_in_the_whole_body() {
    for character in characters() {
        let motion = arbitrary_motion(&character, 50);
        let mut frames = LinkFrames::default();
        for (frame, places) in motion.frames.iter().zip(places(&character, &motion)) {
            for (link, place) in places.into_iter_enumerated() {
                assert_eq!(link_pose(&character, &frame.configuration, link), place);
            }
            forward(&character, &frame.configuration, &mut frames);
            for effector in character.effectors.keys() {
                let place = effector_position(&character, &frames, effector);
                assert_eq!(effector_position_at(&character, &frame.configuration, effector), place);
            }
        }
    }
}

#[test]
fn cached_end_frames_equal_those_of_the_step() {
    let character = characters().remove(0);
    let frames = arbitrary_motion(&character, 4).frames;
    let configurations: Vec<_> = frames.into_iter().map(|frame| frame.configuration).collect();
    let mut ends = EndpointLinkFrames::default();
    let mut frames = LinkFrames::default();
    // Adjacent steps, a repeated step, a reversed step, and a new start.
    for step in [[0, 1], [1, 2], [1, 2], [2, 1], [2, 3], [0, 3], [3, 3]] {
        let kept =
            ends.update(&character, step.map(|index| &configurations[index])).map(|kept| kept.world_from_link.clone());
        for (index, kept) in step.into_iter().zip(kept) {
            forward(&character, &configurations[index], &mut frames);
            assert_eq!(kept, frames.world_from_link, "{step:?}");
        }
    }
}
