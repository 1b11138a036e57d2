//! The tiles of a world that paths have come near, linked to their neighbors: a search mostly asks for places beside the one that it is at.

use std::collections::BTreeMap;

use super::cells::{CELLS_PER_TILE, Cell, TileKey};
use super::place::{Place, PlaceId};
use super::surface_window::SurfaceWindow;

/// The tiles around one, and itself.
const NEIGHBORS: usize = 27;

/// An index into [`Tiles::tiles`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TileIndex(u32);

/// What is known in a tile.
#[derive(Clone)]
pub(super) struct Tile {
    pub key: TileKey,
    /// The surfaces around it: `None` until a place is evaluated, and after an edit.
    pub window: Option<SurfaceWindow>,
    /// For each shape, the places of its cells; empty until one is asked for.
    pub places: Vec<Vec<Place>>,
    /// The tiles around it that exist.
    neighbors: [Option<TileIndex>; NEIGHBORS],
}

/// The tiles in the order in which they were made.
#[derive(Clone, Default)]
pub(super) struct Tiles {
    tiles: Vec<Tile>,
    index_of: BTreeMap<TileKey, TileIndex>,
}

impl Tiles {
    /// The tile that contains a cell.
    pub fn find(&self, cell: Cell) -> Option<TileIndex> {
        self.index_of.get(&cell.tile()).copied()
    }

    /// The tile that contains a cell, found from a tile that is mostly beside it.
    #[inline]
    fn find_from(&self, from: TileIndex, cell: Cell) -> Option<TileIndex> {
        let from = &self.tiles[from.0 as usize];
        match neighbor_number(from.key, cell.tile()) {
            Some(number) => from.neighbors[number],
            None => self.find(cell),
        }
    }

    /// What is stored of a place; `None` if nothing is.
    #[inline]
    pub fn place(&self, at: TileIndex, id: PlaceId) -> Option<&Place> {
        self.tiles[at.0 as usize].places[id.shape].get(id.cell.index_in_tile())
    }

    /// The same for a place beside a tile.
    #[inline]
    pub fn place_from(&self, from: TileIndex, id: PlaceId) -> Option<&Place> {
        self.place(self.find_from(from, id.cell)?, id)
    }

    /// A place, which is made if it was not stored.
    pub fn place_mut(&mut self, id: PlaceId, shapes: usize) -> &mut Place {
        let at = self.find_or_make(id.cell, shapes);
        let places = &mut self.tiles[at.0 as usize].places[id.shape];
        if places.is_empty() {
            places.resize(CELLS_PER_TILE, Place::UNKNOWN);
        }
        &mut places[id.cell.index_in_tile()]
    }

    fn find_or_make(&mut self, cell: Cell, shapes: usize) -> TileIndex {
        if let Some(at) = self.find(cell) {
            return at;
        }
        let (key, at) = (cell.tile(), TileIndex(self.tiles.len() as u32));
        let neighbors: [Option<TileIndex>; NEIGHBORS] = std::array::from_fn(|number| {
            let beside = key.neighbor(offset_of(number));
            if beside == key { Some(at) } else { self.index_of.get(&beside).copied() }
        });
        for (number, beside) in neighbors.iter().enumerate() {
            if let Some(beside) = beside.filter(|beside| *beside != at) {
                self.tiles[beside.0 as usize].neighbors[NEIGHBORS - 1 - number] = Some(at);
            }
        }
        self.tiles.push(Tile { key, window: None, places: vec![Vec::new(); shapes], neighbors });
        self.index_of.insert(key, at);
        at
    }

    pub fn tile_mut(&mut self, at: TileIndex) -> &mut Tile {
        &mut self.tiles[at.0 as usize]
    }

    pub fn all_mut(&mut self) -> impl Iterator<Item = &mut Tile> {
        self.tiles.iter_mut()
    }

    /// The tiles in the order of their keys.
    pub fn in_order(&self) -> impl Iterator<Item = &Tile> {
        self.index_of.values().map(|at| &self.tiles[at.0 as usize])
    }
}

/// The number of the neighbor of a tile that has a key; `None` if it is farther away.
#[inline]
fn neighbor_number(from: TileKey, to: TileKey) -> Option<usize> {
    let mut number = 0;
    for axis in 0..3 {
        let along = to.0[axis].wrapping_sub(from.0[axis]).wrapping_add(1);
        if !(0..3).contains(&along) {
            return None;
        }
        number = 3 * number + along as usize;
    }
    Some(number)
}

/// Where the neighbor with a number is, in tiles.
fn offset_of(number: usize) -> [i32; 3] {
    [number / 9, number / 3 % 3, number % 3].map(|along| along as i32 - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_from_every_tile_around_and_from_far_away() {
        let mut tiles = Tiles::default();
        let id = |x: i32, y: i32, z: i32| PlaceId { cell: Cell([x, y, z]), shape: 1 };
        let ids: Vec<PlaceId> =
            (0..64).map(|n| id(16 * (n / 16) - 20, 16 * (n / 4 % 4) - 3, 16 * (n % 4) - 40)).collect();
        for (number, id) in ids.iter().enumerate() {
            tiles.place_mut(*id, 2).cost = number as f32;
        }
        for from in &ids {
            let from = tiles.find(from.cell).unwrap();
            for (number, id) in ids.iter().enumerate() {
                assert_eq!(tiles.place_from(from, *id).map(|place| place.cost), Some(number as f32));
                assert_eq!(tiles.place_from(from, PlaceId { shape: 0, ..*id }), None);
            }
        }
        let keys: Vec<TileKey> = tiles.in_order().map(|tile| tile.key).collect();
        assert!(keys.is_sorted() && keys.len() == 64);
    }
}
