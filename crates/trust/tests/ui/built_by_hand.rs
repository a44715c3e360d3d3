//! The field is private: a literal is no decision.
use portcullis_trust::TrustedProject;

fn main() {
    let _key = TrustedProject { root: "/w".into() };
}
