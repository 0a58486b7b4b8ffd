package dev.veilgate.envelope.smime;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.interfaces.RSAPrivateKey;
import java.util.Base64;
import java.util.HexFormat;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.cert.jcajce.JcaCertStore;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.CMSSignedDataStreamGenerator;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoGeneratorBuilder;
import org.bouncycastle.operator.OperatorCreationException;

/**
 * A signed MIME entity, multipart/signed (RFC 1847; RFC 8551, section 3.5.3), in the one form that we write and read:
 *
 * <pre>{@code
 * Content-Type: multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256; boundary="signed-<32 hex digits>"
 *
 * --signed-...
 * what is signed, byte for byte
 * --signed-...
 * application/pkcs7-signature      SignedData (RFC 5652) without content: one signer, SHA-256, the signer's chain
 * --signed-...--
 * }</pre>
 *
 * <p>The signature covers what is between the first two delimiters, without the line end before the second, as it stands: nothing is brought into another form first. It is ECDSA or RSASSA-PKCS1-v1_5,
 * whichever the key is of, over the attributes content type, signing time and the digest of what is signed; existentially unforgeable against chosen messages as those are. It says that an edge of the
 * tenant sealed this, not who wrote it. The boundary draws 16 bytes, so that no content holds it; ECDSA draws from the platform's source.
 */
final class SignedEntity {
    /** Most bytes behind what is signed: the signature with a chain. */
    static final int MAX_SIGNATURE_BYTES = 256 << 10;

    private static final String TYPE = "MIME-Version: 1.0\r\n"
            + "Content-Type: multipart/signed; protocol=\"application/pkcs7-signature\";\r\n micalg=sha-256; boundary=\"";
    private static final String BOUNDARY_START = "signed-";
    private static final int RANDOM_BYTES = 16;
    private static final int BOUNDARY_CHARS = BOUNDARY_START.length() + 2 * RANDOM_BYTES;
    private static final String SIGNATURE_HEADER = "Content-Type: application/pkcs7-signature; name=\"smime.p7s\"\r\n"
            + "Content-Transfer-Encoding: base64\r\n"
            + "Content-Disposition: attachment; filename=\"smime.p7s\"\r\n\r\n";

    /** Bytes before what is signed. */
    static final int HEAD_BYTES = head("-".repeat(BOUNDARY_CHARS)).length();

    private SignedEntity() {}

    /** What is written for a content. */
    static SealedContent of(SealedContent content, MailSigner signer, SecureRandom random) {
        return target -> write(content, signer, random, target);
    }

    private static void write(SealedContent content, MailSigner signer, SecureRandom random, OutputStream target)
            throws IOException {
        byte[] drawn = new byte[RANDOM_BYTES];
        random.nextBytes(drawn);
        String boundary = BOUNDARY_START + HexFormat.of().formatHex(drawn);
        ascii(target, head(boundary));
        var signature = new ByteArrayOutputStream();
        try {
            OutputStream signing = generator(signer).open(signature, false, new OpenStream(target));
            content.writeTo(signing);
            signing.close();
            ascii(target, "\r\n--" + boundary + "\r\n" + SIGNATURE_HEADER);
            target.write(Base64.getMimeEncoder().encode(der(signature.toByteArray())));
            ascii(target, "\r\n--" + boundary + "--\r\n");
        } catch (CMSException | GeneralSecurityException | OperatorCreationException e) {
            throw new IOException("the mail could not be signed", e);
        }
    }

    private static CMSSignedDataStreamGenerator generator(MailSigner signer)
            throws GeneralSecurityException, OperatorCreationException, CMSException {
        var generator = new CMSSignedDataStreamGenerator();
        generator.addSignerInfoGenerator(new JcaSimpleSignerInfoGeneratorBuilder()
                .build(algorithm(signer.privateKey()), signer.privateKey(), signer.leaf()));
        generator.addCertificates(new JcaCertStore(signer.chain()));
        return generator;
    }

    private static String algorithm(PrivateKey key) {
        return key instanceof RSAPrivateKey ? "SHA256withRSA" : "SHA256withECDSA";
    }

    /** Programs are asked to read DER only. */
    private static byte[] der(byte[] signature) throws CMSException, IOException {
        return new CMSSignedData(signature).toASN1Structure().getEncoded(ASN1Encoding.DER);
    }

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

    /** What ends that which is signed. */
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

    private static void ascii(OutputStream target, String text) throws IOException {
        target.write(text.getBytes(StandardCharsets.US_ASCII));
    }
}
