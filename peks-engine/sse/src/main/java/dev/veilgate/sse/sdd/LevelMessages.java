package dev.veilgate.sse.sdd;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.OutdatedStateException;
import dev.veilgate.sse.SseException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages that both schemes have. All are CBOR arrays of the kind, the number of updates before it, and byte strings
 * of parts of a fixed length; answers begin with the number of updates that the server has.
 */
final class LevelMessages {
    static final int SEARCH = 0;
    static final int FETCH = 1;
    static final int STORE = 2;
    static final int READ = 3;

    /** Bytes by which an owner knows her last message again. */
    static final int MARK_BYTES = 16;

    /** Bytes of a token: level, generation, key of the labels. */
    static final int TOKEN_BYTES = Part.BYTES + Blocks.BYTES;

    /** Most bytes of a part of a message. */
    static final int MOST_BYTES = 1 << 29;

    private static final int MOST_ITEMS = 1 << 8;

    private LevelMessages() {}

    /** A message or an answer: numbers, then byte strings. */
    static byte[] write(List<Integer> numbers, List<byte[]> parts) {
        int bytes = parts.stream().mapToInt(part -> part.length + 9).sum();
        CborWriter out = new CborWriter(bytes + 32).array(numbers.size() + parts.size());
        numbers.forEach(out::integer);
        parts.forEach(out::bytes);
        return out.toByteArray();
    }

    /** Asks for the values of a word's entries in each part. */
    static byte[] search(int count, List<Part> parts, List<byte[]> labelKeys) {
        ByteBuffer tokens = ByteBuffer.allocate(parts.size() * TOKEN_BYTES);
        for (int i = 0; i < parts.size(); i++) {
            tokens.put(parts.get(i).encode()).put(labelKeys.get(i));
        }
        return write(List.of(SEARCH, count), List.of(tokens.array()));
    }

    /**
     * An answer: how many updates the server has, and byte strings.
     *
     * @param parts what was asked for
     */
    record Answer(int count, List<byte[]> parts) {
        static Answer read(byte[] answer) throws MalformedEncodingException {
            CborReader in = new CborReader("answer", answer);
            int items = in.array("items", MOST_ITEMS);
            int count = in.uint("count", Integer.MAX_VALUE);
            List<byte[]> parts = LevelMessages.parts(in, items - 1);
            in.end();
            return new Answer(count, parts);
        }

        /** The same, of as many parts as were asked for. */
        Answer requireParts(int number) throws MalformedEncodingException {
            if (parts.size() != number) {
                throw new MalformedEncodingException("answer", "must have " + number + " parts");
            }
            return this;
        }

        /** A part of fixed length. */
        byte[] part(int index, int bytes) throws MalformedEncodingException {
            byte[] part = parts.get(index);
            if (part.length != bytes) {
                throw new MalformedEncodingException("answer", "must have a part of " + bytes + " bytes");
            }
            return part;
        }
    }

    /** The byte strings that are left of a message. */
    static List<byte[]> parts(CborReader in, int number) throws MalformedEncodingException {
        List<byte[]> parts = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            parts.add(in.bytes("part", MOST_BYTES));
        }
        return parts;
    }

    /** Compares the number of updates that a server says with the owner's. */
    static void requireCount(int said, int own) throws SseException {
        if (said < own) {
            throw new SseException("the server gives an older state of the archive than it acknowledged: it was"
                    + " restored from a copy, or it hides " + (own - said) + " updates");
        }
        if (said > own) {
            throw new OutdatedStateException(
                    "the server has " + (said - own) + " updates that this owner does not know of: her"
                            + " cells were restored from a copy, or another device has the key");
        }
    }
}
