package dev.veilgate.peks;

/**
 * A keyword and the records of the message that contain it.
 *
 * @param keyword what will be searchable
 * @param records where it occurs; not empty
 */
public record Posting(Keyword keyword, RecordSet records) {
    /** @throws IllegalArgumentException for an empty set */
    public Posting {
        if (records.isEmpty()) {
            throw new IllegalArgumentException("a posting names at least one record");
        }
    }

    /** A keyword and the ordinals of its records. */
    public static Posting of(Keyword keyword, int... ordinals) {
        return new Posting(keyword, RecordSet.of(ordinals));
    }
}
