package dev.veilgate.envelope;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Where some records in a row came from: a file, a unit of a journal, standard input. Sealed with the records, so only who opens them
 * reads it.
 *
 * @param name  1 to {@value #MAX_NAME_BYTES} bytes in UTF-8; what its sender says, so not to be used as a path as it is
 * @param count how many records in a row, 1 to 256
 */
public record Origin(String name, int count) {
    /** Most bytes of a name. */
    public static final int MAX_NAME_BYTES = 1024;

    private static final String CUT = "...";

    /** @throws IllegalArgumentException if a component is out of its range, or the name is no Unicode */
    public Origin {
        if (!name.equals(fitting(name))) {
            throw new IllegalArgumentException("an origin has a name of 1 to " + MAX_NAME_BYTES + " bytes");
        }
        if (count < 1 || count > EnvelopeFormat.MAX_RECORDS) {
            throw new IllegalArgumentException("an origin has 1 to " + EnvelopeFormat.MAX_RECORDS + " records");
        }
    }

    /**
     * Any text as a name: what is no Unicode becomes U+FFFD; of a text that is too long the end is kept behind three points, since the end
     * of a path tells more; an empty one becomes a question mark.
     */
    public static String fitting(String text) {
        String name = text.isEmpty() ? "?" : text;
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        if (!new String(utf8, StandardCharsets.UTF_8)
                .equals(name)) { // getBytes wrote a question mark for half a character
            return fitting(wellFormed(name));
        }
        if (utf8.length <= MAX_NAME_BYTES) {
            return name;
        }
        int from = utf8.length - (MAX_NAME_BYTES - CUT.length());
        while ((utf8[from] & 0xc0) == 0x80) {
            from++;
        }
        return CUT + new String(utf8, from, utf8.length - from, StandardCharsets.UTF_8);
    }

    private static String wellFormed(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> out.appendCodePoint(c >= 0xd800 && c <= 0xdfff ? 0xfffd : c));
        return out.toString();
    }

    /** From a name a record, in the records' order: one origin for equal names in a row. */
    public static List<Origin> of(List<String> names) {
        List<Origin> runs = new ArrayList<>();
        int from = 0;
        for (int i = 1; i <= names.size(); i++) {
            if (i == names.size() || !names.get(i).equals(names.get(from))) {
                runs.add(new Origin(names.get(from), i - from));
                from = i;
            }
        }
        return List.copyOf(runs);
    }

    /** A name for each record; the inverse of {@link #of}. */
    static List<String> names(List<Origin> runs) {
        List<String> names = new ArrayList<>();
        for (Origin run : runs) {
            for (int i = 0; i < run.count; i++) {
                names.add(run.name);
            }
        }
        return names;
    }

    /** Without the name, which is sealed. */
    @Override
    public String toString() {
        return "Origin[" + count + " records]";
    }
}
