/* A threaded balanced tree and its check, in the style of GLib's. No two nodes of a tree may be one. */
#include <stddef.h>
#include <tine.h>

struct node {
    struct node *left, *right;
    signed char balance;
    unsigned char has_left, has_right;
};

static int height(const struct node *node) {
    if (!node)
        return 0;
    int left = node->has_left ? height(node->left) : 0, right = node->has_right ? height(node->right) : 0;
    return (left > right ? left : right) + 1;
}

static const struct node *previous(const struct node *node) {
    const struct node *before = node->left;
    if (node->has_left)
        while (before->has_right)
            before = before->right;
    return before;
}

static const struct node *following(const struct node *node) {
    const struct node *after = node->right;
    if (node->has_right)
        while (after->has_left)
            after = after->left;
    return after;
}

void check(const struct node *node) {
    if (!node)
        return;
    if (node->has_left) {
        tine_assume(node->left != NULL);
        tine_assume(following(previous(node)) == node);
    }
    if (node->has_right) {
        tine_assume(node->right != NULL);
        tine_assume(previous(following(node)) == node);
    }
    int left = node->has_left ? height(node->left) : 0, right = node->has_right ? height(node->right) : 0;
    tine_assume(right - left == node->balance);
    if (node->has_left)
        check(node->left);
    if (node->has_right)
        check(node->right);
}
