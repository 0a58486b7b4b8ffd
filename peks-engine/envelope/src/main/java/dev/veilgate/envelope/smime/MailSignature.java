package dev.veilgate.envelope.smime;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
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
     * @param signers   the certificates that are trusted, as they stand: that they expired since does not matter, and
     *                  no chain is built
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
                    && isOf(signer, signers);
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

    private static boolean isOf(SignerInformation signer, Collection<X509Certificate> signers) throws CMSException {
        for (X509Certificate each : signers) {
            try {
                if (signer.getSID().match(new JcaX509CertificateHolder(each))
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
