//! Outlines and plans as text, and the README against what it quotes.
//!
//! `INSTA_UPDATE=always cargo test -p tests --test golden` writes the snapshots anew: read what changed.

mod graphs;
mod graphviz;
mod page;
mod readme;
mod tables;
