use super::*;

#[path = "../../../tests/references/mod.rs"]
mod references;

const POISON: u8 = 0xa5;

fn blur(image: &[u8], w: u32, h: u32) -> Vec<u8> {
    let mut halfway = vec![u16::from(POISON); image.len()];
    let mut smooth = vec![POISON; image.len()];
    blur_rows(image, &mut halfway, w, h);
    blur_columns(&halfway, &mut smooth, w, h);
    smooth
}

fn peaks(smooth: &[u8], w: u32, h: u32) -> Vec<u16> {
    let mut gx = vec![i16::from(POISON); smooth.len()];
    let mut gy = gx.clone();
    let mut peak = vec![u16::from(POISON); smooth.len()];
    sobel_x(smooth, &mut gx, w, h);
    sobel_y(smooth, &mut gy, w, h);
    suppress(&gx, &gy, &mut peak, w, h);
    peak
}

/// The edges, and the passes of the loop.
fn canny(image: &[u8], low: i32, high: i32, w: u32, h: u32) -> (Vec<u8>, u64) {
    let peak = peaks(&blur(image, w, h), w, h);
    let mut marks = vec![POISON; image.len()];
    let mut next = marks.clone();
    let mut edges = marks.clone();
    let mut passes = 0;
    let mut changed = threshold(&peak, &mut marks, low, high, w, h);
    while changed {
        grow(&marks, &mut next, w, h);
        changed = grow(&next, &mut marks, w, h);
        passes += 2;
    }
    finish(&marks, &mut edges, w, h);
    (edges, passes)
}

#[test]
fn the_blur_is_that_of_opencv() {
    for case in references::cases() {
        let image = case.image();
        assert!(blur(&image, case.width, case.height) == case.blurred(), "{}", case.name);
    }
}

#[test]
fn the_edges_are_those_of_opencv() {
    for case in references::cases() {
        let (edges, passes) = canny(&case.image(), case.low, case.high, case.width, case.height);
        assert!(edges == case.edges(), "{} {}..{}", case.name, case.low, case.high);
        assert_eq!(passes, case.passes, "{} {}..{}", case.name, case.low, case.high);
    }
}

#[test]
fn a_line_is_mirrored_without_its_ends() {
    let mirrored = |n| (0..n + 4).map(|i| reflect(i, n)).collect::<Vec<_>>();
    assert_eq!(mirrored(1), [0, 0, 0, 0, 0]);
    assert_eq!(mirrored(2), [0, 1, 0, 1, 0, 1]);
    assert_eq!(mirrored(3), [2, 1, 0, 1, 2, 1, 0]);
    assert_eq!(mirrored(5), [2, 1, 0, 1, 2, 3, 4, 3, 2]);
}

#[test]
fn an_edge_crosses_one_tile_per_pass() {
    let (w, h) = (70, 2);
    let mut marks = vec![0; 140];
    marks[..70].fill(WEAK);
    marks[0] = STRONG;
    let mut next = vec![POISON; 140];
    assert!(grow(&marks, &mut next, w, h));
    let strong = |marks: &[u8]| (0..70).take_while(|x| marks[*x] == STRONG).count();
    assert_eq!(strong(&next), 32);
    assert!(grow(&next, &mut marks, w, h));
    assert_eq!(strong(&marks), 64);
    assert!(grow(&marks, &mut next, w, h));
    assert_eq!(strong(&next), 70);
    assert!(!grow(&next, &mut marks, w, h));
}

#[test]
fn a_picture_without_pixels_is_left_alone() {
    assert_eq!(canny(&[], 1, 2, 0, 3), (Vec::new(), 0));
    assert_eq!(canny(&[], 1, 2, 3, 0), (Vec::new(), 0));
}
