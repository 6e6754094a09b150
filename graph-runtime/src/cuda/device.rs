//! A CUDA device: one per ordinal and process, over the primary context.

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::CudaContext;
use graph_ir::model::Memory;

use super::adopt;
use super::build::{CudaGraph, Lowering, by_launches};
use super::capture_streams::{CaptureStreams, Lent};
use super::driver::{self, Attribute, Context, Doing, Failure, Retained, Stream, Version};
use super::event::CudaEvent;
use super::memory::{DeviceMemory, NoMemory, PinnedMemory, cuda, leaked};
use super::module::{GeneratedModules, Limits, Modules};
use crate::buffer::Keeper;
use crate::call::RawEvent;
use crate::device::{Backend, Bindings, DeviceKind, Executable, Held, RawMemory, Use};
use crate::error::{Error, Result};
use crate::plan::{ByLaunches, Plan, SharedPlan};

/// The device with this ordinal.
pub(crate) fn device(ordinal: usize) -> Result<Arc<dyn Backend>> {
    static DEVICES: Mutex<Option<HashMap<usize, Arc<DeviceState>>>> = Mutex::new(None);
    let version = driver::version()?;
    let mut devices = DEVICES.lock().unwrap_or_else(PoisonError::into_inner);
    let devices = devices.get_or_insert_default();
    if let Some(known) = devices.get(&ordinal) {
        return Ok(Arc::new(CudaDevice::new(Arc::clone(known))));
    }
    let state = Arc::new(DeviceState::new(ordinal, version)?);
    devices.insert(ordinal, Arc::clone(&state));
    Ok(Arc::new(CudaDevice::new(state)))
}

/// A CUDA device as a backend.
#[derive(Debug)]
pub(super) struct CudaDevice {
    pub(super) state: Arc<DeviceState>,
    lowering: Lowering,
}

impl CudaDevice {
    fn new(state: Arc<DeviceState>) -> Self {
        let lowering = Lowering::of(state.version).shared(state.by_mps);
        Self { state, lowering }
    }

    /// The same device, used as a driver of this version must be.
    pub(super) fn as_if_driver(&self, version: Version) -> Self {
        let lowering = Lowering::of(version.min(self.state.version)).shared(self.state.by_mps);
        let by_launches = self.lowering.by_launches;
        Self { state: Arc::clone(&self.state), lowering: Lowering { by_launches, ..lowering } }
    }
}

/// Everything about a device that is made once.
pub(super) struct DeviceState {
    ordinal: usize,
    name: String,
    /// 90 for a compute capability of 9.0.
    arch: u32,
    version: Version,
    /// Retains the primary context.
    owner: Arc<CudaContext>,
    context: Context,
    pools: bool,
    /// Whether clients may share the device through MPS.
    by_mps: bool,
    modules: Modules,
    generated: GeneratedModules,
    /// Host access and allocation.
    host: Stream,
    /// Whether the host does not know that all of it is over: waiting for it has failed.
    unsettled: AtomicBool,
    /// Frees, each behind the last use.
    frees: Stream,
    deferred: Mutex<Vec<Deferred>>,
    held: Held,
    captures: Arc<CaptureStreams>,
}

/// Something to give back once its uses are over.
struct Deferred {
    until: Vec<Use>,
    action: Action,
}

type Action = Box<dyn FnOnce(&DeviceState) + Send>;

impl DeviceState {
    fn new(ordinal: usize, version: Version) -> Result<Self> {
        let count = driver::device_count()?;
        if ordinal >= count {
            return Err(no_such_device(ordinal, count));
        }
        let doing = || format!("opening CUDA device {ordinal}");
        let retained = Retained::new(ordinal).doing(doing)?;
        let owner = CudaContext::new(ordinal).map_err(Failure::from).doing(doing)?;
        drop(retained);
        let context = Context::of(&owner);
        let name = context.device_name().doing(doing)?;
        let ask = |attribute| context.attribute(attribute).doing(doing);
        let arch = 10 * ask(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?
            + ask(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        let pools = ask(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)? > 0;
        let by_mps = match context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_MPS_ENABLED) {
            Ok(enabled) => enabled != 0,
            // A driver that does not know the attribute cannot say that there is no MPS.
            Err(failure) if failure.is_invalid_value() => true,
            other => other.doing(doing)? != 0,
        };
        let modules = Modules::new(context, arch, Limits::of(context).doing(doing)?);
        let [host, frees] = [Stream::new(context).doing(doing)?, Stream::new(context).doing(doing)?];
        let (deferred, generated) = (Mutex::default(), GeneratedModules::default());
        Ok(Self {
            ordinal,
            name,
            arch,
            version,
            owner,
            context,
            pools,
            by_mps,
            modules,
            generated,
            host,
            unsettled: AtomicBool::new(false),
            frees,
            deferred,
            held: Held::default(),
            captures: CaptureStreams::new(ordinal, context),
        })
    }

    pub(super) fn context(&self) -> Context {
        self.context
    }

    /// Its number.
    pub(super) fn ordinal(&self) -> usize {
        self.ordinal
    }

    /// For people.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The driver's version.
    pub(super) fn version(&self) -> Version {
        self.version
    }

    pub(super) fn modules(&self) -> &Modules {
        &self.modules
    }

    /// Modules that this crate writes.
    pub(super) fn generated(&self) -> &GeneratedModules {
        &self.generated
    }

    /// Which device this is.
    pub(super) fn kind(&self) -> DeviceKind {
        DeviceKind::Cuda(self.ordinal)
    }

    /// A stream to capture.
    pub(super) fn capture_stream(&self) -> Result<Lent, Failure> {
        self.captures.lend()
    }

    /// Records an event from the host.
    pub(super) fn record_now(&self, event: &driver::Event) -> Result<(), Failure> {
        self.context.bind()?;
        event.record(self.host.raw())
    }

    /// cudarc's view of the context.
    pub(super) fn owner(&self) -> &Arc<CudaContext> {
        &self.owner
    }

    /// Runs `action` once these uses are over: now, or at a later allocation, build or release.
    pub(super) fn defer(&self, until: Vec<Use>, action: Action) {
        if until.iter().all(over) {
            return action(self);
        }
        self.deferred.lock().unwrap_or_else(PoisonError::into_inner).push(Deferred { until, action });
        self.sweep();
    }

    /// Runs the deferred actions whose time has come.
    pub(super) fn sweep(&self) {
        let mut deferred = self.deferred.lock().unwrap_or_else(PoisonError::into_inner);
        let (ready, waiting) =
            std::mem::take(&mut *deferred).into_iter().partition(|one: &Deferred| one.until.iter().all(over));
        *deferred = waiting;
        drop(deferred);
        let ready: Vec<Deferred> = ready;
        for one in ready {
            (one.action)(self);
        }
    }

    /// Whether memory can be freed in stream order.
    pub(super) fn has_pools(&self) -> bool {
        self.pools
    }

    /// Frees device memory behind the uses of CUDA graphs, without waiting. Where there are no pools, the uses are over. An error: it could
    /// not be put behind them, and is not freed.
    pub(super) fn free(&self, address: u64, pending: &[Use]) -> Result<(), Failure> {
        self.order_frees(pending)?;
        // SAFETY: ours, and everything that uses it comes before in this stream, or is over.
        let freed =
            unsafe { if self.pools { driver::free_in_order(address, &self.frees) } else { driver::free(address) } };
        // Whether it is free now is not known: it is never freed twice.
        leaked(freed, "device memory");
        Ok(())
    }

    /// Later frees come behind these uses, and behind what the host has put into its own stream.
    fn order_frees(&self, pending: &[Use]) -> Result<(), Failure> {
        self.context.bind()?;
        if self.unsettled.load(Ordering::Acquire) {
            self.settle()?;
        }
        pending.iter().filter_map(cuda).try_for_each(|fence| fence.hold(&self.frees))
    }

    /// Waits for the host's stream.
    fn settle(&self) -> Result<(), Failure> {
        let waited = self.host.synchronize();
        self.unsettled.store(waited.is_err(), Ordering::Release);
        waited
    }

    fn allocate_device(&self, bytes: usize) -> Result<u64, Failure> {
        self.context.bind()?;
        if !self.pools {
            return driver::allocate(bytes);
        }
        let address = driver::allocate_in_order(bytes, &self.host)?;
        self.or_free(address, self.settle())
    }

    /// Device memory that is zero.
    pub(super) fn allocate_zeroed(&self, bytes: usize) -> Result<u64, Failure> {
        let address = self.allocate_device(bytes)?;
        // SAFETY: new memory of this size, which nobody else knows; the transfer is over when `transfer` returns.
        self.or_free(address, self.transfer(|stream| unsafe { driver::set_bytes(address, 0, bytes, stream) }))
    }

    /// Device memory with these contents.
    pub(super) fn allocate_with(&self, bytes: &[u8]) -> Result<u64, Failure> {
        let address = self.allocate_device(bytes.len())?;
        // SAFETY: new memory of this size, which nobody else knows; the transfer is over when `transfer` returns.
        self.or_free(address, self.transfer(|stream| unsafe { driver::copy_from_host(address, bytes, stream) }))
    }

    /// New memory, or the failure to make it ready.
    fn or_free(&self, address: u64, ready: Result<(), Failure>) -> Result<u64, Failure> {
        if ready.is_err() {
            leaked(self.free(address, &[]), "device memory");
        }
        ready.map(|()| address)
    }

    /// Copies device memory to the host; the caller has waited for its uses.
    pub(super) fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), Failure> {
        // SAFETY: the caller owns this memory; the transfer is over when `transfer` returns.
        self.transfer(|stream| unsafe { driver::copy_to_host(bytes, address, stream) })
    }

    fn transfer(&self, put: impl FnOnce(&Stream) -> Result<(), Failure>) -> Result<(), Failure> {
        self.context.bind()?;
        put(&self.host)?;
        self.settle()
    }
}

fn over(one: &Use) -> bool {
    one.fence.finished(one.last_launch())
}

fn no_such_device(ordinal: usize, count: usize) -> Error {
    let there = match count {
        0 => "the driver sees no device".to_owned(),
        1 => "the only one is number 0".to_owned(),
        _ => format!("there are {count}, numbered from 0"),
    };
    Error::Unavailable(format!(
        "there is no CUDA device {ordinal}: {there}\nhelp: see `nvidia-smi` and CUDA_VISIBLE_DEVICES; `Device::cpu()` runs the same block"
    ))
}

impl Backend for CudaDevice {
    fn kind(&self) -> DeviceKind {
        DeviceKind::Cuda(self.state.ordinal)
    }

    fn name(&self) -> String {
        self.state.name.clone()
    }

    fn machine(&self) -> Option<String> {
        let DeviceState { name, arch, version: Version(version), .. } = &*self.state;
        Some(format!("{name}, compute capability {}.{}, driver {version}", arch / 10, arch % 10))
    }

    fn allocate(&self, bytes: usize, memory: Memory) -> Result<Box<dyn RawMemory>> {
        if bytes == 0 {
            return Ok(Box::new(NoMemory));
        }
        let device = Arc::clone(&self.state);
        device.sweep();
        Ok(match memory {
            Memory::Device => {
                let doing = || format!("allocating {bytes} bytes on {}", device.name);
                let address = device.allocate_device(bytes).doing(doing)?;
                Box::new(DeviceMemory::new(device, address))
            }
            Memory::Host | Memory::Mailbox => {
                let allocated = device.context.bind().and_then(|()| driver::allocate_pinned(bytes));
                let address = allocated.doing(|| format!("allocating {bytes} bytes of pinned memory"))?;
                Box::new(PinnedMemory::new(device, address))
            }
        })
    }

    unsafe fn adopt(&self, address: u64, bytes: usize, keeper: Keeper) -> Result<Box<dyn RawMemory>> {
        self.state.sweep();
        Ok(Box::new(adopt::adopt(&self.state, address, bytes, keeper)?))
    }

    fn write(&self, address: u64, memory: Memory, bytes: &[u8]) -> Result<()> {
        match memory {
            // SAFETY: the caller owns this memory, has waited for its uses, and passes a slice that lies elsewhere.
            Memory::Host | Memory::Mailbox => unsafe {
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), address as *mut u8, bytes.len());
            },
            Memory::Device => self
                .state
                // SAFETY: as above; the transfer is over when `transfer` returns.
                .transfer(|stream| unsafe { driver::copy_from_host(address, bytes, stream) })
                .doing(|| format!("copying {} bytes to {}", bytes.len(), self.state.name))?,
        }
        Ok(())
    }

    fn read(&self, address: u64, memory: Memory, bytes: &mut [u8]) -> Result<()> {
        let length = bytes.len();
        match memory {
            // SAFETY: the caller owns this memory, has waited for its uses, and passes a slice that lies elsewhere.
            Memory::Host | Memory::Mailbox => unsafe {
                std::ptr::copy_nonoverlapping(address as *const u8, bytes.as_mut_ptr(), length);
            },
            Memory::Device => {
                self.state.read(address, bytes).doing(|| format!("copying {length} bytes from {}", self.state.name))?;
            }
        }
        Ok(())
    }

    fn set(&self, address: u64, memory: Memory, byte: u8, bytes: usize) -> Result<()> {
        match memory {
            // SAFETY: the caller owns this memory and has waited for its uses.
            Memory::Host | Memory::Mailbox => unsafe { std::ptr::write_bytes(address as *mut u8, byte, bytes) },
            Memory::Device => self
                .state
                // SAFETY: as above.
                .transfer(|stream| unsafe { driver::set_bytes(address, byte, bytes, stream) })
                .doing(|| format!("setting {bytes} bytes on {}", self.state.name))?,
        }
        Ok(())
    }

    fn build(&self, plan: SharedPlan, bindings: Bindings) -> Result<Box<dyn Executable>> {
        self.state.sweep();
        Ok(Box::new(CudaGraph::new(Arc::clone(&self.state), self.lowering, plan, bindings)?))
    }

    fn by_launches(&self, plan: &Plan) -> Option<ByLaunches> {
        by_launches(plan, self.lowering)
    }

    fn graphs_only(&self) -> Option<Arc<dyn Backend>> {
        Some(Arc::new(Self { state: Arc::clone(&self.state), lowering: self.lowering.graphs_only() }))
    }

    fn event(&self) -> Result<Arc<dyn RawEvent>> {
        Ok(Arc::new(CudaEvent::new(Arc::clone(&self.state))?))
    }

    fn free_and_total(&self) -> Option<[u64; 2]> {
        self.state.context.bind().and_then(|()| driver::free_and_total()).ok()
    }

    fn held(&self) -> &Held {
        &self.state.held
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl fmt::Debug for DeviceState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CudaDevice({}, {})", self.ordinal, self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_device_is_told_with_what_is_there() {
        let text = |ordinal, count| no_such_device(ordinal, count).to_string();
        assert!(text(3, 2).starts_with("there is no CUDA device 3: there are 2, numbered from 0"));
        assert!(text(1, 1).contains("the only one is number 0"));
        assert!(text(0, 0).contains("no device"));
    }

    #[test]
    fn without_a_driver_there_is_an_error_and_no_panic() {
        if driver::version().is_ok() {
            return;
        }
        let Err(Error::Unavailable(text)) = device(0) else { panic!("expected an error") };
        assert!(text.contains("Device::cpu()"), "{text}");
    }
}
