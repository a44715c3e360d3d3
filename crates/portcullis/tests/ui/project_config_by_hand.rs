//! What a project says comes from its loader alone.
use portcullis::config::ProjectConfig;
use portcullis::{Layer, LayerRules};

fn main() {
    let _config = ProjectConfig {
        rules: LayerRules::empty(Layer::Project),
    };
}
