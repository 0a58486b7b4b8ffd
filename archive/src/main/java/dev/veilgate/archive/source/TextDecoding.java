package dev.veilgate.archive.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Text of bytes: UTF-16 with its mark, else UTF-8 with or without, else Latin 1. */
final class TextDecoding {
    private TextDecoding() {}

    /** @throws UnreadableException if it has zero bytes, as no text has */
    static String decode(byte[] bytes) throws IOException {
        if (begins(bytes, 0xFF, 0xFE)) {
            return new String(bytes, 2, bytes.length - 2, StandardCharsets.UTF_16LE);
        }
        if (begins(bytes, 0xFE, 0xFF)) {
            return new String(bytes, 2, bytes.length - 2, StandardCharsets.UTF_16BE);
        }
        for (byte b : bytes) {
            if (b == 0) {
                throw new UnreadableException("it is neither text, mail nor a table");
            }
        }
        int from = begins(bytes, 0xEF, 0xBB, 0xBF) ? 3 : 0;
        try {
            return strict(bytes, from, StandardCharsets.UTF_8);
        } catch (CharacterCodingException e) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }

    /** A line of a log: UTF-8, else Latin 1. Zero bytes are left: a log that was cut while it was written has them. */
    static String decodeLine(byte[] bytes) {
        try {
            return strict(bytes, begins(bytes, 0xEF, 0xBB, 0xBF) ? 3 : 0, StandardCharsets.UTF_8);
        } catch (CharacterCodingException e) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }

    /** Tells that a file is UTF-16 by its mark: its lines do not end with the byte of a line feed. */
    static boolean isUtf16(byte[] head) {
        return begins(head, 0xFF, 0xFE) || begins(head, 0xFE, 0xFF);
    }

    private static String strict(byte[] bytes, int from, Charset charset) throws CharacterCodingException {
        return charset.newDecoder()
                .decode(ByteBuffer.wrap(bytes, from, bytes.length - from))
                .toString();
    }

    private static boolean begins(byte[] bytes, int... mark) {
        if (bytes.length < mark.length) {
            return false;
        }
        for (int i = 0; i < mark.length; i++) {
            if ((bytes[i] & 0xFF) != mark[i]) {
                return false;
            }
        }
        return true;
    }
}
