package dev.veilgate.envelope.smime;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Certificates of a signer of mail, the signer's own first, each followed by its issuer's. The last need not be self-signed.
 *
 * <p>Gives: bounded, each certificate DER. {@link #requireOrder} says whether they are a chain; whom they belong to is the word of who hands
 * them out.
 */
final class CertificateChain {
    private static final int FIRST_WITH_EXTENSIONS = 3;

    private CertificateChain() {}

    /**
     * Decodes certificates.
     *
     * @param encoded each DER
     * @throws RefusedSignerException if they are none, too many, too long, or one is not DER
     */
    static List<X509Certificate> decode(List<byte[]> encoded) throws RefusedSignerException {
        requireBounds(
                encoded.size(), encoded.stream().mapToLong(der -> der.length).sum());
        var chain = new ArrayList<X509Certificate>(encoded.size());
        for (byte[] der : encoded) {
            chain.add(decode(der));
        }
        return List.copyOf(chain);
    }

    /** The DER of each. */
    static List<byte[]> encode(List<X509Certificate> chain) throws RefusedSignerException {
        var encoded = new ArrayList<byte[]>(chain.size());
        for (X509Certificate certificate : chain) {
            encoded.add(encode(certificate));
        }
        return encoded;
    }

    /** @throws RefusedSignerException if a certificate is not by the holder of the next one */
    static void requireOrder(List<X509Certificate> chain) throws RefusedSignerException {
        for (int i = 1; i < chain.size(); i++) {
            X509Certificate issuer = chain.get(i);
            if (!chain.get(i - 1).getIssuerX500Principal().equals(issuer.getSubjectX500Principal())) {
                throw new RefusedSignerException(
                        "certificate " + i + " of the chain is not issued by the next one: the chain is out of order");
            }
            if (issuer.getVersion() >= FIRST_WITH_EXTENSIONS && issuer.getBasicConstraints() < 0) {
                throw new RefusedSignerException(
                        "certificate " + (i + 1) + " of the chain is not that of a certificate authority");
            }
            try {
                chain.get(i - 1).verify(issuer.getPublicKey());
            } catch (GeneralSecurityException | RuntimeException e) {
                throw new RefusedSignerException("certificate " + i + " of the chain is not signed by the next one");
            }
        }
    }

    static void requireBounds(int certificates, long bytes) throws RefusedSignerException {
        if (certificates < 1 || certificates > MailSigner.MAX_CERTIFICATES) {
            throw new RefusedSignerException(
                    "the chain has " + certificates + " certificates; allowed are 1 to " + MailSigner.MAX_CERTIFICATES);
        }
        if (bytes > MailSigner.MAX_CHAIN_BYTES) {
            throw new RefusedSignerException(
                    "the chain has " + bytes + " bytes; allowed are at most " + MailSigner.MAX_CHAIN_BYTES);
        }
    }

    private static X509Certificate decode(byte[] der) throws RefusedSignerException {
        try {
            var in = new ByteArrayInputStream(der);
            var certificate =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
            if (Arrays.equals(certificate.getEncoded(), der)) {
                return certificate;
            }
        } catch (GeneralSecurityException | RuntimeException e) {
            throw new RefusedSignerException("a certificate of the chain cannot be read");
        }
        throw new RefusedSignerException("a certificate of the chain is not DER, or something follows it");
    }

    private static byte[] encode(X509Certificate certificate) throws RefusedSignerException {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException e) {
            throw new RefusedSignerException("a certificate of the chain cannot be encoded");
        }
    }
}
