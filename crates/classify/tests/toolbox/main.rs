//! Tools from outside: what is registered, what fits, what is refused.

mod custom;
mod params;
mod tables;
