package dev.veilgate.peks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

    /**
     * The keywords of a message, each once with all of its records, in the order in which they first come.
     *
     * @param recordCount records of the message, 1 to {@link RecordSet#MAX_RECORDS}
     * @throws IllegalArgumentException for another recordCount, and for a posting beyond it
     */
    public static Map<Keyword, RecordSet> united(int recordCount, List<Posting> postings) {
        if (recordCount < 1 || recordCount > RecordSet.MAX_RECORDS) {
            throw new IllegalArgumentException("a message has 1 to " + RecordSet.MAX_RECORDS + " records");
        }
        Map<Keyword, RecordSet> united = new LinkedHashMap<>();
        for (Posting posting : postings) {
            if (posting.records.last() >= recordCount) {
                throw new IllegalArgumentException("a posting names a record beyond the record count");
            }
            united.merge(posting.keyword, posting.records, RecordSet::union);
        }
        return united;
    }
}
