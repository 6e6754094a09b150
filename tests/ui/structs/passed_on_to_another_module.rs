// Nothing in the block says that `table` is a struct of buffers, and not an object of the host's.
use graph_runtime::prelude::*;

mod inner {
    use graph_runtime::prelude::*;

    #[derive(Buffers)]
    pub struct Table {
        pub rows: Buffer<f32>,
    }

    pub struct Log;

    cuda_graph! {
        pub graph LookUp(table: &Table, y: &mut [f32; n]) {
            kernel for i in 0..n { y[i] = table.rows[i % 4]; }
        }

        pub graph Named(table: &Table, y: &mut [f32; n]) {
            let rows = &table.rows;
            LookUp { table: &table, y: &mut y };
        }

        pub graph Logged(log: &Log, seen: &host [f32; n]) {
            host(&seen, &log, |_, _| ());
        }
    }
}

cuda_graph! {
    graph Outer(table: &inner::Table, y: &mut [f32; n]) {
        inner::LookUp { table: &table, y: &mut y };
    }

    graph Other(log: &String, seen: &host [f32; n]) {
        inner::Logged { log: &log, seen: &seen };
    }
}

fn main() {}
