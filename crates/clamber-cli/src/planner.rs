//! Which planning algorithm a problem gets.

use clamber::model::Problem;
use clamber::model::character::Root;
use clamber::plan::Algorithm;

/// Resolves [`Algorithm::Auto`] as planning does.
pub fn algorithm_for(algorithm: Algorithm, problem: &Problem) -> Algorithm {
    match algorithm {
        Algorithm::Auto if problem.start.stance.is_empty() => Algorithm::Flight,
        Algorithm::Auto if problem.character.root != Root::Planar => Algorithm::Rpp,
        Algorithm::Auto => Algorithm::Stance,
        named => named,
    }
}
