/*
 * What ThreadSanitizer must be told of Rust's standard library, which the toolchain brings compiled without it.
 *
 * Locks, condition variables and such are generic or inlined where nobody waits, so there the calls of the program's own code are seen.
 * Where somebody waits they are functions of the library: each is wrapped (the linker's --wrap), and its lock's order told here. The names
 * are given by `-D`.
 */
#include <stdbool.h>
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define REAL(name) JOIN(__real_, name)
#define WRAP(name) JOIN(__wrap_, name)

#define LOCKS(name)                                                                                                    \
    void REAL(name)(void *lock);                                                                                       \
    void WRAP(name)(void *lock) {                                                                                      \
        REAL(name)(lock);                                                                                              \
        __tsan_acquire(lock);                                                                                          \
    }

LOCKS(MUTEX_LOCK_CONTENDED)
LOCKS(RWLOCK_READ_CONTENDED)
LOCKS(RWLOCK_WRITE_CONTENDED)

void REAL(CONDVAR_WAIT)(void *condvar, void *mutex);
void WRAP(CONDVAR_WAIT)(void *condvar, void *mutex) {
    __tsan_release(mutex);
    REAL(CONDVAR_WAIT)(condvar, mutex);
    __tsan_acquire(mutex);
}

bool REAL(CONDVAR_WAIT_TIMEOUT)(void *condvar, void *mutex, uint64_t seconds, uint32_t nanoseconds);
bool WRAP(CONDVAR_WAIT_TIMEOUT)(void *condvar, void *mutex, uint64_t seconds, uint32_t nanoseconds) {
    __tsan_release(mutex);
    bool in_time = REAL(CONDVAR_WAIT_TIMEOUT)(condvar, mutex, seconds, nanoseconds);
    __tsan_acquire(mutex);
    return in_time;
}

void REAL(ONCE_CALL)(void *once, bool ignore_poison, void *closure, void *vtable);
void WRAP(ONCE_CALL)(void *once, bool ignore_poison, void *closure, void *vtable) {
    REAL(ONCE_CALL)(once, ignore_poison, closure, vtable);
    __tsan_release(once);
    __tsan_acquire(once);
}

/* The counter is one of the first three words, and whoever waits for the scope's end loads it. */
void REAL(SCOPE_THREAD_ENDS)(void *scope, bool panicked);
void WRAP(SCOPE_THREAD_ENDS)(void *scope, bool panicked) {
    for (int word = 0; word < 3; word++)
        __tsan_release((char *)scope + 8 * word);
    REAL(SCOPE_THREAD_ENDS)(scope, panicked);
}

/* `Arc` counts down with Release and has a fence in front of the drop. Fences are not understood; counting down with both orders is. */
enum { RELEASE = 3, ACQUIRE_RELEASE = 4 };
uint64_t __real___tsan_atomic64_fetch_sub(volatile uint64_t *at, uint64_t by, int order);
uint64_t __wrap___tsan_atomic64_fetch_sub(volatile uint64_t *at, uint64_t by, int order) {
    return __real___tsan_atomic64_fetch_sub(at, by, order == RELEASE ? ACQUIRE_RELEASE : order);
}
