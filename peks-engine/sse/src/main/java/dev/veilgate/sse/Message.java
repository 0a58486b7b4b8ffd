package dev.veilgate.sse;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A message between owner and server: bytes that can be read again, however many they are. Whoever gets one treats
 * it as untrusted.
 */
public final class Message {
    /** Most bytes of a message that is read whole. */
    public static final int MAX_WHOLE_BYTES = 1 << 30;

    private final Body body;

    private Message(Body body) {
        this.body = body;
    }

    /** Bytes that can be opened more than once, such as a file's. */
    public interface Body {
        /** How many bytes there are. */
        long length();

        /** From the first byte on. The caller closes it. */
        InputStream open() throws IOException;
    }

    /** A message of these bytes, which the caller leaves as they are. */
    public static Message of(byte[] bytes) {
        return new Message(new Body() {
            @Override
            public long length() {
                return bytes.length;
            }

            @Override
            public InputStream open() {
                return new ByteArrayInputStream(bytes);
            }
        });
    }

    /** A message that stands elsewhere. */
    public static Message of(Body body) {
        return new Message(body);
    }

    /** How many bytes it has. */
    public long length() {
        return body.length();
    }

    /** From the first byte on. The caller closes it. */
    public InputStream open() throws IOException {
        return body.open();
    }

    /**
     * All of it.
     *
     * @throws IOException if it has more than {@value #MAX_WHOLE_BYTES} bytes, or cannot be read
     */
    public byte[] toBytes() throws IOException {
        if (length() > MAX_WHOLE_BYTES) {
            throw new IOException("a message of " + length() + " bytes is too long to be read whole");
        }
        try (InputStream in = open()) {
            return in.readAllBytes();
        }
    }

    /** Shows the size only. */
    @Override
    public String toString() {
        return "Message[" + length() + " bytes]";
    }
}
