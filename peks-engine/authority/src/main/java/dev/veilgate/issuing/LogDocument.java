package dev.veilgate.issuing;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.MalformedEncodingException;
import java.util.Arrays;

/** What a file of this package's formats is, by its first bytes. */
public enum LogDocument {
    /** A whole log, for {@link LogVerifier}. */
    LOG(LogFormat.LOG_MAGIC),
    /** A {@link SignedTreeHead}. */
    HEAD(LogFormat.HEAD_MAGIC),
    /** An {@link InclusionProof}. */
    INCLUSION_PROOF(LogFormat.INCLUSION_MAGIC),
    /** A {@link ConsistencyProof}. */
    CONSISTENCY_PROOF(LogFormat.CONSISTENCY_MAGIC);

    /** As many bytes of a file tell. */
    public static final int FIRST_BYTES = 80;

    /** Most bytes of any but a log. */
    public static final int MAX_BYTES = Math.max(InclusionProof.MAX_BYTES, ConsistencyProof.MAX_BYTES);

    private final String magic;

    LogDocument(String magic) {
        this.magic = magic;
    }

    /**
     * What begins so.
     *
     * @param first the file's first {@value #FIRST_BYTES} bytes, or all of them if there are fewer
     * @throws MalformedEncodingException if it is none of these
     */
    public static LogDocument of(byte[] first) throws MalformedEncodingException {
        CborReader in = new CborReader("file", first);
        in.array("format", LogFormat.MAX_MAGIC_BYTES);
        String magic = in.text("magic", LogFormat.MAX_MAGIC_BYTES);
        return Arrays.stream(values())
                .filter(document -> document.magic.equals(magic))
                .findFirst()
                .orElseThrow(() -> in.malformed("magic", "must be that of an issuing log, a head of one or a proof"));
    }
}
