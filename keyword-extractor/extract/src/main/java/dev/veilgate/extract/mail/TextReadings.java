package dev.veilgate.extract.mail;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The texts that the bytes of a body may be: one where its charset is told and true, several where mail programs would read it differently. */
final class TextReadings {
    private static final int HEAD_BYTES = 1024;
    private static final Pattern META_CHARSET =
            Pattern.compile("charset\\s*=\\s*[\"']?([a-z0-9_:.-]{2,40})", Pattern.CASE_INSENSITIVE);
    private static final String PLAIN_ASCII = " !az09AZ~{}+-=&\\\n";
    private static final int MIN_NULS = 8;

    /** More are made up. */
    private static final int MAX_READINGS = 4;

    private final byte[] bytes;
    private final int room;
    private final Set<String> texts = new LinkedHashSet<>();
    private boolean unknown;

    private TextReadings(byte[] bytes, int room) {
        this.bytes = bytes;
        this.room = room;
    }

    /**
     * The readings of a body.
     *
     * @param room   characters that are wanted; of a longer text one more is kept, to tell
     * @param names  the charsets that its header names
     * @param markup whether it may name one itself
     */
    static TextReadings of(byte[] bytes, int room, List<String> names, boolean markup) {
        TextReadings readings = new TextReadings(bytes, room);
        Set<Charset> charsets = new LinkedHashSet<>();
        for (String name : names) {
            Charset charset = CharsetNames.find(name);
            readings.unknown |= charset == null && !name.isBlank();
            if (charset != null) {
                charsets.add(charset);
            }
        }
        Charset own = charsets.isEmpty() && markup ? readings.metaCharset() : null;
        if (own != null) {
            charsets.add(own);
        }
        if (charsets.isEmpty()) {
            readings.read(null);
        }
        charsets.forEach(readings::read);
        return readings;
    }

    /** At least one, the likeliest first. */
    List<String> texts() {
        return List.copyOf(texts);
    }

    /** Whether a charset is named that there is not. */
    boolean charsetUnknown() {
        return unknown;
    }

    /** @param charset null for none that says anything */
    private String decoded(@Nullable Charset charset) {
        return EncodedText.decode(bytes, bytes.length, charset, room + 1);
    }

    private void add(String text) {
        if (texts.size() < MAX_READINGS) {
            texts.add(text);
        }
    }

    private void read(@Nullable Charset charset) {
        if (charset == null || charset.equals(CharsetNames.WINDOWS_1252)) {
            vague();
        } else if (charset.equals(StandardCharsets.UTF_16)) {
            utf16();
        } else {
            add(decoded(charset));
            if (EncodedText.startsWithMark(bytes, bytes.length) > 0) {
                add(decoded(null));
            }
        }
        if (charset != null && !readsAscii(charset) && isPlausiblyAscii(charset)) {
            vague();
        }
    }

    /** Where text in UTF-8 goes on in bytes of another kind, as behind the padding of base64, the first of it is text all the same. */
    private void vague() {
        String text = decoded(null);
        add(text);
        if (text.chars().anyMatch(c -> c > 0x7f)) {
            String utf8 = decoded(StandardCharsets.UTF_8);
            if (!utf8.equals(text) && utf8.chars().anyMatch(c -> c > 0x7f && c != '\ufffd')) {
                add(utf8);
            }
        }
    }

    /** Without a mark the order of the bytes is told by the zeros of Latin letters; where there are none, both are read. */
    private void utf16() {
        if (EncodedText.startsWithMark(bytes, bytes.length) > 0) {
            add(decoded(null));
            return;
        }
        int first = nuls(0, 2);
        int second = nuls(1, 2);
        if (second <= 2 * first) {
            add(decoded(StandardCharsets.UTF_16BE));
        }
        if (first <= 2 * second) {
            add(decoded(StandardCharsets.UTF_16LE));
        }
    }

    private int nuls(int from, int step) {
        int nuls = 0;
        for (int i = from; i < bytes.length; i += step) {
            nuls += bytes[i] == 0 ? 1 : 0;
        }
        return nuls;
    }

    private static boolean readsAscii(Charset charset) {
        return new String(PLAIN_ASCII.getBytes(StandardCharsets.US_ASCII), charset).equals(PLAIN_ASCII);
    }

    /** Whether the bytes may be in a charset that has ASCII as it is, against what is said of them. */
    private boolean isPlausiblyAscii(Charset charset) {
        if (charset.name().startsWith("UTF-16") || charset.name().startsWith("UTF-32")) {
            return (long) nuls(0, 1) * MIN_NULS < bytes.length;
        }
        for (byte b : bytes) {
            if (b < 0) {
                return false;
            }
        }
        return true;
    }

    private @Nullable Charset metaCharset() {
        String head = new String(bytes, 0, Math.min(bytes.length, HEAD_BYTES), StandardCharsets.ISO_8859_1);
        Matcher matcher = META_CHARSET.matcher(head);
        return matcher.find() ? CharsetNames.find(matcher.group(1)) : null;
    }
}
