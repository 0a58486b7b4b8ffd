package dev.veilgate.gateway.broker;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Where a sender publishes its envelopes: {@code veilgate/v1/TENANT/SENDER}, with what has a meaning in topics escaped as in URLs.
 *
 * @param tenant its tenant
 * @param sender its name
 */
record EnvelopeTopic(String tenant, String sender) {
    private static final String PREFIX = "veilgate/v1/";

    /** All senders of all tenants. */
    static final String FILTER = PREFIX + "+/+";

    /** Of a topic in exactly the form that {@link #name} gives; else empty. */
    static Optional<EnvelopeTopic> parse(String topic) {
        String[] levels =
                topic.startsWith(PREFIX) ? topic.substring(PREFIX.length()).split("/", -1) : new String[0];
        if (levels.length != 2) {
            return Optional.empty();
        }
        EnvelopeTopic parsed = new EnvelopeTopic(unescape(levels[0]), unescape(levels[1]));
        return parsed.name().equals(topic) ? Optional.of(parsed) : Optional.empty();
    }

    /** The topic's name. */
    String name() {
        return PREFIX + escape(tenant) + "/" + escape(sender);
    }

    /** One level of a topic. */
    static String escape(String name) {
        StringBuilder out = new StringBuilder();
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            if (b > ' ' && b < 127 && "/+#%$".indexOf(b) < 0) {
                out.append((char) b);
            } else {
                out.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        return out.toString();
    }

    private static String unescape(String level) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] bytes = level.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i++) {
            boolean escaped = bytes[i] == '%'
                    && i + 2 < bytes.length
                    && HexFormat.isHexDigit(bytes[i + 1])
                    && HexFormat.isHexDigit(bytes[i + 2]);
            out.write(
                    escaped ? 16 * HexFormat.fromHexDigit(bytes[++i]) + HexFormat.fromHexDigit(bytes[++i]) : bytes[i]);
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
