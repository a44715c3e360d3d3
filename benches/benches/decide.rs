//! One decision at depth 5, beside the raw system calls on the same path.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use portcullis_benches::{Case, Scene};

fn decide(criterion: &mut Criterion) {
    for case in Case::ALL {
        let scene = Scene::build(case, 5);
        let floor = scene.floor();
        let mut group = criterion.benchmark_group(case.name());
        group.bench_function("floor", |bencher| bencher.iter(|| floor.raw()));
        group.bench_function("path", |bencher| bencher.iter(|| black_box(scene.resolve())));
        group.bench_function("verdict", |bencher| bencher.iter(|| black_box(scene.judge())));
        group.bench_function("step", |bencher| bencher.iter(|| black_box(scene.submit())));
        group.finish();
    }
}

criterion_group!(benches, decide);
criterion_main!(benches);
