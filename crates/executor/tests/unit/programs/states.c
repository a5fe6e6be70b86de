// Instrumented by hand: a module with one variable, which points to heaps of many shapes.
#include <stdlib.h>
#include "tine_interface.h"

struct node {
    long v;
    struct node *left, *right;
};

static struct node *root;
static const struct { void *address; unsigned long len; } variables[] = {{&root, sizeof root}};
static struct {
    unsigned long coverage;
    unsigned site_base, n_sites, edge_base, n_edges;
    unsigned long map, map_len, next;
    const void *variables;
    unsigned long n_variables;
} module = {.variables = variables, .n_variables = 1};

void __tine_register(void *module);
void __tine_state(unsigned calls_left);

__attribute__((constructor)) static void before(void) { __tine_register(&module); }

static struct node *node(long v, struct node *left, struct node *right) {
    struct node *n = malloc(sizeof *n);
    *n = (struct node){v, left, right};
    return n;
}

int main(void) {
    unsigned k;
    __tine_input(&k, sizeof k, "k", 4);
    struct node *a, *b;
    switch (k) {
    case 0: // left made first
        a = node(1, 0, 0), b = node(2, 0, 0), root = node(3, a, b);
        break;
    case 1: // right made first: other addresses, same shape
        b = node(2, 0, 0), a = node(1, 0, 0), root = node(3, a, b);
        break;
    case 2: // another value
        a = node(1, 0, 0), b = node(4, 0, 0), root = node(3, a, b);
        break;
    case 3: // sides exchanged
        a = node(1, 0, 0), b = node(2, 0, 0), root = node(3, b, a);
        break;
    case 4: // two nodes alike
        a = node(1, 0, 0), b = node(1, 0, 0), root = node(3, a, b);
        break;
    case 5: // the same node twice
        a = node(1, 0, 0), root = node(3, a, a);
        break;
    case 6: // a cycle of one
        root = node(3, 0, 0), root->left = root->right = root;
        break;
    case 7: // a cycle of two
        root = node(3, 0, 0), root->left = root->right = node(3, root, root);
        break;
    case 8: // into the middle
        root = node(3, 0, 0), root->left = (struct node *)&root->right;
        break;
    case 9: // to the start
        root = node(3, 0, 0), root->left = root;
        break;
    case 10: // nothing
        break;
    case 11: // nothing, but memory that will be used again
        free(node(1, 0, 0));
        break;
    case 12: // the same, by other addresses
        a = node(9, 0, 0), free(node(1, 0, 0));
        break;
    case 13: // other memory that will be used again
        free(node(2, 0, 0));
        break;
    case 14: // a pointer to what was freed
        root = node(1, 0, 0), free(root);
        break;
    case 15: // unreachable
        a = node(9, 0, 0);
        break;
    case 16: // half of it an input
        __tine_input((char *)&root + 4, 4, "half", 4);
        break;
    case 17: // into the stack
        root = (struct node *)&a;
        break;
    }
    __tine_state(3);
    return 0;
}
