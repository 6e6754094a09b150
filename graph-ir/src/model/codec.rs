//! Programs as bytes: the macro writes them into the expansion, the runtime reads them back.

use super::Program;

/// Bytes that are no program, or one of another version of this crate.
#[derive(Debug, thiserror::Error)]
#[error("the graph's data cannot be read: {0}")]
pub struct CodecError(#[from] postcard::Error);

impl Program {
    /// The program as bytes.
    ///
    /// # Errors
    /// None is known; the encoder's signature has one.
    pub fn encode(&self) -> Result<Vec<u8>, CodecError> {
        Ok(postcard::to_stdvec(self)?)
    }

    /// The program that [`Program::encode`] wrote.
    ///
    /// # Errors
    /// If the bytes are not a program of this version.
    pub fn decode(bytes: &[u8]) -> Result<Self, CodecError> {
        Ok(postcard::from_bytes(bytes)?)
    }
}
