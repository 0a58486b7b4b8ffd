package dev.veilgate.peks;

import java.util.List;

/** Seals keywords under one public key. Safe for use by several threads. */
public interface IndexSealer extends AutoCloseable {
    /** The public key's id. */
    KeyId keyId();

    /**
     * Blocks that hold all keywords of one message. Equal keywords are united; if there are more keywords than one block may
     * hold, several blocks come back.
     *
     * @param domain      tenant, scope and epoch of the keywords
     * @param context     the message
     * @param recordCount records of the message, 1 to {@link RecordSet#MAX_RECORDS}
     * @param postings    keywords and where they occur
     * @throws IllegalArgumentException for a posting beyond recordCount
     */
    List<IndexBlock> seal(KeywordDomain domain, MessageContext context, int recordCount, List<Posting> postings);

    /** Erases what was prepared in advance; sealing still works. */
    @Override
    default void close() {}
}
