//! What may lie in a buffer, and what may be passed by value.

use std::any::TypeId;

use graph_ir::model::ScalarType;

/// An element of a buffer: plain data for which any bit pattern is a value.
///
/// Every [`bytemuck::Pod`] type is one: the numbers, `half::f16`, arrays of them, `#[derive(Pod)]` structs. `bool` and `char` are not,
/// since a kernel may write a pattern that is none of theirs.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the element of a buffer",
    label = "not plain data for which any bit pattern is a value",
    note = "numbers, `half::f16`, arrays of them and `#[derive(bytemuck::Pod)]` structs may be elements; for flags, use `u8`"
)]
pub trait Element: bytemuck::Pod + Send + Sync {}

#[diagnostic::do_not_recommend]
impl<T: bytemuck::Pod + Send + Sync> Element for T {}

/// Size, alignment and, for numbers, the type in which device expressions compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementLayout {
    /// In bytes.
    pub size: usize,
    /// In bytes.
    pub align: usize,
    /// `None` for what device expressions cannot compute with. Elements of 16-bit floats are computed with as `f32`.
    pub scalar: Option<ScalarType>,
    /// For messages.
    pub name: &'static str,
}

impl ElementLayout {
    /// The layout of `T`.
    pub fn of<T: 'static>() -> Self {
        Self {
            size: size_of::<T>(),
            align: align_of::<T>(),
            scalar: scalar_type_of::<T>(),
            name: std::any::type_name::<T>(),
        }
    }
}

/// The scalar type that `T` is; `usize` is the target's.
fn scalar_type_of<T: 'static>() -> Option<ScalarType> {
    let table = [
        (TypeId::of::<bool>(), ScalarType::Bool),
        (TypeId::of::<u8>(), ScalarType::U8),
        (TypeId::of::<i8>(), ScalarType::I8),
        (TypeId::of::<u16>(), ScalarType::U16),
        (TypeId::of::<i16>(), ScalarType::I16),
        (TypeId::of::<u32>(), ScalarType::U32),
        (TypeId::of::<i32>(), ScalarType::I32),
        (TypeId::of::<u64>(), ScalarType::U64),
        (TypeId::of::<i64>(), ScalarType::I64),
        (TypeId::of::<usize>(), ScalarType::U64),
        (TypeId::of::<isize>(), ScalarType::I64),
        (TypeId::of::<half::f16>(), ScalarType::F16),
        (TypeId::of::<half::bf16>(), ScalarType::BF16),
        (TypeId::of::<f32>(), ScalarType::F32),
        (TypeId::of::<f64>(), ScalarType::F64),
    ];
    table.iter().find(|(id, _)| *id == TypeId::of::<T>()).map(|(_, scalar)| *scalar)
}

/// A value that may be passed to a kernel: plain data without pointers or references.
///
/// Numbers, `bool`, `half::f16`, `half::bf16`, arrays of them, and `#[repr(C)]` structs with `#[derive(DeviceValue)]`:
///
/// ```
/// use graph_runtime::DeviceValue;
///
/// #[derive(Clone, Copy, DeviceValue)]
/// #[repr(C)]
/// struct Crop {
///     x: u32,
///     scale: f64,
///     flip: bool,
/// }
/// ```
///
/// # Safety
/// The type has no pointers, no references and no interior mutability, its layout is the one that kernels see (`repr(C)` or a
/// primitive), and [`DeviceValue::store`] writes initialised bytes of a value at their places.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed to a kernel",
    label = "not plain data that a kernel may receive",
    note = "numbers, `bool`, `half::f16`, `half::bf16`, arrays of them, and `#[repr(C)]` structs with `#[derive(DeviceValue)]` may be \
            passed by value"
)]
pub unsafe trait DeviceValue: Copy + Send + Sync + 'static {
    /// Writes the value's bytes, those of padding excepted. There are as many bytes as the value has.
    #[doc(hidden)]
    fn store(&self, bytes: &mut [u8]);
}

macro_rules! device_values {
    ($($name:ty),*) => {
        $(
            // SAFETY: primitives (and the transparent wrappers of `half`) have no pointers and the layout that C has.
            #[diagnostic::do_not_recommend]
            unsafe impl DeviceValue for $name {
                fn store(&self, bytes: &mut [u8]) {
                    bytes.copy_from_slice(bytemuck::bytes_of(self));
                }
            }
        )*
    };
}

device_values!(bool, u8, i8, u16, i16, u32, i32, u64, i64, usize, isize, f32, f64, half::f16, half::bf16);

// SAFETY: an array of plain data is plain data; each item is stored at its place.
#[diagnostic::do_not_recommend]
unsafe impl<T: DeviceValue, const N: usize> DeviceValue for [T; N] {
    fn store(&self, bytes: &mut [u8]) {
        // Items without size have no bytes.
        let places = bytes.chunks_exact_mut(size_of::<T>().max(1));
        self.iter().zip(places).for_each(|(item, bytes)| item.store(bytes));
    }
}

/// A number or `bool` that device expressions compute with.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used in a device expression",
    label = "expected an integer, `f32`, `f64` or `bool`"
)]
pub trait Scalar: DeviceValue {
    /// Which it is; `usize` is the target's.
    const SCALAR: ScalarType;

    /// The value's bits in the low bytes, the rest zero.
    fn to_bits(self) -> u64;
}

macro_rules! scalars {
    ($($name:ty as $scalar:ident => |$value:ident| $bits:expr),* $(,)?) => {
        $(
            #[diagnostic::do_not_recommend]
            impl Scalar for $name {
                const SCALAR: ScalarType = ScalarType::$scalar;

                fn to_bits(self) -> u64 {
                    let $value = self;
                    $bits
                }
            }
        )*
    };
}

scalars! {
    bool as Bool => |v| u64::from(v),
    u8 as U8 => |v| u64::from(v),
    i8 as I8 => |v| u64::from(v.cast_unsigned()),
    u16 as U16 => |v| u64::from(v),
    i16 as I16 => |v| u64::from(v.cast_unsigned()),
    u32 as U32 => |v| u64::from(v),
    i32 as I32 => |v| u64::from(v.cast_unsigned()),
    u64 as U64 => |v| v,
    i64 as I64 => |v| v.cast_unsigned(),
    usize as U64 => |v| v as u64,
    isize as I64 => |v| (v as i64).cast_unsigned(),
    f32 as F32 => |v| u64::from(v.to_bits()),
    f64 as F64 => |v| v.to_bits(),
}
