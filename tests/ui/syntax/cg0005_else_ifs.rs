// Each `else if` stands inside the `else` before it.
use graph_runtime::prelude::*;

cuda_graph! {
    graph Chain(x: &mut [u32; 1]) {
        if x[0] == 0 { x[0] = 1; }
        else if x[0] == 1 { x[0] = 2; }
        else if x[0] == 2 { x[0] = 3; }
        else if x[0] == 3 { x[0] = 4; }
        else if x[0] == 4 { x[0] = 5; }
        else if x[0] == 5 { x[0] = 6; }
        else if x[0] == 6 { x[0] = 7; }
        else if x[0] == 7 { x[0] = 8; }
        else if x[0] == 8 { x[0] = 9; }
        else if x[0] == 9 { x[0] = 10; }
        else if x[0] == 10 { x[0] = 11; }
        else if x[0] == 11 { x[0] = 12; }
        else if x[0] == 12 { x[0] = 13; }
        else if x[0] == 13 { x[0] = 14; }
        else if x[0] == 14 { x[0] = 15; }
        else if x[0] == 15 { x[0] = 16; }
        else if x[0] == 16 { x[0] = 17; }
        else if x[0] == 17 { x[0] = 18; }
        else if x[0] == 18 { x[0] = 19; }
        else if x[0] == 19 { x[0] = 20; }
        else if x[0] == 20 { x[0] = 21; }
        else if x[0] == 21 { x[0] = 22; }
        else if x[0] == 22 { x[0] = 23; }
        else if x[0] == 23 { x[0] = 24; }
        else if x[0] == 24 { x[0] = 25; }
        else if x[0] == 25 { x[0] = 26; }
        else if x[0] == 26 { x[0] = 27; }
        else if x[0] == 27 { x[0] = 28; }
        else if x[0] == 28 { x[0] = 29; }
        else if x[0] == 29 { x[0] = 30; }
        else if x[0] == 30 { x[0] = 31; }
        else if x[0] == 31 { x[0] = 32; }
        else if x[0] == 32 { x[0] = 33; }
        else if x[0] == 33 { x[0] = 34; }
        else if x[0] == 34 { x[0] = 35; }
        else if x[0] == 35 { x[0] = 36; }
        else if x[0] == 36 { x[0] = 37; }
        else if x[0] == 37 { x[0] = 38; }
        else if x[0] == 38 { x[0] = 39; }
        else if x[0] == 39 { x[0] = 40; }
        else if x[0] == 40 { x[0] = 41; }
        else if x[0] == 41 { x[0] = 42; }
        else if x[0] == 42 { x[0] = 43; }
        else if x[0] == 43 { x[0] = 44; }
        else if x[0] == 44 { x[0] = 45; }
        else if x[0] == 45 { x[0] = 46; }
        else if x[0] == 46 { x[0] = 47; }
        else if x[0] == 47 { x[0] = 48; }
        else if x[0] == 48 { x[0] = 49; }
        else if x[0] == 49 { x[0] = 50; }
        else if x[0] == 50 { x[0] = 51; }
        else if x[0] == 51 { x[0] = 52; }
        else if x[0] == 52 { x[0] = 53; }
        else if x[0] == 53 { x[0] = 54; }
        else if x[0] == 54 { x[0] = 55; }
        else if x[0] == 55 { x[0] = 56; }
        else if x[0] == 56 { x[0] = 57; }
        else if x[0] == 57 { x[0] = 58; }
        else if x[0] == 58 { x[0] = 59; }
        else if x[0] == 59 { x[0] = 60; }
        else if x[0] == 60 { x[0] = 61; }
        else if x[0] == 61 { x[0] = 62; }
        else if x[0] == 62 { x[0] = 63; }
        else if x[0] == 63 { x[0] = 64; }
        else if x[0] == 64 { x[0] = 65; }
        else if x[0] == 65 { x[0] = 66; }
        else if x[0] == 66 { x[0] = 67; }
        else if x[0] == 67 { x[0] = 68; }
        else if x[0] == 68 { x[0] = 69; }
        else if x[0] == 69 { x[0] = 70; }
    }
}

fn main() {}
