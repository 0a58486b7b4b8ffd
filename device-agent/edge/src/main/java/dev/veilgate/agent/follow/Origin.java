package dev.veilgate.agent.follow;

import java.util.List;

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

    /** Whether the place behind the next record says all that this one says, and is to be written down alone. */
    default boolean isPassedBy(Origin next) {
        return false;
    }

    /** Whether the record is made of several lines, each of which can be a record. */
    default boolean isOfSeveral() {
        return false;
    }

    /** The lines of a record as records, in their order; the record itself if it is one line. */
    default List<ReadRecord> apart(ReadRecord record) {
        return List.of(record);
    }
}
