//! The links that a collision check considers.

use typed_index_collections::TiSlice;

use crate::id::LinkId;

/// The links to check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CheckedLinks<'a> {
    /// All links.
    All,
    /// Links whose entry is true, except descendants of links whose entry is false.
    Only(&'a TiSlice<LinkId, bool>),
    /// These links.
    Among(&'a [LinkId]),
}

impl CheckedLinks<'_> {
    /// Returns whether a link is checked.
    #[inline]
    pub fn has(&self, link: LinkId) -> bool {
        match self {
            Self::All => true,
            Self::Among(links) => links.contains(&link),
            Self::Only(links) => links[link],
        }
    }

    /// Returns whether neither a link nor any of its descendants is checked.
    #[inline]
    pub(crate) fn excludes_subtree(&self, link: LinkId) -> bool {
        matches!(self, Self::Only(links) if !links[link])
    }
}
