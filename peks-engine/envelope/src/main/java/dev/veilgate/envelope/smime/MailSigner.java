package dev.veilgate.envelope.smime;

import dev.veilgate.secret.Secret;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/**
 * What a tenant's mail is signed with: a private key and its certificates, which passed the rules below. That they are
 * the tenant's is the word of the authority, which signs the certificates as a part of the public bundle; no revocation
 * list is asked.
 *
 * <p>The key signs mail itself, or it is that of a certificate authority for senders: then {@link #ofSender} and {@link
 * #ofTenant} are what mail is signed with.
 *
 * <ul>
 *   <li>RSA of 2,048 to 16,384 bits, or elliptic curve P-256, P-384 or P-521.
 *   <li>The first certificate is the private key's.
 *   <li>Its key usage, where present, has digitalSignature, or keyCertSign where it is an authority's; its extended key
 *       usage, where present, emailProtection or any.
 *   <li>Each certificate is signed by the next, the certificate of an authority. The last need not be self-signed.
 *   <li>At most 8 certificates with at most 64 KiB.
 *   <li>The first is valid now; {@link #of} alone does not look, for what was signed before is opened later too.
 * </ul>
 */
@Secret
public final class MailSigner {
    /** Most certificates of a chain. */
    public static final int MAX_CERTIFICATES = 8;
    /** Most bytes of a chain. */
    public static final int MAX_CHAIN_BYTES = 64 << 10;

    private static final int MIN_RSA_BITS = 2048;
    private static final int MAX_RSA_BITS = 16384;
    private static final int DIGITAL_SIGNATURE = 0;
    private static final int CERTIFICATE_SIGNATURE = 5;
    private static final Set<String> MAIL_PURPOSES = Set.of("1.3.6.1.5.5.7.3.4", "2.5.29.37.0");
    private static final Set<ASN1ObjectIdentifier> CURVES =
            Set.of(X9ObjectIdentifiers.prime256v1, SECObjectIdentifiers.secp384r1, SECObjectIdentifiers.secp521r1);
    private static final byte[] PROBE = {'v', 'e', 'i', 'l', 'g', 'a', 't', 'e'};

    private final PrivateKey privateKey;
    private final List<X509Certificate> chain;

    private MailSigner(PrivateKey privateKey, List<X509Certificate> chain) {
        this.privateKey = privateKey;
        this.chain = chain;
    }

    /**
     * A private key and its certificates, whether they are valid now or not.
     *
     * @param chain the key's own certificate first
     * @throws RefusedSignerException naming the rule that they break
     */
    public static MailSigner of(PrivateKey privateKey, List<X509Certificate> chain) throws RefusedSignerException {
        List<X509Certificate> decoded = decodeChain(CertificateChain.encode(chain));
        checkKey(decoded.getFirst());
        checkUsage(decoded.getFirst());
        CertificateChain.requireOrder(decoded);
        checkPair(privateKey, decoded.getFirst());
        return new MailSigner(privateKey, decoded);
    }

    /**
     * Reads a PKCS #12 file with one private key and checks it, validity included.
     *
     * @param file       at most 128 KiB
     * @param passphrase of the file and of the key in it
     * @param now        the time that the certificate must be valid at
     * @throws RefusedSignerException if the passphrase is wrong, it is no such file, or naming the rule that is broken
     */
    public static MailSigner fromPkcs12(byte[] file, char[] passphrase, Instant now) throws RefusedSignerException {
        MailSigner signer = fromPkcs12(file, passphrase);
        signer.requireValid(now);
        return signer;
    }

    /**
     * The same, whether the certificate is valid now or not.
     *
     * @throws RefusedSignerException as {@link #fromPkcs12(byte[], char[], Instant)}
     */
    public static MailSigner fromPkcs12(byte[] file, char[] passphrase) throws RefusedSignerException {
        return Pkcs12.read(file, passphrase);
    }

    /**
     * A PKCS #12 file with the key and the chain: the key encrypted with AES-256, all of it authenticated by
     * HMAC-SHA-256, both under the passphrase with 100,000 iterations. Draws salts and an initial vector from the
     * runtime's own random source.
     *
     * @throws IllegalArgumentException if the passphrase is empty
     */
    public byte[] toPkcs12(char[] passphrase) {
        return Pkcs12.write(this, passphrase);
    }

    /**
     * Decodes a chain of certificates, without the rules for a signer: bounds and DER only.
     *
     * @param encoded each DER, the signer's own first
     * @throws RefusedSignerException if they are none, too many, too long, or one is not DER
     */
    public static List<X509Certificate> decodeChain(List<byte[]> encoded) throws RefusedSignerException {
        return CertificateChain.decode(encoded);
    }

    /** @throws RefusedSignerException if the certificate is not valid at a time */
    public void requireValid(Instant now) throws RefusedSignerException {
        try {
            leaf().checkValidity(Date.from(now));
        } catch (CertificateExpiredException e) {
            throw new RefusedSignerException("the mail signing certificate expired on "
                    + leaf().getNotAfter().toInstant());
        } catch (CertificateNotYetValidException e) {
            throw new RefusedSignerException("the mail signing certificate is not valid before "
                    + leaf().getNotBefore().toInstant());
        }
    }

    /** Tells if it is an authority for senders, which signs no mail itself. */
    public boolean isAuthority() {
        return isAuthority(leaf());
    }

    /**
     * Tells if a certificate is that of an authority which signs certificates and nothing else. Self-signed ones often
     * say that they are authorities and are signed with all the same.
     */
    static boolean isAuthority(X509Certificate certificate) {
        boolean[] usages = certificate.getKeyUsage();
        return certificate.getBasicConstraints() >= 0
                && usages != null
                && usages[CERTIFICATE_SIGNATURE]
                && !usages[DIGITAL_SIGNATURE];
    }

    private static boolean allows(X509Certificate certificate, int usage) {
        boolean[] usages = certificate.getKeyUsage();
        return usages == null || usages[usage];
    }

    /**
     * Tells if a certificate is one that an authority issues to who signs mail: by its signature, usage and purpose.
     * Looks at neither dates nor names: whoever has the authority's key is believed.
     */
    static boolean isIssued(X509Certificate certificate, X509Certificate authority) {
        if (!isAuthority(authority)
                || certificate.getBasicConstraints() >= 0
                || !allows(certificate, DIGITAL_SIGNATURE)
                || !certificate.getIssuerX500Principal().equals(authority.getSubjectX500Principal())) {
            return false;
        }
        try {
            certificate.verify(authority.getPublicKey());
            return isForMail(certificate);
        } catch (GeneralSecurityException | RuntimeException e) {
            return false;
        }
    }

    /**
     * Domains whose addresses the certificates permit, as the first of them that says any has it; empty if all are
     * permitted.
     */
    public List<String> domains() {
        return permitted(chain);
    }

    /**
     * Domains that an authority for senders is restricted to: hosts, {@code .host} for all below one, and single
     * addresses, as its certificates have them. Empty for other certificates, and for an authority that is not
     * restricted.
     */
    static List<String> domainsOf(List<X509Certificate> chain) {
        return isAuthority(chain.getFirst()) ? permitted(chain) : List.of();
    }

    private static List<String> permitted(List<X509Certificate> chain) {
        return chain.stream()
                .map(SenderNames::permitted)
                .filter(each -> !each.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    /** Tells if mail can be signed as of an address: it is an authority, and its certificates permit the address. */
    public boolean permits(String address) {
        return isAuthority()
                && AddressForm.isTaken(address)
                && chain.stream().allMatch(each -> SenderNames.permit(each, address));
    }

    /** Tells if the certificate of the key itself names an address, in any case of ASCII letters. */
    public boolean names(String address) {
        try {
            return RecipientCertificate.addresses(leaf()).stream().anyMatch(address::equalsIgnoreCase);
        } catch (RefusedCertificateException e) {
            return false;
        }
    }

    /**
     * The signer of a sender: always the same of the same address.
     *
     * @param address in lower case
     * @throws IllegalArgumentException if it is not {@linkplain #permits permitted}
     */
    public MailSigner ofSender(String address) {
        if (!permits(address)) {
            throw new IllegalArgumentException("the mail signing certificate does not permit this sender");
        }
        return SenderCertificates.signer(this, Optional.of(address));
    }

    /**
     * The signer of mail whose sender is not known for sure: this one, or one without an address below an authority.
     */
    public MailSigner ofTenant() {
        return isAuthority() ? SenderCertificates.signer(this, Optional.empty()) : this;
    }

    /** The certificate of the private key. */
    public X509Certificate leaf() {
        return chain.getFirst();
    }

    /** All certificates, {@link #leaf} first. */
    public List<X509Certificate> chain() {
        return chain;
    }

    /** DER of {@link #leaf}. */
    public byte[] encodedLeaf() {
        try {
            return leaf().getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate that was decoded", e);
        }
    }

    /** Signs bytes by SHA-256 and ECDSA or RSASSA-PKCS1-v1_5, whichever the key is of. */
    public byte[] sign(byte[] bytes) {
        try {
            Signature signing = Signature.getInstance(algorithm(leaf()));
            signing.initSign(privateKey);
            signing.update(bytes);
            return signing.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a key that signed before", e);
        }
    }

    /** Tells if the key of a certificate {@linkplain #sign signed} bytes. */
    public static boolean isSigned(byte[] bytes, byte[] signature, X509Certificate certificate) {
        try {
            Signature verifying = Signature.getInstance(algorithm(certificate));
            verifying.initVerify(certificate.getPublicKey());
            verifying.update(bytes);
            return verifying.verify(signature);
        } catch (GeneralSecurityException | RuntimeException e) {
            return false; // malformed, or a key of another kind
        }
    }

    private static String algorithm(X509Certificate certificate) {
        return certificate.getPublicKey() instanceof RSAPublicKey ? "SHA256withRSA" : "SHA256withECDSA";
    }

    /** The secret key. */
    public PrivateKey privateKey() {
        return privateKey;
    }

    /** SHA-256 of the first certificate, in hex. */
    public String fingerprint() {
        return fingerprint(leaf());
    }

    /** SHA-256 of a certificate, in hex. */
    public static String fingerprint(X509Certificate certificate) {
        return HexFormat.of().formatHex(digest(certificate));
    }

    static byte[] digest(X509Certificate certificate) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the certificate cannot be encoded", e);
        }
    }

    @Override
    public String toString() {
        return "MailSigner[hidden]";
    }

    /** Tells if a certificate's key is of a kind and size that signs mail: others may take very long. */
    static boolean isKeyTaken(X509Certificate certificate) {
        try {
            checkKey(certificate);
            return true;
        } catch (RefusedSignerException | RuntimeException e) { // of a kind that this Java runtime cannot read
            return false;
        }
    }

    private static void checkKey(X509Certificate leaf) throws RefusedSignerException {
        switch (leaf.getPublicKey()) {
            case RSAPublicKey rsa
            when rsa.getAlgorithm().equals("RSA") -> {
                int bits = rsa.getModulus().bitLength();
                if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS) {
                    throw new RefusedSignerException("the mail signing certificate's RSA key has " + bits
                            + " bits; allowed are " + MIN_RSA_BITS + " to " + MAX_RSA_BITS);
                }
            }
            case ECPublicKey ec -> {
                var parameters = SubjectPublicKeyInfo.getInstance(ec.getEncoded())
                        .getAlgorithm()
                        .getParameters();
                if (!(parameters instanceof ASN1ObjectIdentifier curve && CURVES.contains(curve))) {
                    throw new RefusedSignerException(
                            "the mail signing certificate's curve must be P-256, P-384 or P-521");
                }
            }
            default ->
                throw new RefusedSignerException(
                        "the mail signing certificate's key must be RSA or on P-256, P-384 or P-521");
        }
    }

    private static void checkUsage(X509Certificate leaf) throws RefusedSignerException {
        if (!isAuthority(leaf) && !allows(leaf, DIGITAL_SIGNATURE)) {
            throw new RefusedSignerException("the mail signing certificate's key usage does not contain"
                    + " digitalSignature, or keyCertSign for an authority: it is not meant for signing mail");
        }
        try {
            if (!isForMail(leaf)) {
                throw new RefusedSignerException("the mail signing certificate's extended key usage is not for mail");
            }
        } catch (GeneralSecurityException e) {
            throw new RefusedSignerException("the mail signing certificate's extended key usage cannot be read");
        }
    }

    /** Tells if the extended key usage of a certificate allows mail, or is absent. */
    private static boolean isForMail(X509Certificate certificate) throws GeneralSecurityException {
        List<String> purposes = certificate.getExtendedKeyUsage();
        return purposes == null || purposes.stream().anyMatch(MAIL_PURPOSES::contains);
    }

    /** By a signature: it also shows that the key works. */
    private static void checkPair(PrivateKey key, X509Certificate leaf) throws RefusedSignerException {
        try {
            var signing = Signature.getInstance(algorithm(leaf));
            signing.initSign(key);
            signing.update(PROBE);
            if (isSigned(PROBE, signing.sign(), leaf)) {
                return;
            }
        } catch (GeneralSecurityException | RuntimeException e) {
            // of another kind, or damaged: no pair
        }
        throw new RefusedSignerException("the private key is not that of the mail signing certificate");
    }
}
