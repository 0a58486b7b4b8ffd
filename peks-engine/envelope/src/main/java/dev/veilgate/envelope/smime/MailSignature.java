package dev.veilgate.envelope.smime;

import java.io.IOException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.cms.CMSObjectIdentifiers;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.cert.X509CertificateHolder;
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
            CMSSignedData data = signedData(signature, digest);
            Optional<SignerInformation> signer = signer(data);
            return signer.isPresent()
                    && (isOf(signer.get(), signers) || isOf(signer.get(), issued(data, signer.get(), signers)));
        } catch (CMSException | RuntimeException e) {
            return false; // Bouncy Castle's parsers throw several kinds at malformed input
        }
    }

    /**
     * The certificate by whose key a digest is signed, whoever it is of.
     *
     * @param signature as {@link #isOf} has it
     * @param digest    SHA-256 of what is signed
     * @param known     certificates that the signature need not bring along
     * @return empty if the signature holds by none, or the key is of no kind that signs mail
     */
    static Optional<X509Certificate> signer(byte[] signature, byte[] digest, Collection<X509Certificate> known) {
        try {
            CMSSignedData data = signedData(signature, digest);
            Optional<SignerInformation> signer = signer(data);
            if (signer.isEmpty()) {
                return Optional.empty();
            }
            List<X509Certificate> candidates = new ArrayList<>(known);
            candidates.addAll(brought(data, signer.get()));
            for (X509Certificate each : candidates) {
                if (MailSigner.isKeyTaken(each) && isOf(signer.get(), List.of(each))) {
                    return Optional.of(each);
                }
            }
            return Optional.empty();
        } catch (CMSException | RuntimeException e) {
            return Optional.empty(); // as below
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

    private static CMSSignedData signedData(byte[] signature, byte[] digest) throws CMSException {
        Map<ASN1ObjectIdentifier, byte[]> digests = Map.of(NISTObjectIdentifiers.id_sha256, digest);
        return new CMSSignedData(digests, signature);
    }

    /** The one signer, by SHA-256, with signed attributes, of mail. */
    private static Optional<SignerInformation> signer(CMSSignedData data) {
        Collection<SignerInformation> found = data.getSignerInfos().getSigners();
        if (found.size() != 1 || !CMSObjectIdentifiers.data.getId().equals(data.getSignedContentTypeOID())) {
            return Optional.empty();
        }
        SignerInformation signer = found.iterator().next();
        boolean isOurs = NISTObjectIdentifiers.id_sha256
                        .getId()
                        .equals(signer.getDigestAlgOID()) // another one would have no digest
                && signer.getSignedAttributes() != null;
        return isOurs ? Optional.of(signer) : Optional.empty();
    }

    /** The signer's certificate that comes with a signature, if one of some authorities issued it. */
    private static List<X509Certificate> issued(
            CMSSignedData data, SignerInformation signer, Collection<X509Certificate> authorities) {
        return brought(data, signer).stream()
                .filter(certificate -> authorities.stream().anyMatch(each -> MailSigner.isIssued(certificate, each)))
                .toList();
    }

    /** The signer's certificate that comes with a signature, whoever issued it; empty if it is not just one. */
    private static List<X509Certificate> brought(CMSSignedData data, SignerInformation signer) {
        List<X509CertificateHolder> found = data.getCertificates().getMatches(null).stream()
                .filter(each -> signer.getSID().match(each))
                .toList();
        try {
            return found.size() == 1
                    ? MailSigner.decodeChain(List.of(found.getFirst().getEncoded()))
                    : List.of();
        } catch (RefusedSignerException | IOException e) {
            return List.of(); // too long, or not DER
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
