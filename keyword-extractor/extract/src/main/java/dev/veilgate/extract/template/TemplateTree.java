package dev.veilgate.extract.template;

import org.jspecify.annotations.Nullable;

/**
 * Drain's parse tree of fixed depth: the number of tokens, then the first tokens, lead to a leaf of templates, of which the
 * most similar one is taken (sections III-B to III-D). A node has a bounded number of children; further tokens, and those
 * that are variables, share one.
 */
final class TemplateTree {
    private final TemplateSettings settings;
    private final Node root = new Node(null, 0);

    TemplateTree(TemplateSettings settings) {
        this.settings = settings;
    }

    private static long lengthKey(int tokens) {
        return tokens + 1L; // 0 is no key
    }

    /** The template that the message is of, if one is similar enough. */
    @Nullable
    Template find(MaskedMessage message) {
        Node node = root.child(lengthKey(message.tokens()));
        for (long word : message.path()) {
            if (node == null) {
                return null;
            }
            Node child = node.child(word);
            node = child != null ? child : node.child(MaskedMessage.WILDCARD);
        }
        return node == null ? null : mostSimilar(node, message.hashes());
    }

    /** Drain's fastMatch: the most similar; of equals the one with more variables, then the older. */
    private @Nullable Template mostSimilar(Node leaf, long[] message) {
        Template best = null;
        int bestSimilarity = settings.similarPermille() - 1;
        for (int i = 0; i < leaf.size(); i++) {
            Template template = leaf.template(i);
            int similarity = template.similarity(message);
            if (similarity > bestSimilarity
                    || best != null && similarity == bestSimilarity && template.wildcards > best.wildcards) {
                best = template;
                bestSimilarity = similarity;
            }
        }
        return best;
    }

    /** The leaf for a new template of this message; nodes on the way are made. */
    Node leaf(MaskedMessage message) {
        Node node = childOrNew(root, lengthKey(message.tokens()));
        for (long word : message.path()) {
            node = childOrNew(node, keyFor(node, word));
        }
        return node;
    }

    /** The leaf for a new template of this message if it is there already. */
    @Nullable
    Node leafIfPresent(MaskedMessage message) {
        Node node = root.child(lengthKey(message.tokens()));
        for (long word : message.path()) {
            if (node == null) {
                return null;
            }
            node = node.child(keyFor(node, word));
        }
        return node;
    }

    private long keyFor(Node node, long word) {
        int words = node.children() - (node.child(MaskedMessage.WILDCARD) == null ? 0 : 1);
        return words < settings.maxChildren() || node.child(word) != null ? word : MaskedMessage.WILDCARD;
    }

    /** The leaf of a template that is read back. */
    Node leaf(int tokens, long[] way) {
        Node node = childOrNew(root, lengthKey(tokens));
        for (long key : way) {
            node = childOrNew(node, key);
        }
        return node;
    }

    /** The keys from the root's child to the leaf. */
    long[] way(Node leaf) {
        long[] way = new long[settings.pathWords()];
        Node node = leaf;
        for (int i = way.length - 1; i >= 0 && node != null; i--) {
            way[i] = node.key;
            node = node.parent;
        }
        return way;
    }

    private static Node childOrNew(Node node, long key) {
        Node child = node.child(key);
        return child != null ? child : node.add(key);
    }
}
