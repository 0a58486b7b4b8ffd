package dev.veilgate.envelope;

import dev.veilgate.abe.Label;
import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The public bundle of a tenant: everything that a sender needs and nothing secret, verified. The sender pins the authority's
 * fingerprint, so that whoever delivers the bundle cannot put other keys into it.
 *
 * <pre>{@code
 * bundle = [ "veilgate-bundle", version, authority: bstr, body: bstr, signature: bstr ]
 * version = that of the authority's key: 1, or 2 with a key of SLH-DSA
 * signature = a lasting signature of the body by the authority's keys, context "veilgate/bundle/1"
 * }</pre>
 *
 * <p>Gives: body made by the holder of the pinned key (all its signatures hold), valid now, not older than one seen before if the caller
 * remembers its serial. Does not give: secrecy, or that there is no newer bundle; that is what the validity bounds. Nothing of the body is
 * looked into before the signature holds.
 */
public final class PublicBundle {
    /** Most bytes of an encoded bundle. */
    public static final int MAX_BYTES = 32 << 20;

    private static final String MAGIC = "veilgate-bundle";
    private static final String CONTEXT = "veilgate/bundle/1";
    private static final int MAX_KEY_BYTES = 4096;
    private static final int MAX_SIGNATURE_BYTES = 1 << 15;
    private static final Pattern SEPARATORS = Pattern.compile("[:\\s]");

    private final PublicBundleContent content;
    private final SenderPublicKey authority;
    private final Map<String, Recipient> recipients;

    private PublicBundle(PublicBundleContent content, SenderPublicKey authority) {
        this.content = content;
        this.authority = authority;
        this.recipients =
                content.recipients().stream().collect(Collectors.toMap(Recipient::address, Function.identity()));
    }

    /**
     * A recipient of mail.
     *
     * @param address     in lower case
     * @param certificate S/MIME certificate, DER
     * @param scope       of the mailbox
     */
    public record Recipient(String address, byte[] certificate, String scope) {
        /** Most bytes of a certificate. */
        public static final int MAX_CERTIFICATE_BYTES = 1 << 15;

        /** @throws IllegalArgumentException naming what is wrong */
        public Recipient {
            PublicBundleContent.checkName("address", address);
            PublicBundleContent.checkName("scope", scope);
            PublicBundleContent.check(
                    address.equals(canonicalAddress(address)) && address.indexOf('@') > 0,
                    "address: must be a mail address in lower case");
            PublicBundleContent.check(
                    certificate.length > 0 && certificate.length <= MAX_CERTIFICATE_BYTES,
                    "certificate: must have 1 to " + MAX_CERTIFICATE_BYTES + " bytes");
            certificate = certificate.clone();
        }

        /** A copy of the DER. */
        @Override
        public byte[] certificate() {
            return certificate.clone();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Recipient that
                    && address.equals(that.address)
                    && scope.equals(that.scope)
                    && Arrays.equals(certificate, that.certificate);
        }

        @Override
        public int hashCode() {
            return address.hashCode();
        }
    }

    /**
     * One searchable-encryption public key.
     *
     * @param scheme     id of the scheme
     * @param parameters name of the parameter set
     * @param publicKey  the scheme's encoding; looked into by {@link dev.veilgate.peks.IndexScheme#sealer}
     */
    public record IndexKey(String scheme, String parameters, byte[] publicKey) {
        static final int MAX_BYTES = 1 << 16;

        /** @throws IllegalArgumentException naming what is wrong */
        public IndexKey {
            PublicBundleContent.checkName("scheme", scheme);
            PublicBundleContent.checkName("parameters", parameters);
            PublicBundleContent.check(
                    publicKey.length > 0 && publicKey.length <= MAX_BYTES,
                    "public-key: must have 1 to " + MAX_BYTES + " bytes");
            publicKey = publicKey.clone();
        }

        /** A copy of the key. */
        @Override
        public byte[] publicKey() {
            return publicKey.clone();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof IndexKey that
                    && scheme.equals(that.scheme)
                    && parameters.equals(that.parameters)
                    && Arrays.equals(publicKey, that.publicKey);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(publicKey);
        }
    }

    /**
     * An epoch and when senders use it.
     *
     * @param name what is hashed with each keyword, such as 2026-11
     * @param from first second of it
     * @param to   first second after it
     */
    public record Epoch(String name, Instant from, Instant to) {
        /** @throws IllegalArgumentException naming what is wrong */
        public Epoch {
            PublicBundleContent.checkName("epoch", name);
            PublicBundleContent.check(
                    PublicBundleContent.wholeSeconds(from) && PublicBundleContent.wholeSeconds(to),
                    "epoch: must begin and end at whole seconds");
            PublicBundleContent.check(from.isBefore(to), "epoch: must begin before it ends");
        }

        /** Whether senders use it at a time. */
        public boolean contains(Instant time) {
            return !time.isBefore(from) && time.isBefore(to);
        }
    }

    /** The signed encoding of a content. */
    public static byte[] sign(PublicBundleContent content, SigningKey authority) {
        byte[] body = content.encode();
        byte[] signature = authority.signLasting(CONTEXT, body);
        byte[] encoded = new CborWriter(body.length + signature.length + 4096)
                .array(5)
                .text(MAGIC)
                .integer(authority.publicKey().version())
                .bytes(authority.publicKey().encode())
                .bytes(body)
                .bytes(signature)
                .toByteArray();
        if (encoded.length > MAX_BYTES) {
            throw new IllegalArgumentException("a bundle has at most " + MAX_BYTES + " bytes: fewer recipients");
        }
        return encoded;
    }

    /** {@link #verify(byte[], String, Instant, long)} by a sender that has seen no bundle before. */
    public static PublicBundle verify(byte[] bytes, String authorityFingerprint, Instant now)
            throws MalformedEncodingException, RefusedBundleException {
        return verify(bytes, authorityFingerprint, now, 0);
    }

    /**
     * Decodes a bundle and checks signature, validity and serial.
     *
     * @param authorityFingerprint the pinned authority: hex SHA-256 of its {@link SenderPublicKey#encode}; case, spaces and colons do not
     *                             matter
     * @param lastSeenSerial       serial of the last bundle that was accepted; 0 if none
     * @throws MalformedEncodingException if the bytes are no bundle, or one with critical fields that this version does not know
     * @throws RefusedBundleException     if it is not to be used: another authority, altered, expired, not yet valid, rolled back; the
     *                                    message says what to do
     * @throws IllegalArgumentException   if the fingerprint has not 64 hex digits
     */
    public static PublicBundle verify(byte[] bytes, String authorityFingerprint, Instant now, long lastSeenSerial)
            throws MalformedEncodingException, RefusedBundleException {
        PublicBundle bundle = signed(bytes, authorityFingerprint, Senders.READ, MAX_BYTES);
        bundle.requireUsable(now, lastSeenSerial);
        return bundle;
    }

    /**
     * {@link #verify(byte[], String, Instant, long)} for who seals and has little memory: senders that are inside are passed over.
     *
     * @param maxBytes most bytes of all else; a bundle with more is refused before it takes memory
     * @throws MalformedEncodingException as {@link #verify(byte[], String, Instant, long)}
     * @throws RefusedBundleException     as {@link #verify(byte[], String, Instant, long)}
     * @throws IllegalArgumentException   if the fingerprint has not 64 hex digits
     */
    public static PublicBundle verifyForSealing(
            byte[] bytes, String authorityFingerprint, Instant now, long lastSeenSerial, int maxBytes)
            throws MalformedEncodingException, RefusedBundleException {
        PublicBundle bundle = signed(bytes, authorityFingerprint, Senders.PASSED_OVER, maxBytes);
        bundle.requireUsable(now, lastSeenSerial);
        return bundle;
    }

    /**
     * Whose bundle it is, if the pinned authority signed it, even if it expired, is not valid yet or is an old one: for a sender that has to know its tenant while it waits for
     * another bundle. Nothing may be sealed under keys of such a bundle, so they are not returned.
     *
     * @throws MalformedEncodingException as {@link #verify(byte[], String, Instant, long)}
     * @throws RefusedBundleException     if it is another authority's or altered
     * @throws IllegalArgumentException   if the fingerprint has not 64 hex digits
     */
    public static String tenantNotForSealing(byte[] bytes, String authorityFingerprint)
            throws MalformedEncodingException, RefusedBundleException {
        return signed(bytes, authorityFingerprint, Senders.PASSED_OVER, MAX_BYTES)
                .tenant();
    }

    /**
     * Decodes a bundle for a gateway: it takes and finds what was sealed while the bundle was valid, so it does not matter whether it has expired.
     * Nothing must be sealed under it without {@link #verify(byte[], String, Instant, long)}.
     *
     * @throws MalformedEncodingException as {@link #verify(byte[], String, Instant, long)}
     * @throws RefusedBundleException     if it is another authority's, altered, or older than one seen before
     * @throws IllegalArgumentException   if the fingerprint has not 64 hex digits
     */
    public static PublicBundle verifyForReceiving(byte[] bytes, String authorityFingerprint, long lastSeenSerial)
            throws MalformedEncodingException, RefusedBundleException {
        PublicBundle bundle = signed(bytes, authorityFingerprint, Senders.READ, MAX_BYTES);
        bundle.requireNotOlder(lastSeenSerial);
        return bundle;
    }

    /**
     * What a bundle says of itself.
     *
     * @param notAfter from when it is not valid any more
     */
    public record Summary(String tenant, long serial, Instant notAfter) {}

    /**
     * What a bundle says of itself, if the pinned authority signed it, even if it expired: for whoever keeps one for others.
     *
     * @throws MalformedEncodingException as {@link #verify(byte[], String, Instant, long)}
     * @throws RefusedBundleException     if it is another authority's or altered
     * @throws IllegalArgumentException   if the fingerprint has not 64 hex digits
     */
    public static Summary summary(byte[] bytes, String authorityFingerprint)
            throws MalformedEncodingException, RefusedBundleException {
        PublicBundle bundle = signed(bytes, authorityFingerprint, Senders.PASSED_OVER, MAX_BYTES);
        return new Summary(bundle.tenant(), bundle.serial(), bundle.notAfter());
    }

    /** What becomes of senders inside a bundle. */
    private enum Senders {
        READ,
        PASSED_OVER
    }

    /** Checks form, pin and signature. */
    private static PublicBundle signed(byte[] bytes, String authorityFingerprint, Senders senders, int maxBytes)
            throws MalformedEncodingException, RefusedBundleException {
        String pinned = canonicalFingerprint(authorityFingerprint);
        if (bytes.length > MAX_BYTES) {
            throw new MalformedEncodingException("bundle", "must have at most " + MAX_BYTES + " bytes");
        }
        CborReader in = new CborReader("bundle", bytes);
        if (in.array("bundle", 5) != 5 || !in.text("magic", MAGIC.length()).equals(MAGIC)) {
            throw in.malformed("magic", "must be " + MAGIC);
        }
        SenderPublicKey authority = AuthorityField.read(in, MAX_KEY_BYTES);
        int bodyBytes = in.skipBytes("body", MAX_BYTES); // in its place: a device has no room for a second one
        int end = in.position();
        byte[] signature = in.bytes("signature", MAX_SIGNATURE_BYTES);
        in.end();
        if (!authority.fingerprint().equals(pinned)) {
            throw new RefusedBundleException("the bundle is of another authority, " + authority.fingerprint()
                    + ", not of the pinned one; get the bundle from your authority, or, if it has made a new signing key, compare"
                    + " fingerprints with it by phone and pin the new one");
        }
        MessageDigest body = Hashes.sha512();
        body.update(bytes, end - bodyBytes, bodyBytes);
        if (!authority.verifyLastingDigest(CONTEXT, body.digest(), signature)) {
            throw new RefusedBundleException(
                    "the bundle was altered or is not signed; fetch it again from your authority");
        }
        PublicBundleCodec codec = new PublicBundleCodec(bytes, end - bodyBytes, end);
        if (codec.bytesWithoutSenders() > maxBytes) {
            throw new RefusedBundleException("the bundle has " + codec.bytesWithoutSenders()
                    + " bytes beside its senders, and with the memory that is here at most " + maxBytes
                    + " can be used; give Java more (VEILGATE_JAVA_OPTS=-Xmx...)");
        }
        return new PublicBundle(codec.content(senders == Senders.READ), authority);
    }

    private void requireUsable(Instant now, long lastSeenSerial) throws RefusedBundleException {
        if (now.isBefore(notBefore())) {
            throw new RefusedBundleException("the bundle is not valid before " + notBefore() + ", and it is " + now
                    + "; check this machine's clock");
        }
        if (!now.isBefore(notAfter())) {
            throw new RefusedBundleException("the bundle expired at " + notAfter()
                    + "; fetch a new one from your authority (veilgate keys bundle makes it)");
        }
        requireNotOlder(lastSeenSerial);
    }

    private void requireNotOlder(long lastSeenSerial) throws RefusedBundleException {
        if (serial() < lastSeenSerial) {
            throw new RefusedBundleException("the bundle has serial " + serial() + ", and one with serial "
                    + lastSeenSerial + " was seen before; fetch the latest one from your authority");
        }
    }

    /**
     * A fingerprint as {@link SenderPublicKey#fingerprint} writes it.
     *
     * @param fingerprint as somebody typed it; case, spaces and colons do not matter
     * @throws IllegalArgumentException if it has not 64 hex digits
     */
    public static String canonicalFingerprint(String fingerprint) {
        String hex = SEPARATORS.matcher(fingerprint).replaceAll("").toLowerCase(Locale.ROOT);
        if (!hex.matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException(
                    "a fingerprint has 64 hex digits; veilgate keys show prints that of the authority");
        }
        return hex;
    }

    /** The form in which addresses are compared: local parts that differ in case alone are one mailbox everywhere that matters. */
    public static String canonicalAddress(String address) {
        return address.strip().toLowerCase(Locale.ROOT);
    }

    /** Whose keys. */
    public String tenant() {
        return content.tenant();
    }

    /** Ascending number of the authority's bundles: remember the last one seen. */
    public long serial() {
        return content.serial();
    }

    /** From when it is valid. */
    public Instant notBefore() {
        return content.notBefore();
    }

    /** From when it is not valid any more. */
    public Instant notAfter() {
        return content.notAfter();
    }

    /** Who signed it. */
    public SenderPublicKey authority() {
        return authority;
    }

    /** Keys to seal keywords under; of each scheme the first is the current one. */
    public List<IndexKey> indexKeys() {
        return content.indexKeys();
    }

    /** What content keys are wrapped for. */
    public KemPublicKey wrapKey() {
        return content.wrapKey();
    }

    /** What content keys are wrapped with for a policy; of each scheme the first is the current one. */
    public List<PolicyKey> policyKeys() {
        return content.policyKeys();
    }

    /**
     * Checks that content can be sealed for a label in the epochs of this bundle.
     *
     * @param label as it is in settings; what has no epoch gets that of the content
     * @throws IllegalArgumentException saying what to do
     */
    public void requireSealable(Label label) {
        String longest = epochs().stream()
                .map(Epoch::name)
                .max(Comparator.comparingInt(String::length))
                .orElse("");
        PolicyKey.toSeal(policyKeys(), longest.isEmpty() ? label : label.in(longest));
    }

    /** All epochs, ascending. */
    public List<Epoch> epochs() {
        return content.epochs();
    }

    /** The epoch of a time. */
    public Optional<Epoch> epochAt(Instant time) {
        return epochs().stream().filter(epoch -> epoch.contains(time)).findFirst();
    }

    /** All recipients, by address. */
    public List<Recipient> recipients() {
        return content.recipients();
    }

    /** The recipient of a mail address, in any case. */
    public Optional<Recipient> recipient(String address) {
        return Optional.ofNullable(recipients.get(canonicalAddress(address)));
    }

    /** Registered senders, by name; none if they are {@linkplain #sendersInRegistry in a registry}. */
    public List<SenderPublicKey> senders() {
        return content.senders();
    }

    /** Whether the registered senders are in a {@link SenderRegistry}: without it nobody knows who is one. */
    public boolean sendersInRegistry() {
        return content.sendersInRegistry();
    }

    /**
     * Whose signatures on mail are the tenant's: of each signer its chain of certificates, its own first. The present signer first, then former ones, newest first. Empty if the bundle names none, as those of before
     * mail was signed.
     */
    public List<List<X509Certificate>> mailSigners() {
        return content.mailSigners();
    }

    /** Scopes that exist; empty if any may be named. */
    public List<String> scopes() {
        return content.scopes();
    }

    /** Whether a sender may name the scope. */
    public boolean allowsScope(String scope) {
        return content.scopes().isEmpty() || content.scopes().contains(scope);
    }

    /** The profile of later rules, if senders that know them shall index by it. */
    public Optional<NextProfile> nextProfile() {
        return Optional.ofNullable(content.nextProfile());
    }

    /** Encoded profile of rules 1, of dev.veilgate.extract.ExtractorProfile: opaque here. */
    public byte[] extractorProfile() {
        return content.extractorProfile();
    }
}
