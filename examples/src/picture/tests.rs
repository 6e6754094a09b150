use std::fs;

use image::{DynamicImage, ImageBuffer, Luma, LumaA, Rgb, Rgba};

use super::*;

fn shipped(name: &str) -> PathBuf {
    ["tests", "pictures", name].iter().collect()
}

/// What is read of a file of one row with these pixels.
fn read_row(image: impl Into<DynamicImage>) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("row.png");
    image.into().save(&path).unwrap();
    let picture = read(&path).unwrap();
    assert_eq!((picture.width, picture.height), (picture.pixels.len(), 1));
    picture.pixels
}

fn row<P: image::Pixel>(samples: Vec<P::Subpixel>) -> ImageBuffer<P, Vec<P::Subpixel>> {
    let pixels = samples.len() / usize::from(P::CHANNEL_COUNT);
    ImageBuffer::from_raw(pixels.try_into().unwrap(), 1, samples).unwrap()
}

/// The message for a file with these contents, its path shortened to its name.
fn refusal(name: &str, contents: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, contents).unwrap();
    read(&path).unwrap_err().to_string().replace(&path.display().to_string(), name)
}

#[test]
fn gray_is_kept() {
    assert_eq!(read_row(row::<Luma<u8>>((0..=255).collect())), (0..=255).collect::<Vec<_>>());
}

#[test]
fn colours_become_luma() {
    let primaries = vec![255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 10, 200, 30];
    assert_eq!(read_row(row::<Rgb<u8>>(primaries)), [76, 150, 29, 255, 124]);
}

#[test]
fn what_is_transparent_lies_on_white() {
    assert_eq!(read_row(row::<LumaA<u8>>(vec![0, 0, 0, 255, 0, 51, 200, 128])), [255, 0, 204, 227]);
    assert_eq!(read_row(row::<Rgba<u8>>(vec![255, 0, 0, 255, 255, 0, 0, 0])), [76, 255]);
}

#[test]
fn sixteen_bits_become_eight() {
    assert_eq!(read_row(row::<Luma<u16>>(vec![0, 257, 32768, 65535])), [0, 1, 128, 255]);
    assert_eq!(read_row(row::<LumaA<u16>>(vec![0, 65535, 0, 0])), [0, 255]);
    assert_eq!(read_row(row::<Rgb<u16>>(vec![65535, 0, 0])), [76]);
    assert_eq!(read_row(row::<Rgba<u16>>(vec![65535, 0, 0, 65535])), [76]);
}

#[test]
fn palettes_and_bits_are_expanded() {
    assert_eq!(read(&shipped("palette.png")).unwrap().pixels, [76, 29]);
    assert_eq!(read(&shipped("palette-clear.png")).unwrap().pixels, [76, 255]);
    assert_eq!(read(&shipped("bits.png")).unwrap().pixels, [0, 255, 0]);
}

#[test]
fn cmyk_becomes_gray() {
    let picture = read(&shipped("cmyk.jpg")).unwrap();
    assert_eq!((picture.width, picture.height), (16, 16));
    assert!(picture.pixels.iter().all(|value| value.abs_diff(76) <= 3), "{:?}", picture.pixels);
}

#[test]
fn the_orientation_tag_is_followed() {
    let picture = read(&shipped("turned.jpg")).unwrap();
    assert_eq!((picture.width, picture.height), (16, 32));
    assert!(picture.pixels[..256].iter().all(|value| *value < 5));
    assert!(picture.pixels[256..].iter().all(|value| *value > 250));
}

#[test]
fn colours_become_what_opencv_makes_of_them() {
    let path = |name| -> PathBuf { ["references", name].iter().collect() };
    assert!(read(&path("coffee.png")).unwrap() == read(&path("coffee.gray.png")).unwrap());
}

#[test]
fn the_ending_does_not_decide_what_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.txt");
    fs::copy(shipped("bits.png"), &path).unwrap();
    assert_eq!(read(&path).unwrap().pixels, [0, 255, 0]);
}

#[test]
fn a_missing_file_is_named() {
    let message = read(Path::new("no/such.png")).unwrap_err().to_string();
    assert_eq!(message, "cannot read `no/such.png`: No such file or directory (os error 2)");
}

#[test]
fn a_folder_is_no_picture() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(read(folder.path()), Err(PictureError::Read { .. })));
}

#[test]
fn other_files_are_no_pictures() {
    for contents in [&b""[..], b"hello", b"GIF89a\x01\x00\x01\x00"] {
        assert_eq!(refusal("x.png", contents), "`x.png` is neither a PNG nor a JPEG picture");
    }
}

#[test]
fn every_cut_of_a_picture_is_refused_or_read() {
    for name in ["palette.png", "turned.jpg"] {
        let whole = fs::read(shipped(name)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        for end in 0..whole.len() {
            fs::write(&path, &whole[..end]).unwrap();
            if let Err(error) = read(&path) {
                assert!(matches!(error, PictureError::Format(_) | PictureError::Broken { .. }), "{end}: {error}");
            }
        }
    }
}

#[test]
fn a_damaged_picture_is_refused() {
    let mut bytes = fs::read(shipped("palette.png")).unwrap();
    bytes.truncate(40);
    let message = refusal("x.png", &bytes);
    assert!(message.starts_with("`x.png` is not a picture that can be read: "), "{message}");
}

#[test]
fn pictures_without_pixels_are_refused() {
    for name in ["no-columns.png", "no-rows.png"] {
        let error = read(&shipped(name)).unwrap_err();
        assert!(matches!(error, PictureError::Broken { .. } | PictureError::Empty { .. }), "{error}");
    }
    let nothing = check_size(Path::new("x.png"), (0, 5)).unwrap_err();
    assert_eq!(nothing.to_string(), "`x.png` has no pixels: it is 0 x 5");
}

#[test]
fn pictures_beyond_the_grid_are_refused() {
    let limits = "supported are 65536 a side and 134217728 pixels in all";
    let message = read(&shipped("long.png")).unwrap_err().to_string();
    assert!(message.ends_with(&format!("is too large: it is 70000 x 1; {limits}")), "{message}");
    let message = read(&shipped("huge.png")).unwrap_err().to_string();
    assert!(message.ends_with(&format!("is too large: it is 65536 x 65536; {limits}")), "{message}");
}

#[test]
fn what_is_written_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let picture = Picture { width: 3, height: 2, pixels: vec![0, 255, 7, 8, 9, 10] };
    for name in ["a.png", "A.PNG"] {
        let path = folder.path().join(name);
        write(&path, picture.clone()).unwrap();
        assert_eq!(read(&path).unwrap(), picture);
    }
    let path = folder.path().join("a.jpg");
    write(&path, Picture { width: 8, height: 8, pixels: vec![255; 64] }).unwrap();
    assert_eq!(read(&path).unwrap().pixels, [255; 64]);
}

#[test]
fn what_cannot_be_written_is_refused() {
    let picture = Picture { width: 1, height: 1, pixels: vec![0] };
    let message = write(Path::new("edges.gif"), picture.clone()).unwrap_err().to_string();
    assert_eq!(message, "cannot write `edges.gif`: its name must end in `.png`, `.jpg` or `.jpeg`");
    let message = write(Path::new("no/such/edges.png"), picture.clone()).unwrap_err().to_string();
    assert_eq!(message, "cannot write `no/such/edges.png`: No such file or directory (os error 2)");
    let message = write(Path::new("edges.png"), Picture { width: 2, ..picture }).unwrap_err().to_string();
    assert_eq!(message, "cannot write `edges.png`: its size does not fit its pixels");
}
