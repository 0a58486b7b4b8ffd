package dev.veilgate.envelope.smime;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Collection;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.cms.Attribute;
import org.bouncycastle.asn1.cms.AttributeTable;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.smime.SMIMECapability;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.jspecify.annotations.Nullable;

/**
 * A mail that somebody's own program signed (RFC 8551): the usual way to hand on a certificate, and to say what the
 * program reads.
 *
 * <p>Gives: the signature is by the certificate's key over what the mail says. Does not give: that the certificate is
 * the person's; no chain is built.
 *
 * @param certificate        of the signer
 * @param readsAuthenticated whether the program says that it reads AuthEnvelopedData: AES-256-GCM is among its signed
 *                           S/MIME capabilities (RFC 5084)
 */
public record SignedMail(X509Certificate certificate, boolean readsAuthenticated) {
    private static final Pattern BOUNDARY =
            Pattern.compile(";\\s*boundary\\s*=\\s*(?:\"([^\"\\\\]+)\"|([^\\s;\"]+))", Pattern.CASE_INSENSITIVE);
    private static final String END = "\r\n";

    /**
     * Reads a mail and checks its signature.
     *
     * @param mail lines may end in CR LF or in LF
     * @throws MalformedMailException if it is not signed, or the signature is not by the certificate that comes with it
     */
    public static SignedMail read(byte[] mail) throws MalformedMailException {
        byte[] lines = new String(mail, StandardCharsets.ISO_8859_1)
                .replace(END, "\n")
                .replace("\n", END)
                .getBytes(StandardCharsets.ISO_8859_1);
        try {
            ByteArrayInputStream in = new ByteArrayInputStream(lines);
            MailHeader.Split split = MailHeader.read(in);
            String type = split.header()
                    .first("content-type")
                    .map(MailHeader.Field::value)
                    .orElse("");
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            body.writeBytes(split.start());
            in.transferTo(body);
            return of(signedData(type, body.toString(StandardCharsets.ISO_8859_1)));
        } catch (IOException | CMSException | GeneralSecurityException | OperatorCreationException e) {
            throw malformed();
        } catch (RuntimeException e) {
            throw malformed(); // Bouncy Castle's parsers throw several kinds at malformed input
        }
    }

    private static CMSSignedData signedData(String type, String body) throws MalformedMailException, CMSException {
        String name = type.toLowerCase(Locale.ROOT);
        if (name.startsWith("application/pkcs7-mime") || name.startsWith("application/x-pkcs7-mime")) {
            return new CMSSignedData(Base64.getMimeDecoder().decode(body));
        }
        Matcher boundary = BOUNDARY.matcher(type);
        if (!name.startsWith("multipart/signed") || !boundary.find()) {
            throw malformed();
        }
        String delimiter = "--" + (boundary.group(1) == null ? boundary.group(2) : boundary.group(1));
        String[] parts = (END + body).split(Pattern.quote(END + delimiter), -1);
        if (parts.length != 4 || !parts[1].startsWith(END)) { // before, signed, signature, behind
            throw malformed();
        }
        byte[] signed = parts[1].substring(END.length()).getBytes(StandardCharsets.ISO_8859_1);
        int start = parts[2].indexOf(END + END);
        if (start < 0) {
            throw malformed();
        }
        byte[] signature = Base64.getMimeDecoder().decode(parts[2].substring(start));
        return new CMSSignedData(new CMSProcessableByteArray(signed), signature);
    }

    private static SignedMail of(CMSSignedData data)
            throws MalformedMailException, CMSException, GeneralSecurityException, OperatorCreationException {
        Collection<SignerInformation> signers = data.getSignerInfos().getSigners();
        if (signers.size() != 1) {
            throw malformed();
        }
        SignerInformation signer = signers.iterator().next();
        X509CertificateHolder found = data.getCertificates().getMatches(null).stream()
                .filter(each -> signer.getSID().match(each))
                .findFirst()
                .orElseThrow(SignedMail::malformed);
        X509Certificate certificate = new JcaX509CertificateConverter().getCertificate(found);
        if (!signer.verify(new JcaSimpleSignerInfoVerifierBuilder().build(certificate.getPublicKey()))) {
            throw new MalformedMailException("the mail's signature is not by the certificate that comes with it");
        }
        return new SignedMail(certificate, readsAuthenticated(signer.getSignedAttributes()));
    }

    private static boolean readsAuthenticated(@Nullable AttributeTable attributes) {
        Attribute attribute =
                attributes == null ? null : attributes.get(PKCSObjectIdentifiers.pkcs_9_at_smimeCapabilities);
        if (attribute == null) {
            return false;
        }
        for (ASN1Encodable each :
                ASN1Sequence.getInstance(attribute.getAttrValues().getObjectAt(0))) {
            if (NISTObjectIdentifiers.id_aes256_GCM.equals(
                    SMIMECapability.getInstance(each).getCapabilityID())) {
                return true;
            }
        }
        return false;
    }

    private static MalformedMailException malformed() {
        return new MalformedMailException("not a mail that its sender signed by S/MIME");
    }
}
