//! Pictures as rows of gray bytes, from and to PNG and JPEG files.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use image::error::ImageError;
use image::{DynamicImage, GrayImage, ImageDecoder, ImageFormat, ImageReader, Rgba};

/// Pixels a side, at most: what the kernels' grids can cover.
const LONGEST_SIDE: u32 = 1 << 16;
/// Pixels, at most: decoding takes up to 12 bytes for each.
const MOST_PIXELS: u64 = 1 << 27;

/// A gray picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Rows from the top, `width * height` bytes; 0 is black.
    pub pixels: Vec<u8>,
}

/// Why a picture could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The file cannot be opened or read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is of another kind.
    #[error("`{}` is neither a PNG nor a JPEG picture", .0.display())]
    Format(PathBuf),
    /// The file starts like a picture, but is damaged or of a variant that the decoder does not know.
    #[error("`{}` is not a picture that can be read: {reason}", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// The decoder's words.
        reason: String,
    },
    /// The picture has a width or height of zero.
    #[error("`{}` has no pixels: it is {width} x {height}", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
        /// Pixels in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// The picture is larger than memory or the kernels' grids allow.
    #[error("`{}` is too large: {reason}", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit.
        reason: String,
    },
    /// The output's name has another ending.
    #[error("cannot write `{}`: its name must end in `.png`, `.jpg` or `.jpeg`", .0.display())]
    Ending(PathBuf),
    /// The file cannot be written.
    #[error("cannot write `{}`: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

/// Reads a PNG or JPEG file of any colour type, turned the way its orientation tag says, as gray.
///
/// Samples of 16 bits are rounded to 8. Colours become gray as [`gray`] says, after what is transparent has been laid on white.
pub fn read(path: &Path) -> Result<Picture, PictureError> {
    let unreadable = |source| PictureError::Read { path: path.to_owned(), source };
    let file = File::open(path).map_err(unreadable)?;
    let reader = ImageReader::new(BufReader::new(file)).with_guessed_format().map_err(unreadable)?;
    if !matches!(reader.format(), Some(ImageFormat::Png | ImageFormat::Jpeg)) {
        return Err(PictureError::Format(path.to_owned()));
    }
    let mut decoder = reader.into_decoder().map_err(|error| broken(path, error))?;
    check_size(path, decoder.dimensions())?;
    let orientation = decoder.orientation().map_err(|error| broken(path, error))?;
    let mut image = DynamicImage::from_decoder(decoder).map_err(|error| broken(path, error))?;
    image.apply_orientation(orientation);
    Ok(to_gray(&image))
}

/// Writes a picture as PNG or JPEG, as the file's ending says.
pub fn write(path: &Path, picture: Picture) -> Result<(), PictureError> {
    check_ending(path)?;
    let failed = |reason: String| PictureError::Write { path: path.to_owned(), reason };
    let size = picture.width.try_into().ok().zip(picture.height.try_into().ok());
    let image = size.and_then(|(width, height)| GrayImage::from_raw(width, height, picture.pixels));
    let image = image.ok_or_else(|| failed("its size does not fit its pixels".to_owned()))?;
    image.save(path).map_err(|error| failed(error.to_string()))
}

/// Whether [`write()`] knows the format that the file's ending names.
pub fn check_ending(path: &Path) -> Result<(), PictureError> {
    match ImageFormat::from_path(path) {
        Ok(ImageFormat::Png | ImageFormat::Jpeg) => Ok(()),
        _ => Err(PictureError::Ending(path.to_owned())),
    }
}

/// The luma of a colour: `(9798 r + 19235 g + 3735 b + 16384) >> 15`, which are 0.299, 0.587 and 0.114 with 15 fractional bits.
pub fn gray(red: u8, green: u8, blue: u8) -> u8 {
    ((9798 * u32::from(red) + 19235 * u32::from(green) + 3735 * u32::from(blue) + (1 << 14)) >> 15) as u8
}

fn check_size(path: &Path, (width, height): (u32, u32)) -> Result<(), PictureError> {
    if width == 0 || height == 0 {
        return Err(PictureError::Empty { path: path.to_owned(), width, height });
    }
    if width.max(height) > LONGEST_SIDE || u64::from(width) * u64::from(height) > MOST_PIXELS {
        let reason =
            format!("it is {width} x {height}; supported are {LONGEST_SIDE} a side and {MOST_PIXELS} pixels in all");
        return Err(PictureError::TooLarge { path: path.to_owned(), reason });
    }
    Ok(())
}

fn to_gray(image: &DynamicImage) -> Picture {
    let image = image.to_rgba8();
    let pixels =
        image.pixels().map(|Rgba([red, green, blue, alpha])| on_white(gray(*red, *green, *blue), *alpha)).collect();
    Picture { width: image.width() as usize, height: image.height() as usize, pixels }
}

/// Rounded to nearest.
fn on_white(value: u8, alpha: u8) -> u8 {
    let (value, alpha) = (u32::from(value), u32::from(alpha));
    ((value * alpha + 255 * (255 - alpha) + 127) / 255) as u8
}

fn broken(path: &Path, error: ImageError) -> PictureError {
    let path = path.to_owned();
    match error {
        ImageError::IoError(source) if source.raw_os_error().is_some() => PictureError::Read { path, source },
        ImageError::Limits(limit) => PictureError::TooLarge { path, reason: limit.to_string() },
        other => PictureError::Broken { path, reason: other.to_string() },
    }
}

#[cfg(test)]
mod tests;
