//! The runtime with every extension, in one program: each links the whole of it, which takes
//! 100 MB of disk. What looks at the whole process has a program of its own.

mod builtins;
mod cases;
mod failures;
mod order;
mod outside;
