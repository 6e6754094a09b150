//! compute-sanitizer.

/// Whether a tool watches this process's memory accesses: it would report a fault that a test makes on purpose, uses memory itself, and
/// takes a hundred times as long.
pub fn is_watched() -> bool {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let watched = maps.contains("libsanitizer") || maps.contains("compute-sanitizer");
    if watched {
        println!("skipped: a sanitizer watches this process");
    }
    watched
}
