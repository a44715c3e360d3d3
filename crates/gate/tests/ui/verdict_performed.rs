//! A verdict is an opinion, not a permission.

use portcullis_classify::Verdict;
use portcullis_gate::effects;

fn unrecorded(verdict: Verdict) {
    let _result = effects::delete_file(verdict);
}

fn main() {}
