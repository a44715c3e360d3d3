//! The floor of a process: it starts and ends. Built static and without unwinding, so that neither a dynamic loader
//! nor anything of ours is part of it; what is left is the kernel and the start-up of the standard library.

fn main() {}
