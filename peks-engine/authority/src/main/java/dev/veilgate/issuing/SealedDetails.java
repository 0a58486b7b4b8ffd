package dev.veilgate.issuing;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;

/** What is sealed in an entry: details as those in clear, {@code { * tstr => tstr }}. */
final class SealedDetails {
    /** Heads of the name, of the value, and of a map that has grown. */
    private static final int OVERHEAD_BYTES = 6;

    private static final int MAP = 5;

    private SealedDetails() {}

    static byte[] encode(SortedMap<String, String> details) {
        CborWriter out = new CborWriter(256).map(details.size());
        details.forEach((name, value) -> out.text(name).text(value));
        return out.toByteArray();
    }

    /** How many bytes a further value may have. */
    static int room(SortedMap<String, String> details, String name) {
        return LogFormat.MAX_SECRET_BYTES - encode(details).length - name.length() - OVERHEAD_BYTES;
    }

    static SortedMap<String, String> decode(byte[] bytes) throws MalformedEncodingException {
        CborReader in = new CborReader("sealed-details", bytes);
        if (bytes.length > 0 && (bytes[0] >> 5 & 7) != MAP) {
            return single(in, new String(bytes, StandardCharsets.UTF_8));
        }
        SortedMap<String, String> details = read(in, "details", LogFormat.MAX_SECRET_BYTES);
        in.end();
        return details;
    }

    /** The next map of an entry. */
    static SortedMap<String, String> read(CborReader in, String field, int maxValueBytes)
            throws MalformedEncodingException {
        int size = in.map(field, LogFormat.MAX_DETAILS);
        CborReader.MapKeys keys = in.mapKeys(field);
        SortedMap<String, String> details = new TreeMap<>(LogDraft.KEY_ORDER);
        for (int i = 0; i < size; i++) {
            String name = keys.nextText(LogFormat.MAX_MAGIC_BYTES);
            if (!LogDraft.isName(name)) {
                throw in.malformed(field, "must have names of letters a to z, digits and hyphens, a letter first");
            }
            details.put(name, in.text(field + ".value", maxValueBytes));
        }
        return details;
    }

    /** As the first versions of the console sealed one: name=value. */
    private static SortedMap<String, String> single(CborReader in, String text) throws MalformedEncodingException {
        int equals = text.indexOf('=');
        if (equals < 1 || !LogDraft.isName(text.substring(0, equals))) {
            throw in.malformed("details", "must be a map, or one name=value");
        }
        SortedMap<String, String> details = new TreeMap<>(LogDraft.KEY_ORDER);
        details.put(text.substring(0, equals), text.substring(equals + 1));
        return details;
    }
}
