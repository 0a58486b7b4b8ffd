package dev.veilgate.envelope;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.envelope.PublicBundle.Epoch;
import dev.veilgate.envelope.PublicBundle.IndexKey;
import dev.veilgate.envelope.PublicBundle.Recipient;
import java.security.cert.X509Certificate;
import java.text.Normalizer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a public bundle says, before it is signed. {@link #encode} is deterministic: what has no order of its own (recipients, senders,
 * scopes) must be given in ascending order of its name, each once.
 *
 * @param tenant    whose keys
 * @param serial    1 for the first bundle of an authority, then ascending: senders refuse one that is lower than the last they saw
 * @param notBefore from when it is valid; whole seconds
 * @param notAfter  until when
 * @param indexKeys public keys of searchable encryption; of each scheme the first is the one to seal under
 * @param wrapKey   what content keys are wrapped for
 * @param epochs    current and later ones, ascending, without overlap
 * @param recipients of mail, by address
 * @param senders   registered ones, by name; none if they are in a registry
 * @param scopes    those that exist, which senders may name; empty: any
 * @param extractorProfile which keywords are made; opaque here
 * @param policyKeys what content keys are wrapped with for a policy; of each scheme the first is the one to use. First those of pairs that have a key for each epoch, of each pair one for each of the
 *                   epochs above, in their order; then those that are for all epochs
 * @param sendersInRegistry whether the senders are in a {@link SenderRegistry} and none here
 * @param mailSigners whose signatures on mail are the tenant's: chains of certificates, the present signer's first ({@link MailSigners})
 * @param nextProfile of later rules, beside the one above; null if there is none
 */
public record PublicBundleContent(
        String tenant,
        long serial,
        Instant notBefore,
        Instant notAfter,
        List<IndexKey> indexKeys,
        KemPublicKey wrapKey,
        List<Epoch> epochs,
        List<Recipient> recipients,
        List<SenderPublicKey> senders,
        List<String> scopes,
        byte[] extractorProfile,
        List<PolicyKey> policyKeys,
        boolean sendersInRegistry,
        List<List<X509Certificate>> mailSigners,
        @Nullable NextProfile nextProfile) {
    /** Most bytes of an extractor profile. */
    public static final int MAX_PROFILE_BYTES = 1 << 20;

    static final int MAX_NAME_BYTES = 255;
    static final int MAX_INDEX_KEYS = 64;
    static final int MAX_EPOCHS = 4096;
    static final int MAX_RECIPIENTS = 20_000;
    static final int MAX_SENDERS = 10_000;
    static final int MAX_SCOPES = 10_000;
    static final int MAX_POLICY_KEYS = 16;

    /** A content without a profile of later rules. */
    public PublicBundleContent(
            String tenant,
            long serial,
            Instant notBefore,
            Instant notAfter,
            List<IndexKey> indexKeys,
            KemPublicKey wrapKey,
            List<Epoch> epochs,
            List<Recipient> recipients,
            List<SenderPublicKey> senders,
            List<String> scopes,
            byte[] extractorProfile,
            List<PolicyKey> policyKeys,
            boolean sendersInRegistry,
            List<List<X509Certificate>> mailSigners) {
        this(
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
                extractorProfile,
                policyKeys,
                sendersInRegistry,
                mailSigners,
                null);
    }

    /** @throws IllegalArgumentException naming what is wrong */
    public PublicBundleContent {
        indexKeys = List.copyOf(indexKeys);
        epochs = List.copyOf(epochs);
        recipients = List.copyOf(recipients);
        senders = List.copyOf(senders);
        scopes = List.copyOf(scopes);
        extractorProfile = extractorProfile.clone();
        policyKeys = List.copyOf(policyKeys);
        checkName("tenant", tenant);
        check(serial >= 1, "serial: must be at least 1");
        check(wholeSeconds(notBefore) && wholeSeconds(notAfter), "validity: must be whole seconds from 1970 on");
        check(notBefore.isBefore(notAfter), "validity: must begin before it ends");
        check(!indexKeys.isEmpty() && indexKeys.size() <= MAX_INDEX_KEYS, "index-keys: must be 1 to " + MAX_INDEX_KEYS);
        checkEpochs(epochs);
        check(recipients.size() <= MAX_RECIPIENTS, "recipients: must be at most " + MAX_RECIPIENTS);
        checkAscending("recipients", recipients, Recipient::address);
        check(senders.size() <= MAX_SENDERS, "senders: must be at most " + MAX_SENDERS);
        checkAscending("senders", senders, SenderPublicKey::sender);
        check(senders.isEmpty() || !sendersInRegistry, "senders: must be here or in a registry");
        check(scopes.size() <= MAX_SCOPES, "scopes: must be at most " + MAX_SCOPES);
        checkAscending("scopes", scopes, Function.identity());
        scopes.forEach(scope -> checkName("scope", scope));
        check(
                extractorProfile.length <= MAX_PROFILE_BYTES,
                "profile: must have at most " + MAX_PROFILE_BYTES + " bytes");
        checkPolicyKeys(policyKeys, epochs.stream().map(Epoch::name).toList());
        mailSigners = MailSigners.checked(mailSigners);
    }

    /** A copy of the encoded profile. */
    @Override
    public byte[] extractorProfile() {
        return extractorProfile.clone();
    }

    /** Deterministic CBOR (docs/wire-format.md). */
    public byte[] encode() {
        return PublicBundleCodec.encode(this);
    }

    private static void checkEpochs(List<Epoch> epochs) {
        check(!epochs.isEmpty() && epochs.size() <= MAX_EPOCHS, "epochs: must be 1 to " + MAX_EPOCHS);
        for (int i = 1; i < epochs.size(); i++) {
            check(
                    !epochs.get(i).from().isBefore(epochs.get(i - 1).to()),
                    "epochs: must be in ascending order and not overlap");
        }
        check(
                epochs.stream().map(Epoch::name).distinct().count() == epochs.size(),
                "epochs: must have different names");
    }

    private static void checkPolicyKeys(List<PolicyKey> keys, List<String> epochs) {
        List<PolicyKey> ofEpochs =
                keys.stream().filter(key -> key.epoch().isPresent()).toList();
        List<PolicyKey> others = keys.subList(ofEpochs.size(), keys.size());
        check(
                others.stream().allMatch(key -> key.epoch().isEmpty()),
                "policy-keys: must have those of epochs before the others");
        check(
                ofEpochs.size() % epochs.size() == 0 && sameOfEachEpoch(ofEpochs, epochs),
                "policy-keys: must have one of each epoch for a pair that has any, in the order of epochs");
        check(
                ofEpochs.size() / epochs.size() <= MAX_POLICY_KEYS && others.size() <= MAX_POLICY_KEYS,
                "policy-keys: must be of at most " + MAX_POLICY_KEYS + " pairs");
    }

    private static boolean sameOfEachEpoch(List<PolicyKey> keys, List<String> epochs) {
        for (int i = 0; i < keys.size(); i++) {
            int inPair = i % epochs.size();
            PolicyKey first = keys.get(i - inPair);
            if (!keys.get(i).epoch().equals(Optional.of(epochs.get(inPair)))
                    || !keys.get(i).isOfPair(first)) {
                return false;
            }
        }
        return true;
    }

    private static <T> void checkAscending(String what, List<T> items, Function<T, String> name) {
        for (int i = 1; i < items.size(); i++) {
            check(
                    name.apply(items.get(i - 1)).compareTo(name.apply(items.get(i))) < 0,
                    what + ": must be in ascending order, each once");
        }
    }

    /** A name that is hashed with keywords: the same rules as {@link dev.veilgate.peks.KeywordDomain}. */
    static void checkName(String what, String name) {
        int length = ByteWriter.utf8(name).length;
        check(length >= 1 && length <= MAX_NAME_BYTES, what + ": must have 1 to " + MAX_NAME_BYTES + " bytes");
        check(Normalizer.isNormalized(name, Normalizer.Form.NFKC), what + ": must be in Unicode NFKC");
    }

    static boolean wholeSeconds(Instant time) {
        return time.getNano() == 0 && time.getEpochSecond() >= 0;
    }

    static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
