/* Runs a small program in a stack machine: counts primes by trial division. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum op { PUSH, LOAD, STORE, ADD, SUB, MUL, MOD, LESS, EQUAL, JUMP, JUMP_IF_ZERO, PRINT, HALT };

struct instruction {
    uint8_t op;
    int32_t operand;
};

enum { CANDIDATE, DIVISOR, COUNT, LIMIT, N_VARIABLES };

/* for (candidate = 2; candidate < limit; candidate++) {
       for (divisor = 2; divisor * divisor < candidate + 1; divisor++)
           if (candidate % divisor == 0)
               goto next;
       count++;
   next:;
   } */
static const struct instruction program[] = {
    /*  0 */ {PUSH, 2},       {STORE, CANDIDATE},
    /*  2 */ {LOAD, CANDIDATE}, {LOAD, LIMIT},     {LESS, 0},          {JUMP_IF_ZERO, 35},
    /*  6 */ {PUSH, 2},       {STORE, DIVISOR},
    /*  8 */ {LOAD, DIVISOR}, {LOAD, DIVISOR},     {MUL, 0},           {LOAD, CANDIDATE},
    /* 12 */ {PUSH, 1},       {ADD, 0},            {LESS, 0},          {JUMP_IF_ZERO, 26},
    /* 16 */ {LOAD, CANDIDATE}, {LOAD, DIVISOR},   {MOD, 0},           {JUMP_IF_ZERO, 30},
    /* 20 */ {LOAD, DIVISOR}, {PUSH, -1},          {SUB, 0},           {STORE, DIVISOR},
    /* 24 */ {JUMP, 8},       {HALT, 0},
    /* 26 */ {LOAD, COUNT},   {PUSH, 1},           {ADD, 0},           {STORE, COUNT},
    /* 30 */ {LOAD, CANDIDATE}, {PUSH, 1},         {ADD, 0},           {STORE, CANDIDATE},
    /* 34 */ {JUMP, 2},
    /* 35 */ {LOAD, COUNT},   {PRINT, 0},          {HALT, 0},
};

struct machine {
    int32_t stack[16];
    int32_t variables[N_VARIABLES];
    uint64_t executed;
};

static int run(struct machine *m, const struct instruction *code)
{
    int sp = 0;
    int pc = 0;
    for (;;) {
        const struct instruction *i = &code[pc++];
        m->executed++;
        switch (i->op) {
        case PUSH:
            m->stack[sp++] = i->operand;
            break;
        case LOAD:
            m->stack[sp++] = m->variables[i->operand];
            break;
        case STORE:
            m->variables[i->operand] = m->stack[--sp];
            break;
        case ADD:
            sp--;
            m->stack[sp - 1] += m->stack[sp];
            break;
        case SUB:
            sp--;
            m->stack[sp - 1] -= m->stack[sp];
            break;
        case MUL:
            sp--;
            m->stack[sp - 1] *= m->stack[sp];
            break;
        case MOD:
            sp--;
            if (m->stack[sp] == 0)
                return -1;
            m->stack[sp - 1] %= m->stack[sp];
            break;
        case LESS:
            sp--;
            m->stack[sp - 1] = m->stack[sp - 1] < m->stack[sp];
            break;
        case EQUAL:
            sp--;
            m->stack[sp - 1] = m->stack[sp - 1] == m->stack[sp];
            break;
        case JUMP:
            pc = i->operand;
            break;
        case JUMP_IF_ZERO:
            if (m->stack[--sp] == 0)
                pc = i->operand;
            break;
        case PRINT:
            printf("%d\n", m->stack[--sp]);
            break;
        case HALT:
            return 0;
        default:
            return -1;
        }
    }
}

int main(int argc, char **argv)
{
    static struct machine machine;
    machine.variables[LIMIT] = argc > 1 ? atoi(argv[1]) : 400000;
    if (run(&machine, program) != 0)
        return 1;
    printf("%llu\n", (unsigned long long)machine.executed);
    return 0;
}
