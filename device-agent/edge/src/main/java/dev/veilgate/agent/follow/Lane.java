package dev.veilgate.agent.follow;

/**
 * Records that may share an envelope: of one scope, one media type, one format, for the same readers.
 *
 * @param scope     whose keywords
 * @param mediaType what a record is
 * @param format    name of the log format for the extractor
 * @param readers   policy of who may read; empty: whoever has the tenant's key
 */
public record Lane(String scope, String mediaType, String format, String readers) {
    /** Records for whoever has the tenant's key. */
    public Lane(String scope, String mediaType, String format) {
        this(scope, mediaType, format, "");
    }
}
