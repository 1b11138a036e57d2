//! A scene, and the motion that was planned in it.

use std::io::{Error, ErrorKind};
use std::path::Path;

use clamber::io::{ExportError, parse_scene, to_motion_json};
use clamber::model::math::Vec3;
use clamber::{
    ClipError, ClipSettings, FileError, Motion, PlanError, Planner, PoseError, PoseRequest, PoseTask, Problem, Scene,
    pose, refine,
};

/// A scene, and the motion that was planned in it.
#[derive(Debug, Default)]
pub struct PlannedScene {
    problem: Option<Problem>,
    motion: Option<Motion>,
}

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum PlannedSceneError {
    /// A text from the host is not UTF-8.
    #[error("the input is not UTF-8")]
    NotUtf8,
    /// There is no built-in scene of this name, or the text of a scene is not valid.
    #[error(transparent)]
    Scene(#[from] FileError),
    /// A call needs a scene.
    #[error("no scene was read")]
    NoScene,
    /// A call needs a motion.
    #[error("no motion was planned")]
    NoMotion,
    /// No motion was found.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// There is no posture for the task.
    #[error(transparent)]
    Pose(#[from] PoseError),
    /// The motion has no clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
    /// The motion cannot be written.
    #[error(transparent)]
    Export(#[from] ExportError),
}

impl PlannedScene {
    /// Reads a built-in scene, and forgets the motion of the previous one.
    pub fn read_builtin_scene(&mut self, name: &str) -> Result<(), PlannedSceneError> {
        *self = Self::default();
        self.problem = Some(Scene::builtin(name)?.problem);
        Ok(())
    }

    /// Reads the text of a scene file, and forgets the motion of the previous scene. It may refer to built-in characters, not to files.
    pub fn read_scene(&mut self, text: &[u8]) -> Result<(), PlannedSceneError> {
        *self = Self::default();
        let no_files = |_: &Path| Err(Error::from(ErrorKind::NotFound));
        self.problem = Some(parse_scene(Path::new("scene.toml"), text, &no_files)?.problem);
        Ok(())
    }

    /// Finds a posture that moves the body in a direction, with this many samples of each limb.
    pub fn pose(&mut self, direction: Vec3, samples: usize) -> Result<(), PlannedSceneError> {
        let problem = self.problem.as_ref().ok_or(PlannedSceneError::NoScene)?;
        self.motion = None;
        let mut request = PoseRequest::new(PoseTask::Move { direction });
        request.samples = samples;
        self.motion = Some(pose(problem, &request)?.motion);
        Ok(())
    }

    /// Plans a motion with default settings.
    pub fn plan(&mut self, seed: u64) -> Result<(), PlannedSceneError> {
        let problem = self.problem.as_ref().ok_or(PlannedSceneError::NoScene)?;
        self.motion = None;
        self.motion = Some(Planner::new(problem.clone()).seed(seed).run()?.motion);
        Ok(())
    }

    /// Replaces the planned motion by its clip, with default settings.
    pub fn refine(&mut self) -> Result<(), PlannedSceneError> {
        let (problem, motion) = self.problem_and_motion()?;
        self.motion = Some(refine(problem, motion, &ClipSettings::default())?.motion);
        Ok(())
    }

    /// Returns the motion, or its clip, as the text of a motion file.
    pub fn motion_json(&self) -> Result<String, PlannedSceneError> {
        let (problem, motion) = self.problem_and_motion()?;
        Ok(to_motion_json(problem, motion)?)
    }

    fn problem_and_motion(&self) -> Result<(&Problem, &Motion), PlannedSceneError> {
        let problem = self.problem.as_ref().ok_or(PlannedSceneError::NoScene)?;
        Ok((problem, self.motion.as_ref().ok_or(PlannedSceneError::NoMotion)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_out_of_order_are_refused() {
        let mut scene = PlannedScene::default();
        assert!(matches!(scene.plan(1), Err(PlannedSceneError::NoScene)));
        assert!(matches!(scene.read_builtin_scene("nowhere"), Err(PlannedSceneError::Scene(_))));
        scene.read_builtin_scene("walk").unwrap();
        assert!(matches!(scene.refine(), Err(PlannedSceneError::NoMotion)));
        assert!(matches!(scene.motion_json(), Err(PlannedSceneError::NoMotion)));
    }

    #[test]
    fn a_new_scene_forgets_the_motion() {
        let mut scene = PlannedScene::default();
        scene.read_builtin_scene("walk").unwrap();
        scene.plan(1).unwrap();
        scene.read_builtin_scene("swing").unwrap();
        assert!(matches!(scene.motion_json(), Err(PlannedSceneError::NoMotion)));
    }

    #[test]
    fn a_text_is_a_scene_in_which_a_posture_is_found() {
        let mut scene = PlannedScene::default();
        assert!(matches!(scene.pose(Vec3::Y, 10), Err(PlannedSceneError::NoScene)));
        assert!(matches!(scene.read_scene(b"no scene"), Err(PlannedSceneError::Scene(_))));
        let sofa = include_str!("../../../scenes/poses/sofa.toml");
        let needs_a_file = scene.read_scene(sofa.as_bytes());
        assert!(matches!(needs_a_file, Err(PlannedSceneError::Scene(_))));
        scene.read_scene(sofa.replace("../../characters/human.toml", "human").as_bytes()).unwrap();
        scene.pose(Vec3::Y, 1000).unwrap();
        assert!(scene.motion_json().unwrap().contains("right_hand"));
        assert!(matches!(scene.pose(Vec3::ZERO, 1000), Err(PlannedSceneError::Pose(_))));
        assert!(matches!(scene.motion_json(), Err(PlannedSceneError::NoMotion)));
    }

    #[test]
    fn a_motion_becomes_a_clip_once() {
        let mut scene = PlannedScene::default();
        scene.read_builtin_scene("walk").unwrap();
        scene.plan(1).unwrap();
        let motion = scene.motion_json().unwrap();
        scene.refine().unwrap();
        assert_ne!(scene.motion_json().unwrap(), motion);
        assert!(matches!(scene.refine(), Err(PlannedSceneError::Clip(ClipError::AlreadyRefined))));
    }
}
