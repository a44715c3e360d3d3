//! What the fuzz targets share.

mod scene;

pub use scene::{DIALECTS, Scene};
