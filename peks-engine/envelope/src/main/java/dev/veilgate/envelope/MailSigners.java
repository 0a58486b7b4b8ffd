package dev.veilgate.envelope;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.RefusedSignerException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/**
 * Certificate chains of the keys that a tenant's mail was signed with: that of the present key first, then those of former ones, newest first. Each chain has the key's own
 * certificate first.
 *
 * <pre>{@code
 * mail-signers = [ + [ + certificate: bstr ] ]
 * }</pre>
 *
 * <p>Gives: bounded, each certificate DER, no signer twice. Does not give: that a chain holds together, or is valid now; whoever signed the list
 * answers for it.
 */
public final class MailSigners {
    /** Most signers. */
    public static final int MAX_SIGNERS = 32;
    /** Most bytes of all their certificates. */
    public static final int MAX_BYTES = 256 << 10;

    private static final String FIELD = "mail-signers";

    private MailSigners() {}

    /**
     * The same chains, unmodifiable.
     *
     * @throws IllegalArgumentException if they are too many or too long, or two begin with the same certificate
     */
    public static List<List<X509Certificate>> checked(List<List<X509Certificate>> chains) {
        List<List<X509Certificate>> copy = chains.stream().map(List::copyOf).toList();
        PublicBundleContent.check(copy.size() <= MAX_SIGNERS, FIELD + ": must be at most " + MAX_SIGNERS);
        long bytes = 0;
        for (List<X509Certificate> chain : copy) {
            PublicBundleContent.check(
                    !chain.isEmpty() && chain.size() <= MailSigner.MAX_CERTIFICATES,
                    FIELD + ": must have 1 to " + MailSigner.MAX_CERTIFICATES + " certificates each");
            int ofChain = chain.stream()
                    .mapToInt(certificate -> encoded(certificate).length)
                    .sum();
            PublicBundleContent.check(
                    ofChain <= MailSigner.MAX_CHAIN_BYTES,
                    FIELD + ": must have at most " + MailSigner.MAX_CHAIN_BYTES + " bytes each");
            bytes += ofChain;
        }
        PublicBundleContent.check(bytes <= MAX_BYTES, FIELD + ": must have at most " + MAX_BYTES + " bytes in all");
        PublicBundleContent.check(
                copy.stream().map(List::getFirst).distinct().count() == copy.size(),
                FIELD + ": must be there once each");
        return copy;
    }

    /** Writes them as one item. */
    public static void write(CborWriter out, List<List<X509Certificate>> chains) {
        out.array(chains.size());
        for (List<X509Certificate> chain : chains) {
            out.array(chain.size());
            chain.forEach(certificate -> out.bytes(encoded(certificate)));
        }
    }

    /**
     * Reads one item.
     *
     * @throws MalformedEncodingException if they are too many or too long, a certificate cannot be read, or two begin with the same one
     */
    public static List<List<X509Certificate>> read(CborReader in) throws MalformedEncodingException {
        int size = in.array(FIELD, MAX_SIGNERS);
        List<List<X509Certificate>> chains = new ArrayList<>(size);
        int left = MAX_BYTES;
        for (int i = 0; i < size; i++) {
            int certificates = in.array(FIELD, MailSigner.MAX_CERTIFICATES);
            List<byte[]> chain = new ArrayList<>(certificates);
            for (int j = 0; j < certificates; j++) {
                chain.add(in.bytes(FIELD, Math.min(left, MailSigner.MAX_CHAIN_BYTES)));
                left -= chain.getLast().length;
            }
            try {
                chains.add(MailSigner.decodeChain(chain));
            } catch (RefusedSignerException e) {
                throw in.malformed(FIELD, String.valueOf(e.getMessage()));
            }
        }
        try {
            return checked(chains);
        } catch (IllegalArgumentException e) {
            throw in.malformed(FIELD, String.valueOf(e.getMessage()));
        }
    }

    private static byte[] encoded(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException(FIELD + ": must be certificates that can be encoded", e);
        }
    }
}
