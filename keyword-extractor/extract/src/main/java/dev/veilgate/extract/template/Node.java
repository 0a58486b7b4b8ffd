package dev.veilgate.extract.template;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A node of the tree: children by the hash of a token, or, at full depth, the templates of a leaf in the order of birth. */
final class Node {
    private static final Template[] NO_TEMPLATES = {};

    final @Nullable Node parent;

    /** What the parent knows it by. */
    final long key;

    private long[] keys = new long[4];
    private @Nullable Node[] nodes = new Node[4];
    private int children;
    private Template[] templates = NO_TEMPLATES;
    private int size;

    Node(@Nullable Node parent, long key) {
        this.parent = parent;
        this.key = key;
    }

    @Nullable
    Node child(long key) {
        int mask = keys.length - 1;
        for (int i = (int) key & mask; nodes[i] != null; i = i + 1 & mask) {
            if (keys[i] == key) {
                return nodes[i];
            }
        }
        return null;
    }

    int children() {
        return children;
    }

    /** A new child; there must be none of that key. */
    Node add(long key) {
        if (2 * (children + 1) > keys.length) {
            rehash(2 * keys.length, 0);
        }
        Node child = new Node(this, key);
        put(child);
        children++;
        return child;
    }

    private void put(Node child) {
        int mask = keys.length - 1;
        int i = (int) child.key & mask;
        while (nodes[i] != null) {
            i = i + 1 & mask;
        }
        keys[i] = child.key;
        nodes[i] = child;
    }

    /** Takes away a child, and with it this node if it was the last. */
    private void remove(Node gone) {
        rehash(keys.length, gone.key);
        children--;
        if (children == 0 && parent != null) {
            parent.remove(this);
        }
    }

    private void rehash(int capacity, long without) {
        @Nullable Node[] before = nodes;
        keys = new long[capacity];
        nodes = new Node[capacity];
        for (Node child : before) {
            if (child != null && child.key != without) {
                put(child);
            }
        }
    }

    /** Templates of this leaf. */
    int size() {
        return size;
    }

    Template template(int i) {
        return templates[i];
    }

    void add(Template template) {
        if (size == templates.length) {
            templates = Arrays.copyOf(templates, Math.max(2, 2 * size));
        }
        templates[size++] = template;
    }

    /** The longest unused of those seen once, or if there is none of all. The leaf must not be empty. */
    Template leastUsed() {
        Template least = templates[0];
        for (int i = 1; i < size; i++) {
            Template template = templates[i];
            if (template.tried == least.tried ? template.used < least.used : least.tried) {
                least = template;
            }
        }
        return least;
    }

    /** Takes a template away, and with it this leaf if it was the last. */
    void remove(Template gone) {
        int at = 0;
        while (templates[at] != gone) {
            at++;
        }
        System.arraycopy(templates, at + 1, templates, at, size - at - 1);
        templates[--size] = templates[0]; // some template that is alive: the slot is not read
        if (size == 0) {
            templates = NO_TEMPLATES;
            if (parent != null) {
                parent.remove(this);
            }
        }
    }
}
