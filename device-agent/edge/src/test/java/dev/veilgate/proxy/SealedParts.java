package dev.veilgate.proxy;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A sealed mail taken apart by plain text search, so that the tests do not trust our own writer. */
public record SealedParts(String header, byte[] cmsPart, byte[] cms, byte[] index) {
    private static final Pattern BOUNDARY = Pattern.compile("boundary=\"([^\"]+)\"");

    /** Of a whole sealed mail. */
    public static SealedParts of(byte[] sealed) {
        String text = new String(sealed, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        String header = text.substring(0, end + 2);
        Matcher boundary = BOUNDARY.matcher(header);
        if (!boundary.find()) {
            return new SealedParts(header, sealed, decode(text), new byte[0]);
        }
        String[] parts = text.split(Pattern.quote("--" + boundary.group(1)), -1);
        String cms = parts[1].substring(2);
        return new SealedParts(header, cms.getBytes(StandardCharsets.ISO_8859_1), decode(cms), decode(parts[2]));
    }

    /** The form in which a gateway delivers it: the S/MIME part at the top. */
    public byte[] delivered() {
        String outer =
                header.replaceAll("(?i)(?m)^(content-type|content-transfer-encoding):.*\\r\\n([ \\t].*\\r\\n)*", "");
        return (outer + new String(cmsPart, StandardCharsets.ISO_8859_1)).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] decode(String part) {
        return Base64.getMimeDecoder().decode(part.substring(part.indexOf("\r\n\r\n") + 4));
    }
}
