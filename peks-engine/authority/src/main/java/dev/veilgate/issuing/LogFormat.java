package dev.veilgate.issuing;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.AuthorityField;
import dev.veilgate.envelope.SenderPublicKey;
import java.security.MessageDigest;
import java.time.Instant;

/** Numbers, names and labels of docs/spec/issuing-log.md. */
final class LogFormat {
    static final int VERSION = 1;

    static final String LOG_MAGIC = "veilgate-issuing-log";
    static final String HEAD_MAGIC = "veilgate-tree-head";
    static final String INCLUSION_MAGIC = "veilgate-inclusion-proof";
    static final String CONSISTENCY_MAGIC = "veilgate-consistency-proof";
    static final String STATEMENT_MAGIC = "veilgate-statement";
    static final String HEAD_CONTEXT = "veilgate/tree-head/1";
    static final String STATEMENT_CONTEXT = "veilgate/statement/1";
    static final String SEALED_LABEL = "veilgate/issuing-log/sealed/1";

    static final int MAX_ENTRY_BYTES = 1 << 16;
    static final int MAX_ACTOR_BYTES = 255;
    static final int MAX_DETAILS = 32;
    static final int MAX_VALUE_BYTES = 4096;
    static final int MAX_SECRET_BYTES = 8192;
    static final int MAX_SEALED_BYTES = 10_000;
    static final int MAX_KEY_BYTES = 4096;
    static final int MAX_MAGIC_BYTES = 64;

    /** Times are milliseconds since 1970 up to the year 9999. */
    static final long MAX_MILLIS = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

    private static final String ORIGIN_LABEL = "veilgate/issuing-log/1";

    private LogFormat() {}

    /** What a log begins with: whose it is. */
    static byte[] header(SenderPublicKey authority) {
        return new CborWriter(2400)
                .array(3)
                .text(LOG_MAGIC)
                .integer(authority.version())
                .bytes(authority.encode())
                .toByteArray();
    }

    /** The authority of a header, and nothing behind it. */
    static SenderPublicKey readHeader(byte[] bytes) throws MalformedEncodingException {
        CborReader in = new CborReader("issuing-log", bytes);
        magic(in, 3, LOG_MAGIC);
        SenderPublicKey authority = AuthorityField.read(in, MAX_KEY_BYTES);
        in.end();
        return authority;
    }

    /** What the first entry names as the one before: so a log of another tenant or key does not fit on any entry. */
    static byte[] origin(SenderPublicKey authority) {
        MessageDigest sha = Merkle.sha256();
        sha.update(new ByteWriter(64).shortString(ORIGIN_LABEL).toByteArray());
        return sha.digest(header(authority));
    }

    /** Reads the head of an array that begins with a magic word and the version. */
    static void open(CborReader in, int items, String magic) throws MalformedEncodingException {
        magic(in, items, magic);
        if (in.uint("version", Integer.MAX_VALUE) != VERSION) {
            throw in.malformed("version", "must be " + VERSION + "; update the software to read a later one");
        }
    }

    /** Reads the head of an array that begins with a magic word, up to the version. */
    static void magic(CborReader in, int items, String magic) throws MalformedEncodingException {
        if (in.array("format", items) != items
                || !in.nextIsText()
                || !in.text("magic", MAX_MAGIC_BYTES).equals(magic)) {
            throw in.malformed("magic", "must be " + magic);
        }
    }
}
