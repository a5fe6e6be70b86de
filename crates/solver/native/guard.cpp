// Where Bitwuzla's exceptions and its appetite end.
//
// Its C interface turns its own exceptions into a callback, but lets those of the standard library through, above all
// std::bad_alloc; an exception that reached Rust would end the process. So every function that is used is wrapped here.
//
// Memory is counted where C++ asks for it, for each thread on its own: a limit that is polled for only now and then
// is passed by far while large terms are turned into clauses. There, too, the clock is looked at: preprocessing may take
// minutes without a poll, but not without memory.
//
// An exception in a function that promises to have none, as destructors do, is std::terminate. From there we jump back to
// the wrapper: all that was on the way is left as it is, as after any other exception.

#include <atomic>
#include <csetjmp>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <malloc.h>
#include <new>

namespace {
// Bytes that this thread has, less those that it freed for others.
thread_local int64_t used = 0;
thread_local int64_t limit = INT64_MAX;
// When the query is to end at the latest, on the clock below; and how often memory was asked for since it was looked at.
thread_local int64_t deadline = INT64_MAX;
thread_local uint32_t n_asked = 0;
constexpr uint32_t LOOK_EVERY = 4096;

struct Late {};

// Results of a check besides Bitwuzla's own, which are not negative.
enum { TINE_OUT_OF_MEMORY = -1, TINE_EXCEPTION = -2, TINE_LATE = -3 };

// Where to go when the library terminates, and the handler for when there is no such place.
thread_local std::jmp_buf *escape = nullptr;
std::terminate_handler other_handler = nullptr;
// What this thread threw last.
thread_local int thrown = TINE_EXCEPTION;

[[noreturn]] void on_terminate() {
    if (escape)
        std::longjmp(*escape, 1);
    if (other_handler)
        other_handler();
    std::abort();
}

struct Installed {
    Installed() { other_handler = std::set_terminate(on_terminate); }
} installed;

int64_t now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

// Held back, and given up when the system has no more memory: what an exception went through is not deleted, so without
// this there would be nothing left to go on with. Never touched, so it takes no room.
constexpr std::size_t RESERVE = 64 << 20;
std::atomic<void *> reserve{nullptr};

void keep_reserve() {
    if (reserve.load())
        return;
    void *none = nullptr;
    void *block = std::malloc(RESERVE);
    if (block && !reserve.compare_exchange_strong(none, block))
        std::free(block);
}

// What `f` gives, or `failed` where an exception ended it. No local variable changes after setjmp.
template <typename F, typename R> R attempted(F f, R failed) {
    std::jmp_buf here;
    std::jmp_buf *const before = escape;
    if (setjmp(here)) {
        escape = before;
        return failed;
    }
    escape = &here;
    try {
        const R result = f();
        escape = before;
        return result;
    } catch (...) {
        escape = before;
        return failed;
    }
}

template <typename F> auto guarded(F f) -> decltype(f()) { return attempted(f, decltype(f())(nullptr)); }

// From now on nothing is too much or too late.
void no_limit() { limit = deadline = INT64_MAX; }
} // namespace

void *operator new(std::size_t size) {
    if (used + static_cast<int64_t>(size) > limit) {
        // Once: what cleans up may need memory itself.
        no_limit();
        thrown = TINE_OUT_OF_MEMORY;
        throw std::bad_alloc();
    }
    if (++n_asked >= LOOK_EVERY) {
        n_asked = 0;
        if (deadline != INT64_MAX && now() > deadline) {
            no_limit();
            thrown = TINE_LATE;
            throw Late{};
        }
    }
    void *block = std::malloc(size ? size : 1);
    if (!block) {
        std::free(reserve.exchange(nullptr));
        thrown = TINE_OUT_OF_MEMORY;
        throw std::bad_alloc();
    }
    used += static_cast<int64_t>(malloc_usable_size(block));
    return block;
}

void operator delete(void *block) noexcept {
    if (block)
        used -= static_cast<int64_t>(malloc_usable_size(block));
    std::free(block);
}

void operator delete(void *block, std::size_t) noexcept { operator delete(block); }

extern "C" {
void *bitwuzla_options_new(void);
void bitwuzla_options_delete(void *options);
void *bitwuzla_term_manager_new(void);
void bitwuzla_term_manager_delete(void *manager);
void *bitwuzla_new(void *manager, const void *options);
void bitwuzla_set_termination_callback(void *solver, int32_t (*callback)(void *), void *state);
void bitwuzla_delete(void *solver);
void bitwuzla_push(void *solver, uint64_t n_levels);
void bitwuzla_pop(void *solver, uint64_t n_levels);
void bitwuzla_assert(void *solver, void *term);
int bitwuzla_check_sat_assuming(void *solver, uint32_t n_terms, void **terms);
void *bitwuzla_get_value(void *solver, void *term);
void **bitwuzla_get_unsat_core(void *solver, std::size_t *n_terms);
const char *bitwuzla_term_value_get_str_fmt(void *term, uint8_t base);
void *bitwuzla_mk_bv_sort(void *manager, uint64_t size);
void *bitwuzla_mk_const(void *manager, void *sort, const char *symbol);
void *bitwuzla_mk_bv_value_uint64(void *manager, void *sort, uint64_t value);
void *bitwuzla_mk_bv_value(void *manager, void *sort, const char *value, uint8_t base);
void *bitwuzla_mk_rm_value(void *manager, int mode);
void *bitwuzla_mk_term_indexed(void *manager, int kind, uint32_t n_operands, void **operands, uint32_t n_indices,
                               const uint64_t *indices);

// Memory that C++ has in this thread.
int64_t tine_memory_used(void) { return used; }

// From now on asking for more than so much in all, or later than in so many nanoseconds, is an exception, once.
void tine_limit(int64_t bytes, int64_t nanoseconds) {
    limit = bytes;
    deadline = nanoseconds == INT64_MAX ? INT64_MAX : now() + nanoseconds;
}

// Null, or false, where an exception ended it.

void *tine_options_new(void) {
    return guarded([] { return bitwuzla_options_new(); });
}

void *tine_term_manager_new(void) {
    keep_reserve();
    return guarded([] { return bitwuzla_term_manager_new(); });
}

// A solver that asks `callback` now and then whether to stop.
void *tine_new(void *manager, const void *options, int32_t (*callback)(void *), void *state) {
    return guarded([=] {
        void *solver = bitwuzla_new(manager, options);
        bitwuzla_set_termination_callback(solver, callback, state);
        return solver;
    });
}

void *tine_mk_bv_sort(void *manager, uint64_t size) {
    return guarded([=] { return bitwuzla_mk_bv_sort(manager, size); });
}

void *tine_mk_const(void *manager, void *sort, const char *symbol) {
    return guarded([=] { return bitwuzla_mk_const(manager, sort, symbol); });
}

void *tine_mk_bv_value_uint64(void *manager, void *sort, uint64_t value) {
    return guarded([=] { return bitwuzla_mk_bv_value_uint64(manager, sort, value); });
}

void *tine_mk_bv_value(void *manager, void *sort, const char *value, uint8_t base) {
    return guarded([=] { return bitwuzla_mk_bv_value(manager, sort, value, base); });
}

void *tine_mk_rm_value(void *manager, int mode) {
    return guarded([=] { return bitwuzla_mk_rm_value(manager, mode); });
}

void *tine_mk_term_indexed(void *manager, int kind, uint32_t n_operands, void **operands, uint32_t n_indices,
                           const uint64_t *indices) {
    return guarded([=] { return bitwuzla_mk_term_indexed(manager, kind, n_operands, operands, n_indices, indices); });
}

void *tine_get_value(void *solver, void *term) {
    return guarded([=] { return bitwuzla_get_value(solver, term); });
}

const char *tine_term_value_get_str_fmt(void *term, uint8_t base) {
    return guarded([=] { return bitwuzla_term_value_get_str_fmt(term, base); });
}

// A level with this term on it.
bool tine_push_assert(void *solver, void *term) {
    return attempted(
        [=] {
            bitwuzla_push(solver, 1);
            bitwuzla_assert(solver, term);
            return true;
        },
        false);
}

bool tine_pop(void *solver, uint64_t n_levels) {
    return attempted(
        [=] {
            bitwuzla_pop(solver, n_levels);
            return true;
        },
        false);
}

int tine_check_sat_assuming(void *solver, uint32_t n_terms, void **terms) {
    thrown = TINE_EXCEPTION;
    const int failed = -100;
    const int result = attempted([=] { return bitwuzla_check_sat_assuming(solver, n_terms, terms); }, failed);
    return result == failed ? thrown : result;
}

void **tine_get_unsat_core(void *solver, std::size_t *n_terms) {
    return guarded([=] { return bitwuzla_get_unsat_core(solver, n_terms); });
}

// What cannot be deleted is lost. Deleting takes memory, too, and is no place for a limit.

void tine_delete(void *solver) {
    no_limit();
    attempted([=] { return bitwuzla_delete(solver), true; }, false);
}

void tine_term_manager_delete(void *manager) {
    no_limit();
    attempted([=] { return bitwuzla_term_manager_delete(manager), true; }, false);
}

// For the tests: asks for memory where no exception may come from, and says whether that was survived.
bool tine_survives_noexcept(void) {
    struct Greedy {
        static void ask() noexcept { ::operator delete(::operator new(1 << 20)); }
    };
    return !attempted([] { return Greedy::ask(), true; }, false);
}
}
