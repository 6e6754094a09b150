//! Functions of a library that is loaded while the program runs, with the numbers that they answer.
//!
//! cudarc declares that the libraries answer with enums that are closed in Rust: a library that is newer than the bindings answers numbers
//! that the enums lack, and that would be undefined behaviour (rule R010). So each function is looked up here, with the same parameters
//! and a plain number for an answer.

/// What a function answers that is not there, which callers find out before: `CUDA_ERROR_NOT_FOUND`.
pub(super) const MISSING: u32 = 500;

/// Makes each of these functions of `library()` callable under its name, and `missing()`, which says the first that is not there. With
/// `as sys::Answer`, the parameters are compared with those of the function of that name in `sys`.
macro_rules! table {
    ($library:path, as $sys:ident::$answer:ident; $($name:ident($($argument:ident: $type:ty),* $(,)?);)*) => {
        $crate::cuda::table::table! { $library; $($name($($argument: $type),*);)* }

        $(const _: unsafe fn($($type),*) -> $sys::$answer = $sys::$name;)*
    };
    ($library:path; $($name:ident($($argument:ident: $type:ty),* $(,)?);)*) => {
        #[expect(non_snake_case, reason = "the library's names")]
        struct Functions {
            $($name: unsafe extern "C" fn($($type),*) -> u32,)*
        }

        fn functions() -> Result<&'static Functions, &'static str> {
            static FOUND: std::sync::OnceLock<Result<Functions, &'static str>> = std::sync::OnceLock::new();
            let found = FOUND.get_or_init(|| {
                let library: Option<&'static libloading::Library> = $library();
                Ok(Functions {
                    $($name: {
                        let name = stringify!($name);
                        // SAFETY: the type is that of the library's header, and the library is never unloaded.
                        let found = library.and_then(|library| unsafe { library.get(name.as_bytes()) }.ok());
                        *found.ok_or(name)?
                    },)*
                })
            });
            found.as_ref().map_err(|missing| *missing)
        }

        /// The first function that the library lacks.
        pub(super) fn missing() -> Option<&'static str> {
            functions().err()
        }

        $(
            /// The library's function of this name.
            ///
            /// # Safety
            /// As its manual says.
            #[allow(non_snake_case, clippy::too_many_arguments, reason = "the library's")]
            pub(super) unsafe fn $name($($argument: $type),*) -> u32 {
                // SAFETY: the caller's promise.
                functions().map_or($crate::cuda::table::MISSING, |found| unsafe { (found.$name)($($argument),*) })
            }
        )*
    };
}
pub(super) use table;
