package dev.veilgate.envelope.smime;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.interfaces.RSAPrivateKey;
import java.util.Base64;
import java.util.Collection;
import java.util.Date;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.cms.Attribute;
import org.bouncycastle.asn1.cms.AttributeTable;
import org.bouncycastle.asn1.cms.CMSAttributes;
import org.bouncycastle.asn1.cms.Time;
import org.bouncycastle.cert.jcajce.JcaCertStore;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSSignedDataStreamGenerator;
import org.bouncycastle.cms.DefaultSignedAttributeTableGenerator;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoGeneratorBuilder;
import org.bouncycastle.operator.OperatorCreationException;

/**
 * A signed MIME entity, application/pkcs7-mime (RFC 8551, section 3.5.2), in the one form that we write:
 *
 * <pre>{@code
 * MIME-Version: 1.0
 * Content-Type: application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"
 * Content-Disposition: attachment; filename="smime.p7m"
 * Content-Transfer-Encoding: base64
 *
 * SignedData (RFC 5652) with its content: one signer, SHA-256, the signer's chain
 * }</pre>
 *
 * <p>What is signed stands inside the structure, not beside its signature as in multipart/signed: CBC lets anybody who
 * can alter a sealed mail change its first lines, or cut the lines that name a signature, and a program then shows the
 * text of a multipart/signed without a word. Here there is no text without the structure. Somebody who replaces the
 * lines above it makes a program show its bytes, at most.
 *
 * <p>The signature is ECDSA or RSASSA-PKCS1-v1_5, whichever the key is of, over the attributes content type, signing
 * time and the digest of what is signed, byte for byte; existentially unforgeable against chosen messages as those
 * are. By the tenant's certificate it says that an edge of the tenant sealed this, not who wrote it; by a sender's,
 * that the edge took it from somebody who may use the address. ECDSA draws from the platform's source.
 */
final class SignedEntity {
    static final String TYPE =
            "Content-Type: application/pkcs7-mime; smime-type=signed-data;\r\n name=\"smime.p7m\"\r\n";
    static final String DISPOSITION = "Content-Disposition: attachment; filename=\"smime.p7m\"\r\n";
    static final String ENCODING = "Content-Transfer-Encoding: base64\r\n";

    /** Header of the entity, with the empty line before the base64. */
    static final String HEAD = "MIME-Version: 1.0\r\n" + TYPE + DISPOSITION + ENCODING + "\r\n";

    private static final int CHUNK_BYTES = 32 << 10;

    private SignedEntity() {}

    /**
     * The entity of a content.
     *
     * @param recipients for whom it is going to be sealed, which the signature says
     */
    static SealedContent of(SealedContent content, SignedAs as, Collection<RecipientCertificate> recipients) {
        byte[] names = RecipientNames.digest(recipients);
        return target -> write(content, as, names, target);
    }

    private static void write(SealedContent content, SignedAs as, byte[] names, OutputStream target)
            throws IOException {
        ascii(target, HEAD);
        try (OutputStream base64 = Base64.getMimeEncoder().wrap(new OpenStream(target));
                OutputStream signing = generator(as, names).open(base64, true)) {
            content.writeTo(signing);
        } catch (CMSException | GeneralSecurityException | OperatorCreationException e) {
            throw new IOException("the mail could not be signed", e);
        }
        ascii(target, "\r\n");
    }

    private static CMSSignedDataStreamGenerator generator(SignedAs as, byte[] names)
            throws GeneralSecurityException, OperatorCreationException, CMSException {
        MailSigner signer = as.signer();
        CMSSignedDataStreamGenerator generator = new CMSSignedDataStreamGenerator();
        generator.setBufferSize(CHUNK_BYTES);
        ASN1EncodableVector attributes = new ASN1EncodableVector();
        attributes.add(RecipientNames.attribute(names));
        attributes.add(new Attribute(CMSAttributes.signingTime, new DERSet(new Time(Date.from(as.time())))));
        AttributeTable more = new AttributeTable(attributes);
        generator.addSignerInfoGenerator(new JcaSimpleSignerInfoGeneratorBuilder()
                .setSignedAttributeGenerator(new DefaultSignedAttributeTableGenerator(more))
                .build(algorithm(signer.privateKey()), signer.privateKey(), signer.leaf()));
        generator.addCertificates(new JcaCertStore(signer.chain()));
        return generator;
    }

    private static String algorithm(PrivateKey key) {
        return key instanceof RSAPrivateKey ? "SHA256withRSA" : "SHA256withECDSA";
    }

    private static void ascii(OutputStream target, String text) throws IOException {
        target.write(text.getBytes(StandardCharsets.US_ASCII));
    }
}
