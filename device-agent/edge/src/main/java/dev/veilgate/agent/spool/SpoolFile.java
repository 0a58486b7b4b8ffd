package dev.veilgate.agent.spool;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * One file of the spool: SHA-256, then the CBOR array {@code [version, records, plain bytes, state, envelope]} that it is of. An empty
 * envelope: the state alone.
 *
 * @param records  how many records are sealed in it
 * @param plainBytes how many bytes they have
 * @param state    the agent's state behind it
 * @param envelope its bytes
 */
@SuppressWarnings("ArrayRecordComponent")
record SpoolFile(long records, long plainBytes, AgentState state, byte[] envelope) {
    private static final int VERSION = 1;
    private static final int DIGEST_BYTES = 32;
    private static final int MAX_STATE_BYTES = 80 << 20;
    private static final String SUFFIX = ".env";

    static String name(long sequence) {
        return String.format(Locale.ROOT, "%016x%s", sequence, SUFFIX);
    }

    /** The sequence number that a name has. */
    static OptionalLong sequence(Path file) {
        String name = file.getFileName().toString();
        if (!name.matches("[0-7][0-9a-f]{15}\\.env")) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(Long.parseLong(name.substring(0, 16), 16));
    }

    byte[][] encode() {
        byte[] body = new CborWriter(envelope.length + 4096)
                .array(5)
                .integer(VERSION)
                .integer(records)
                .integer(plainBytes)
                .bytes(state.encode())
                .bytes(envelope)
                .toByteArray();
        return new byte[][] {sha256(body, 0), body};
    }

    /** @throws MalformedEncodingException if the file is damaged */
    static SpoolFile read(Path file) throws IOException, MalformedEncodingException {
        byte[] bytes = Files.readAllBytes(file);
        CborReader in = new CborReader("spool-file", bytes, Math.min(DIGEST_BYTES, bytes.length), bytes.length);
        if (bytes.length < DIGEST_BYTES
                || !MessageDigest.isEqual(java.util.Arrays.copyOf(bytes, DIGEST_BYTES), sha256(bytes, DIGEST_BYTES))) {
            throw in.malformed("digest", "must be that of the content");
        }
        if (in.array("file", 5) != 5 || in.uint("version", 255) != VERSION) {
            throw in.malformed("version", "must be " + VERSION);
        }
        long records = in.unsigned("records", Long.MAX_VALUE);
        long plainBytes = in.unsigned("bytes", Long.MAX_VALUE);
        AgentState state = AgentState.decode(in.bytes("state", MAX_STATE_BYTES));
        SpoolFile content = new SpoolFile(records, plainBytes, state, in.bytes("envelope", Envelope.MAX_BYTES));
        in.end();
        return content;
    }

    private static byte[] sha256(byte[] bytes, int from) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(bytes, from, bytes.length - from);
            return sha.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }
}
