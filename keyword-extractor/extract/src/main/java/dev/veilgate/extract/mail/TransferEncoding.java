package dev.veilgate.extract.mail;

import java.io.InputStream;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.codec.QuotedPrintableInputStream;

/** How the bytes of a body are written for their journey; told from the name as mail programs do, whatever stands beside it. */
enum TransferEncoding {
    /** As they are: 7bit, 8bit, binary. */
    PLAIN,
    BASE64,
    QUOTED_PRINTABLE,
    /** Lines between {@code begin} and {@code end}; {@link Uuencoded} reads them. */
    UUENCODE,
    /** None that is known here: read as it is. */
    UNKNOWN;

    private static final Pattern COMMENT = Pattern.compile("\\([^()]{0,200}\\)");
    private static final Pattern NO_NAME = Pattern.compile("[^a-z0-9]+");
    private static final int MAX_NAME = 400;

    /** @param body of the field, unfolded */
    static TransferEncoding read(String body) {
        String written = body.substring(0, Math.min(body.length(), MAX_NAME)).toLowerCase(Locale.ROOT);
        String name = NO_NAME.matcher(COMMENT.matcher(written).replaceAll(" "))
                .replaceAll(" ")
                .strip();
        name = name.startsWith("x ") ? name.substring(2) : name;
        if (name.startsWith("base64") || name.startsWith("base 64")) {
            return BASE64;
        }
        if (name.startsWith("quoted printable") || name.startsWith("quotedprintable")) {
            return QUOTED_PRINTABLE;
        }
        if (name.startsWith("uue") || name.startsWith("uuencode")) {
            return UUENCODE;
        }
        boolean plain = name.isEmpty() || name.startsWith("7") || name.startsWith("8") || name.startsWith("binary");
        return plain ? PLAIN : UNKNOWN;
    }

    /** The bytes; of {@link #UUENCODE} and {@link #UNKNOWN} as they are written. */
    InputStream decode(InputStream written) {
        return switch (this) {
            case BASE64 -> new Base64Body(written);
            case QUOTED_PRINTABLE -> new QuotedPrintableInputStream(LineEnds.ofText(written), DecodeMonitor.SILENT);
            default -> written;
        };
    }
}
