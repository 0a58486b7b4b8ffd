package dev.veilgate.envelope.smime;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.cert.jcajce.JcaCertStore;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoGeneratorBuilder;

/** Writes the entity of mails that were sealed before there was {@link SignedEntity}. */
final class FormerSignedEntity {
    private static final String BOUNDARY = "signed-0123456789abcdef0123456789abcdef";

    private FormerSignedEntity() {}

    /** The entity of a content. */
    static SealedContent of(SealedContent content, MailSigner signer) {
        return target -> write(content, signer, target);
    }

    private static void write(SealedContent content, MailSigner signer, OutputStream target) throws IOException {
        ByteArrayOutputStream signed = new ByteArrayOutputStream();
        content.writeTo(signed);
        try {
            CMSSignedDataGenerator generator = new CMSSignedDataGenerator();
            generator.addSignerInfoGenerator(new JcaSimpleSignerInfoGeneratorBuilder()
                    .build("SHA256withECDSA", signer.privateKey(), signer.leaf()));
            generator.addCertificates(new JcaCertStore(signer.chain()));
            byte[] signature = generator
                    .generate(new CMSProcessableByteArray(signed.toByteArray()), false)
                    .toASN1Structure()
                    .getEncoded(ASN1Encoding.DER);
            ascii(
                    target,
                    "MIME-Version: 1.0\r\n"
                            + "Content-Type: multipart/signed; protocol=\"application/pkcs7-signature\";\r\n"
                            + " micalg=sha-256; boundary=\""
                            + BOUNDARY + "\"\r\n\r\n--" + BOUNDARY + "\r\n");
            target.write(signed.toByteArray());
            ascii(
                    target,
                    "\r\n--" + BOUNDARY + "\r\n"
                            + "Content-Type: application/pkcs7-signature; name=\"smime.p7s\"\r\n"
                            + "Content-Transfer-Encoding: base64\r\n"
                            + "Content-Disposition: attachment; filename=\"smime.p7s\"\r\n\r\n"
                            + Base64.getMimeEncoder().encodeToString(signature) + "\r\n--" + BOUNDARY + "--\r\n");
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private static void ascii(OutputStream target, String text) throws IOException {
        target.write(text.getBytes(StandardCharsets.US_ASCII));
    }
}
