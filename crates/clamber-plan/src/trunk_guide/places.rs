//! Places of the trunk: where the body fits and reaches enough surface, evaluated when they are first asked for.

use std::collections::BTreeMap;

use clamber_model::id::HoldId;
use clamber_model::math::Vec3;
use clamber_model::{Problem, World};

use super::cells::{CELLS_PER_TILE, Cell, TileKey};
use super::mode_shape::{AXES, BodySphere, ModeShape};
use super::surface_window::SurfaceWindow;
use super::tuning;

/// A cell and a mode. The shape is an index into [`Places::shapes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PlaceId {
    pub cell: Cell,
    pub shape: usize,
}

/// What is known about a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub status: Status,
    /// How much slower the body is here when it faces along each axis; infinite where it does not fit.
    pub factors: [f32; AXES],
    /// The cost-to-go, in meters.
    pub cost: f32,
    /// The same without penalties.
    pub unpenalized: f32,
    /// The next place on the path to the goal.
    pub next: Option<PlaceId>,
}

/// Whether a trunk can be at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Unknown,
    Closed,
    Open,
}

const UNKNOWN: Place = Place {
    status: Status::Unknown,
    factors: [f32::INFINITY; AXES],
    cost: f32::INFINITY,
    unpenalized: f32::INFINITY,
    next: None,
};

#[derive(Clone)]
struct Tile {
    window: SurfaceWindow,
    /// For each shape, the places of its cells; empty until one is asked for.
    places: Vec<Vec<Place>>,
}

/// The places of a world for the modes of a character.
#[derive(Clone)]
pub(super) struct Places {
    pub side: f32,
    pub shapes: Vec<ModeShape>,
    margin: i32,
    comfortable_clearance: f32,
    tiles: BTreeMap<TileKey, Tile>,
    near: Vec<HoldId>,
    /// The number of places that were evaluated.
    pub evaluated: usize,
}

impl Places {
    pub fn new(shapes: Vec<ModeShape>, margin: i32, side: f32, body_size: f32) -> Self {
        Self {
            side,
            shapes,
            margin,
            comfortable_clearance: tuning::COMFORTABLE_CLEARANCE * body_size,
            tiles: BTreeMap::new(),
            near: Vec::new(),
            evaluated: 0,
        }
    }

    pub fn cell_at(&self, point: Vec3) -> Cell {
        Cell::containing(point, self.side)
    }

    pub fn position(&self, id: PlaceId) -> Vec3 {
        id.cell.center(self.side)
    }

    /// A place that was evaluated before; [`UNKNOWN`] otherwise.
    pub fn known(&self, id: PlaceId) -> Place {
        let tile = self.tiles.get(&id.cell.tile());
        let places = tile.map(|tile| &tile.places[id.shape]).filter(|places| !places.is_empty());
        places.map_or(UNKNOWN, |places| places[id.cell.index_in_tile()])
    }

    /// A place, which is evaluated if it was not before.
    pub fn get(&mut self, problem: &Problem, id: PlaceId) -> &mut Place {
        let Self { side, shapes, margin, comfortable_clearance, tiles, near, evaluated } = self;
        let tile = tiles.entry(id.cell.tile()).or_insert_with_key(|key| {
            let is_allowed = |hold: HoldId| {
                let is_start = problem.start.stance.iter().any(|contact| contact.hold == hold);
                !problem.forbids_hold(hold) || is_start
            };
            let window = SurfaceWindow::around(&problem.world, *side, (*key, *margin), is_allowed, near);
            Tile { window, places: vec![Vec::new(); shapes.len()] }
        });
        let places = &mut tile.places[id.shape];
        if places.is_empty() {
            places.resize(CELLS_PER_TILE, UNKNOWN);
        }
        let place = &mut places[id.cell.index_in_tile()];
        if place.status == Status::Unknown {
            *evaluated += 1;
            let shape = &shapes[id.shape];
            let center = id.cell.center(*side);
            let factors = match problem.world.contains(center) {
                true => support_factor(&problem.world, shape, &tile.window, (id.cell, center)).map(|support| {
                    room_factors(&problem.world, shape, center, *comfortable_clearance).map(|room| support * room)
                }),
                false => None,
            };
            place.factors = factors.unwrap_or([f32::INFINITY; AXES]);
            let is_open = place.factors.iter().any(|factor| factor.is_finite());
            place.status = if is_open { Status::Open } else { Status::Closed };
        }
        place
    }

    /// Opens a place whatever is there: that of a given posture.
    pub fn force_open(&mut self, problem: &Problem, id: PlaceId) {
        let place = self.get(problem, id);
        if place.status != Status::Open {
            (place.status, place.factors) = (Status::Open, [1.0 + tuning::TIGHT_COST; AXES]);
        }
    }

    /// Forgets all costs-to-go.
    pub fn clear_costs(&mut self) {
        for place in self.all_mut() {
            (place.cost, place.next) = (f32::INFINITY, None);
        }
    }

    /// Makes the costs-to-go those without penalties.
    pub fn keep_unpenalized(&mut self) {
        for place in self.all_mut() {
            place.unpenalized = place.cost;
        }
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut Place> {
        self.tiles.values_mut().flat_map(|tile| &mut tile.places).flatten()
    }
}

/// How much slower the body is because its limbs reach surfaces only with strain; `None` where too few reach any.
fn support_factor(
    world: &World,
    shape: &ModeShape,
    window: &SurfaceWindow,
    (cell, center): (Cell, Vec3),
) -> Option<f32> {
    let index = window.index(cell);
    let is_seen = |offset: Vec3| is_segment_free(world, center, offset);
    let (mut reaching, mut strain) = (0, 0.0);
    for limb in &shape.limbs {
        match limb.strain_at(window, index, is_seen) {
            Some(least) => (reaching, strain) = (reaching + 1, strain + least),
            None => strain += 1.0,
        }
    }
    let mean = strain / shape.limbs.len().max(1) as f32;
    (reaching >= shape.least_contacts).then_some(1.0 + tuning::SUPPORT_COST * (mean - tuning::EASY_STRAIN).max(0.0))
}

/// Whether no obstacle is between a trunk and a surface, but for what is near the surface.
fn is_segment_free(world: &World, from: Vec3, offset: Vec3) -> bool {
    let length = offset.length();
    let end = tuning::LIMB_SHARE * length;
    let mut at = 0.0;
    // As far as the nearest obstacle is away, nothing is in between.
    while at < end {
        let distance = world.distance_field.estimate(from + offset * (at / length));
        // The field is coarse: a thin plate may be nowhere inside of it.
        if distance <= tuning::LIMB_RADIUS * length {
            return false;
        }
        at += distance.max(tuning::LEAST_MARCH * length);
    }
    true
}

/// How much slower the body is because of obstacles, when it faces along each axis; infinite where it does not fit.
fn room_factors(world: &World, shape: &ModeShape, center: Vec3, comfortable: f32) -> [f32; AXES] {
    let field = &world.distance_field;
    let is_clear = |sphere: &BodySphere| field.lower_bound(center + sphere.center) >= sphere.radius + comfortable;
    if shape.slices.iter().all(is_clear) {
        return [1.0; AXES];
    }
    let clearance = |sphere: &BodySphere| field.estimate(center + sphere.center) - sphere.radius;
    std::array::from_fn(|axis| {
        if shape.required[axis].iter().any(|sphere| clearance(sphere) < 0.0) {
            return f32::INFINITY;
        }
        let preferred = &shape.preferred[axis];
        let tightness = |sphere: &BodySphere| (1.0 - clearance(sphere) / comfortable).clamp(0.0, 1.0);
        1.0 + tuning::TIGHT_COST * preferred.iter().map(tightness).sum::<f32>() / preferred.len().max(1) as f32
    })
}
