//! Signatures in random spellings, read back.

use super::super::written::{Class, Scalar, Type};
use super::read;

/// A fixed sequence of numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn one<'o>(&mut self, of: &[&'o str]) -> &'o str {
        of[self.below(of.len())]
    }
}

/// The spellings of a type, and what it is.
const NUMBERS: [(&[&str], Class, u64); 10] = [
    (&["unsigned", "unsigned int", "int unsigned", "uint32_t", "std::uint32_t", "word_t", "WORD"], Class::Unsigned, 4),
    (&["int", "signed", "signed int", "int32_t", "cuda::std::int32_t"], Class::Signed, 4),
    (&["unsigned long long", "long long unsigned int", "size_t", "::std::size_t", "uint64_t"], Class::Unsigned, 8),
    (&["long long", "long long int", "int64_t", "ptrdiff_t"], Class::Signed, 8),
    (&["unsigned short", "short unsigned int", "uint16_t"], Class::Unsigned, 2),
    (&["unsigned char", "uint8_t"], Class::Unsigned, 1),
    (&["float", "real_t", "REAL"], Class::Float, 4),
    (&["double"], Class::Float, 8),
    (&["half", "__half"], Class::Float, 2),
    (&["__nv_bfloat16", "nv_bfloat16"], Class::Brain, 2),
];

const HEAD: &str = "#define WORD unsigned /* of 32 bits */\n#define REAL \\\n    real_t\ntypedef unsigned word_t;\nusing real_t = float;\n";

/// A parameter, as text and as what it must be read as.
fn parameter(dice: &mut Dice, index: usize) -> (String, Type) {
    let (spellings, class, bytes) = NUMBERS[dice.below(NUMBERS.len())];
    let number = Type::Scalar(Scalar::new(class, bytes));
    let word = dice.one(spellings);
    let gap = dice.one(&[" ", "  ", "\n    ", " /* between */ ", " \\\n ", " // behind\n"]);
    let (constant, pointer) = (dice.below(2) == 0, dice.below(2) == 0);
    let base = match (constant, dice.below(2)) {
        (true, 0) => format!("const{gap}{word}"),
        (true, _) => format!("{word}{gap}const"),
        (false, _) => word.to_owned(),
    };
    if !pointer {
        let grid = dice.one(&["", "__grid_constant__ "]);
        return (format!("{grid}{base}{gap}p{index}"), number);
    }
    let behind = dice.one(&["* ", " *", "*", " * const ", "*__restrict__ ", " *const __restrict__ "]);
    let text = if dice.below(5) == 0 { format!("{base} p{index}[]") } else { format!("{base}{behind}{gap}p{index}") };
    (text, Type::Pointer { constant: Some(constant), to: Box::new(number) })
}

#[test]
fn random_signatures_are_read_back() {
    let mut dice = Dice(7);
    for round in 0..2_000 {
        let (texts, types): (Vec<String>, Vec<Type>) =
            (0..dice.below(7)).map(|index| parameter(&mut dice, index)).unzip();
        let linkage =
            dice.one(&["extern \"C\" ", "extern \"C\"\n", "", "static ", "template <typename T, int N = 3> "]);
        let bound = dice.one(&["void", "__launch_bounds__(2 * 32) void", "void __launch_bounds__(64, 2)"]);
        let body = dice.one(&[";", " {}", "{ if (p) { /* } */ } }", " { const char *s = \"}\"; }"]);
        let comma = dice.one(&[", ", ",", "\n, ", " , // next\n"]);
        let text = format!("{HEAD}{linkage}__global__ {bound} k({}){body}", texts.join(comma));
        let text = super::super::scan::without_comments(&text);
        let found = read(&[("k.cu", &text)], &[]).kernels;
        let [(name, Ok(written))] = &found[..] else { panic!("round {round}: {found:?} in\n{text}") };
        assert_eq!(name, "k");
        let read: Option<Vec<Type>> =
            written.parameters.as_ref().ok().map(|all| all.iter().map(|parameter| parameter.ty.clone()).collect());
        assert_eq!(read, Some(types), "round {round}:\n{text}");
        assert_eq!(
            written.bound.as_ref().map(|bound| bound.threads),
            bound.contains("__launch").then_some(64),
            "{text}"
        );
    }
}
