#!/usr/bin/env bash
# Tests and measures on a machine that has a GPU and CUDA, but no Rust.
#
#   bash run.sh OUTPUT_FOLDER [part ...]      all parts if none is named
#
# Parts: those of `all` below.
# Writes log.txt (everything), summary.txt (printed at the end), rows.jsonl (each measurement) and two pictures. Ends with 1 if
# something failed. Needs nvcc and python3 for `topology`, compute-sanitizer for `memcheck`, PyTorch for `decoder`. `launch`, `lanes`,
# `loops` and `updates` leave out what they find no nvcc or PyTorch for.
set -uo pipefail

all=(tests memcheck topology planning launch lanes overlap loops updates memory kernel_for canny programs decoder)
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
out="${1:?usage: run.sh OUTPUT_FOLDER [part ...]}"
shift
parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=("${all[@]}")
mkdir -p "$out"
out="$(cd "$out" && pwd)"
log="$out/log.txt"
summary="$out/summary.txt"
: >"$log"
: >"$summary"
rm -f "$out"/{planning,launch,lanes,overlap,loops,updates}.jsonl
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
failures=0

export PATH="$PATH:/usr/local/cuda/bin"
if nvcc="$(command -v nvcc)"; then
    cuda="$(dirname "$(dirname "$(readlink -f "$nvcc")")")"
    export CUDA_HOME="${CUDA_HOME:-$cuda}"
    export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$cuda/lib64"
fi
# The libraries of pip's packages, where python has them.
wheels="$(python3 -c '
import importlib.util, pathlib
spec = importlib.util.find_spec("nvidia")
roots = spec.submodule_search_locations if spec else []
print(":".join(str(path) for root in roots for path in sorted(pathlib.Path(root).glob("*/lib"))))' 2>/dev/null)"
[ -z "$wheels" ] || export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$wheels"
export RUST_BACKTRACE=1
# Tests that need a GPU fail where they would skip themselves.
export CUDA_GRAPH_REQUIRE_CUDA=1

say() { printf '%s\n' "$*" | tee -a "$log" >>"$summary"; }

wants() {
    local part
    for part in "${parts[@]}"; do [ "$part" = "$1" ] && return 0; done
    return 1
}

# step NAME SECONDS COMMAND…: one line in the summary; behind a failure, the end of what the command printed.
step() {
    local name="$1" limit="$2" start="$SECONDS" code=0 counts
    shift 2
    printf '\n=== %s: %s\n' "$name" "$*" >>"$log"
    timeout --kill-after=5 "$limit" "$@" >"$scratch/step" 2>&1 || code=$?
    cat "$scratch/step" >>"$log"
    counts="$(grep -o '[0-9]* passed; [0-9]* failed' "$scratch/step" | tail -n 1)"
    if [ "$code" -eq 0 ]; then
        say "ok      $name ($((SECONDS - start)) s) $counts"
        return 0
    fi
    failures=$((failures + 1))
    [ "$code" -eq 124 ] && say "FAILED  $name: stopped after $limit s" || say "FAILED  $name: ended with $code; $counts"
    grep -E '^test .* FAILED|panicked at|^========= (Invalid|Error|ERROR)|error' "$scratch/step" | head -n 12 | sed 's/^/        /' >>"$summary"
    tail -n 12 "$scratch/step" | sed 's/^/        | /' >>"$summary"
    return "$code"
}

# in_package PACKAGE COMMAND…: as cargo would run it.
in_package() {
    local folder="$here/$1"
    shift
    cd "$folder" && CARGO_MANIFEST_DIR="$folder" "$@"
}
export -f in_package
export here

run_tests() {
    local binary package
    for binary in "$here"/test-binaries/*/*; do
        package="$(basename "$(dirname "$binary")")"
        step "tests $package/$(basename "$binary")" 300 bash -c 'in_package "$@"' _ "$package" "$binary"
    done
}

# Tests whose path names the GPU; all of a binary that is named after it.
run_memcheck() {
    local sanitizer binary package name filter
    if ! sanitizer="$(command -v compute-sanitizer)"; then
        say "skipped memcheck: no compute-sanitizer on the PATH"
        return
    fi
    local memcheck=("$sanitizer" --tool memcheck --error-exitcode 9 --report-api-errors no --require-cuda-init no)
    for binary in "$here"/test-binaries/*/*; do
        package="$(basename "$(dirname "$binary")")"
        name="$(basename "$binary")"
        filter=(gpu cuda)
        case "$name" in *gpu* | *cuda*) filter=() ;; esac
        [ "$("$binary" "${filter[@]}" --list 2>/dev/null | grep -c ': test$')" -gt 0 ] || continue
        step "memcheck $package/$name" 240 bash -c 'in_package "$@"' _ "$package" "${memcheck[@]}" "$binary" "${filter[@]}" --skip at_once --test-threads 1
        [ ${#filter[@]} -eq 0 ] || continue
        # Many conditional graphs in flight: benches/cpp/many_whiles.cu shows what the tool makes of them unless launches wait.
        step "memcheck $package/$name, launches wait" 120 env CUDA_LAUNCH_BLOCKING=1 bash -c 'in_package "$@"' _ "$package" \
            "${memcheck[@]}" "$binary" at_once --test-threads 1
    done
    step "memcheck canny" 120 bash -c 'in_package "$@"' _ . "${memcheck[@]}" \
        "$here/programs/canny" --device cuda:0 --frames 2 "$here/examples/data/camera.png" "$scratch/memcheck.png"
}

# build_cpp NAME [LIBRARY …]: with the toolkit's stub of the driver library, else with the driver's own.
build_cpp() {
    local command=(nvcc -O3 -std=c++17 -arch=native "$here/benches/cpp/$1.cu" -o "$scratch/$1" "${@:2}") library
    "${command[@]}" -lcuda && return 0
    library="$(ldconfig -p | awk '/libcuda\.so\.1 / { print $NF; exit }')"
    [ -n "$library" ] && "${command[@]}" "$library"
}
export -f build_cpp
export scratch

run_topology() {
    step "nvcc topology.cu" 120 bash -c 'build_cpp topology' || return
    if step "topology, in turns with C++" 280 env CUDA_GRAPH_DEVICE=cuda:0 python3 "$here/benches/compare.py" \
        "$here/programs/topology" "$scratch/topology" "$here/benches/kernels/empty.ptx" --rounds 12 --rows "$out/rows.jsonl"; then
        cat "$scratch/step" >>"$summary"
    fi
}

# beside NAME SECONDS ROWS [LIBRARY …]: ours and the C++ program of the same name in turns, twice each; ours alone if that does not compile.
beside() {
    local name="$1" limit="$2" turns=(ours cpp cpp ours) turn program
    step "nvcc $name.cu" 120 bash -c 'build_cpp "$@"' _ "$name" "${@:4}" || turns=(ours)
    for turn in "${turns[@]}"; do
        program="$here/programs/$name"
        [ "$turn" = ours ] || program="$scratch/$name"
        if step "$name, $turn" "$limit" env CUDA_GRAPH_DEVICE=cuda:0 "$program"; then
            cat "$scratch/step" >>"$out/$3.jsonl"
        fi
    done
}

# torch_rows PART SECONDS: what PyTorch takes for the same, if it is there.
torch_rows() {
    if ! python3 -c 'import torch' 2>/dev/null; then
        say "skipped PyTorch in $1: python3 has no torch"
        return
    fi
    step "$1, PyTorch" "$2" python3 "$here/benches/torch_rows.py" "$1" && grep '^{' "$scratch/step" >>"$out/$1.jsonl"
}

# What was measured, as tables; fails if a result was wrong.
tables() {
    step "$1 in tables" 20 python3 "$here/benches/tables.py" "$out/$1.jsonl"
    grep -v '^$' "$scratch/step" >>"$summary"
    cat "$out/$1.jsonl" >>"$out/rows.jsonl"
}

# Building and launching, beside C++, cudarc's capture and streams, and PyTorch; tiled Cholesky with the libraries.
run_launch() {
    beside launch 120 launch
    beside cholesky 60 launch -lcublas -lcusolver
    torch_rows launch 120
    tables launch
}

# A pass, and two solvers, beside loops that are written by hand.
run_loops() {
    beside loops 120 loops
    beside solvers 120 loops
    tables loops
}

# Changes of graphs that are built, beside C++ and PyTorch.
run_updates() {
    beside updates 60 updates
    torch_rows updates 60
    tables updates
}

# What the parts of a build take, for each node.
run_planning() {
    local of
    for of in "written 1000 9" "line 100 30" "line 1000 9" "line 10000 5" "independent 100 30" "independent 1000 9" "independent 10000 5" \
        "stencil 1024 9" "stencil 10240 5" "cholesky 1540 7" "random 2000 7" "layers 1024 7" \
        "line 100000 3" "independent 100000 3" "stencil 102400 3"; do
        set -- $of
        step "planning $1 $2" 60 "$here/programs/planning" "$1" "$2" cuda "$3" && cat "$scratch/step" >>"$out/planning.jsonl"
    done
    tables planning
}

# Kernels that begin early, beside full edges.
run_overlap() {
    step "overlap" 60 env CUDA_GRAPH_DEVICE=cuda:0 "$here/programs/overlap" && cp "$scratch/step" "$out/overlap.jsonl"
    tables overlap
}

# Graphs as they are written, dealt onto lanes, and tuned, beside the same by hand.
run_lanes() {
    step "lanes, ours" 240 env CUDA_GRAPH_DEVICE=cuda:0 "$here/programs/lanes" && cp "$scratch/step" "$out/lanes.jsonl"
    if step "nvcc lanes.cu" 120 bash -c 'build_cpp lanes' && step "shapes" 20 "$here/programs/lanes" --write "$scratch/shapes" &&
        step "lanes, cpp" 240 "$scratch/lanes" "$scratch/shapes"; then
        cat "$scratch/step" >>"$out/lanes.jsonl"
    fi
    tables lanes
}

# The arena, and what the driver's alloc nodes reserve for the same transients.
run_memory() {
    step "memory of transients" 120 "$here/programs/memory" "$scratch/spans" || return
    sed 's/^/        /' "$scratch/step" >>"$summary"
    step "nvcc alloc_nodes.cu" 120 bash -c 'build_cpp alloc_nodes' || return
    if step "alloc nodes" 60 "$scratch/alloc_nodes" "$scratch"/spans/*.spans; then
        tee -a "$out/rows.jsonl" <"$scratch/step" | sed 's/^/        /' >>"$summary"
    fi
}

# Bandwidths and conjugate gradients, beside C++.
run_kernel_for() {
    step "nvcc kernel_for.cu" 120 nvcc -O3 -std=c++17 -arch=native "$here/benches/cpp/kernel_for.cu" -o "$scratch/kernel_for" || return
    if step "kernel_for in C++" 120 "$scratch/kernel_for"; then
        tee -a "$out/rows.jsonl" <"$scratch/step" | sed 's/^/        /' >>"$summary"
    fi
    if step "kernel_for" 120 env CUDA_GRAPH_DEVICE=cuda:0 "$here/programs/kernel_for"; then
        tee -a "$out/rows.jsonl" <"$scratch/step" | sed 's/^/        /' >>"$summary"
    fi
}

run_canny() {
    local device
    for device in cuda:0 cpu; do
        if step "canny on $device" 60 "$here/programs/canny" --device "$device" --frames 100 \
            "$here/examples/data/camera.png" "$out/edges-${device%%:*}.png"; then
            sed 's/^/        /' "$scratch/step" >>"$summary"
        fi
    done
    step "canny's pictures are the same bytes" 10 cmp "$out/edges-cuda.png" "$out/edges-cpu.png"
    if step "canny: graph, node by node, host loop" 120 "$here/programs/canny_loop"; then
        tee -a "$out/rows.jsonl" <"$scratch/step" | sed 's/^/        /' >>"$summary"
    fi
}

# Each beside the same work as stream launches.
run_programs() {
    step "programs" 300 env CUDA_GRAPH_DEVICE=cuda:0 "$here/programs/programs" --rounds 50
    sed 's/^/        /' "$scratch/step" >>"$summary"
}

# Tokens of GPT-2 small, compared with PyTorch's and timed beside it.
run_decoder() {
    if ! python3 -c 'import torch' 2>/dev/null; then
        say "skipped decoder: python3 has no torch to compare with"
        return
    fi
    if step "decoder beside PyTorch" 300 env CUDA_GRAPH_DEVICE=cuda:0 python3 "$here/benches/decoder.py" "$here/programs/decoder" \
        --rows "$out/rows.jsonl"; then
        sed 's/^/        /' "$scratch/step" >>"$summary"
    fi
}

if nvidia-smi --query-gpu=name,driver_version --format=csv,noheader >"$scratch/gpu" 2>&1; then
    say "GPU: $(head -n 1 "$scratch/gpu")"
    sed -n '1s/^\(.*\), \(.*\)$/{"device": "\1", "driver": "\2"}/p' "$scratch/gpu" >>"$out/rows.jsonl"
else
    say "nvidia-smi finds no GPU"
fi
nvcc --version 2>/dev/null | grep release >>"$log"
for part in "${all[@]}"; do
    wants "$part" && "run_$part"
done
say "$([ "$failures" -eq 0 ] && echo 'everything passed' || echo "$failures failed") in $SECONDS s"
cat "$summary"
[ "$failures" -eq 0 ]
