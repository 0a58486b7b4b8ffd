package dev.veilgate.envelope.smime;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The signed MIME entity of mails that were sealed before there was {@link SignedEntity}, multipart/signed (RFC 1847;
 * RFC 8551, section 3.5.3). It is read only:
 *
 * <pre>{@code
 * Content-Type: multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256; boundary="signed-<32 hex
 * digits>"
 *
 * --signed-...
 * what is signed, byte for byte
 * --signed-...
 * application/pkcs7-signature      SignedData (RFC 5652) without content: one signer, SHA-256, the signer's chain
 * --signed-...--
 * }</pre>
 *
 * <p>The signature covers what is between the first two delimiters, without the line end before the second, as it
 * stands: nothing is brought into another form first.
 */
final class MultipartSigned {
    /** Most bytes behind what is signed: the signature with a chain. */
    static final int MAX_SIGNATURE_BYTES = 256 << 10;

    private static final String TYPE = "MIME-Version: 1.0\r\n"
            + "Content-Type: multipart/signed; protocol=\"application/pkcs7-signature\";\r\n"
            + " micalg=sha-256; boundary=\"";
    private static final String BOUNDARY_START = "signed-";
    private static final int RANDOM_BYTES = 16;
    private static final int BOUNDARY_CHARS = BOUNDARY_START.length() + 2 * RANDOM_BYTES;
    private static final String SIGNATURE_HEADER = "Content-Type: application/pkcs7-signature; name=\"smime.p7s\"\r\n"
            + "Content-Transfer-Encoding: base64\r\n"
            + "Content-Disposition: attachment; filename=\"smime.p7s\"\r\n\r\n";

    /** Bytes before what is signed. */
    static final int HEAD_BYTES = head("-".repeat(BOUNDARY_CHARS)).length();

    private MultipartSigned() {}

    private static String head(String boundary) {
        return TYPE + boundary + "\"\r\n\r\n--" + boundary + "\r\n";
    }

    /** The boundary that a head names; empty if it is not ours to the byte. */
    static String boundaryOf(byte[] head) {
        String text = new String(head, StandardCharsets.ISO_8859_1);
        if (text.length() != HEAD_BYTES) {
            return "";
        }
        String boundary = text.substring(TYPE.length(), TYPE.length() + BOUNDARY_CHARS);
        boolean ours = boundary.substring(BOUNDARY_START.length()).matches("[0-9a-f]+") && text.equals(head(boundary));
        return ours && boundary.startsWith(BOUNDARY_START) ? boundary : "";
    }

    /** The bytes that end what is signed. */
    static byte[] delimiter(String boundary) {
        return ("\r\n--" + boundary).getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * The signature behind the second delimiter.
     *
     * @return SignedData; empty if this is not our form to the byte, but for the lines of the base64
     */
    static byte[] signatureIn(String tail, String boundary) {
        String start = "\r\n" + SIGNATURE_HEADER;
        String end = "\r\n--" + boundary + "--\r\n";
        if (tail.length() < start.length() + end.length() || !tail.startsWith(start) || !tail.endsWith(end)) {
            return new byte[0];
        }
        try {
            return Base64.getDecoder()
                    .decode(tail.substring(start.length(), tail.length() - end.length())
                            .replace("\r\n", ""));
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }
}
