package dev.veilgate.envelope;

import dev.veilgate.peks.RecordSet;
import java.time.Instant;

/** Numbers of docs/wire-format.md: keys, limits and labels of envelope version 1. */
final class EnvelopeFormat {
    static final int VERSION = 1;

    // Keys below FIRST_BODY_KEY are the header: one run of bytes that every record and wrap is bound to.
    static final int KEY_VERSION = 0;
    static final int KEY_CRITICAL = 1;
    static final int KEY_ID = 2;
    static final int KEY_TENANT = 3;
    static final int KEY_SENDER = 4;
    static final int KEY_FIRST = 5;
    static final int KEY_LAST = 6;
    static final int KEY_COUNT = 7;
    static final int KEY_MEDIA_TYPE = 8;
    static final int KEY_SEQUENCE = 9;
    static final int KEY_PREVIOUS = 10;
    static final int KEY_HEARTBEAT = 11;
    static final int KEY_LOSS = 12;
    static final int KEY_DETACHED = 13;
    static final int KEY_ATTRIBUTES = 14;
    static final int KEY_BOUND = 15;
    static final int FIRST_BODY_KEY = 16;
    static final int KEY_COMMITMENT = 16;
    static final int KEY_RECORDS = 17;
    static final int KEY_INDEX = 18;
    static final int KEY_WRAPS = 19;
    static final int KEY_SIGNATURE = 31;
    static final String KEY_MAIL_SIGNATURE = "mail-signature";

    /** In the map of {@link #KEY_BOUND}. */
    static final int BOUND_OUTER = 1;

    static final int BOUND_RULES = 2;
    static final int BOUND_ATTACHMENTS = 3;

    static final int MAX_FIELDS = 64;
    static final int MAX_EXTENSION_NAME_BYTES = 64;
    static final int MAX_RECORDS = RecordSet.MAX_RECORDS;
    static final int MAX_NAME_BYTES = 255;
    static final int MAX_MEDIA_TYPE_BYTES = 127;
    static final int MAX_LOSS_REPORTS = 64;
    static final int MAX_INDEX_BLOCKS = 1024;
    static final int MAX_INDEX_BLOCK_BYTES = (1 << 20) + 2048;
    static final int MAX_WRAPS = 256;
    /** Enough for 256 origins with the longest names. */
    static final int MAX_ATTRIBUTES_BYTES = 1 << 19;

    /** Longest name of a format in which records are read. */
    static final int MAX_FORMAT_BYTES = 64;

    static final int MAX_OUTER_FIELDS = 32;
    static final int MAX_OUTER_BYTES = 64 << 10;
    static final int MAX_CERTIFICATE_BYTES = 16 << 10;
    /** Longest signature of an RSA key that signs mail. */
    static final int MAX_MAIL_SIGNATURE_BYTES = 2048;

    static final int MAX_ALGORITHM_BYTES = 64;
    static final int MAX_ENCAPSULATION_BYTES = 1 << 16;
    static final int MAX_WRAPPED_BYTES = 255;
    /** Times are milliseconds since 1970 in years 0000 to 9999. */
    static final long MIN_MILLIS = Instant.parse("0000-01-01T00:00:00Z").toEpochMilli();

    static final long MAX_MILLIS = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

    static final int ID_BYTES = 16;
    static final int DIGEST_BYTES = 32;
    static final int CONTENT_KEY_BYTES = 32;
    static final int TAG_BYTES = 16;
    static final int NONCE_BYTES = 12;

    static final String SIGNATURE_CONTEXT = "envelope";
    static final String LABEL_HEADER = "veilgate/envelope/header/1";
    static final String LABEL_CONTENT = "veilgate/envelope/content/1";
    static final String LABEL_RECORDS = "veilgate/envelope/records/1";
    static final String LABEL_ATTRIBUTES = "veilgate/envelope/attributes/1";
    static final String LABEL_MAIL = "veilgate/envelope/mail/1";
    static final String LABEL_WRAP = "veilgate/envelope/wrap/1";

    private EnvelopeFormat() {}

    /** Whether version 1 gives a key a meaning. */
    static boolean isKnown(long key) {
        return key >= KEY_VERSION && key <= KEY_BOUND
                || key >= KEY_COMMITMENT && key <= KEY_WRAPS
                || key == KEY_SIGNATURE;
    }
}
