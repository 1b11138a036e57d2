//! A floor with posts, boxes and tables on it, and a way between them.

use super::super::builder::SegmentBuilder;
use super::super::dimensions::{
    BOX_HEIGHT, BOX_SIDE, FIELD_COUNT, FIELD_LENGTH, FIELD_WAY, FIELD_WIDTH, POST_HEIGHT, POST_SIDE, TABLE_HEIGHT,
    TABLE_LEG, TABLE_LENGTH, TABLE_THICKNESS, TABLE_WIDTH,
};
use super::super::layout::{Extent, Holds, Place};
use super::super::rectangle::Rectangle;

/// How often an obstacle is drawn anew if it does not fit or would close the way.
const PLACINGS: usize = 60;

/// Side of a cell of the map on which a way is looked for, in meters.
const CELL: f64 = 0.05;

pub(super) fn field(builder: &mut SegmentBuilder) {
    builder.add_flat("near floor");
    let mut field =
        Field { length: builder.length(&FIELD_LENGTH), width: builder.length(&FIELD_WIDTH), footprints: Vec::new() };
    let count = builder.sampler.count(&FIELD_COUNT);
    for number in 1..=count {
        let Some(obstacle) = (0..PLACINGS).find_map(|_| field.try_obstacle(builder)) else { break };
        add_obstacle(builder, number, obstacle);
        field.footprints.push(obstacle.footprint);
    }
    let Field { length, width, footprints } = field;
    builder.add_floor("floor", length, width);
    builder.add_flat("far floor");
    builder.describe(format_args!("{} obstacles on {length:.2} m by {width:.2} m", footprints.len()));
}

#[derive(Clone, Copy)]
enum Shape {
    Post,
    Box,
    Table,
}

#[derive(Clone, Copy)]
struct FieldObstacle {
    shape: Shape,
    /// Relative to the field's near edge.
    footprint: Rectangle,
    height: f64,
}

/// The field, in its own frame: x along the course, z to the right, the origin in the middle of the near edge.
struct Field {
    length: f64,
    width: f64,
    footprints: Vec<Rectangle>,
}

impl Field {
    /// Draws an obstacle. Returns it if it is on the floor, overlaps no other and leaves a way.
    fn try_obstacle(&mut self, builder: &mut SegmentBuilder) -> Option<FieldObstacle> {
        let shape = [Shape::Post, Shape::Box, Shape::Table][builder.sampler.0.below(3)];
        let (length, width, height) = match shape {
            Shape::Post => (builder.length(&POST_SIDE), builder.length(&POST_SIDE), builder.length(&POST_HEIGHT)),
            Shape::Box => (builder.length(&BOX_SIDE), builder.length(&BOX_SIDE), builder.length(&BOX_HEIGHT)),
            Shape::Table => {
                (builder.length(&TABLE_LENGTH), builder.length(&TABLE_WIDTH), builder.length(&TABLE_HEIGHT))
            }
        };
        let center = [builder.length(&(0.0..=self.length)), builder.length(&(-0.5 * self.width..=0.5 * self.width))];
        let footprint = Rectangle { center, heading: builder.sampler.degrees(&(0.0..=179.0)), length, width };
        let is_on_floor =
            footprint.corners().iter().all(|[x, z]| (0.0..=self.length).contains(x) && z.abs() <= 0.5 * self.width);
        if !is_on_floor || self.footprints.iter().any(|other| other.is_within(0.0, &footprint)) {
            return None;
        }
        self.footprints.push(footprint);
        let has_way = self.has_way();
        self.footprints.pop();
        has_way.then_some(FieldObstacle { shape, footprint, height })
    }

    /// Whether a disk as wide as the way gets from the middle of the near edge to the middle of the far edge, on the floor and
    /// between the obstacles. Fills the free cells from the near edge.
    fn has_way(&self) -> bool {
        let (columns, rows) = ((self.length / CELL).round() as usize, (self.width / CELL).round() as usize);
        // A cell stands for all points in it.
        let radius = 0.5 * FIELD_WAY + 0.5 * CELL;
        let is_free = |column: usize, row: usize| {
            let [x, z] = [column as f64 * CELL, row as f64 * CELL - 0.5 * self.width];
            z.abs() + radius <= 0.5 * self.width
                && self.footprints.iter().all(|footprint| footprint.distance_to([x, z]) >= radius)
        };
        let middle = rows / 2;
        let mut is_seen = vec![false; (columns + 1) * (rows + 1)];
        let mut open = vec![(0, middle)];
        while let Some((column, row)) = open.pop() {
            if is_seen[column * (rows + 1) + row] || !is_free(column, row) {
                continue;
            }
            is_seen[column * (rows + 1) + row] = true;
            if (column, row) == (columns, middle) {
                return true;
            }
            let nearer = [(column.wrapping_sub(1), row), (column, row.wrapping_sub(1))];
            let farther = [(column, row + 1), (column + 1, row)];
            open.extend(nearer.into_iter().chain(farther).filter(|(column, row)| *column <= columns && *row <= rows));
        }
        false
    }
}

fn add_obstacle(builder: &mut SegmentBuilder, number: usize, obstacle: FieldObstacle) {
    let FieldObstacle { shape, footprint, height } = obstacle;
    let [x, z] = footprint.center;
    let footprint =
        Rectangle { center: builder.at.point(x, z), heading: builder.at.heading + footprint.heading, ..footprint };
    let floor = builder.at.height;
    let block = Extent::Between { bottom: floor, top: floor + height };
    match shape {
        Shape::Post => builder.add_turned(&format!("post {number}"), footprint, block, Holds::Bare),
        Shape::Box => builder.add_turned(&format!("box {number}"), footprint, block, Holds::Bare),
        Shape::Table => {
            let under = floor + height - TABLE_THICKNESS;
            let plate = Extent::Between { bottom: under, top: floor + height };
            builder.add_turned(&format!("table {number}"), footprint, plate, Holds::Bare);
            let legs = Extent::Between { bottom: floor, top: under };
            let place = Place { at: footprint.center, height: floor, heading: footprint.heading };
            let (along, across) = (0.5 * (footprint.length - TABLE_LEG), 0.5 * (footprint.width - TABLE_LEG));
            for (leg, (forward, right)) in [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)].into_iter().enumerate()
            {
                let center = place.point(forward * along, right * across);
                let leg_footprint = Rectangle { center, length: TABLE_LEG, width: TABLE_LEG, ..footprint };
                builder.add_turned(&format!("table {number} leg {}", leg + 1), leg_footprint, legs, Holds::Bare);
            }
        }
    }
}
