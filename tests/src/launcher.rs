//! A launcher of one's own, as libraries have them: it takes a stream, addresses and a length.

use std::sync::Arc;

use graph_runtime::cudarc::driver::{CudaContext, CudaFunction, DriverError, LaunchConfig, PushKernelArg};
use graph_runtime::cudarc::nvrtc::Ptx;
use graph_runtime::{CaptureStream, Device, DeviceKind, DeviceViewMut};

/// `t[i] = 2 t[i] + by`
pub const TWICE: &str = "
.version 7.0
.target sm_50
.address_size 64
.visible .entry twice(.param .u64 address, .param .f32 by, .param .u32 n)
{
    .reg .pred %p;
    .reg .b32 %r<5>;
    .reg .b64 %rd<3>;
    .reg .f32 %f<3>;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r1, %r1, %r2, %r3;
    ld.param.u32 %r4, [n];
    setp.ge.u32 %p, %r1, %r4;
    @%p bra done;
    ld.param.u64 %rd1, [address];
    cvta.to.global.u64 %rd1, %rd1;
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd1, %rd1, %rd2;
    ld.param.f32 %f1, [by];
    ld.global.f32 %f2, [%rd1];
    add.f32 %f2, %f2, %f2;
    add.f32 %f2, %f2, %f1;
    st.global.f32 [%rd1], %f2;
done:
    ret;
}
";

/// The launcher; without a kernel where there is no CUDA device.
pub struct Launcher(Option<CudaFunction>);

impl Launcher {
    /// For a device. The kernel is loaded here: a capture is no place for it.
    pub fn new(device: &Device) -> Result<Self, DriverError> {
        let DeviceKind::Cuda(ordinal) = device.kind() else { return Ok(Self(None)) };
        let context: Arc<CudaContext> = CudaContext::new(ordinal)?;
        let module = context.load_module(Ptx::from_src(TWICE))?;
        module.load_function("twice").map(Some).map(Self)
    }

    /// `t = 2 t + by`
    pub fn twice(&self, stream: &CaptureStream, t: &DeviceViewMut<'_, f32>, by: f32) -> Result<(), String> {
        let Some(function) = &self.0 else { return Err("there is no CUDA device".to_owned()) };
        // Its module stays loaded until the graph's last launch is over.
        stream.keep(function.clone());
        let (address, length) = (t.address(), t.len() as u32);
        // SAFETY: the launch reads and writes the elements of `t`, which the statement passes as `&mut`.
        let stream = unsafe { stream.cuda_stream() };
        let mut launch = stream.launch_builder(function);
        launch.arg(&address).arg(&by).arg(&length);
        // SAFETY: as above, and the arguments are those of the kernel.
        let launched = unsafe { launch.launch(LaunchConfig::for_num_elems(length)) };
        launched.map(drop).map_err(|error| error.to_string())
    }
}
