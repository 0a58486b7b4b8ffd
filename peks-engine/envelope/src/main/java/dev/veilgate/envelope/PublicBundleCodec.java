package dev.veilgate.envelope;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle.Epoch;
import dev.veilgate.envelope.PublicBundle.IndexKey;
import dev.veilgate.envelope.PublicBundle.Recipient;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The body of a public bundle: a map with integer keys, all critical (an unknown one is refused), then text keys: who
 * signs mail, if anybody does; that the senders are in a registry, if they are; the keys for policies that are for one
 * epoch each, if there are any; and those of later versions and other makers, which are passed over.
 */
final class PublicBundleCodec {
    private static final int FIELDS = 12;
    /** The field in which senders once were. */
    private static final int SENDERS = 9;

    /** Software that passes it over has no key to seal for policies with, and says so. */
    private static final String POLICY_KEYS_OF_EPOCHS = "policy-keys-of-epochs";

    /** Software that passes it over knows no sender. */
    private static final String SENDERS_IN_REGISTRY = "senders-in-registry";

    /** Software that passes it over takes no signature of mail for the tenant's. */
    private static final String MAIL_SIGNERS = "mail-signers";

    /** Software that passes it over makes keywords by rules 1, as the profile of field 11 says. */
    private static final String NEXT_PROFILE = "next-profile";

    /** Largest time, in seconds: the end of the year 9999. */
    private static final long MAX_SECONDS = 253_402_300_799L;

    private static final int MAX_EXTENSIONS = 64;
    private static final int MAX_SENDER_BYTES = 4096;

    static byte[] encode(PublicBundleContent content) {
        List<PolicyKey> ofEpochs = content.policyKeys().stream()
                .filter(key -> key.epoch().isPresent())
                .toList();
        int extensions = (ofEpochs.isEmpty() ? 0 : 1)
                + (content.sendersInRegistry() ? 1 : 0)
                + (content.mailSigners().isEmpty() ? 0 : 1)
                + (content.nextProfile() == null ? 0 : 1);
        CborWriter out = new CborWriter(1 << 14).map(FIELDS + extensions);
        out.integer(1).text(content.tenant());
        out.integer(2).integer(content.serial());
        out.integer(3).integer(content.notBefore().getEpochSecond());
        out.integer(4).integer(content.notAfter().getEpochSecond());
        out.integer(5).array(content.indexKeys().size());
        for (IndexKey key : content.indexKeys()) {
            out.array(3).text(key.scheme()).text(key.parameters()).bytes(key.publicKey());
        }
        out.integer(6).bytes(content.wrapKey().bytes());
        out.integer(7).array(content.epochs().size());
        for (Epoch epoch : content.epochs()) {
            encode(out, epoch);
        }
        out.integer(8).array(content.recipients().size());
        for (Recipient recipient : content.recipients()) {
            out.array(3)
                    .text(recipient.address())
                    .bytes(recipient.certificate())
                    .text(recipient.scope());
        }
        out.integer(9).array(content.senders().size());
        content.senders().forEach(sender -> out.bytes(sender.encode()));
        out.integer(10).array(content.scopes().size());
        content.scopes().forEach(out::text);
        out.integer(11).bytes(content.extractorProfile());
        out.integer(12).array(content.policyKeys().size() - ofEpochs.size());
        content.policyKeys().stream()
                .skip(ofEpochs.size())
                .forEach(key -> out.array(2)
                        .bytes(key.encodedAttributes())
                        .bytes(key.readers().bytes()));
        if (!content.mailSigners().isEmpty()) {
            out.text(MAIL_SIGNERS);
            MailSigners.write(out, content.mailSigners());
        }
        NextProfile next = content.nextProfile();
        if (next != null) {
            Epoch onlyFrom = next.onlyFrom();
            out.text(NEXT_PROFILE).array(onlyFrom == null ? 2 : 3).bytes(next.encoded());
            encode(out, next.from());
            if (onlyFrom != null) {
                encode(out, onlyFrom);
            }
        }
        if (content.sendersInRegistry()) {
            out.text(SENDERS_IN_REGISTRY).bool(true);
        }
        if (!ofEpochs.isEmpty()) {
            out.text(POLICY_KEYS_OF_EPOCHS);
            encode(out, ofEpochs, content.epochs().size());
        }
        return out.toByteArray();
    }

    private static void encode(CborWriter out, Epoch epoch) {
        out.array(3)
                .text(epoch.name())
                .integer(epoch.from().getEpochSecond())
                .integer(epoch.to().getEpochSecond());
    }

    /** For each pair the scheme's key and, in the order of the epochs, the readers' keys. */
    private static void encode(CborWriter out, List<PolicyKey> ofEpochs, int epochs) {
        out.array(ofEpochs.size() / epochs);
        for (int i = 0; i < ofEpochs.size(); i++) {
            if (i % epochs == 0) {
                out.array(2).bytes(ofEpochs.get(i).encodedAttributes()).array(epochs);
            }
            out.bytes(ofEpochs.get(i).readers().bytes());
        }
    }

    /** Text fields that this version knows. */
    private static final class Extensions {
        /** Encoded keys for policies that are for one epoch each; empty if there are none. */
        private byte[] policyKeysOfEpochs = new byte[0];

        private boolean sendersInRegistry;

        private @Nullable NextProfile nextProfile;

        /** Where those who sign mail begin and end; 0 if there are none. */
        private int mailSignersFrom;

        private int mailSignersTo;

        private void read(CborReader in, String name) throws MalformedEncodingException {
            switch (name) {
                case POLICY_KEYS_OF_EPOCHS -> policyKeysOfEpochs = in.rawItem("extension");
                case SENDERS_IN_REGISTRY -> {
                    if (!in.bool(SENDERS_IN_REGISTRY)) {
                        throw in.malformed(SENDERS_IN_REGISTRY, "must not be there if it is not so");
                    }
                    sendersInRegistry = true;
                }
                case NEXT_PROFILE -> nextProfile = nextProfile(in);
                case MAIL_SIGNERS -> {
                    mailSignersFrom = in.position();
                    in.passItem(MAIL_SIGNERS); // in its place, as the fields
                    mailSignersTo = in.position();
                }
                default -> in.passItem("extension");
            }
        }
    }

    /** Decodes a whole body. */
    static PublicBundleContent decode(byte[] body) throws MalformedEncodingException {
        return new PublicBundleCodec(body, 0, body.length).content(true);
    }

    private final byte[] bytes;
    private final int from;
    private final int to;
    private final Extensions extensions = new Extensions();
    private int sendersBytes;

    /** Checks the form of a body that is a part of an array; nothing of the array is copied. */
    PublicBundleCodec(byte[] bytes, int from, int to) throws MalformedEncodingException {
        this.bytes = bytes;
        this.from = from;
        this.to = to;
        CborReader in = new CborReader("bundle", bytes, from, to);
        int pairs = in.map("body", FIELDS + MAX_EXTENSIONS);
        CborReader.MapKeys keys = in.mapKeys("body");
        for (int field = 1; field <= FIELDS; field++) {
            if (field > pairs || in.nextIsText() || keys.nextInt() != field) {
                throw in.malformed("body", "must have all fields, " + field + " is missing");
            }
            int begin = in.position();
            in.passItem("field-" + field); // looked into below, at its own place
            if (field == SENDERS) {
                sendersBytes = in.position() - begin;
            }
        }
        for (int i = FIELDS; i < pairs; i++) {
            if (!in.nextIsText()) {
                throw in.malformed("body", "has a critical field that this version does not know; update the software");
            }
            extensions.read(in, keys.nextText(PublicBundleContent.MAX_NAME_BYTES));
        }
        in.end();
    }

    /** Bytes of all fields but the senders. */
    int bytesWithoutSenders() {
        return to - from - sendersBytes;
    }

    /**
     * What the body says.
     *
     * @param withSenders whether with those that are inside: who seals needs none
     */
    PublicBundleContent content(boolean withSenders) throws MalformedEncodingException {
        CborReader in = new CborReader("bundle", bytes, from, to);
        in.map("body", FIELDS + MAX_EXTENSIONS);
        next(in);
        String tenant = name(in, "tenant");
        next(in);
        long serial = in.unsigned("serial", Long.MAX_VALUE);
        next(in);
        Instant notBefore = time(in, "not-before");
        next(in);
        Instant notAfter = time(in, "not-after");
        next(in);
        List<IndexKey> indexKeys = indexKeys(in);
        next(in);
        KemPublicKey wrapKey = KemPublicKey.decode(in.bytes("wrap-key", WrapAlgorithm.MAX_PUBLIC_KEY_BYTES));
        next(in);
        List<Epoch> epochs = epochs(in);
        next(in);
        List<Recipient> recipients = recipients(in);
        next(in);
        List<SenderPublicKey> senders = senders(in, withSenders);
        next(in);
        List<String> scopes = scopes(in);
        next(in);
        byte[] profile = in.bytes("profile", PublicBundleContent.MAX_PROFILE_BYTES);
        next(in);
        List<PolicyKey> policyKeys = new ArrayList<>(policyKeysOfEpochs(extensions.policyKeysOfEpochs, epochs));
        policyKeys.addAll(policyKeys(in));
        List<List<X509Certificate>> mailSigners = mailSigners();
        try {
            return new PublicBundleContent(
                    tenant,
                    serial,
                    notBefore,
                    notAfter,
                    indexKeys,
                    wrapKey,
                    epochs,
                    recipients,
                    senders,
                    scopes,
                    profile,
                    policyKeys,
                    extensions.sendersInRegistry,
                    mailSigners,
                    extensions.nextProfile);
        } catch (IllegalArgumentException e) {
            throw new MalformedEncodingException("bundle", String.valueOf(e.getMessage()));
        }
    }

    private List<List<X509Certificate>> mailSigners() throws MalformedEncodingException {
        if (extensions.mailSignersTo == 0) {
            return List.of();
        }
        CborReader in = new CborReader("bundle", bytes, extensions.mailSignersFrom, extensions.mailSignersTo);
        List<List<X509Certificate>> signers = MailSigners.read(in);
        if (signers.isEmpty()) {
            throw in.malformed(MAIL_SIGNERS, "must not be there if there are none");
        }
        return signers;
    }

    private static void next(CborReader in) throws MalformedEncodingException {
        in.uint("key", FIELDS);
    }

    private static List<IndexKey> indexKeys(CborReader in) throws MalformedEncodingException {
        int size = in.array("index-keys", PublicBundleContent.MAX_INDEX_KEYS);
        List<IndexKey> keys = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            three(in, "index-key");
            keys.add(build(
                    "index-key",
                    new String[] {name(in, "scheme"), name(in, "parameters")},
                    in.bytes("public-key", IndexKey.MAX_BYTES),
                    (names, key) -> new IndexKey(names[0], names[1], key)));
        }
        return keys;
    }

    private static List<Epoch> epochs(CborReader in) throws MalformedEncodingException {
        int size = in.array("epochs", PublicBundleContent.MAX_EPOCHS);
        List<Epoch> epochs = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            epochs.add(epoch(in));
        }
        return epochs;
    }

    private static Epoch epoch(CborReader in) throws MalformedEncodingException {
        three(in, "epoch");
        String name = name(in, "epoch");
        Instant from = time(in, "epoch");
        Instant to = time(in, "epoch");
        return build("epoch", name, to, (n, end) -> new Epoch(n, from, end));
    }

    private static NextProfile nextProfile(CborReader in) throws MalformedEncodingException {
        int size = in.array(NEXT_PROFILE, 3);
        if (size < 2) {
            throw in.malformed(NEXT_PROFILE, "must have a profile and its first epoch");
        }
        byte[] encoded = in.bytes(NEXT_PROFILE, PublicBundleContent.MAX_PROFILE_BYTES);
        Epoch first = epoch(in);
        Optional<Epoch> onlyFrom = size == 2 ? Optional.empty() : Optional.of(epoch(in));
        return build(NEXT_PROFILE, first, onlyFrom, (from, only) -> new NextProfile(encoded, from, only.orElse(null)));
    }

    private static List<Recipient> recipients(CborReader in) throws MalformedEncodingException {
        int size = in.array("recipients", PublicBundleContent.MAX_RECIPIENTS);
        List<Recipient> recipients = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            three(in, "recipient");
            String address = name(in, "address");
            byte[] certificate = in.bytes("certificate", Recipient.MAX_CERTIFICATE_BYTES);
            String scope = name(in, "scope");
            recipients.add(build("recipient", address, certificate, (a, c) -> new Recipient(a, c, scope)));
        }
        return recipients;
    }

    private static List<SenderPublicKey> senders(CborReader in, boolean isWanted) throws MalformedEncodingException {
        int size = in.array("senders", PublicBundleContent.MAX_SENDERS);
        List<SenderPublicKey> senders = new ArrayList<>(isWanted ? size : 0);
        for (int i = 0; i < size; i++) {
            if (isWanted) {
                senders.add(SenderPublicKey.decode(in.bytes("sender", MAX_SENDER_BYTES)));
            } else {
                in.skipBytes("sender", MAX_SENDER_BYTES);
            }
        }
        return senders;
    }

    private static List<String> scopes(CborReader in) throws MalformedEncodingException {
        int size = in.array("scopes", PublicBundleContent.MAX_SCOPES);
        List<String> scopes = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            scopes.add(name(in, "scope"));
        }
        return scopes;
    }

    private static List<PolicyKey> policyKeys(CborReader in) throws MalformedEncodingException {
        int size = in.array("policy-keys", PublicBundleContent.MAX_POLICY_KEYS);
        List<PolicyKey> keys = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            if (in.array("policy-key", 2) != 2) {
                throw in.malformed("policy-key", "must have 2 items");
            }
            keys.add(PolicyKey.decode(
                    in.bytes("policy-key", PolicyKey.MAX_BYTES),
                    in.bytes("policy-key", WrapAlgorithm.MAX_PUBLIC_KEY_BYTES)));
        }
        return keys;
    }

    private static List<PolicyKey> policyKeysOfEpochs(byte[] encoded, List<Epoch> epochs)
            throws MalformedEncodingException {
        List<PolicyKey> keys = new ArrayList<>();
        if (encoded.length == 0) {
            return keys;
        }
        CborReader in = new CborReader("bundle", encoded);
        int pairs = in.array(POLICY_KEYS_OF_EPOCHS, PublicBundleContent.MAX_POLICY_KEYS);
        if (pairs == 0) {
            throw in.malformed(POLICY_KEYS_OF_EPOCHS, "must not be there if there are none");
        }
        for (int i = 0; i < pairs; i++) {
            if (in.array(POLICY_KEYS_OF_EPOCHS, 2) != 2) {
                throw in.malformed(POLICY_KEYS_OF_EPOCHS, "must have 2 items each");
            }
            byte[] attributes = in.bytes("policy-key", PolicyKey.MAX_BYTES);
            if (in.array(POLICY_KEYS_OF_EPOCHS, epochs.size()) != epochs.size()) {
                throw in.malformed(POLICY_KEYS_OF_EPOCHS, "must have a readers' key for each epoch");
            }
            keys.addAll(ofPair(in, attributes, epochs));
        }
        in.end();
        return keys;
    }

    private static List<PolicyKey> ofPair(CborReader in, byte[] attributes, List<Epoch> epochs)
            throws MalformedEncodingException {
        List<PolicyKey> keys = new ArrayList<>();
        PolicyKey first = null;
        for (Epoch epoch : epochs) {
            byte[] readers = in.bytes("readers-key", WrapAlgorithm.MAX_PUBLIC_KEY_BYTES);
            if (first == null) {
                first = PolicyKey.decode(attributes, readers);
            }
            keys.add(first.inEpoch(epoch.name(), KemPublicKey.decode(readers)));
        }
        return keys;
    }

    private static void three(CborReader in, String field) throws MalformedEncodingException {
        if (in.array(field, 3) != 3) {
            throw in.malformed(field, "must have 3 items");
        }
    }

    private static String name(CborReader in, String field) throws MalformedEncodingException {
        return in.text(field, PublicBundleContent.MAX_NAME_BYTES);
    }

    private static Instant time(CborReader in, String field) throws MalformedEncodingException {
        return Instant.ofEpochSecond(in.unsigned(field, MAX_SECONDS));
    }

    @FunctionalInterface
    private interface Part<A, B, T> {
        T of(A first, B second);
    }

    /** Records check themselves; what they refuse is malformed here. */
    private static <A, B, T> T build(String field, A first, B second, Part<A, B, T> part)
            throws MalformedEncodingException {
        try {
            return part.of(first, second);
        } catch (IllegalArgumentException e) {
            throw new MalformedEncodingException("bundle." + field, String.valueOf(e.getMessage()));
        }
    }
}
