package dev.veilgate.gateway.ingest.sender;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Encoded words (RFC 2047) in a text, decoded in all the ways in which a careless program may: with blanks in them and
 * any length of their parts, with base64 that has foreign characters, one too many, or {@code =} in the middle, in the
 * charset that they name, as UTF-8 and as ISO 8859-1 without zero bytes, in which ASCII of UTF-16 and UTF-32 of either
 * order is found.
 *
 * <p>Time is linear in the length of the text. For one thread.
 */
final class EncodedWordReadings {
    private static final String START = "=?";
    private static final String END = "?=";
    private static final Pattern BETWEEN = Pattern.compile("\\?=\\s++(?==\\?)");
    /** Programs decode once or twice. */
    private static final int ROUNDS = 2;

    private static final int MAX_CHARSET = 64;
    /** More than a sender has, and few enough: an unknown one is looked for in vain in all of the runtime's. */
    private static final int MAX_CHARSETS = 50;

    /** Charsets that programs know and this runtime does not, in which ASCII is written as other ASCII. */
    private static final List<String> UNREADABLE = List.of("utf7", "scsu", "bocu", "ebcdic", "hzgb");

    private final Map<String, Charset> known = new HashMap<>();
    private boolean isRead = true;
    private boolean isKnown = true;

    /** Reading of the bytes of an encoded word as text: in which charset, and in which order of bytes. */
    private enum Manner {
        NAMED,
        LITTLE_ENDIAN,
        LATIN_1,
        UTF_8
    }

    /**
     * A way to decode.
     *
     * @param restarts  whether base64 begins anew behind a {@code =}
     * @param isNarrow  whether a word ends at the first question mark
     * @param isJoined  whether words of one charset that stand side by side are decoded as one, so that a character or
     *                  an escape may be split over two
     */
    private record Way(Manner manner, boolean restarts, boolean isNarrow, boolean isJoined) {}

    private static final List<Way> WAYS = ways();

    private static List<Way> ways() {
        List<Way> all = new ArrayList<>();
        for (Manner manner : Manner.values()) {
            for (boolean restarts : new boolean[] {false, true}) {
                all.add(new Way(manner, restarts, false, false));
                all.add(new Way(manner, restarts, true, false));
            }
        }
        for (Manner manner : List.of(Manner.NAMED, Manner.LITTLE_ENDIAN, Manner.UTF_8)) {
            all.add(new Way(manner, false, false, true));
            all.add(new Way(manner, false, true, true));
        }
        return all;
    }

    /** The text, and what it may be decoded to. */
    Set<String> readings(String text) {
        Set<String> all = new LinkedHashSet<>();
        all.add(text);
        if (!text.contains(START)) {
            return all;
        }
        all.add(latin1(quoted(text))); // wherever a word ends
        for (Way way : WAYS) {
            String decoded = text;
            for (int round = 0; round < ROUNDS && decoded.contains(START); round++) {
                decoded = decoded(decoded, way);
                all.add(decoded);
            }
            isRead &= !decoded.contains(START) || decoded(decoded, way).equals(decoded);
        }
        return all;
    }

    /**
     * How much of the words was read so far. Unread are those of a charset whose ASCII is not found here, those that
     * are encoded more often than programs decode, and those of more charsets than {@value #MAX_CHARSETS}.
     */
    ShownSenders.Reading reading() {
        return isRead
                ? isKnown ? ShownSenders.Reading.WHOLE : ShownSenders.Reading.UNKNOWN_CHARSET
                : ShownSenders.Reading.UNREAD;
    }

    private String decoded(String spaced, Way way) {
        String text = BETWEEN.matcher(spaced).replaceAll(_ -> "?=");
        StringBuilder out = new StringBuilder(text.length());
        ByteArrayOutputStream open = new ByteArrayOutputStream();
        String openCharset = "";
        int done = 0;
        int at = text.indexOf(START);
        while (at >= 0) {
            int charset = text.indexOf('?', at + 2);
            int encoded = charset + 3;
            if (charset < 0 || encoded >= text.length()) {
                break;
            }
            boolean isWord = text.charAt(charset + 2) == '?' && "BbQq".indexOf(text.charAt(charset + 1)) >= 0;
            int end = isWord ? end(text, encoded, way) : -1;
            if (end >= 0) {
                String name = charsetName(text.substring(at + 2, charset));
                if (!way.isJoined || done != at || !name.equals(openCharset)) {
                    out.append(text(openCharset, open.toByteArray(), way)).append(text, done, at);
                    open.reset();
                    openCharset = name;
                }
                open.writeBytes(bytes(text.charAt(charset + 1), text.substring(encoded, end), way));
                done = end + 2;
                at = text.indexOf(START, done);
            } else if (isWord && !way.isNarrow) {
                break; // no later one ends either
            } else {
                at = text.indexOf(START, at + 1);
            }
        }
        return out.append(text(openCharset, open.toByteArray(), way))
                .append(text, done, text.length())
                .toString();
    }

    private static int end(String text, int encoded, Way way) {
        int end = way.isNarrow ? text.indexOf('?', encoded) : text.indexOf(END, encoded);
        return end >= 0 && text.startsWith(END, end) ? end : -1;
    }

    private static byte[] bytes(char encoding, String text, Way way) {
        boolean isBase64 = encoding == 'B' || encoding == 'b';
        return isBase64 ? base64(text, way.restarts) : quoted(text);
    }

    private static String charsetName(String charset) {
        int language = charset.indexOf('*');
        return (language < 0 ? charset : charset.substring(0, language)).strip().toLowerCase(Locale.ROOT);
    }

    private String text(String name, byte[] bytes, Way way) {
        if (bytes.length == 0) {
            return "";
        }
        return switch (way.manner) {
            case NAMED -> new String(bytes, charset(name));
            case LITTLE_ENDIAN -> new String(bytes, littleEndian(charset(name)));
            case LATIN_1 -> withoutZeros(latin1(bytes));
            case UTF_8 -> withoutZeros(new String(bytes, StandardCharsets.UTF_8));
        };
    }

    private Charset charset(String name) {
        return known.computeIfAbsent(name, this::lookUp);
    }

    private Charset lookUp(String name) {
        isRead &= known.size() < MAX_CHARSETS;
        isKnown &= name.length() <= MAX_CHARSET;
        if (!isRead || name.length() > MAX_CHARSET) {
            return StandardCharsets.ISO_8859_1;
        }
        String letters = name.replaceAll("[^a-z0-9]", "");
        if (letters.equals("hz") || UNREADABLE.stream().anyMatch(letters::contains)) {
            isRead = false;
        }
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException | UnsupportedOperationException e) {
            boolean isWide = letters.matches("(?:cs)?u(?:tf16|cs2|nicode|nicodefeff|nicodefffe)");
            isKnown &= isWide;
            return isWide ? StandardCharsets.UTF_16 : StandardCharsets.ISO_8859_1;
        }
    }

    private static Charset littleEndian(Charset charset) {
        String name = charset.name();
        return name.startsWith("UTF-16") || name.startsWith("x-UTF-16")
                ? StandardCharsets.UTF_16LE
                : name.startsWith("UTF-32") || name.startsWith("X-UTF-32") ? StandardCharsets.UTF_32LE : charset;
    }

    private static String latin1(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static String withoutZeros(String text) {
        return text.replace("\0", "");
    }

    /** Bytes of base64: characters that are none are passed over, and what is left over is cut off. */
    private static byte[] base64(String text, boolean restarts) {
        byte[] bytes = new byte[text.length()];
        int count = 0;
        StringBuilder piece = new StringBuilder();
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : '=';
            if (isBase64(c)) {
                piece.append(c);
            } else if (i == text.length() || c == '=' && restarts) {
                piece.setLength(piece.length() % 4 == 1 ? piece.length() - 1 : piece.length());
                byte[] read = Base64.getDecoder().decode(piece.toString());
                System.arraycopy(read, 0, bytes, count, read.length);
                count += read.length;
                piece.setLength(0);
            }
        }
        return Arrays.copyOf(bytes, count);
    }

    private static boolean isBase64(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/';
    }

    /** Bytes of encoding Q; a = without two digits stays. */
    private static byte[] quoted(String text) {
        byte[] bytes = new byte[text.length()];
        int count = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int value = c == '=' && i + 2 < text.length() ? hex(text.charAt(i + 1), text.charAt(i + 2)) : -1;
            if (value >= 0) {
                i += 2;
            }
            bytes[count++] = (byte) (value >= 0 ? value : c == '_' ? ' ' : c);
        }
        return Arrays.copyOf(bytes, count);
    }

    private static int hex(char high, char low) {
        int first = Character.digit(high, 16);
        int second = Character.digit(low, 16);
        return first < 0 || second < 0 ? -1 : first << 4 | second;
    }
}
