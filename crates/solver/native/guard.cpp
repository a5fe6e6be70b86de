// Where Bitwuzla's exceptions, its crashes and its appetite end.
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
//
// So it is with signals that the library brings upon itself: a wrong address, a stack that is used up, an assertion that
// fails. Signals of others, and of code that is not behind the guard, go to whoever handled them before.
//
// One thing is not survived: an end within the allocator. It may hold its lock, for which the next one who asks would wait
// for ever, and what it complains of is that its own records are spoilt. That is told, and the process ends as it would
// have. C++ and GMP ask for memory through us; who calls malloc directly is not noticed.

#include <atomic>
#include <csetjmp>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <gmp.h>
#include <malloc.h>
#include <mutex>
#include <new>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

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
enum { TINE_OUT_OF_MEMORY = -1, TINE_EXCEPTION = -2, TINE_LATE = -3, TINE_SIGNAL = -4 };

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

// The signal that ended the last call that a signal ended; 0 when it was taken note of.
thread_local volatile sig_atomic_t last_signal = 0;
// Whether this thread is within the allocator.
thread_local volatile sig_atomic_t allocating = 0;

struct Allocating {
    // The end of the stack is to be found here, not within the allocator: so much it takes.
    Allocating() {
        const volatile char *const here = static_cast<char *>(__builtin_frame_address(0));
        for (int n_pages = 1; n_pages <= 2; n_pages++)
            static_cast<void>(here[-4096 * n_pages]);
        allocating = 1;
    }
    ~Allocating() { allocating = 0; }
};

// `std::malloc` and the like, which are nowhere else called.
void *allocate(std::size_t size) {
    Allocating now;
    return std::malloc(size);
}

void *reallocate(void *block, std::size_t size) {
    Allocating now;
    return std::realloc(block, size);
}

void release(void *block) {
    Allocating now;
    std::free(block);
}

constexpr int SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
// Who handled them before, by number.
struct sigaction others[NSIG];

// Whether this thread did it to itself: by what it executed, or by abort().
bool is_own(int signal, const siginfo_t *info) {
    return info->si_code > 0 || (signal == SIGABRT && info->si_code == SI_TKILL && info->si_pid == getpid());
}

void pass_on(int signal, siginfo_t *info, void *context) {
    const struct sigaction &other = others[signal];
    const bool again = info->si_code > 0; // it happens again when we return
    if (other.sa_flags & SA_SIGINFO) {
        other.sa_sigaction(signal, info, context);
    } else if (other.sa_handler == SIG_DFL || (other.sa_handler == SIG_IGN && again)) {
        ::signal(signal, SIG_DFL);
        if (!again)
            raise(signal);
    } else if (other.sa_handler != SIG_IGN) {
        other.sa_handler(signal);
    }
}

void on_signal(int signal, siginfo_t *info, void *context) {
    if (escape && is_own(signal, info)) {
        if (!allocating) {
            last_signal = signal;
            thrown = TINE_SIGNAL;
            // The signal is not blocked here, so there is no mask to restore.
            std::longjmp(*escape, 1);
        }
        const char message[] = "error: Bitwuzla crashed within the allocator, which cannot be survived; `tine resume` goes on\n";
        if (write(STDERR_FILENO, message, sizeof message - 1)) {
        }
    }
    pass_on(signal, info, context);
}

// Held back, and given up when the system has no more memory: what an exception went through is not deleted, so without
// this there would be nothing left to go on with. Never touched, so it takes no room.
constexpr std::size_t RESERVE = 64 << 20;
std::atomic<void *> reserve{nullptr};

// GMP's memory. Without it GMP would end the process.
[[noreturn]] void no_memory() {
    thrown = TINE_OUT_OF_MEMORY;
    release(reserve.exchange(nullptr));
    if (escape)
        std::longjmp(*escape, 1);
    std::abort();
}

void *gmp_allocate(std::size_t size) {
    void *block = allocate(size);
    return block ? block : (no_memory(), nullptr);
}

void *gmp_reallocate(void *old, std::size_t, std::size_t size) {
    void *block = reallocate(old, size);
    return block ? block : (no_memory(), nullptr);
}

void gmp_free(void *block, std::size_t) { release(block); }

// After whoever else wants to handle them, so not before main: Rust handles the end of its stacks, unless somebody else does.
void handle_signals() {
    static std::once_flag once;
    std::call_once(once, [] {
        mp_set_memory_functions(gmp_allocate, gmp_reallocate, gmp_free);
        for (const int signal : SIGNALS) {
            struct sigaction action {};
            action.sa_sigaction = on_signal;
            action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
            sigaction(signal, &action, &others[signal]);
        }
    });
}

// A stack for handlers when there is no room left on the other one. Threads of Rust have one already.
struct SecondStack {
    static constexpr std::size_t SIZE = 64 << 10;
    void *memory = nullptr;

    SecondStack() {
        stack_t now{};
        if (sigaltstack(nullptr, &now) != 0 || !(now.ss_flags & SS_DISABLE))
            return;
        void *block = mmap(nullptr, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED)
            return;
        memory = block;
        now = stack_t{};
        now.ss_sp = memory;
        now.ss_size = SIZE;
        sigaltstack(&now, nullptr);
    }

    ~SecondStack() {
        if (!memory)
            return;
        stack_t none{};
        none.ss_flags = SS_DISABLE;
        sigaltstack(&none, nullptr);
        munmap(memory, SIZE);
    }
};
thread_local SecondStack second_stack;

// Faults for the tests, in a guarded call: which, and how many calls are to go well before.
enum Fault { NONE, WRONG_ADDRESS, ENDLESS_RECURSION, ABORT, DIVISION, BUS, TRAP, IN_ALLOCATOR, FROM_OUTSIDE, DEEP_ALLOCATION };
thread_local int planned = NONE;
thread_local uint64_t until_fault = 0;

__attribute__((noinline)) int recur(volatile char *above, bool allocates) {
    volatile char here[256];
    here[0] = above[0];
    if (!here[0])
        return 0;
    if (allocates)
        ::operator delete(::operator new(1000));
    return recur(here, allocates) + here[0];
}

void fail(int fault) {
    volatile int zero = 0, seven = 7;
    switch (fault) {
    case WRONG_ADDRESS:
        *reinterpret_cast<volatile int *>(static_cast<uintptr_t>(zero) + 8) = 1;
        break;
    case ENDLESS_RECURSION:
    case DEEP_ALLOCATION: {
        volatile char first = 1;
        recur(&first, fault == DEEP_ALLOCATION);
        break;
    }
    case ABORT:
        std::abort();
    case DIVISION:
        zero = seven / zero;
        break;
    case BUS: {
        // A page behind the end of its file.
        const int file = memfd_create("tine", MFD_CLOEXEC);
        void *page = mmap(nullptr, 1, PROT_READ, MAP_SHARED, file, 0);
        close(file);
        zero = *static_cast<volatile char *>(page);
        break;
    }
    case TRAP:
        __builtin_trap();
    case IN_ALLOCATOR:
        allocating = 1;
        std::abort();
    case FROM_OUTSIDE:
        // As somebody else would send it. Rust's handler lets the first one pass.
        raise(SIGSEGV);
        raise(SIGSEGV);
        break;
    }
}

struct Installed {
    Installed() { other_handler = std::set_terminate(on_terminate); }
} installed;

int64_t now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

void keep_reserve() {
    if (reserve.load())
        return;
    void *none = nullptr;
    void *block = allocate(RESERVE);
    if (block && !reserve.compare_exchange_strong(none, block))
        release(block);
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
        if (planned && until_fault-- == 0) {
            const int fault = planned;
            planned = NONE;
            fail(fault);
        }
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
    void *block = allocate(size ? size : 1);
    if (!block) {
        release(reserve.exchange(nullptr));
        thrown = TINE_OUT_OF_MEMORY;
        throw std::bad_alloc();
    }
    used += static_cast<int64_t>(malloc_usable_size(block));
    return block;
}

void operator delete(void *block) noexcept {
    if (block)
        used -= static_cast<int64_t>(malloc_usable_size(block));
    release(block);
}

void operator delete(void *block, std::size_t) noexcept { operator delete(block); }

extern "C" {
void *bitwuzla_options_new(void);
void bitwuzla_options_delete(void *options);
void bitwuzla_set_option(void *options, int option, uint64_t value);
void bitwuzla_term_release(void *term);
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

// The signal that ended a call, 0 for none since this was last asked.
int tine_take_signal(void) {
    const int signal = last_signal;
    last_signal = 0;
    return signal;
}

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

bool tine_set_option(void *options, int option, uint64_t value) {
    return attempted([=] { return bitwuzla_set_option(options, option, value), true; }, false);
}

bool tine_term_release(void *term) {
    return attempted([=] { return bitwuzla_term_release(term), true; }, false);
}

void *tine_term_manager_new(void) {
    keep_reserve();
    handle_signals();
    static_cast<void>(second_stack.memory);
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

void tine_options_delete(void *options) {
    attempted([=] { return bitwuzla_options_delete(options), true; }, false);
}

// For the tests: after so many guarded calls of this thread, one of them has this fault.
void tine_fault_after(uint64_t n_calls, int fault) {
    until_fault = n_calls;
    planned = fault;
}

// For the tests: asks for memory where no exception may come from, and says whether that was survived.
bool tine_survives_noexcept(void) {
    struct Greedy {
        static void ask() noexcept { ::operator delete(::operator new(1 << 20)); }
    };
    return !attempted([] { return Greedy::ask(), true; }, false);
}
}
