package dev.veilgate.sse;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.MalformedEncodingException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * All that a server saw and said, and its shape: sizes, numbers, and which pieces of 8 bytes are equal. Random pieces
 * have one shape, whoever draws them; a piece that comes again shows that something does.
 */
final class Transcript {
    private static final int PIECE = 8;

    private final List<byte[]> messages = new ArrayList<>();
    private long turns;

    /** A channel that remembers. */
    Channel through(Channel channel) {
        return sent -> {
            turns++;
            for (Message message : sent) {
                messages.add(message.toBytes());
            }
            List<Message> answers = channel.send(sent);
            for (Message answer : answers) {
                messages.add(answer.toBytes());
            }
            return answers;
        };
    }

    void add(byte[] message) {
        messages.add(message);
    }

    long turns() {
        return turns;
    }

    List<byte[]> messages() {
        return messages;
    }

    /** The shape of each message; those that only differ in random bytes are equal. */
    List<String> shape() throws IOException {
        Map<String, Integer> pieces = new HashMap<>();
        List<String> shape = new ArrayList<>();
        for (byte[] message : messages) {
            StringBuilder out = new StringBuilder();
            try {
                CborReader in = new CborReader("message", message);
                item(in, message, out, pieces);
                in.end();
            } catch (MalformedEncodingException e) {
                throw new IOException(e);
            }
            shape.add(out.toString());
        }
        return shape;
    }

    private static void item(CborReader in, byte[] message, StringBuilder out, Map<String, Integer> pieces)
            throws MalformedEncodingException {
        int major = (message[in.position()] & 0xff) >> 5;
        switch (major) {
            case 0, 1 -> out.append(in.integer("number")).append(' ');
            case 2 -> {
                byte[] bytes = in.bytes("bytes", Integer.MAX_VALUE);
                out.append('h').append(bytes.length).append('(');
                for (int at = 0; at < bytes.length; at += PIECE) {
                    String piece = HexFormat.of().formatHex(bytes, at, Math.min(at + PIECE, bytes.length));
                    out.append(pieces.computeIfAbsent(piece, _ -> pieces.size()))
                            .append(' ');
                }
                out.append(')');
            }
            case 4 -> {
                int items = in.array("array", Integer.MAX_VALUE);
                out.append('[');
                for (int i = 0; i < items; i++) {
                    item(in, message, out, pieces);
                }
                out.append(']');
            }
            default -> throw in.malformed("item", "numbers, bytes and arrays have a shape");
        }
    }
}
