//! What the host has a part in: objects, callbacks, captured library calls, events.

mod back;
mod event;
mod object;
mod outcome;
mod record;
mod stream;
mod view;

pub use back::{BoundObject, BoundObjects};
pub use event::Event;
pub(crate) use event::{RawEvent, never_recorded};
pub use object::{BindEvent, BindHeld, BindHeldMut, BindObject, BindObjectMut, ObjectBinding, Objects};
pub use outcome::{IntoOutcome, Outcome};
pub use record::NodeCall;
pub use stream::CaptureStream;
#[cfg(feature = "cuda")]
pub(crate) use stream::Kept;
pub(crate) use view::CallBuffer;
pub use view::{Call, DeviceView, DeviceViewMut};
