//! The tiles of a world that paths have come near, linked to their neighbors: a search mostly asks for places beside the one that it is at.

use std::collections::BTreeMap;

use super::cells::{CELLS_PER_TILE, Cell, NEIGHBORS, TileKey};
use super::place::{Place, PlaceId};
use super::surface_window::SurfaceWindow;
use super::tile_surfaces::TileSurfaces;

/// An index into [`Tiles::tiles`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TileIndex(u32);

/// What is known in a tile.
#[derive(Clone)]
pub(super) struct Tile {
    pub key: TileKey,
    /// The surfaces in it: `None` until a place in it or in a tile around it is evaluated, and after an edit.
    pub surfaces: Option<TileSurfaces>,
    /// Those that limbs reach from it: `None` until a place in it is evaluated, and after an edit.
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
        match from.key.number_of_neighbor(cell.tile()) {
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
        let at = self.find_or_make(id.cell.tile(), shapes);
        let places = &mut self.tiles[at.0 as usize].places[id.shape];
        if places.is_empty() {
            places.resize(CELLS_PER_TILE, Place::UNKNOWN);
        }
        &mut places[id.cell.index_in_tile()]
    }

    /// The tile with a key, which is made if there was none.
    pub fn find_or_make(&mut self, key: TileKey, shapes: usize) -> TileIndex {
        if let Some(at) = self.index_of.get(&key) {
            return *at;
        }
        let at = TileIndex(self.tiles.len() as u32);
        let neighbors: [Option<TileIndex>; NEIGHBORS] = std::array::from_fn(|number| {
            let beside = key.neighbor(number);
            if beside == key { Some(at) } else { self.index_of.get(&beside).copied() }
        });
        for (number, beside) in neighbors.iter().enumerate() {
            if let Some(beside) = beside.filter(|beside| *beside != at) {
                self.tiles[beside.0 as usize].neighbors[NEIGHBORS - 1 - number] = Some(at);
            }
        }
        self.tiles.push(Tile { key, surfaces: None, window: None, places: vec![Vec::new(); shapes], neighbors });
        self.index_of.insert(key, at);
        at
    }

    pub fn tile(&self, at: TileIndex) -> &Tile {
        &self.tiles[at.0 as usize]
    }

    pub fn tile_mut(&mut self, at: TileIndex) -> &mut Tile {
        &mut self.tiles[at.0 as usize]
    }

    pub fn all_mut(&mut self) -> impl Iterator<Item = &mut Tile> {
        self.tiles.iter_mut()
    }

    /// The neighbor of a tile with a number.
    pub fn neighbor(&self, of: TileIndex, number: usize) -> Option<&Tile> {
        self.tile(of).neighbors[number].map(|at| self.tile(at))
    }

    /// The tiles in the order of their keys.
    pub fn in_order(&self) -> impl Iterator<Item = &Tile> {
        self.index_of.values().map(|at| &self.tiles[at.0 as usize])
    }
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
