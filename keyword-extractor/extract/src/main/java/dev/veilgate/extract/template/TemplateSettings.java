package dev.veilgate.extract.template;

/**
 * Settings and limits of a {@link TemplateMiner}. They bound its memory: about {@code maxTemplates * (2 * maxBytes)} bytes for
 * the worst input, some hundred kilobytes for real logs.
 *
 * @param maxTemplates      templates that are known at once
 * @param maxChildren       branches of one node of the tree; a further token goes the way of the wildcard
 * @param maxLeafTemplates  templates of one leaf, that is what one message is compared with at most
 * @param maxBytes          bytes of a message that are looked at; what follows is passed over
 * @param maxTokens         tokens of a message that are looked at
 * @param pathWords      first words that choose the leaf: the depth of the tree in Drain's terms, less 2
 * @param similarPermille   least share of equal tokens that joins a message to a template, of 1000
 */
public record TemplateSettings(
        int maxTemplates,
        int maxChildren,
        int maxLeafTemplates,
        int maxBytes,
        int maxTokens,
        int pathWords,
        int similarPermille) {
    /** The same for every log. */
    public static final TemplateSettings DEFAULT = new TemplateSettings(4096, 100, 64, 1024, 96, 2, 750);

    /** Most of {@link #maxTemplates}. */
    public static final int MAX_TEMPLATES = 1 << 16;

    /** Most of {@link #maxBytes}. */
    public static final int MAX_BYTES = 1 << 14;

    /** Most of {@link #maxTokens}. */
    public static final int MAX_TOKENS = 1 << 10;

    /** Most of {@link #pathWords}. */
    public static final int MAX_PATH_WORDS = 8;

    /** @throws IllegalArgumentException for a value out of range */
    public TemplateSettings {
        check("maxTemplates", maxTemplates, 4, MAX_TEMPLATES);
        check("maxChildren", maxChildren, 2, 1 << 12);
        check("maxLeafTemplates", maxLeafTemplates, 1, 1 << 12);
        check("maxBytes", maxBytes, 16, MAX_BYTES);
        check("maxTokens", maxTokens, 1, MAX_TOKENS);
        check("pathWords", pathWords, 0, MAX_PATH_WORDS);
        check("similarPermille", similarPermille, 1, 1000);
    }

    private static void check(String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(what + " must be " + min + " to " + max);
        }
    }
}
