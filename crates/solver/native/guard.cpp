// Where Bitwuzla's exceptions end. Its C interface turns its own into a callback, but lets those of the standard
// library through, above all std::bad_alloc; an exception that reached Rust would end the process.

#include <cstdint>
#include <exception>
#include <new>

extern "C" {
int bitwuzla_check_sat_assuming(void *solver, uint32_t n_terms, void **terms);
void *bitwuzla_get_value(void *solver, void *term);
void bitwuzla_assert(void *solver, void *term);
void bitwuzla_delete(void *solver);

// Results besides Bitwuzla's own, which are not negative.
enum { TINE_OUT_OF_MEMORY = -1, TINE_EXCEPTION = -2 };

int tine_check_sat_assuming(void *solver, uint32_t n_terms, void **terms) {
    try {
        return bitwuzla_check_sat_assuming(solver, n_terms, terms);
    } catch (const std::bad_alloc &) {
        return TINE_OUT_OF_MEMORY;
    } catch (...) {
        return TINE_EXCEPTION;
    }
}

// Null when there is no value.
void *tine_get_value(void *solver, void *term) {
    try {
        return bitwuzla_get_value(solver, term);
    } catch (...) {
        return nullptr;
    }
}

// Whether it was asserted.
bool tine_assert(void *solver, void *term) {
    try {
        bitwuzla_assert(solver, term);
        return true;
    } catch (...) {
        return false;
    }
}

// What cannot be deleted is lost.
void tine_delete(void *solver) {
    try {
        bitwuzla_delete(solver);
    } catch (...) {
    }
}
}
