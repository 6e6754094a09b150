//! NCCL for captured calls, as one brings in any library of C: a few functions by name, and a type that keeps its promises.
//!
//! cudarc has bindings too, but asks for `libnccl.so`, which only NCCL's development packages have; this looks for `libnccl.so.2`. Where
//! there is no GPU, ranks are threads of this process, which meet.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::{Arc, Barrier, Mutex, OnceLock, PoisonError};

use graph_runtime::cudarc::driver::{CudaContext, DevicePtrMut, DriverError};
use graph_runtime::{CaptureStream, Device, DeviceKind, DeviceViewMut};
use libloading::Library;

use super::Result;

/// The library's file, by the names under which it is installed.
const NAMES: [&str; 2] = ["libnccl.so.2", "libnccl.so"];
const FLOAT32: c_int = 7;
const SUM: c_int = 0;

/// `ncclUniqueId`
#[derive(Clone, Copy)]
#[repr(C)]
struct UniqueId([c_char; 128]);

/// `ncclComm_t`
type RawComm = *mut c_void;

/// The functions that are called here.
struct Functions {
    unique_id: unsafe extern "C" fn(*mut UniqueId) -> c_int,
    init_rank: unsafe extern "C" fn(*mut RawComm, c_int, UniqueId, c_int) -> c_int,
    all_reduce: unsafe extern "C" fn(*const c_void, *mut c_void, usize, c_int, c_int, RawComm, *mut c_void) -> c_int,
    destroy: unsafe extern "C" fn(RawComm) -> c_int,
    text: unsafe extern "C" fn(c_int) -> *const c_char,
}

impl Functions {
    fn get() -> Result<&'static Self, String> {
        static FUNCTIONS: OnceLock<Result<Functions, String>> = OnceLock::new();
        FUNCTIONS.get_or_init(Self::load).as_ref().map_err(Clone::clone)
    }

    fn load() -> Result<Self, String> {
        // SAFETY: NCCL's initialisers have no requirements.
        let library = NAMES.iter().find_map(|name| unsafe { Library::new(*name) }.ok());
        let library = library.ok_or_else(|| {
            format!("NCCL was not found: tried {}\nhelp: put its folder into LD_LIBRARY_PATH", NAMES.join(" and "))
        })?;
        // It stays loaded for the life of the process.
        let library: &'static Library = Box::leak(Box::new(library));
        let missing = |error: libloading::Error| format!("this NCCL cannot be used: {error}");
        // SAFETY: the functions have these signatures in every NCCL 2.
        unsafe {
            Ok(Self {
                unique_id: *library.get(b"ncclGetUniqueId\0").map_err(missing)?,
                init_rank: *library.get(b"ncclCommInitRank\0").map_err(missing)?,
                all_reduce: *library.get(b"ncclAllReduce\0").map_err(missing)?,
                destroy: *library.get(b"ncclCommDestroy\0").map_err(missing)?,
                text: *library.get(b"ncclGetErrorString\0").map_err(missing)?,
            })
        }
    }

    fn check(&self, status: c_int, doing: &str) -> Result<(), String> {
        if status == 0 {
            return Ok(());
        }
        // SAFETY: the library returns a static string for every number.
        let text = unsafe { CStr::from_ptr((self.text)(status)) };
        Err(format!("NCCL: {}, while {doing}", text.to_string_lossy()))
    }
}

/// What the ranks have in common before they meet.
#[derive(Clone)]
pub enum Invitation {
    /// GPUs.
    Device(Ranks),
    /// Threads.
    Host(Arc<Table>),
}

/// Ranks on GPUs: how many, and the number under which they meet.
#[derive(Clone, Copy)]
pub struct Ranks {
    count: usize,
    id: UniqueId,
}

/// Where threads meet: a place for each, and what makes them wait for each other.
pub struct Table {
    places: Vec<Mutex<Vec<f32>>>,
    all: Barrier,
}

impl Invitation {
    /// For so many ranks on devices of this kind.
    pub fn new(kind: DeviceKind, count: usize) -> Result<Self> {
        if !matches!(kind, DeviceKind::Cuda(_)) {
            let places = (0..count).map(|_| Mutex::default()).collect();
            return Ok(Self::Host(Arc::new(Table { places, all: Barrier::new(count) })));
        }
        let functions = Functions::get()?;
        let mut id = UniqueId([0; 128]);
        // SAFETY: `id` is a valid place.
        let status = unsafe { (functions.unique_id)(&raw mut id) };
        functions.check(status, "making an id")?;
        Ok(Self::Device(Ranks { count, id }))
    }

    /// Joins as one of the ranks: waits until all have.
    pub fn join(&self, device: &Device, rank: usize) -> Result<Comm, String> {
        match self {
            Self::Host(table) => Ok(Comm::Host { table: Arc::clone(table), rank }),
            Self::Device(Ranks { count, id }) => {
                let DeviceKind::Cuda(ordinal) = device.kind() else {
                    return Err("a rank is no CUDA device".to_owned());
                };
                let context = CudaContext::new(ordinal).map_err(|error| error.to_string())?;
                context.bind_to_thread().map_err(|error| error.to_string())?;
                let (functions, mut raw) = (Functions::get()?, std::ptr::null_mut());
                let int = |number: usize| c_int::try_from(number).map_err(|_| "too many ranks".to_owned());
                // SAFETY: `raw` is a valid place; the device's context is current.
                let status = unsafe { (functions.init_rank)(&raw mut raw, int(*count)?, *id, int(rank)?) };
                functions.check(status, "joining")?;
                let joined = Joined { raw, ranks: *count, functions };
                joined.connect(&context)?;
                Ok(Comm::Device(Arc::new(joined)))
            }
        }
    }
}

/// A rank's end of the connection. Its calls keep their order, which must be the same in all ranks: a parameter `comm: &mut Comm`.
pub enum Comm {
    /// Of a GPU.
    Device(Arc<Joined>),
    /// Of a thread.
    Host {
        /// Where they meet.
        table: Arc<Table>,
        /// Which this is.
        rank: usize,
    },
}

/// A communicator, destroyed when no graph has calls of it.
pub struct Joined {
    raw: RawComm,
    ranks: usize,
    functions: &'static Functions,
}

// SAFETY: a communicator may be used from any thread, by one at a time: `Comm` is used by `&mut`.
unsafe impl Send for Joined {}
// SAFETY: as above.
unsafe impl Sync for Joined {}

impl Joined {
    /// The first call connects the ranks, which a capture does not allow: one outside of captures.
    fn connect(&self, context: &Arc<CudaContext>) -> Result<(), String> {
        let told = |error: DriverError| error.to_string();
        let stream = context.new_stream().map_err(told)?;
        let mut zeros = stream.alloc_zeros::<f32>(1024).map_err(told)?;
        let (address, _written) = zeros.device_ptr_mut(&stream);
        let (address, raw) = (address as *mut c_void, stream.cu_stream().cast());
        // SAFETY: both are alive, and the memory is there until the stream has been waited for.
        let status = unsafe { (self.functions.all_reduce)(address, address, 1024, FLOAT32, SUM, self.raw, raw) };
        self.functions.check(status, "connecting")?;
        stream.synchronize().map_err(told)
    }
}

impl Comm {
    /// Each element becomes the sum over all ranks.
    pub fn sum(&mut self, stream: &CaptureStream, mut x: DeviceViewMut<'_, f32>) -> Result<(), String> {
        let Self::Device(joined) = self else { return Err("this rank is a thread".to_owned()) };
        let (functions, address) = (joined.functions, x.as_mut_ptr().cast::<c_void>());
        // SAFETY: both are alive; the memory is the call's, and the graph's when it runs.
        let status =
            unsafe { (functions.all_reduce)(address, address, x.len(), FLOAT32, SUM, joined.raw, stream.raw().cast()) };
        stream.keep(Arc::clone(joined));
        if joined.ranks == 1 {
            // NCCL has nothing to do.
            stream.leave_empty();
        }
        functions.check(status, "summing up")
    }

    /// The same among threads, in the order of the ranks.
    pub fn sum_on_host(&mut self, x: &mut [f32]) -> Result<(), String> {
        let Self::Host { table, rank } = self else { return Err("this rank is a GPU".to_owned()) };
        let place = |rank: usize| table.places[rank].lock().unwrap_or_else(PoisonError::into_inner);
        *place(*rank) = x.to_vec();
        table.all.wait();
        x.fill(0.0);
        for other in 0..table.places.len() {
            x.iter_mut().zip(&*place(other)).for_each(|(x, part)| *x += part);
        }
        table.all.wait();
        Ok(())
    }
}

impl Drop for Joined {
    fn drop(&mut self) {
        // SAFETY: nobody uses it any more. There is nothing to do about a failure.
        let _ = unsafe { (self.functions.destroy)(self.raw) };
    }
}
