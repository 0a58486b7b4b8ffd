package dev.veilgate.extract.mail;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.DecoderUtil;
import org.jspecify.annotations.Nullable;

/**
 * Bytes to text. Where the charset is not named, not known or plainly false (8-bit bytes in "us-ascii"), text is UTF-8 if it is valid
 * UTF-8 and Windows-1252 otherwise, always the same way; "iso-8859-1" is read as Windows-1252, which contains it. Bad bytes
 * become U+FFFD, which separates words.
 */
final class EncodedText {
    private static final Charset WINDOWS_1252 = Charset.forName("windows-1252");

    private EncodedText() {}

    /** The charset of a name, or null if there is none that can be decoded. */
    static @Nullable Charset charset(@Nullable String name) {
        if (name == null) {
            return null;
        }
        String plain = name.strip().toLowerCase(Locale.ROOT);
        try {
            return switch (plain) {
                case "iso-8859-1", "latin1", "us-ascii", "ascii", "ansi_x3.4-1968" -> WINDOWS_1252;
                case "ks_c_5601-1987", "ks_c_5601", "euc-kr" -> Charset.forName("x-windows-949");
                case "gb2312", "gbk" -> Charset.forName("GB18030");
                case "unicode-1-1-utf-8" -> StandardCharsets.UTF_8;
                default -> Charset.forName(plain);
            };
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return null;
        }
    }

    /** Whether the name says nothing more than "some 8-bit text": valid UTF-8 is then taken as that. */
    private static boolean isVague(@Nullable Charset charset) {
        return charset == null || charset.equals(WINDOWS_1252);
    }

    /** The text of the bytes. */
    static String decode(byte[] bytes, int length, @Nullable Charset charset) {
        if (isVague(charset)) {
            int mark = startsWithMark(bytes, length);
            if (mark > 0) {
                return new String(
                        bytes, 2, length - 2, mark == 1 ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE);
            }
            try {
                return StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT)
                        .decode(ByteBuffer.wrap(bytes, 0, length))
                        .toString();
            } catch (CharacterCodingException e) {
                return new String(bytes, 0, length, WINDOWS_1252);
            }
        }
        return new String(bytes, 0, length, charset);
    }

    private static int startsWithMark(byte[] bytes, int length) {
        if (length < 2) {
            return 0;
        }
        int first = (bytes[0] & 0xff) << 8 | bytes[1] & 0xff;
        return first == 0xfeff ? 1 : first == 0xfffe ? 2 : 0;
    }

    /** Text of a header field's body with its encoded words decoded; what cannot be decoded stays as it is. */
    static String encodedWords(String text) {
        if (!text.contains("=?")) {
            return text;
        }
        try {
            return DecoderUtil.decodeEncodedWords(text, DecodeMonitor.SILENT, WINDOWS_1252);
        } catch (RuntimeException e) {
            return text;
        }
    }
}
