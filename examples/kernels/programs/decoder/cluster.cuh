// What devices from compute capability 9.0 on can do: overlapping launches, clusters, and copies that count what has come.
#pragma once

static __device__ void let_the_next_kernel_begin() {
    asm volatile("griddepcontrol.launch_dependents;");
}

static __device__ void wait_for_the_kernels_before() {
    asm volatile("griddepcontrol.wait;" ::: "memory");
}

static __device__ unsigned rank_in_cluster() {
    unsigned rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

// The blocks of a cluster have begun, and have made their barriers ready.
static __device__ void meet_cluster() {
    asm volatile("barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

static __device__ unsigned shared_address(const void* pointer) {
    return (unsigned)__cvta_generic_to_shared(pointer);
}

// Where the same variable of another block of the cluster lies.
static __device__ unsigned in_block(const void* pointer, unsigned rank) {
    unsigned address;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(shared_address(pointer)), "r"(rank));
    return address;
}

// Counts the bytes that have come.
struct Arrival {
    unsigned long long barrier;

    __device__ void begin() {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&barrier)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }

    // So many bytes will be copied before the next wait ends.
    __device__ void expect(unsigned bytes) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)), "r"(bytes) : "memory");
    }

    // A multiple of 16 bytes, from and to multiples of 16.
    __device__ void copy(void* to, const void* from, unsigned bytes) {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(to)), "l"(from),
                     "r"(bytes), "r"(shared_address(&barrier))
                     : "memory");
    }

    __device__ void wait(int phase) {
        asm volatile(
            "{\n"
            ".reg .pred done;\n"
            "again: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 done, [%0], %1;\n"
            "@!done bra again;\n"
            "}\n" ::"r"(shared_address(&barrier)),
            "r"(phase)
            : "memory");
    }
};

// Sixteen bytes by this thread, where rows are too short for copies of their own: a warp that asks for a hundred of those is busy for
// microseconds.
static __device__ void copy_sixteen(void* to, const void* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
}

// What this thread has asked for has come.
static __device__ void wait_for_own_copies() {
    asm volatile("cp.async.wait_all;" ::: "memory");
}

// Puts numbers where `to` is in another block of the cluster, and counts them there.
static __device__ void send(float* to, unsigned rank, Arrival& arrival, float v) {
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.f32 [%0], %1, [%2];" ::"r"(in_block(to, rank)), "f"(v),
                 "r"(in_block(&arrival.barrier, rank))
                 : "memory");
}

static __device__ void send(float* to, unsigned rank, Arrival& arrival, float2 v) {
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [%0], {%1, %2}, [%3];" ::"r"(in_block(to, rank)), "f"(v.x), "f"(v.y),
                 "r"(in_block(&arrival.barrier, rank))
                 : "memory");
}

static __device__ void send(float* to, unsigned rank, Arrival& arrival, float4 v) {
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(in_block(to, rank)), "f"(v.x),
                 "f"(v.y), "f"(v.z), "f"(v.w), "r"(in_block(&arrival.barrier, rank))
                 : "memory");
}
