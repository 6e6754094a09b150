//! The C++ names of instances: `axpy<float, 4>`.

use std::any::TypeId;

/// An argument of a template, as C++ writes it.
pub type Argument = Result<String, String>;

/// The name expression of an instance.
///
/// # Errors
/// The first argument that has no name.
pub fn instance(name: &str, arguments: &[Argument]) -> Result<String, String> {
    let arguments: Vec<String> = arguments.iter().cloned().collect::<Result<_, _>>()?;
    Ok(format!("{name}<{}>", arguments.join(", ")))
}

/// A type as C++ writes it: a number by CUDA's name, a struct by its own.
///
/// # Errors
/// If the type has no name of its own, as an array or a tuple.
pub fn type_name<T: 'static>() -> Argument {
    let known = [
        (TypeId::of::<bool>(), "bool"),
        (TypeId::of::<u8>(), "unsigned char"),
        (TypeId::of::<i8>(), "signed char"),
        (TypeId::of::<u16>(), "unsigned short"),
        (TypeId::of::<i16>(), "short"),
        (TypeId::of::<u32>(), "unsigned int"),
        (TypeId::of::<i32>(), "int"),
        (TypeId::of::<u64>(), "unsigned long long"),
        (TypeId::of::<i64>(), "long long"),
        (TypeId::of::<usize>(), "size_t"),
        (TypeId::of::<isize>(), "long"),
        (TypeId::of::<f32>(), "float"),
        (TypeId::of::<f64>(), "double"),
        (TypeId::of::<half::f16>(), "__half"),
        (TypeId::of::<half::bf16>(), "__nv_bfloat16"),
    ];
    if let Some((_, name)) = known.iter().find(|(id, _)| *id == TypeId::of::<T>()) {
        return Ok((*name).to_owned());
    }
    let full = std::any::type_name::<T>();
    let name = full.rsplit("::").next().unwrap_or(full);
    if !full.contains(['<', '[', '(', '&', '*']) && name.chars().all(|part| part.is_alphanumeric() || part == '_') {
        return Ok(name.to_owned());
    }
    Err(format!("`{full}` has no name in CUDA C++"))
}

/// The value of a const parameter.
pub trait Constant {
    /// As C++ writes it.
    fn written(self) -> String;
}

macro_rules! constants {
    ($($name:ty),*) => {
        $(impl Constant for $name {
            fn written(self) -> String {
                self.to_string()
            }
        })*
    };
}

constants!(bool, u8, i8, u16, i16, u32, i32, u64, i64, usize, isize);

impl Constant for char {
    fn written(self) -> String {
        u32::from(self).to_string()
    }
}

/// A const parameter's value as C++ writes it.
pub fn constant(value: impl Constant) -> Argument {
    Ok(value.written())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Vertex;

    #[test]
    fn instances_are_spelled_as_in_cpp() {
        let arguments = [type_name::<f32>(), constant(4_usize), constant(true), constant(-3_i32)];
        assert_eq!(instance("ns::axpy", &arguments), Ok("ns::axpy<float, 4, true, -3>".to_owned()));
        assert_eq!(type_name::<half::f16>(), Ok("__half".to_owned()));
        assert_eq!(type_name::<u64>(), Ok("unsigned long long".to_owned()));
        assert_eq!(constant('a'), Ok("97".to_owned()));
    }

    #[test]
    fn a_struct_goes_by_its_own_name_and_an_array_by_none() {
        assert_eq!(type_name::<Vertex>(), Ok("Vertex".to_owned()));
        assert_eq!(type_name::<[f32; 4]>(), Err("`[f32; 4]` has no name in CUDA C++".to_owned()));
        assert!(instance("k", &[constant(1_u8), type_name::<Option<Vertex>>()]).is_err());
    }
}
