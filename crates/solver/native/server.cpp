// Bitwuzla as a separate program. It reads terms and queries from its standard input and writes answers to its standard
// output. `src/bitwuzla/` contains the other end.
//
// Both directions are sequences of 32-bit words in the machine's byte order. A request begins with BEGIN and ends with
// CHECK. Each definition between them defines the term with the next number. Terms 0 to 4 are the rounding modes.
//
//     BEGIN timeout_ms
//     BITS width w0 w1 w2 w3                             a constant; w0 holds the lowest bits
//     VARIABLE width                                     a fresh variable
//     APPLY kind n_operands n_indices operand… index…    a function of Bitwuzla's C interface
//     FORGET                                             drops all terms; numbers start again
//     CHECK n_path n_assumed n_values path… assumed… value…
//
// The reply is MAGIC status n_words word…:
//
//     SAT        four words for each term of `value…`
//     UNSAT      positions, among path and assumptions, of terms that cannot hold together (none without cores)
//     UNKNOWN    nothing; TIMEOUT likewise
//
// The path is asserted one level per term. The next query keeps the levels that it shares with this one, including
// their clauses and everything learned from them. Following a path costs only its last condition.
//
// Errors, crashes and exhausted memory end the process, and the engine starts another one. Bitwuzla checks the time
// occasionally. If it does not, a timer of the kernel ends the process.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>
#include <signal.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>
#include <unordered_set>
#include <vector>

// The part of Bitwuzla 0.8's C interface that is used here, as `bitwuzla/c/bitwuzla.h` declares it.
extern "C" {
struct BitwuzlaTermManager;
struct BitwuzlaOptions;
struct Bitwuzla;
typedef struct BitwuzlaTermRecord *BitwuzlaTerm;
typedef struct BitwuzlaSortRecord *BitwuzlaSort;

BitwuzlaOptions *bitwuzla_options_new(void);
void bitwuzla_set_option(BitwuzlaOptions *options, int option, uint64_t value);
BitwuzlaTermManager *bitwuzla_term_manager_new(void);
void bitwuzla_term_manager_delete(BitwuzlaTermManager *manager);
Bitwuzla *bitwuzla_new(BitwuzlaTermManager *manager, const BitwuzlaOptions *options);
void bitwuzla_delete(Bitwuzla *solver);
void bitwuzla_set_termination_callback(Bitwuzla *solver, int32_t (*callback)(void *), void *state);
void bitwuzla_push(Bitwuzla *solver, uint64_t n_levels);
void bitwuzla_pop(Bitwuzla *solver, uint64_t n_levels);
void bitwuzla_assert(Bitwuzla *solver, BitwuzlaTerm term);
int bitwuzla_check_sat_assuming(Bitwuzla *solver, uint32_t n_terms, BitwuzlaTerm *terms);
BitwuzlaTerm bitwuzla_get_value(Bitwuzla *solver, BitwuzlaTerm term);
const BitwuzlaTerm *bitwuzla_get_unsat_core(Bitwuzla *solver, size_t *n_terms);
const char *bitwuzla_term_value_get_str_fmt(BitwuzlaTerm term, uint8_t base);
void bitwuzla_term_release(BitwuzlaTerm term);
BitwuzlaSort bitwuzla_mk_bv_sort(BitwuzlaTermManager *manager, uint64_t width);
BitwuzlaTerm bitwuzla_mk_const(BitwuzlaTermManager *manager, BitwuzlaSort sort, const char *symbol);
BitwuzlaTerm bitwuzla_mk_bv_value_uint64(BitwuzlaTermManager *manager, BitwuzlaSort sort, uint64_t value);
BitwuzlaTerm bitwuzla_mk_bv_value(BitwuzlaTermManager *manager, BitwuzlaSort sort, const char *value, uint8_t base);
BitwuzlaTerm bitwuzla_mk_rm_value(BitwuzlaTermManager *manager, int mode);
BitwuzlaTerm bitwuzla_mk_term_indexed(BitwuzlaTermManager *manager, int kind, uint32_t n_operands,
                                      BitwuzlaTerm *operands, uint32_t n_indices, const uint64_t *indices);
}

namespace {
enum Command : uint32_t { BEGIN = 1, BITS, VARIABLE, APPLY, FORGET, CHECK };
enum Status : uint32_t { SAT = 10, UNSAT = 20, UNKNOWN = 0, TIMEOUT = 1 };
constexpr uint32_t MAGIC = 0x656e6974;
constexpr int PRODUCE_MODELS = 1, PRODUCE_UNSAT_CORES = 3;
constexpr int N_ROUNDING_MODES = 5;
// Exit status for exhausted memory; Z3 has the same.
constexpr int OUT_OF_MEMORY = 101;
// An instance becomes slower with everything that it has processed. A new one is created after this many queries, or
// after one that took this long.
constexpr uint32_t MAX_QUESTIONS = 200;
constexpr int64_t HARD_NS = 100'000'000;
// Additional time, besides twice the time of a request, before the process is ended, for a busy machine.
constexpr int64_t GRACE_MS = 20;

int64_t now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1'000'000'000) + time.tv_nsec;
}

// The next word of the request. The process ends when the engine has closed the socket.
uint32_t word() {
    static uint32_t words[1 << 14];
    static size_t next = 0, n_bytes = 0;
    if (4 * next + 4 > n_bytes) {
        size_t n_kept = n_bytes - 4 * next;
        for (size_t k = 0; k < n_kept; k++)
            reinterpret_cast<char *>(words)[k] = reinterpret_cast<char *>(words)[4 * next + k];
        for (next = 0, n_bytes = n_kept; n_bytes < 4;) {
            const ssize_t n = read(STDIN_FILENO, reinterpret_cast<char *>(words) + n_bytes, sizeof words - n_bytes);
            if (n <= 0)
                _exit(0);
            n_bytes += static_cast<size_t>(n);
        }
    }
    return words[next++];
}

void reply(Status status, std::vector<uint32_t> words = {}) {
    const uint32_t head[] = {MAGIC, status, static_cast<uint32_t>(words.size())};
    words.insert(words.begin(), head, head + 3);
    const char *bytes = reinterpret_cast<const char *>(words.data());
    for (size_t n_left = 4 * words.size(); n_left > 0;) {
        const ssize_t n = write(STDOUT_FILENO, bytes, n_left);
        if (n <= 0)
            _exit(0);
        bytes += n;
        n_left -= static_cast<size_t>(n);
    }
}

class Session {
  public:
    explicit Session(bool has_cores) : has_cores(has_cores), options(bitwuzla_options_new()) {
        bitwuzla_set_option(options, PRODUCE_MODELS, 1);
        bitwuzla_set_option(options, PRODUCE_UNSAT_CORES, has_cores);
        start();
    }

    void run(uint32_t command) {
        switch (command) {
        case BEGIN:
            return start_clock(word());
        case BITS:
            return terms.push_back(bits());
        case VARIABLE:
            return terms.push_back(bitwuzla_mk_const(manager, sort(word()), nullptr));
        case APPLY:
            return terms.push_back(apply());
        case FORGET:
            drop_solver();
            bitwuzla_term_manager_delete(manager);
            return start();
        case CHECK:
            return check();
        default:
            fprintf(stderr, "unknown command %u\n", command);
            exit(EXIT_FAILURE);
        }
    }

  private:
    bool has_cores;
    BitwuzlaOptions *options;
    BitwuzlaTermManager *manager = nullptr;
    std::vector<BitwuzlaTerm> terms;
    Bitwuzla *solver = nullptr;
    uint32_t n_questions = 0;
    // Asserted terms, one per level of the solver.
    std::vector<BitwuzlaTerm> asserted;
    // Start of the request, and its deadline.
    int64_t begin = 0, deadline = 0;

    void start() {
        manager = bitwuzla_term_manager_new();
        terms.clear();
        for (int mode = 0; mode < N_ROUNDING_MODES; mode++)
            terms.push_back(bitwuzla_mk_rm_value(manager, mode));
    }

    BitwuzlaSort sort(uint32_t width) { return bitwuzla_mk_bv_sort(manager, width); }

    BitwuzlaTerm bits() {
        const BitwuzlaSort sort = this->sort(word());
        uint32_t words[4];
        for (uint32_t &part : words)
            part = word();
        if (words[2] == 0 && words[3] == 0)
            return bitwuzla_mk_bv_value_uint64(manager, sort, words[0] | uint64_t(words[1]) << 32);
        char digits[33];
        snprintf(digits, sizeof digits, "%08x%08x%08x%08x", words[3], words[2], words[1], words[0]);
        const char *first = digits;
        while (*first == '0')
            first++;
        return bitwuzla_mk_bv_value(manager, sort, first, 16);
    }

    BitwuzlaTerm apply() {
        const int kind = static_cast<int>(word());
        const uint32_t n_operands = word(), n_indices = word();
        std::vector<BitwuzlaTerm> operands = listed(n_operands);
        std::vector<uint64_t> indices(n_indices);
        for (uint64_t &index : indices)
            index = word();
        return bitwuzla_mk_term_indexed(manager, kind, n_operands, operands.data(), n_indices, indices.data());
    }

    // Reads the numbers of terms and returns these terms.
    std::vector<BitwuzlaTerm> listed(uint32_t n) {
        std::vector<BitwuzlaTerm> list(n);
        for (BitwuzlaTerm &term : list)
            term = terms.at(word());
        return list;
    }

    void start_clock(int64_t timeout_ms) {
        begin = now();
        deadline = begin + timeout_ms * 1'000'000;
        set_timer(2 * timeout_ms + GRACE_MS);
    }

    // Makes the kernel end this process (SIGALRM) after this time. 0 disables the timer.
    static void set_timer(int64_t ms) {
        const itimerval timer{{0, 0}, {ms / 1000, ms % 1000 * 1000}};
        setitimer(ITIMER_REAL, &timer, nullptr);
    }

    bool is_late() const { return now() >= deadline; }

    static int32_t poll(void *session) { return static_cast<Session *>(session)->is_late(); }

    void drop_solver() {
        if (solver)
            bitwuzla_delete(solver);
        solver = nullptr;
        asserted.clear();
        n_questions = 0;
    }

    // Makes `path` the asserted terms, keeping the levels in common. False if time ran out.
    bool assert_path(const std::vector<BitwuzlaTerm> &path) {
        size_t n_common = 0;
        while (n_common < asserted.size() && n_common < path.size() && asserted[n_common] == path[n_common])
            n_common++;
        if (n_common < asserted.size())
            bitwuzla_pop(solver, asserted.size() - n_common);
        asserted.resize(n_common);
        for (size_t k = n_common; k < path.size(); k++) {
            if (is_late())
                return false;
            bitwuzla_push(solver, 1);
            bitwuzla_assert(solver, path[k]);
            asserted.push_back(path[k]);
        }
        return true;
    }

    void check() {
        const uint32_t n_path = word(), n_assumed = word(), n_values = word();
        const std::vector<BitwuzlaTerm> path = listed(n_path);
        std::vector<BitwuzlaTerm> assumed = listed(n_assumed);
        const std::vector<BitwuzlaTerm> variables = listed(n_values);
        if (!solver) {
            solver = bitwuzla_new(manager, options);
            bitwuzla_set_termination_callback(solver, poll, this);
        }
        if (assert_path(path)) {
            const int result = bitwuzla_check_sat_assuming(solver, n_assumed, assumed.data());
            if (result == SAT)
                reply(SAT, values(variables));
            else if (result == UNSAT)
                reply(UNSAT, core(path, assumed));
            else
                reply(is_late() ? TIMEOUT : UNKNOWN);
        } else {
            reply(TIMEOUT);
        }
        set_timer(0);
        // After the reply, so that the engine does not wait for it.
        if (++n_questions >= MAX_QUESTIONS || now() - begin > HARD_NS)
            drop_solver();
    }

    std::vector<uint32_t> values(const std::vector<BitwuzlaTerm> &variables) {
        std::vector<uint32_t> words;
        for (const BitwuzlaTerm variable : variables) {
            const BitwuzlaTerm value = bitwuzla_get_value(solver, variable);
            const std::string_view digits = bitwuzla_term_value_get_str_fmt(value, 2);
            uint32_t parts[4] = {};
            for (size_t k = 0; k < digits.size() && k < 128; k++)
                parts[k / 32] |= uint32_t(digits[digits.size() - 1 - k] == '1') << k % 32;
            words.insert(words.end(), parts, parts + 4);
            bitwuzla_term_release(value);
        }
        return words;
    }

    std::vector<uint32_t> core(const std::vector<BitwuzlaTerm> &path, const std::vector<BitwuzlaTerm> &assumed) {
        std::vector<uint32_t> positions;
        if (!has_cores)
            return positions;
        size_t n_terms = 0;
        const BitwuzlaTerm *terms = bitwuzla_get_unsat_core(solver, &n_terms);
        const std::unordered_set<BitwuzlaTerm> core(terms, terms + n_terms);
        uint32_t position = 0;
        for (const auto *list : {&path, &assumed}) {
            for (const BitwuzlaTerm term : *list) {
                if (core.count(term))
                    positions.push_back(position);
                position++;
            }
        }
        return positions;
    }
};

void out_of_memory() { _exit(OUT_OF_MEMORY); }

void limit(int resource, rlim_t value) {
    const rlimit limit{value, value};
    setrlimit(resource, &limit);
}
} // namespace

// Arguments: the process whose end must end this one, the memory limit in bytes (0 for none), and whether to report
// cores.
int main(int argc, char **argv) {
    if (argc != 4)
        return EXIT_FAILURE;
    prctl(PR_SET_NAME, "tine-bitwuzla");
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != atoi(argv[1]))
        return EXIT_FAILURE;
    limit(RLIMIT_CORE, 0);
    if (const rlim_t bytes = strtoull(argv[2], nullptr, 10))
        limit(RLIMIT_AS, bytes);
    std::set_new_handler(out_of_memory);
    Session session(atoi(argv[3]) != 0);
    for (;;)
        session.run(word());
}
