// tine-test: fn=later verdict=incomplete reason="flows into"
// tine-test: fn=theirs verdict=incomplete reason="flows into"
// tine-test: fn=returned verdict=incomplete reason="flows into"
// tine-test: fn=pop verdict=incomplete reason="flows into"
// tine-test: fn=callback verdict=incomplete reason="flows into"
// tine-test: fn=number verdict=incomplete reason="flows into"
// tine-test: fn=indirect verdict=incomplete reason="flows into"
// tine-test: fn=flagged verdict=incomplete reason="flows into"
// tine-test: fn=concrete
// tine-test: fn=dead
#include <stdlib.h>
// Code without instrumentation, which reads what it was given earlier, what it returned, what it can name, and what
// pointers in memory lead to.
__asm__(".text\n"
        ".globl foreign_get\nforeign_get: mov foreign_slot(%rip), %rax\n mov (%rax), %eax\n ret\n"
        ".globl foreign_keep\nforeign_keep: mov %rdi, foreign_slot(%rip)\n ret\n"
        ".globl foreign_place\nforeign_place: lea foreign_int(%rip), %rax\n ret\n"
        ".globl foreign_read\nforeign_read: mov foreign_int(%rip), %eax\n ret\n"
        ".globl foreign_pop\nforeign_pop: mov (%rdi), %rax\n mov (%rax), %rcx\n mov %rcx, (%rdi)\n mov 8(%rax), %eax\n ret\n"
        ".globl foreign_call\nforeign_call: sub $8, %rsp\n mov %rdi, %rax\n mov %rsi, %rdi\n mov %rsi, foreign_slot(%rip)\n call *%rax\n mov foreign_slot(%rip), %rax\n mov (%rax), %eax\n add $8, %rsp\n ret\n"
        ".globl foreign_nested\nforeign_nested: mov (%rdi), %rax\n mov (%rax), %eax\n ret\n"
        ".globl foreign_flag\nforeign_flag: mov foreign_int(%rip), %eax\n cmp $4711, %eax\n jne 1f\n movl $1, raised(%rip)\n1: ret\n"
        ".data\n.p2align 3\nforeign_slot: .quad 0\n.globl foreign_int\nforeign_int: .long 0\n .long 0\n.text\n");
int foreign_get(void), foreign_read(void), *foreign_place(void), foreign_pop(void *), foreign_call(int (*)(void *), void *), foreign_nested(void *);
void foreign_keep(void *), foreign_flag(void);
extern int foreign_int;
int raised;
struct node { struct node *next; int value; };
int later(int x) { int y = 0; foreign_keep(&y); y = x; if (foreign_get() == 4711) abort(); return 0; }
int theirs(int x) { foreign_int = x; if (foreign_read() == 4711) abort(); return 0; }
int returned(int x) { int *p = foreign_place(); *p = x; if (foreign_read() == 4711) abort(); return 0; }
int pop(int x) { struct node b = {0, 1}, a = {&b, x}, *l = &a; if (foreign_pop(&l) == 4711) abort(); return 0; }
static int helper(void) { return 0; }
static int calls(void *p) { return helper() + helper(); }
int callback(int x) { int *p = malloc(4); *p = x; if (foreign_call(calls, p) == 4711) abort(); return 0; }
int number(int x) { int *q[1] = {&x}; int (*f)(unsigned long) = (int (*)(unsigned long))foreign_nested; if (f((unsigned long)q) == 4711) abort(); return 0; }
int indirect(int x) { int *q[1] = {&x}; int (*volatile f)(void *) = foreign_nested; if (f(q) == 4711) abort(); return 0; }
int flagged(int x) { foreign_int = x; foreign_flag(); if (raised) abort(); return 0; }
// What such code cannot reach goes on being followed.
int concrete(int x) { static int hidden, other; int *heap = malloc(sizeof *heap), *q[1] = {&other}; hidden = x; *heap = x; if (foreign_nested(q) == 4711) abort(); foreign_keep(&other); foreign_get(); if (hidden == 3 && *heap != 3) abort(); return x > 5; }
// A new object at the place of one that was freed was not given.
int dead(int x) { int *a = malloc(4); *a = 1; foreign_keep(a); free(a); int *b = malloc(4); *b = x; foreign_place(); return *b == 3; }
