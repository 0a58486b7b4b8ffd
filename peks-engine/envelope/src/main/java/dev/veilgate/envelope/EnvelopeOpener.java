package dev.veilgate.envelope;

import dev.veilgate.abe.Label;
import dev.veilgate.abe.UnsatisfiedPolicyException;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Opens envelopes with the tenant's secret key(s), or with those of a reader whom the envelope's policy admits:
 * authority side only. Safe for use by several threads; the keys stay the caller's to close.
 *
 * <p>What it returns is what the holder of the content key sealed under this header: every record, in order. Who that
 * was, only {@link Envelope#signedBy} says.
 */
@Secret
public final class EnvelopeOpener {
    private final List<KemSecretKey> keys;
    private final ReaderKeys readers;
    private final OpeningHelp help;

    /** @param keys the present key and earlier ones; the one that a wrap names is used */
    public EnvelopeOpener(List<KemSecretKey> keys) {
        this(keys, ReaderKeys.NONE);
    }

    /**
     * Opens what is sealed for a policy, too.
     *
     * @param keys the tenant's; none for a reader
     */
    public EnvelopeOpener(List<KemSecretKey> keys, ReaderKeys readers) {
        this(keys, readers, OpeningHelp.NONE);
    }

    /**
     * Opens what is sealed for a policy with a server's help, where there is some.
     *
     * @param keys the tenant's; none for a reader
     */
    public EnvelopeOpener(List<KemSecretKey> keys, ReaderKeys readers, OpeningHelp help) {
        this.keys = List.copyOf(keys);
        this.readers = readers;
        this.help = help;
    }

    /**
     * A wrap, and the key that opens it.
     *
     * @param wrap its place among the envelope's
     */
    public record Satisfied(int wrap, ReaderKey key) {}

    /**
     * The first wrap for a policy that a key satisfies: what {@link #unlock} tries first, and where a server can help.
     */
    public Optional<Satisfied> satisfied(Envelope envelope) {
        OpeningWork work = new OpeningWork();
        for (int i = 0; i < envelope.wraps().size() && !work.isReached(); i++) {
            WrappedKey wrap = envelope.wraps().get(i);
            if (PolicyWrap.isOne(wrap)) {
                Optional<ReaderKey> key = satisfying(wrap, new OpeningFailure(), work);
                if (key.isPresent()) {
                    return Optional.of(new Satisfied(i, key.get()));
                }
            }
        }
        return Optional.empty();
    }

    /**
     * All records, byte for byte; none for a heartbeat, a loss report, or an envelope whose content is elsewhere.
     *
     * @throws UnopenableEnvelopeException if no key fits, or something was altered
     */
    public List<byte[]> open(Envelope envelope) throws UnopenableEnvelopeException {
        if (envelope.sealedRecords() == 0) {
            return List.of();
        }
        try (UnlockedEnvelope unlocked = unlock(envelope)) {
            return unlocked.records();
        }
    }

    /**
     * One record; for several, {@link #unlock} the envelope once.
     *
     * @throws IllegalArgumentException if there is no such record inside
     */
    public byte[] openRecord(Envelope envelope, int ordinal) throws UnopenableEnvelopeException {
        if (ordinal < 0 || ordinal >= envelope.sealedRecords()) {
            throw new IllegalArgumentException("there is no such record");
        }
        try (UnlockedEnvelope unlocked = unlock(envelope)) {
            return unlocked.record(ordinal);
        }
    }

    /**
     * Where each record came from, by its sender's word; empty if the sender did not say. Use it as no path before it
     * is checked.
     *
     * @throws UnopenableEnvelopeException if no key fits, something was altered, or its sender sealed nonsense
     */
    public List<String> origins(Envelope envelope) throws UnopenableEnvelopeException {
        if (envelope.attributes() == null) {
            return List.of();
        }
        try (UnlockedEnvelope unlocked = unlock(envelope)) {
            return unlocked.origins();
        }
    }

    /**
     * The key of a content that travels elsewhere ({@link Envelope#detachedDigest}); the caller erases it, and compares
     * the digest before use.
     *
     * @throws IllegalArgumentException if the content is inside or there is none
     */
    public byte[] detachedKey(Envelope envelope) throws UnopenableEnvelopeException {
        if (envelope.detachedDigest().isEmpty()) {
            throw new IllegalArgumentException("the envelope has no content elsewhere");
        }
        try (UnlockedEnvelope unlocked = unlock(envelope)) {
            return unlocked.contentKey();
        }
    }

    /**
     * Finds the content key, once for all records. Where an envelope is for a policy this takes milliseconds.
     *
     * @throws UnopenableEnvelopeException if no key fits, or something was altered; of a policy that no key satisfies
     * it says which
     */
    public UnlockedEnvelope unlock(Envelope envelope) throws UnopenableEnvelopeException {
        return new UnlockedEnvelope(envelope, contentKey(envelope));
    }

    /**
     * The content key that some key unwraps and the envelope commits to. Anybody can wrap another key for a public key,
     * so a wrap that the envelope does not commit to is passed over. Wraps for the tenant's key cost next to nothing
     * and come first.
     */
    private byte[] contentKey(Envelope envelope) throws UnopenableEnvelopeException {
        OpeningFailure failure = new OpeningFailure();
        OpeningWork work = new OpeningWork();
        for (WrappedKey wrap : envelope.wraps()) {
            byte[] contentKey = byTenantKey(envelope, wrap, failure, work);
            if (contentKey != null) {
                return contentKey;
            }
        }
        for (int i = 0; i < envelope.wraps().size(); i++) {
            if (PolicyWrap.isOne(envelope.wraps().get(i)) && !work.isReached()) {
                byte[] contentKey = byPolicy(envelope, i, failure, work);
                if (contentKey != null) {
                    return contentKey;
                }
            }
        }
        boolean reached = work.isReached();
        if (!reached && !failure.isExplained()) {
            compareWithKeysOfOtherEpochs(envelope, failure, work);
        }
        throw failure.of(envelope, reached);
    }

    /**
     * No key is of the epoch, or of the pair: what the keys lack is said by their attributes, unless these would do.
     */
    private void compareWithKeysOfOtherEpochs(Envelope envelope, OpeningFailure failure, OpeningWork work) {
        for (Label label : envelope.readers()) {
            for (ReaderKey key : readers.held()) {
                if (key.policyKey().takes(label)) {
                    if (!work.compares(label)) {
                        return;
                    }
                    failure.unsatisfied(key.label(), label, key.label().distance(label));
                }
            }
        }
    }

    private byte @Nullable [] byTenantKey(
            Envelope envelope, WrappedKey wrap, OpeningFailure failure, OpeningWork work) {
        for (KemSecretKey key : keys) {
            if (wrap.isFor(key) && work.decapsulates(key.algorithm())) {
                failure.named();
                byte[] contentKey = committed(envelope, wrap.open(key, envelope.headerDigest()), failure);
                if (contentKey != null) {
                    return contentKey;
                }
            }
        }
        return null;
    }

    /**
     * By the first key that satisfies the policy, and no other: each that does finds the same, or refuses as it does
     * (docs/spec/abe-kem.md, 2).
     */
    private byte @Nullable [] byPolicy(Envelope envelope, int place, OpeningFailure failure, OpeningWork work) {
        WrappedKey wrap = envelope.wraps().get(place);
        Optional<ReaderKey> key = satisfying(wrap, failure, work);
        if (key.isEmpty()) {
            return null;
        }
        Optional<OpeningHelp.Answer> answer = help.answer(envelope, place, key.get());
        if (answer.isPresent() && work.retrieves(PolicyWrap.attributeBytes(wrap))) {
            byte[] contentKey = opened(
                    envelope,
                    PolicyWrap.open(wrap, key.get(), answer.get(), envelope.headerDigest()),
                    new OpeningFailure());
            if (contentKey != null) {
                return contentKey;
            }
        }
        if (!work.decapsulates(PolicyWrap.attributeBytes(wrap))
                || !work.decapsulates(key.get().readersKey().algorithm())) {
            return null;
        }
        byte[] contentKey = opened(envelope, satisfied(envelope, wrap, key.get()), failure);
        if (contentKey != null && answer.isPresent()) {
            help.wasWrong(envelope);
        }
        return contentKey;
    }

    /** The first key that satisfies the policy of a wrap. */
    private Optional<ReaderKey> satisfying(WrappedKey wrap, OpeningFailure failure, OpeningWork work) {
        try {
            byte[] ciphertext = PolicyWrap.attributeCiphertext(wrap);
            Label label = PolicyWrap.label(wrap);
            for (ReaderKey key : readers.candidates(wrap.keyId(), ciphertext, work)) {
                if (!key.policyKey().takes(label) || !work.compares(label)) {
                    return Optional.empty();
                }
                int distance = key.label().distance(label);
                if (distance == 0) {
                    return Optional.of(key);
                }
                failure.unsatisfied(key.label(), label, distance);
            }
        } catch (MalformedEncodingException e) {
            return Optional.empty(); // nobody opens it
        }
        return Optional.empty();
    }

    private static Optional<byte[]> satisfied(Envelope envelope, WrappedKey wrap, ReaderKey key) {
        try {
            return PolicyWrap.open(wrap, key, envelope.headerDigest());
        } catch (UnsatisfiedPolicyException e) {
            throw new IllegalStateException("a policy holds, and its shares do not", e);
        }
    }

    private static byte @Nullable [] opened(Envelope envelope, Optional<byte[]> contentKey, OpeningFailure failure) {
        failure.named();
        return committed(envelope, contentKey, failure);
    }

    private static byte @Nullable [] committed(Envelope envelope, Optional<byte[]> opened, OpeningFailure failure) {
        if (opened.isEmpty()) {
            return null;
        }
        byte[] contentKey = opened.get();
        byte[] commitment = envelope.commitment();
        try (ContentKey key = new ContentKey(contentKey, envelope.headerDigest())) {
            if (commitment != null && key.commitsTo(commitment)) {
                return contentKey;
            }
        }
        Arrays.fill(contentKey, (byte) 0);
        failure.uncommitted();
        return null;
    }
}
