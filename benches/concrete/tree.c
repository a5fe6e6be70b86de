/* Inserts into an AVL tree and looks keys up in it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    uint32_t key;
    int height;
    struct node *left;
    struct node *right;
};

enum { INSERTS = 100000, LOOKUPS = 2000000 };

static uint32_t state = 2463534242u;

static uint32_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static int height(const struct node *n)
{
    return n ? n->height : 0;
}

static void update(struct node *n)
{
    int left = height(n->left);
    int right = height(n->right);
    n->height = (left > right ? left : right) + 1;
}

static struct node *rotate_right(struct node *n)
{
    struct node *up = n->left;
    n->left = up->right;
    up->right = n;
    update(n);
    update(up);
    return up;
}

static struct node *rotate_left(struct node *n)
{
    struct node *up = n->right;
    n->right = up->left;
    up->left = n;
    update(n);
    update(up);
    return up;
}

static struct node *balance(struct node *n)
{
    update(n);
    int difference = height(n->left) - height(n->right);
    if (difference > 1) {
        if (height(n->left->left) < height(n->left->right))
            n->left = rotate_left(n->left);
        return rotate_right(n);
    }
    if (difference < -1) {
        if (height(n->right->right) < height(n->right->left))
            n->right = rotate_right(n->right);
        return rotate_left(n);
    }
    return n;
}

static struct node *insert(struct node *n, uint32_t key)
{
    if (!n) {
        n = malloc(sizeof *n);
        if (!n)
            abort();
        n->key = key;
        n->height = 1;
        n->left = n->right = NULL;
        return n;
    }
    if (key < n->key)
        n->left = insert(n->left, key);
    else if (key > n->key)
        n->right = insert(n->right, key);
    else
        return n;
    return balance(n);
}

static const struct node *find(const struct node *n, uint32_t key)
{
    while (n && n->key != key)
        n = key < n->key ? n->left : n->right;
    return n;
}

static void release(struct node *n)
{
    if (!n)
        return;
    release(n->left);
    release(n->right);
    free(n);
}

int main(void)
{
    struct node *root = NULL;
    uint32_t found = 0;
    for (int i = 0; i < INSERTS; i++)
        root = insert(root, next_random() % (4 * INSERTS));
    for (int i = 0; i < LOOKUPS; i++)
        if (find(root, next_random() % (4 * INSERTS)))
            found++;
    printf("%u %d\n", found, root->height);
    release(root);
    return 0;
}
