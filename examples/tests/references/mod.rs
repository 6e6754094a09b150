//! The pictures that `OpenCV` made (`references/make_references.py`), with their parameters.

#![allow(clippy::unwrap_used, clippy::panic, reason = "only tests read the references")]

use std::path::{Path, PathBuf};

/// One line of `cases.tsv`: a picture with thresholds.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) low: i32,
    pub(crate) high: i32,
    /// Of the loop.
    pub(crate) passes: u64,
}

impl Case {
    /// The gray picture.
    pub(crate) fn image(&self) -> Vec<u8> {
        let file = match &*self.name {
            "photo" => "../data/camera.png".to_owned(),
            "coffee" => "coffee.gray.png".to_owned(),
            name => format!("{name}.png"),
        };
        self.read(&path(&file))
    }

    /// The picture after the blur.
    pub(crate) fn blurred(&self) -> Vec<u8> {
        self.read(&path(&format!("{}.blur.png", self.name)))
    }

    /// The picture of the edges.
    pub(crate) fn edges(&self) -> Vec<u8> {
        self.read(&path(&format!("{}.edges-{}-{}.png", self.name, self.low, self.high)))
    }

    fn read(&self, path: &Path) -> Vec<u8> {
        let image::DynamicImage::ImageLuma8(picture) = image::open(path).unwrap() else {
            panic!("{} is not gray", path.display());
        };
        assert_eq!(picture.dimensions(), (self.width, self.height), "{}", path.display());
        picture.into_raw()
    }
}

/// All cases.
pub(crate) fn cases() -> Vec<Case> {
    let table = std::fs::read_to_string(path("cases.tsv")).unwrap();
    table.lines().filter(|line| !line.starts_with('#')).map(case).collect()
}

fn case(line: &str) -> Case {
    let columns: Vec<_> = line.split('\t').collect();
    let number = |column: usize| columns[column].parse::<u32>().unwrap();
    Case {
        name: columns[0].to_owned(),
        width: number(1),
        height: number(2),
        low: number(3).cast_signed(),
        high: number(4).cast_signed(),
        passes: u64::from(number(5)),
    }
}

fn path(file: &str) -> PathBuf {
    // Tests run in the package's folder, also where it was not built.
    Path::new("references").join(file)
}
