//! Numbers that follow from a seed: a failure is found again by its seed.

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64.
pub(crate) struct Random(u64);

impl Random {
    /// Seeds next to each other begin far from each other.
    pub(crate) const fn new(seed: u64) -> Self {
        Self(mix(seed.wrapping_mul(STEP)))
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(STEP);
        let bound = u64::try_from(bound.max(1)).unwrap_or(1);
        usize::try_from(mix(self.0) % bound).unwrap_or(0)
    }

    /// True once in `times`.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        let at = self.below(from.len());
        from.get(at).copied().unwrap_or_default()
    }
}

const fn mix(mut state: u64) -> u64 {
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}
