//! Places of the trunk: where the body fits and reaches enough surface, evaluated when they are first asked for.

use clamber_model::id::HoldId;
use clamber_model::math::Vec3;
use clamber_model::support_polygon::horizontal_displacement_to_hull;
use clamber_model::world::{DistanceField, UP};
use clamber_model::{Problem, World};

use super::cells::{Cell, NEIGHBORS};
use super::mode_shape::{AXES, BodyRoom, BodySphere, HEADINGS, ModeShape, ReachedCell};
use super::place::{Place, PlaceId, Status};
use super::surface_window::SurfaceWindow;
use super::tile_surfaces::{TileSurfaces, TypeBits};
use super::tiles::{Tile, TileIndex, Tiles};
use super::tuning;
use super::world_edits::Bounds;

/// The places of a shape within a distance.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaceBall {
    pub center: Vec3,
    pub radius: f32,
    pub shape: usize,
}

/// The places of a world for the modes of a character.
#[derive(Clone)]
pub(super) struct Places {
    pub side: f32,
    pub shapes: Vec<ModeShape>,
    margin: i32,
    body_size: f32,
    tiles: Tiles,
    near: Vec<HoldId>,
    /// The surfaces that the limbs reach from a place, relative to it.
    surfaces: Vec<Vec3>,
    /// The places that were opened whatever is there.
    forced: Vec<PlaceId>,
    /// The number of places that this search has asked for.
    pub evaluated: usize,
    /// The number of those that were not known from an earlier search.
    pub computed: usize,
    /// The number of places whose neighbors were offered paths.
    pub relaxed: usize,
}

impl Places {
    pub fn new(shapes: Vec<ModeShape>, margin: i32, side: f32, body_size: f32) -> Self {
        Self {
            side,
            shapes,
            margin,
            body_size,
            tiles: Tiles::default(),
            near: Vec::new(),
            surfaces: Vec::new(),
            forced: Vec::new(),
            evaluated: 0,
            computed: 0,
            relaxed: 0,
        }
    }

    pub fn cell_at(&self, point: Vec3) -> Cell {
        Cell::containing(point, self.side)
    }

    pub fn position(&self, id: PlaceId) -> Vec3 {
        id.cell.center(self.side)
    }

    /// A place as this search knows it: its status is unknown until the search has evaluated it, even if an earlier search has, so that
    /// what is remembered does not change the order of a search.
    pub fn known(&self, id: PlaceId) -> Place {
        self.stored(id).as_known()
    }

    /// The tile of a cell, if a place in it was asked for.
    pub fn tile_of(&self, cell: Cell) -> Option<TileIndex> {
        self.tiles.find(cell)
    }

    /// The same as [`Self::known`] for a place in a tile or beside it.
    #[inline]
    pub fn known_from(&self, tile: TileIndex, id: PlaceId) -> Place {
        self.tiles.place_from(tile, id).map_or(Place::UNKNOWN, |place| place.as_known())
    }

    /// A place as any search has left it.
    pub(super) fn stored(&self, id: PlaceId) -> Place {
        self.tiles.find(id.cell).and_then(|tile| self.tiles.place(tile, id)).copied().unwrap_or(Place::UNKNOWN)
    }

    /// A place, whether it was evaluated or not.
    pub fn entry(&mut self, id: PlaceId) -> &mut Place {
        self.tiles.place_mut(id, self.shapes.len())
    }

    /// A place, which is evaluated if it was not before.
    pub fn evaluate(&mut self, problem: &Problem, id: PlaceId) -> &mut Place {
        let place = self.entry(id);
        let Place { is_counted, status, .. } = *place;
        place.is_counted = true;
        self.evaluated += usize::from(!is_counted);
        if status == Status::Unknown {
            self.computed += 1;
            let (facing, factors) = self.factors(problem, id).unwrap_or((0, [f32::INFINITY; AXES]));
            let is_open = factors.iter().any(|factor| factor.is_finite());
            let place = self.entry(id);
            (place.facing, place.factors) = (facing, factors);
            place.status = if is_open { Status::Open } else { Status::Closed };
        }
        self.entry(id)
    }

    /// The number of the heading of a body that faces what carries it at a place, and how much slower it is there when it faces along each
    /// axis; `None` where it cannot be.
    fn factors(&mut self, problem: &Problem, id: PlaceId) -> Option<(u8, [f32; AXES])> {
        let center = self.position(id);
        if !problem.world.contains(center) {
            return None;
        }
        if self.shapes[id.shape].turns_with_surface() {
            return self.factors_on_surface(problem, id);
        }
        let room = room_factors(&problem.world, &self.shapes[id.shape].rooms[0], center, self.body_size);
        if room.iter().all(|factor| factor.is_infinite()) {
            return None;
        }
        let tile = self.tiles.find(id.cell)?;
        self.find_surfaces(problem, tile);
        let Self { shapes, tiles, surfaces, body_size, .. } = self;
        let window = tiles.tile(tile).window.as_ref()?;
        let shape = &shapes[id.shape];
        let at = (id.cell, center);
        if !shape.faces_surfaces() {
            let support = support_factor(&problem.world, (shape, 0), window, at, (surfaces, *body_size))?;
            return Some((0, room.map(|room| support * room)));
        }
        let mut factor = |facing: usize| {
            let room = room[facing % AXES];
            let support = || support_factor(&problem.world, (shape, facing), window, at, (surfaces, *body_size));
            let support = room.is_finite().then(support);
            Some((support?? * room, facing))
        };
        // A body that faces a surface moves alike along it in all directions.
        let (factor, facing) = (0..HEADINGS).filter_map(&mut factor).min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some((facing as u8, [factor; AXES]))
    }

    /// The number of the direction that is up at a place for a body whose posture turns with the surface, and how much slower it is there.
    fn factors_on_surface(&mut self, problem: &Problem, id: PlaceId) -> Option<(u8, [f32; AXES])> {
        let center = self.position(id);
        let away = problem.world.distance_field.estimate_gradient(center).try_normalize()?;
        let tile = self.tiles.find(id.cell)?;
        self.find_surfaces(problem, tile);
        let Self { shapes, tiles, surfaces, body_size, .. } = self;
        let window = tiles.tile(tile).window.as_ref()?;
        let shape = &shapes[id.shape];
        let mut factor = |number: usize| {
            if (shape.turns[number] * UP).dot(away) < tuning::UP_COSINE {
                return None;
            }
            let room = room_factors(&problem.world, &shape.rooms[number], center, *body_size);
            let room = room.into_iter().fold(f32::INFINITY, f32::min);
            let at = (id.cell, center);
            let support = || support_factor(&problem.world, (shape, number), window, at, (surfaces, *body_size));
            let support = room.is_finite().then(support);
            Some((support?? * room, number))
        };
        let (factor, number) = (0..shape.turns.len()).filter_map(&mut factor).min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some((number as u8, [factor; AXES]))
    }

    /// Finds the surfaces around a tile if they are not known.
    fn find_surfaces(&mut self, problem: &Problem, at: TileIndex) {
        let Self { side, shapes, margin, tiles, near, .. } = self;
        let Tile { key, window: None, .. } = *tiles.tile(at) else { return };
        for number in 0..NEIGHBORS {
            let beside = tiles.find_or_make(key.neighbor(number), shapes.len());
            let Tile { key, surfaces, .. } = tiles.tile_mut(beside);
            let is_allowed = |hold: HoldId| problem.may_hold(hold);
            surfaces.get_or_insert_with(|| TileSurfaces::of_tile(&problem.world, *side, *key, is_allowed, near));
        }
        let window = SurfaceWindow::around(key, *margin, |number| tiles.neighbor(at, number)?.surfaces.as_ref());
        tiles.tile_mut(at).window = Some(window);
    }

    /// Whether a limb that carries at a place reaches a surface of one of these types there.
    pub fn reaches_types(&mut self, problem: &Problem, id: PlaceId, types: TypeBits) -> bool {
        let center = self.position(id);
        let Some(tile) = self.tiles.find(id.cell) else { return false };
        self.find_surfaces(problem, tile);
        let facing = self.stored(id).facing;
        let Self { shapes, tiles, .. } = self;
        let Some(window) = &tiles.tile(tile).window else { return false };
        let index = window.index(id.cell);
        let is_seen = |offset: Vec3| is_segment_free(&problem.world, center, offset);
        let mut limbs = shapes[id.shape].limbs_facing(usize::from(facing)).iter();
        limbs.any(|limb| limb.nearest_surface_of(limb.types & types, window, index, is_seen).is_some())
    }

    /// How close the nearest obstacle is to a body whichever way it faces, from 0 to 1.
    pub fn closeness(&self, world: &World, shape: &ModeShape, center: Vec3) -> f32 {
        let close = tuning::CLOSE_CLEARANCE * self.body_size;
        let nearness = |slice: &BodySphere| {
            let clearance = world.distance_field.estimate(center + slice.center) - slice.radius;
            (1.0 - clearance / close).max(0.0)
        };
        shape.rooms[0].slices.iter().map(nearness).fold(0.0, f32::max)
    }

    /// Opens a place whatever is there: that of a given posture.
    pub fn force_open(&mut self, problem: &Problem, id: PlaceId) {
        let place = self.evaluate(problem, id);
        if place.status != Status::Open {
            (place.status, place.factors) = (Status::Open, [1.0 + tuning::TIGHT_COST; AXES]);
            self.forced.push(id);
        }
    }

    /// Forgets the places from which something in any of these boxes can be felt, and all that belongs to a search.
    pub fn forget_near(&mut self, field: &DistanceField, changed: &[Bounds]) {
        let extents = self.shapes.iter().map(|shape| shape.extent(tuning::CLOSE_CLEARANCE * self.body_size));
        let extent = extents.fold(self.margin as f32 * self.side, f32::max);
        // Surfaces are as far away as a cell is large, and covered by what is above them.
        let range = Vec3::splat(field.range_of_estimate(extent + self.side) + 0.5 * self.side);
        let widened: Vec<Bounds> = changed.iter().map(|[min, max]| [*min - range, *max + range]).collect();
        let size = Vec3::splat(tuning::TILE_CELLS as f32 * self.side);
        for tile in self.tiles.all_mut() {
            let corner = tile.key.first_cell().center(self.side) - Vec3::splat(0.5 * self.side);
            let overlaps = |[min, max]: &&Bounds| min.cmple(corner + size).all() && corner.cmple(*max).all();
            let near: Vec<&Bounds> = widened.iter().filter(overlaps).collect();
            if near.is_empty() {
                continue;
            }
            (tile.surfaces, tile.window) = (None, None);
            for (index, place) in tile.places.iter_mut().flat_map(|places| places.iter_mut().enumerate()) {
                let center = tile.key.cell(index).center(self.side);
                if near.iter().any(|[min, max]| min.cmple(center).all() && center.cmple(*max).all()) {
                    *place = Place::UNKNOWN;
                }
            }
        }
        for id in std::mem::take(&mut self.forced) {
            *self.tiles.place_mut(id, self.shapes.len()) = Place::UNKNOWN;
        }
        for place in self.all_mut() {
            place.forget_path();
            (place.is_counted, place.unpenalized) = (false, f32::INFINITY);
        }
        (self.evaluated, self.computed, self.relaxed) = (0, 0, 0);
    }

    /// Forgets the costs-to-go from a limit on.
    pub fn clear_costs(&mut self, limit: f32) {
        for place in self.all_mut() {
            if place.cost >= limit || place.status == Status::Closed {
                place.forget_path();
            }
        }
    }

    /// The places from which paths go on where costs-to-go from a limit on are forgotten, in order: those at the limit, where a step costs no
    /// more than the greatest usual one, those to which one costs more, and those from which paths never went on.
    pub fn border(&self, limit: f32, greatest_step: f32) -> Vec<PlaceId> {
        let goes_on = |place: &Place| {
            place.cost.is_finite()
                && (place.cost >= limit - greatest_step || place.has_costly_step || !place.is_relaxed)
        };
        self.all_that(goes_on)
    }

    /// The least cost-to-go of the places of a shape in a ball.
    pub fn least_cost_near(&self, ball: &PlaceBall) -> f32 {
        let [low, high] = [-1.0, 1.0].map(|sign| self.cell_at(ball.center + Vec3::splat(sign * ball.radius)).0);
        let mut least = f32::INFINITY;
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    let place = self.known(PlaceId { cell: Cell([x, y, z]), shape: ball.shape });
                    if place.status == Status::Open {
                        least = least.min(place.cost);
                    }
                }
            }
        }
        least
    }

    /// Makes the costs-to-go those without penalties.
    pub fn keep_unpenalized(&mut self) {
        for place in self.all_mut() {
            place.unpenalized = if place.as_known().status == Status::Open { place.cost } else { f32::INFINITY };
        }
    }

    /// The places with a cost-to-go, in order.
    pub fn reached(&self) -> Vec<PlaceId> {
        self.all_that(|place| place.as_known().status == Status::Open && place.cost.is_finite())
    }

    fn all_that(&self, is_wanted: impl Fn(&Place) -> bool) -> Vec<PlaceId> {
        let mut wanted = Vec::new();
        for tile in self.tiles.in_order() {
            for (shape, places) in tile.places.iter().enumerate() {
                let those = places.iter().enumerate().filter(|(_, place)| is_wanted(place));
                wanted.extend(those.map(|(index, _)| PlaceId { cell: tile.key.cell(index), shape }));
            }
        }
        wanted
    }

    /// Places without any that are evaluated.
    #[cfg(test)]
    pub fn emptied(&self) -> Self {
        Self { tiles: Tiles::default(), ..self.clone() }
    }

    /// The places that were evaluated, in order.
    #[cfg(test)]
    pub fn known_places(&self) -> Vec<PlaceId> {
        let ids = self.tiles.in_order().flat_map(|tile| {
            let shapes = tile.places.iter().enumerate();
            shapes.flat_map(move |(shape, places)| {
                (0..places.len()).map(move |index| PlaceId { cell: tile.key.cell(index), shape })
            })
        });
        ids.filter(|id| self.stored(*id).status != Status::Unknown).collect()
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut Place> {
        self.tiles.all_mut().flat_map(|tile| &mut tile.places).flatten()
    }
}

/// How much slower the body is because its limbs reach surfaces only with strain; `None` where too few reach any, or none on which it
/// would not fall over.
fn support_factor(
    world: &World,
    (shape, facing): (&ModeShape, usize),
    window: &SurfaceWindow,
    (cell, center): (Cell, Vec3),
    (surfaces, body_size): (&mut Vec<Vec3>, f32),
) -> Option<f32> {
    let index = window.index(cell);
    let is_seen = |offset: Vec3| is_segment_free(world, center, offset);
    let (mut strain, mut square, mut count) = (0.0, 0.0, 0);
    surfaces.clear();
    let least = |one: ReachedCell, other: ReachedCell| if other.strain < one.strain { other } else { one };
    for limb in shape.limbs_facing(facing).chunk_by(|one, other| one.limb.is_some() && one.limb == other.limb) {
        let nearest = limb.iter().filter_map(|reach| reach.nearest_surface(window, index, is_seen)).reduce(least);
        let own = nearest.map_or(1.0, |nearest| nearest.strain);
        (strain, square) = (strain + own, square + own * own);
        surfaces.extend(nearest.map(|nearest| nearest.offset));
        count += 1;
    }
    if surfaces.len() < shape.least_contacts {
        return None;
    }
    let lean = horizontal_displacement_to_hull(Vec3::ZERO, surfaces).length();
    if lean > shape.max_lean {
        return None;
    }
    // Over an edge, a body turns so that all limbs are strained a little, and not a few of them much.
    let mean = match shape.turns_with_surface() {
        true => (square / count.max(1) as f32).sqrt(),
        false => strain / count.max(1) as f32,
    };
    let lean_cost = tuning::LEAN_COST * (lean - shape.easy_lean).max(0.0) / body_size;
    Some(1.0 + tuning::SUPPORT_COST * (mean - tuning::EASY_STRAIN).max(0.0) + lean_cost)
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
fn room_factors(world: &World, body: &BodyRoom, center: Vec3, body_size: f32) -> [f32; AXES] {
    let field = &world.distance_field;
    let [tight, close] = [tuning::TIGHT_CLEARANCE, tuning::CLOSE_CLEARANCE].map(|clearance| clearance * body_size);
    let is_clear = |sphere: &BodySphere| field.lower_bound(center + sphere.center) >= sphere.radius + close;
    if body.slices.iter().all(is_clear) {
        return [1.0; AXES];
    }
    let clearance = |sphere: &BodySphere| field.estimate(center + sphere.center) - sphere.radius;
    let nearness = |sphere: &BodySphere, within: f32| (1.0 - clearance(sphere) / within).clamp(0.0, 1.0);
    let mean = |spheres: &[BodySphere], of: &dyn Fn(&BodySphere) -> f32| {
        spheres.iter().map(of).sum::<f32>() / spheres.len().max(1) as f32
    };
    let closeness = mean(&body.slices, &|slice| nearness(slice, close) * nearness(slice, close));
    let factor = 1.0 + tuning::CLOSE_COST * closeness;
    // The slices contain the body whichever way it faces.
    if body.slices.iter().all(|slice| clearance(slice) >= tight) {
        return [factor; AXES];
    }
    std::array::from_fn(|axis| {
        if body.required[axis].iter().any(|sphere| clearance(sphere) < 0.0) {
            return f32::INFINITY;
        }
        factor + tuning::TIGHT_COST * mean(&body.preferred[axis], &|sphere| nearness(sphere, tight))
    })
}
