//! Ratios to a floor measured in the same run.
