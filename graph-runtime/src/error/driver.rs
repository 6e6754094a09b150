//! A CUDA error code with everything that is known about it.

use std::fmt;

use super::NodeName;

/// What the CUDA driver answered, to which call, for which node, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DriverError {
    /// `CUresult` as a number.
    pub code: u32,
    /// `CUDA_ERROR_ILLEGAL_ADDRESS`.
    pub name: String,
    /// The driver's own description.
    pub meaning: String,
    /// What was being done, as a phrase: `launching graph Canny`.
    pub doing: String,
    /// The node, if it is known.
    pub node: Option<NodeName>,
    /// What else is known, one fact each: where memory is full, how much of it there is and who holds it.
    pub notes: Vec<String>,
    /// One thing to do.
    pub help: String,
}

impl fmt::Display for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): {}, while {}", self.name, self.code, self.meaning, self.doing)?;
        if let Some(node) = &self.node {
            write!(f, ", at {node}")?;
        }
        for note in &self.notes {
            write!(f, "\nnote: {note}")?;
        }
        if !self.help.is_empty() {
            write!(f, "\nhelp: {}", self.help)?;
        }
        Ok(())
    }
}

impl From<DriverError> for super::Error {
    fn from(error: DriverError) -> Self {
        Self::Driver(Box::new(error))
    }
}

/// `CUDA_ERROR_OUT_OF_MEMORY`.
const MEMORY_IS_FULL: u32 = 2;

impl super::Error {
    /// The same with more facts, if it is that memory is full; `note` is told what is known already.
    #[must_use]
    pub(crate) fn when_full(mut self, note: impl FnOnce(&mut Vec<String>)) -> Self {
        if let Self::Driver(error) = &mut self
            && error.code == MEMORY_IS_FULL
        {
            note(&mut error.notes);
        }
        self
    }
}

/// A number of bytes as it is read: `12 bytes`, `1.5 KiB`, `139.7 GiB`.
pub(crate) fn size_text(bytes: u64) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB"];
    let large = (1_u32..).zip(units).take_while(|(power, _)| bytes >> (10 * power) > 0).last();
    match large {
        None if bytes == 1 => "1 byte".to_owned(),
        None => format!("{bytes} bytes"),
        Some((power, unit)) => {
            // Tenths of the unit.
            let tenths = (u128::from(bytes) * 10) >> (10 * power);
            format!("{}.{} {unit}", tenths / 10, tenths % 10)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::size_text;

    #[test]
    fn sizes_are_read_in_the_largest_unit_that_is_there_once() {
        let read = [0, 1, 1023, 1024, 1536, 1 << 20, (1 << 20) - 1, 150 << 30, u64::MAX].map(size_text);
        let expected = [
            "0 bytes",
            "1 byte",
            "1023 bytes",
            "1.0 KiB",
            "1.5 KiB",
            "1.0 MiB",
            "1023.9 KiB",
            "150.0 GiB",
            "16777215.9 TiB",
        ];
        assert_eq!(read, expected);
    }
}
