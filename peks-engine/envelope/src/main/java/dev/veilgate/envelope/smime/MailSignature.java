package dev.veilgate.envelope.smime;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.operator.OperatorCreationException;

/** Checks the signature of a {@link SignedEntity}. */
final class MailSignature {
    private MailSignature() {}

    /**
     * Whether one of some signers signed a digest.
     *
     * @param signature SignedData without content, over a content of type {@code id-data}: what the key signed as
     *                  something else does not count
     * @param digest    SHA-256 of what is signed
     * @param signers   the certificates that are trusted, as they stand: that they expired since does not matter. Of
     *                  an authority among them, the certificates that it issued, which the signature brings along
     */
    static boolean isOf(byte[] signature, byte[] digest, Collection<X509Certificate> signers) {
        try {
            Map<ASN1ObjectIdentifier, byte[]> digests = Map.of(NISTObjectIdentifiers.id_sha256, digest);
            var signedData = new CMSSignedData(digests, signature);
            Collection<SignerInformation> found = signedData.getSignerInfos().getSigners();
            if (found.size() != 1 || !CMSObjectIdentifiers.data.getId().equals(signedData.getSignedContentTypeOID())) {
                return false;
            }
            SignerInformation signer = found.iterator().next();
            return NISTObjectIdentifiers.id_sha256
                            .getId()
                            .equals(signer.getDigestAlgOID()) // another one would have no digest
                    && signer.getSignedAttributes() != null
                    && (isOf(signer, signers) || isOf(signer, issued(signedData, signer, signers)));
        } catch (CMSException | RuntimeException e) {
            return false; // Bouncy Castle's parsers throw several kinds at malformed input
        }
    }

    /**
     * Tells if a signature is for some recipients, or does not say for whom it is.
     *
     * @param signature  SignedData without content, which {@link #isOf} believes, or a digest of all proves
     * @param recipients as {@link RecipientNames} has them; empty if they are not named in its way
     */
    static boolean isFor(byte[] signature, Optional<byte[]> recipients) {
        try {
            Collection<SignerInformation> signers =
                    new CMSSignedData(signature).getSignerInfos().getSigners();
            return signers.stream()
                    .map(SignerInformation::getSignedAttributes)
                    .allMatch(signed -> signed == null || RecipientNames.isFor(signed, recipients));
        } catch (CMSException | RuntimeException e) {
            return false; // as above
        }
    }

    /** The signer's certificate that comes with a signature, if one of some authorities issued it. */
    private static List<X509Certificate> issued(
            CMSSignedData data, SignerInformation signer, Collection<X509Certificate> authorities) {
        List<X509CertificateHolder> found = data.getCertificates().getMatches(null).stream()
                .filter(each -> signer.getSID().match(each))
                .toList();
        if (found.size() != 1) {
            return List.of();
        }
        try {
            X509Certificate certificate = new JcaX509CertificateConverter().getCertificate(found.getFirst());
            boolean isIssued = authorities.stream().anyMatch(each -> MailSigner.isIssued(certificate, each));
            return isIssued ? List.of(certificate) : List.of();
        } catch (CertificateException e) {
            return List.of();
        }
    }

    private static boolean isOf(SignerInformation signer, Collection<X509Certificate> signers) throws CMSException {
        for (X509Certificate each : signers) {
            try {
                if (!MailSigner.isAuthority(each)
                        && signer.getSID().match(new JcaX509CertificateHolder(each))
                        && signer.verify(new JcaSimpleSignerInfoVerifierBuilder().build(each.getPublicKey()))) {
                    return true;
                }
            } catch (CertificateException | OperatorCreationException e) {
                throw new IllegalStateException("a certificate that was checked before", e);
            }
        }
        return false;
    }
}
