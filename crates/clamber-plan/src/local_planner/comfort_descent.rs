//! Posture correction: descent through the discomfort of a mode (thesis 4.4, Figures 4.7 and 4.8).

use clamber_model::id::ModeId;
use clamber_model::kinematics::forward;
use clamber_model::{Configuration, Contact};
use clamber_posture::comfort::{PostureState, discomfort};

use super::local_planner_state::LocalPlanner;
use super::tuning;
use crate::budget::Interrupt;

impl LocalPlanner {
    /// The discomfort of a configuration whose frames the projection has.
    pub fn discomfort_here(&self, configuration: &Configuration, stance: &[Contact], mode: ModeId) -> f32 {
        let (character, anatomy, frames) = (&*self.problem.character, &self.anatomy, &self.projection.link_frames);
        discomfort(
            &self.table.modes[mode],
            PostureState { character, anatomy, configuration, link_frames: frames, stance },
        )
    }

    fn discomfort_of(&mut self, configuration: &Configuration, stance: &[Contact], mode: ModeId) -> f32 {
        forward(&self.problem.character, configuration, &mut self.projection.link_frames);
        self.discomfort_here(configuration, stance, mode)
    }

    /// Posture correction (thesis Figure 4.8): descends through the discomfort of a mode and escapes its local minima by
    /// random walks, until the mode's comfort is reached or no walk helps. Returns the path without its first configuration.
    pub async fn correct(
        &mut self,
        from: &Configuration,
        stance: &[Contact],
        mode: ModeId,
    ) -> Result<Vec<Configuration>, Interrupt> {
        let comfort = self.table.modes[mode].acceptable_discomfort;
        let mut path = vec![from.clone()];
        let mut value = self.descend_discomfort(&mut path, stance, mode).await?;
        'better: while value >= comfort {
            let length = path.len();
            for _ in 0..tuning::COMFORT_WALKS {
                self.walk(&mut path, stance, tuning::COMFORT_WALK_LENGTH).await?;
                let walked = self.descend_discomfort(&mut path, stance, mode).await?;
                if walked < value {
                    value = walked;
                    continue 'better;
                }
                path.truncate(length);
            }
            break;
        }
        path.remove(0);
        Ok(path)
    }

    /// Descends through the discomfort from the end of a path (thesis Figure 4.7); returns the discomfort at its new end.
    async fn descend_discomfort(
        &mut self,
        path: &mut Vec<Configuration>,
        stance: &[Contact],
        mode: ModeId,
    ) -> Result<f32, Interrupt> {
        let comfort = self.table.modes[mode].acceptable_discomfort;
        let mut here = path[path.len() - 1].clone();
        let mut next = here.clone();
        let mut value = self.discomfort_of(&here, stance, mode);
        let mut samples = 0;
        while value >= comfort && samples < tuning::COMFORT_SAMPLES {
            self.budget.spend(1).await?;
            samples += 1;
            let character = &self.problem.character;
            if !self.projection.sample_neighbor(character, &here, stance, &mut self.random, &mut next) {
                continue;
            }
            let drawn = self.discomfort_here(&next, stance, mode);
            if drawn < value - tuning::MIN_COMFORT_GAIN && self.is_step_free(&here, &next) {
                value = drawn;
                std::mem::swap(&mut here, &mut next);
                path.push(here.clone());
                samples = 0;
            }
        }
        Ok(value)
    }
}
