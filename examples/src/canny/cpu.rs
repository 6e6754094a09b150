//! The kernels' bodies on the CPU: what the functions of `kernels/canny.cu` compute, in plain Rust, rows in parallel.
//!
//! Pictures are `w * h` elements in rows. Every body writes all `w * h` elements of its output. The arithmetic is that of `OpenCV`
//! on bytes: `GaussianBlur` of 5 x 5 with sigma 0 and mirrored borders, then `Canny` with aperture 3 and the L1 norm.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

/// The mark of a pixel that is an edge only if it hangs together with a strong one.
pub const WEAK: u8 = 1;
/// The mark of a pixel that is an edge.
pub const STRONG: u8 = 2;

/// Width and height of the tiles within which [`grow`] runs until nothing changes.
const TILE: usize = 32;
/// A tile and one pixel around it.
const WINDOW: usize = TILE + 2;
const RADIUS: usize = 2;
const WEIGHTS: [u16; 5] = [1, 4, 6, 4, 1];
/// tan(22.5 degrees) with 15 fractional bits.
const TANGENT: u32 = 13573;

/// 16 times the row-wise blur by `[1 4 6 4 1] / 16`: at most 4080.
pub fn blur_rows(image: &[u8], halfway: &mut [u16], w: u32, h: u32) {
    each_row(halfway, w, h, |y, out| {
        let line = row(image, y, out.len());
        for (x, value) in out.iter_mut().enumerate() {
            *value = (0..5).map(|k| WEIGHTS[k] * u16::from(line[reflect(x + k, line.len())])).sum();
        }
    });
}

/// The column-wise blur of `halfway`, rounded to nearest, halves up.
pub fn blur_columns(halfway: &[u16], smooth: &mut [u8], w: u32, h: u32) {
    each_row(smooth, w, h, |y, out| {
        let lines: [&[u16]; 5] = std::array::from_fn(|k| row(halfway, reflect(y + k, h as usize), out.len()));
        for (x, value) in out.iter_mut().enumerate() {
            let sum: u32 = (0..5).map(|k| u32::from(WEIGHTS[k]) * u32::from(lines[k][x])).sum();
            *value = ((sum + 128) >> 8) as u8;
        }
    });
}

/// The horizontal Sobel gradient; the border is repeated.
pub fn sobel_x(smooth: &[u8], gx: &mut [i16], w: u32, h: u32) {
    each_row(gx, w, h, |y, out| {
        let [above, here, below] = three_rows(smooth, y, out.len(), h as usize);
        let columns = |x: usize| i16::from(above[x]) + 2 * i16::from(here[x]) + i16::from(below[x]);
        let last = out.len() - 1;
        for (x, value) in out.iter_mut().enumerate() {
            *value = columns(last.min(x + 1)) - columns(x.saturating_sub(1));
        }
    });
}

/// The vertical Sobel gradient; the border is repeated.
pub fn sobel_y(smooth: &[u8], gy: &mut [i16], w: u32, h: u32) {
    each_row(gy, w, h, |y, out| {
        let [above, _, below] = three_rows(smooth, y, out.len(), h as usize);
        let columns = |x: usize| i16::from(below[x]) - i16::from(above[x]);
        let last = out.len() - 1;
        for (x, value) in out.iter_mut().enumerate() {
            *value = columns(x.saturating_sub(1)) + 2 * columns(x) + columns(last.min(x + 1));
        }
    });
}

/// The magnitude `|gx| + |gy|` where it is the largest along the gradient, else 0.
///
/// On a tie the left or upper pixel of two wins; along a diagonal neither does. The magnitude is zero outside the picture.
pub fn suppress(gx: &[i16], gy: &[i16], peak: &mut [u16], w: u32, h: u32) {
    each_row(peak, w, h, |y, out| {
        let lines = [y.wrapping_sub(1), y, y + 1].map(|y| magnitudes(gx, gy, y, out.len(), h as usize));
        let [above, line, below] = &lines;
        let (gx, gy) = (row(gx, y, out.len()), row(gy, y, out.len()));
        for (x, value) in out.iter_mut().enumerate() {
            let (left, middle, right) = (x, x + 1, x + 2);
            let here = line[middle];
            let largest = match direction(gx[x], gy[x]) {
                Direction::Horizontal => here > line[left] && here >= line[right],
                Direction::Vertical => here > above[middle] && here >= below[middle],
                Direction::Falling => here > above[left] && here > below[right],
                Direction::Rising => here > above[right] && here > below[left],
            };
            *value = if largest { here } else { 0 };
        }
    });
}

/// Strong above `high`, weak above `low`. Returns whether there is a strong pixel, from which edges may grow.
pub fn threshold(peak: &[u16], marks: &mut [u8], low: i32, high: i32, w: u32, h: u32) -> bool {
    let (low, high) = (low.max(0), high.max(0));
    let any = AtomicBool::new(false);
    each_row(marks, w, h, |y, out| {
        for (mark, peak) in out.iter_mut().zip(row(peak, y, w as usize)) {
            let peak = i32::from(*peak);
            *mark = if peak > high { STRONG } else { u8::from(peak > low) * WEAK };
        }
        if out.contains(&STRONG) {
            any.store(true, Ordering::Relaxed);
        }
    });
    any.into_inner()
}

/// Weak pixels that touch strong ones become strong, until nothing changes within a tile of 32 x 32; what lies around the tile is
/// seen as it was before. Returns whether any pixel changed.
pub fn grow(marks: &[u8], next: &mut [u8], w: u32, h: u32) -> bool {
    let (width, height) = (w as usize, h as usize);
    let any = AtomicBool::new(false);
    if width == 0 {
        return false;
    }
    next[..width * height].par_chunks_mut(TILE * width).enumerate().for_each(|(band, out)| {
        out.copy_from_slice(&marks[band * TILE * width..][..out.len()]);
        for left in (0..width).step_by(TILE) {
            let mut tile = load_tile(marks, left, band * TILE, width, height);
            let grown = grow_tile(&mut tile);
            for (x, y) in &grown {
                out[(y - 1) * width + left + x - 1] = STRONG;
            }
            if !grown.is_empty() {
                any.store(true, Ordering::Relaxed);
            }
        }
    });
    any.into_inner()
}

/// 255 where strong, else 0.
pub fn finish(marks: &[u8], edges: &mut [u8], w: u32, h: u32) {
    each_row(edges, w, h, |y, out| {
        for (edge, mark) in out.iter_mut().zip(row(marks, y, w as usize)) {
            *edge = if *mark == STRONG { 255 } else { 0 };
        }
    });
}

/// A row of magnitudes between two zeros; all zero outside the picture.
fn magnitudes(gx: &[i16], gy: &[i16], y: usize, width: usize, height: usize) -> Vec<u16> {
    let mut line = vec![0; width + 2];
    if y < height {
        for ((value, gx), gy) in line[1..].iter_mut().zip(row(gx, y, width)).zip(row(gy, y, width)) {
            *value = gx.unsigned_abs() + gy.unsigned_abs();
        }
    }
    line
}

/// Which way the gradient points; rows count downwards.
enum Direction {
    Horizontal,
    Vertical,
    Falling,
    Rising,
}

/// Within 22.5 degrees of an axis, or along a diagonal.
fn direction(gx: i16, gy: i16) -> Direction {
    let across = u32::from(gx.unsigned_abs());
    let down = u32::from(gy.unsigned_abs()) << 15;
    let flat = across * TANGENT;
    let steep = flat + (across << 16);
    if down < flat {
        Direction::Horizontal
    } else if down > steep {
        Direction::Vertical
    } else if (gx ^ gy) < 0 {
        Direction::Rising
    } else {
        Direction::Falling
    }
}

/// The element `shifted - RADIUS` of a line of `n`, mirrored at both ends without repeating the end.
fn reflect(shifted: usize, n: usize) -> usize {
    let i = shifted.abs_diff(RADIUS);
    if i < n {
        return i;
    }
    if n == 1 {
        return 0;
    }
    let period = 2 * (n - 1);
    let i = i % period;
    if i < n { i } else { period - i }
}

/// Calls `write(y, row)` for each row of `out`, in parallel.
fn each_row<T: Send>(out: &mut [T], w: u32, h: u32, write: impl Fn(usize, &mut [T]) + Sync) {
    let (width, height) = (w as usize, h as usize);
    if width > 0 {
        out[..width * height].par_chunks_mut(width).enumerate().for_each(|(y, row)| write(y, row));
    }
}

fn row<T>(picture: &[T], y: usize, width: usize) -> &[T] {
    &picture[y * width..][..width]
}

/// The rows `y - 1`, `y` and `y + 1`; the border is repeated.
fn three_rows(picture: &[u8], y: usize, width: usize, height: usize) -> [&[u8]; 3] {
    [y.saturating_sub(1), y, (y + 1).min(height - 1)].map(|y| row(picture, y, width))
}

/// The tile at `(left, top)` and one pixel around it; nothing outside the picture is an edge.
fn load_tile(marks: &[u8], left: usize, top: usize, width: usize, height: usize) -> [[u8; WINDOW]; WINDOW] {
    let mut tile = [[0; WINDOW]; WINDOW];
    let first = left.saturating_sub(1);
    let columns = first..(left + TILE + 1).min(width);
    for (y, line) in tile.iter_mut().enumerate() {
        let shifted = top + y;
        if (1..=height).contains(&shifted) {
            let start = first + 1 - left;
            line[start..start + columns.len()].copy_from_slice(&row(marks, shifted - 1, width)[columns.clone()]);
        }
    }
    tile
}

/// Makes every weak pixel of the tile strong that hangs together with a strong one, and lists them as `(x, y)` in the window.
fn grow_tile(tile: &mut [[u8; WINDOW]; WINDOW]) -> Vec<(usize, usize)> {
    let mut grown = Vec::new();
    for y in 1..=TILE {
        for x in 1..=TILE {
            if tile[y][x] == WEAK && touches_strong(tile, x, y) {
                tile[y][x] = STRONG;
                grown.push((x, y));
            }
        }
    }
    let mut next = 0;
    while let Some(&(x, y)) = grown.get(next) {
        next += 1;
        for (x, y) in neighbours(x, y) {
            if (1..=TILE).contains(&x) && (1..=TILE).contains(&y) && tile[y][x] == WEAK {
                tile[y][x] = STRONG;
                grown.push((x, y));
            }
        }
    }
    grown
}

fn touches_strong(tile: &[[u8; WINDOW]; WINDOW], x: usize, y: usize) -> bool {
    neighbours(x, y).any(|(x, y)| tile[y][x] == STRONG)
}

/// The square of nine around a pixel that is not on the window's border.
fn neighbours(x: usize, y: usize) -> impl Iterator<Item = (usize, usize)> {
    (y - 1..=y + 1).flat_map(move |y| (x - 1..=x + 1).map(move |x| (x, y)))
}

#[cfg(test)]
mod tests;
