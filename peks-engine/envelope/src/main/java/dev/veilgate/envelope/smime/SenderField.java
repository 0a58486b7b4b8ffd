package dev.veilgate.envelope.smime;

import dev.veilgate.envelope.smime.MailHeader.Field;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address in a field such as From, if every program reads the same one there and shows no other beside it. Taken is
 * a small part of what RFC 5322 has:
 *
 * <pre>{@code
 * field   = [name] "<" address ">" / address ["(" text ")"]
 * name    = word *(blanks word)
 *         / address / DQUOTE address DQUOTE      the same as in the brackets: what programs write that know no name
 * word    = 1*(letter / digit / one of !#$%&'*+-/?^_`{|}~. / not ASCII)
 *         / encoded / DQUOTE text DQUOTE / "(" text ")"
 * encoded = a word of RFC 2047 in a charset whose bytes below 128 are ASCII or part of another character, or in
 *           ISO-2022-JP, which stands outside in UTF-8
 * address = what AddressForm takes
 * }</pre>
 *
 * <p>Besides those of the address no text has {@code @}, {@code <} or {@code >}, neither as it stands nor decoded nor
 * in compatible forms (NFKC), a comment no quote, bracket or backslash, and nothing but an encoded word has {@code =?}.
 * So it does not matter what a program takes for a quote, a comment or a group, if and in what order it decodes, and
 * how often: there is one {@code @} and nothing else that could be an address. The text has at most {@value #MAX_NAME}
 * characters, none of them of control or format, so that the address is not pushed or turned out of sight, and none
 * that a person takes for one of these signs or for a blank.
 *
 * <p>The field inside has to be so, and the one outside, which is ASCII.
 */
public final class SenderField {
    /** Most characters besides the address. */
    static final int MAX_NAME = 100;

    private static final int MAX_CHARS = 900;
    private static final String ADDRESS = "[^\\s@<>()]+@[^\\s@<>()]+";
    private static final String ENCODED =
            "=\\?([\\w-]{1,20}+)(?:\\*[\\w-]{1,20}+)?\\?([BbQq])\\?([\\w!#$%&'*+/=^`{|}~.-]++)\\?=";
    private static final String COMMENT = "\\([^()\\[\\]\"\\\\<>@]*+\\)";
    private static final String WORD = "(?:[\\w!#$%&'*+/?^`{|}~.[^\\x00-\\x7f]-]++|" + ENCODED.replace("([", "(?:[")
            + "|\"(?:[^\"\\\\<>@]|\\\\[\"\\\\])*+\"|" + COMMENT + ")";
    private static final Pattern FIELD = Pattern.compile(
            "(?:\"(?<quoted>" + ADDRESS + ")\"|(?<same>" + ADDRESS + "))[ \\t]*<(?<again>" + ADDRESS + ")>"
                    + "|(?<name>(?:" + WORD + "(?:[ \\t]+" + WORD + ")*+)?)[ \\t]*<(?<address>" + ADDRESS + ")>"
                    + "|(?<bare>" + ADDRESS + ")[ \\t]*(?<comment>(?:" + COMMENT + ")?)");
    /** Signs that make or hide an address in text that is decoded and read again. */
    private static final String SIGNS = "@<>\\";

    /** Circled letters that look like {@code @}, single angle brackets and quotes, and characters without ink. */
    private static final String LOOK_ALIKES = "\u24b6\u24d0\ud83c\udd50"
            + "\u02c2\u02c3\u2039\u203a\u2329\u232a\u276c\u276d\u276e\u276f\u2770\u2771\u27e8\u27e9"
            + "\u2991\u2992\u29fc\u29fd\u3008\u3009\u1433\u1438\u16b2\ud834\ude36\ud834\ude37"
            + "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0";

    private static final Pattern ENCODED_WORD = Pattern.compile(ENCODED);
    private static final Pattern CHARSET = Pattern.compile(
            "utf-8|us-ascii|iso-8859-\\d+|windows-125\\d|koi8-[ru]" + "|gb2312|gbk|gb18030|big5|euc-kr|euc-jp");
    /** ISO-2022-JP with ASCII, JIS X 0201 Roman and JIS X 0208, which all who know it read alike (RFC 1468). */
    private static final Pattern JAPANESE = Pattern.compile("(?:[\\t\\x20-\\x7e]|\\x1b\\([BJ]|\\x1b\\$[@B])*+");

    private static final Pattern NOT_FOLDED = Pattern.compile("\\r\\n(?![ \\t]+[^\\s]|\\z)");

    private SenderField() {}

    /**
     * The address in the only field of a name.
     *
     * @param name in lower case
     * @return in lower case; empty if there is no such field, several, or one that is not of the form above
     */
    public static Optional<String> address(MailHeader header, String name) {
        List<Field> fields = header.all(name);
        if (fields.size() != 1
                || fields.getFirst().raw().length() > 4 * MAX_CHARS
                || NOT_FOLDED.matcher(fields.getFirst().raw()).find()) {
            return Optional.empty();
        }
        Field field = fields.getFirst();
        String inside = new String(field.value().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        Optional<String> outside = HeaderProtection.ascii(field).map(line -> new Field(name, line).value());
        Optional<String> address = address(inside);
        boolean isUtf8 = outside.filter(text -> text.toLowerCase(Locale.ROOT).contains("=?iso-2022-jp"))
                .isEmpty(); // in quotes it stays what it is, and some programs decode it there
        return isUtf8 && address.equals(outside.flatMap(SenderField::address)) ? address : Optional.empty();
    }

    private static Optional<String> address(String text) {
        Matcher found = FIELD.matcher(text);
        if (text.length() > MAX_CHARS || !found.matches()) {
            return Optional.empty();
        }
        if (found.group("again") != null) {
            String again = found.group("again");
            boolean isSame =
                    again.equalsIgnoreCase(found.group("quoted")) || again.equalsIgnoreCase(found.group("same"));
            return isSame && AddressForm.isTaken(again) && !again.contains("=?")
                    ? Optional.of(again.toLowerCase(Locale.ROOT))
                    : Optional.empty();
        }
        boolean isBare = found.group("bare") != null;
        String address = found.group(isBare ? "bare" : "address");
        boolean isOne = AddressForm.isTaken(address)
                && !address.contains("=?")
                && decoded(found.group(isBare ? "comment" : "name"))
                        .filter(SenderField::isHarmless)
                        .isPresent();
        return isOne ? Optional.of(address.toLowerCase(Locale.ROOT)) : Optional.empty();
    }

    /** The name with its encoded words decoded, wherever they stand; empty if one cannot be. */
    private static Optional<String> decoded(String name) {
        StringBuilder all = new StringBuilder();
        Matcher word = ENCODED_WORD.matcher(name);
        int end = 0;
        try {
            while (word.find()) {
                all.append(name, end, word.start()).append(decoded(word.group(1), word.group(2), word.group(3)));
                end = word.end();
            }
        } catch (CharacterCodingException | IllegalArgumentException e) {
            return Optional.empty();
        }
        return Optional.of(all.append(name, end, name.length()).toString());
    }

    private static String decoded(String charset, String encoding, String text) throws CharacterCodingException {
        String name = charset.toLowerCase(Locale.ROOT);
        boolean isJapanese = name.equals("iso-2022-jp");
        if (!isJapanese && !CHARSET.matcher(name).matches()) {
            throw new IllegalArgumentException("a charset in which it is not sure what is ASCII");
        }
        byte[] bytes = encoding.equalsIgnoreCase("B") ? base64(text) : quoted(text);
        if (isJapanese
                && !JAPANESE.matcher(new String(bytes, StandardCharsets.ISO_8859_1))
                        .matches()) {
            throw new IllegalArgumentException("a shift that some programs do not know");
        }
        for (byte each : bytes) {
            if (!isJapanese && SIGNS.indexOf(each) >= 0) {
                throw new IllegalArgumentException("a sign of addresses, at least to who does not know the charset");
            }
        }
        return Charset.forName(name).newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    }

    private static byte[] base64(String text) {
        if (text.length() % 4 != 0) {
            throw new IllegalArgumentException("base64 that is cut off");
        }
        return Base64.getDecoder().decode(text);
    }

    /** Bytes of encoding Q (RFC 2047, section 4.2). */
    static byte[] quoted(String text) {
        ByteBuffer bytes = ByteBuffer.allocate(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '=') {
                bytes.put((byte) HexFormat.fromHexDigits(text, i + 1, Math.min(i + 3, text.length())));
                i += 2;
            } else {
                bytes.put((byte) (c == '_' ? ' ' : c));
            }
        }
        byte[] all = new byte[bytes.position()];
        bytes.flip().get(all);
        return all;
    }

    private static boolean isHarmless(String name) {
        String shown = Normalizer.normalize(name, Normalizer.Form.NFKC);
        return name.codePointCount(0, name.length()) <= MAX_NAME
                && name.codePoints().allMatch(SenderField::isSeen)
                && shown.codePoints().allMatch(SenderField::isSeen)
                && shown.chars().noneMatch(c -> c == '@' || c == '<' || c == '>')
                && !shown.replaceAll("\\s", "").contains("=?"); // programs leave out blanks between encoded words
    }

    /** Tells if a character is seen and taken for what it is; joiners are, as parts of words. */
    private static boolean isSeen(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL -> c == '\t';
            case Character.FORMAT -> c == 0x200c || c == 0x200d;
            case Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.ENCLOSING_MARK -> c == 0x20e3; // a circle around a letter makes another sign of it
            default -> c != 0xfffd && LOOK_ALIKES.indexOf(c) < 0;
        };
    }
}
