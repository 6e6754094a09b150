//! Outlines and plans as text, the README, the guide and the tables against what they quote, and every link.
//!
//! `INSTA_UPDATE=always cargo test -p tests --test golden` writes the snapshots anew: read what changed.

mod counted;
mod graphs;
mod graphviz;
mod guide;
mod links;
mod page;
mod quoted;
mod readme;
mod tables;
