package dev.veilgate.agent.follow;

/** Where the source of a record stands behind it. */
@FunctionalInterface
public interface Origin {
    /** Standard input: it cannot be read again. */
    Origin NONE = (positions, record) -> {};

    /**
     * Writes it down. Called once the record is sealed, in the order of reading.
     *
     * @param record the record's bytes
     */
    void advance(Positions positions, byte[] record);
}
