/* op: insert max-objects=6 */
/* op: delete max-objects=5 */
/* op: find max-objects=5 */
#include "red_black.c"

#include <tine.h>

#define HIGHEST 5

/* Black nodes on the way down, or 0 if it is not a tree: order, parents, colours, and the same number on both sides. */
static int black_height(const struct node *node, const struct node *parent, const struct node *low,
                        const struct node *high, int levels)
{
    if (!node)
        return 1;
    if (levels == 0 || node->parent != parent)
        return 0;
    if ((low && node->key <= low->key) || (high && node->key >= high->key))
        return 0;
    if (node->is_red && (!parent || parent->is_red))
        return 0;
    int left = black_height(node->left, node, low, node, levels - 1);
    if (!left || black_height(node->right, node, node, high, levels - 1) != left)
        return 0;
    return node->is_red ? left : left + 1;
}

static int is_tree(const struct tree *tree) { return black_height(tree->root, NULL, NULL, NULL, HIGHEST) != 0; }

static int size(const struct node *node) { return node ? size(node->left) + 1 + size(node->right) : 0; }

static int has(const struct node *node, const struct node *wanted)
{
    return node && (node == wanted || has(node->left, wanted) || has(node->right, wanted));
}

int can_insert(struct tree tree, struct node *new) { return new && is_tree(&tree) && !has(tree.root, new); }

void insert(struct tree tree, struct node *new)
{
    int before = size(tree.root);
    bool is_new = tree_insert(&tree, new);
    tine_assert(is_tree(&tree));
    tine_assert(size(tree.root) == before + is_new);
    tine_assert(has(tree.root, new) == is_new);
}

int can_delete(struct tree tree, struct node *old) { return old && is_tree(&tree) && has(tree.root, old); }

void delete(struct tree tree, struct node *old)
{
    int before = size(tree.root);
    tree_delete(&tree, old);
    tine_assert(is_tree(&tree));
    tine_assert(size(tree.root) == before - 1);
    tine_assert(!has(tree.root, old));
}

int can_find(struct tree tree, int key) { return is_tree(&tree); }

void find(struct tree tree, int key)
{
    struct node *found = tree_find(&tree, key);
    tine_assert(!found || (found->key == key && has(tree.root, found)));
}
