package dev.veilgate.envelope;

import dev.veilgate.abe.Label;
import dev.veilgate.abe.UnsatisfiedPolicyException;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.UnopenableEnvelopeException.Reason;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Opens envelopes with the tenant's secret key(s), or with those of a reader whom the envelope's policy admits: authority side only. Safe for use by several threads; the keys stay the
 * caller's to close.
 *
 * <p>What it returns is what the holder of the content key sealed under this header: every record, in order. Who that was, only {@link
 * Envelope#signedBy} says.
 */
public final class EnvelopeOpener {
    private final List<KemSecretKey> keys;
    private final ReaderKeys readers;

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
        this.keys = List.copyOf(keys);
        this.readers = readers;
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
     * Where each record came from, by its sender's word; empty if the sender did not say. Use it as no path before it is checked.
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
     * The key of a content that travels elsewhere ({@link Envelope#detachedDigest}); the caller erases it, and compares the digest
     * before use.
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
     * @throws UnopenableEnvelopeException if no key fits, or something was altered; of a policy that no key satisfies it says which
     */
    public UnlockedEnvelope unlock(Envelope envelope) throws UnopenableEnvelopeException {
        return new UnlockedEnvelope(envelope, contentKey(envelope));
    }

    /** Why it could not be opened, so far. */
    private static final class Failure {
        boolean named;
        boolean uncommitted;

        private int distance = Integer.MAX_VALUE;
        private @Nullable Label nearest;
        private @Nullable Label wanted;

        /** Of several keys the one is kept that comes nearest; what it lacks is worked out at the end, once. */
        void unsatisfied(Label key, Label ciphertext, int lacking) {
            if (lacking < distance) {
                distance = lacking;
                nearest = key;
                wanted = ciphertext;
            }
        }

        boolean isExplained() {
            return named || uncommitted || nearest != null;
        }

        UnopenableEnvelopeException of(Envelope envelope, boolean reached) {
            if (reached) {
                return new UnopenableEnvelopeException(
                        Reason.WORK_LIMIT,
                        "work-limit: " + envelope.id() + " asks for more work than the " + OpeningWork.MAX_STEPS
                                + " steps that an envelope may take; nobody seals like that but to hold up whoever opens it",
                        List.of());
            }
            if (uncommitted) {
                return new UnopenableEnvelopeException(
                        "the content key of " + envelope.id() + " is not the one that the envelope commits to");
            }
            if (named) {
                return new UnopenableEnvelopeException(
                        "the wrapped key or the header of " + envelope.id() + " was altered");
            }
            if (nearest != null && wanted != null && distance > 0) {
                UnsatisfiedPolicyException unsatisfied = UnsatisfiedPolicyException.of(nearest, wanted);
                return new UnopenableEnvelopeException(
                        Reason.UNSATISFIED,
                        envelope.id() + ": " + unsatisfied.getMessage(),
                        unsatisfied.lacking().stream().map(Policy::toString).toList());
            }
            return new UnopenableEnvelopeException(
                    Reason.NO_KEY,
                    "no key here opens " + envelope.id() + ", which is wrapped for "
                            + envelope.wraps().stream()
                                    .limit(4)
                                    .map(WrappedKey::keyId)
                                    .toList(),
                    List.of());
        }
    }

    /**
     * The content key that some key unwraps and the envelope commits to. Anybody can wrap another key for a public key, so a wrap that
     * the envelope does not commit to is passed over. Wraps for the tenant's key cost next to nothing and come first.
     */
    private byte[] contentKey(Envelope envelope) throws UnopenableEnvelopeException {
        Failure failure = new Failure();
        OpeningWork work = new OpeningWork();
        for (WrappedKey wrap : envelope.wraps()) {
            byte[] contentKey = byTenantKey(envelope, wrap, failure);
            if (contentKey != null) {
                return contentKey;
            }
        }
        for (WrappedKey wrap : envelope.wraps()) {
            if (wrap.algorithm().equals(PolicyWrap.ALGORITHM) && !work.isReached()) {
                byte[] contentKey = byPolicy(envelope, wrap, failure, work);
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

    /** No key is of the epoch, or of the pair: what the keys lack is said by their attributes, unless these would do. */
    private void compareWithKeysOfOtherEpochs(Envelope envelope, Failure failure, OpeningWork work) {
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

    private byte @Nullable [] byTenantKey(Envelope envelope, WrappedKey wrap, Failure failure) {
        for (KemSecretKey key : keys) {
            if (wrap.isFor(key)) {
                failure.named = true;
                byte[] contentKey = committed(envelope, wrap.open(key, envelope.headerDigest()), failure);
                if (contentKey != null) {
                    return contentKey;
                }
            }
        }
        return null;
    }

    /** By the first key that satisfies the policy, and no other: each that does finds the same, or refuses as it does (docs/spec/abe-kem.md, 2). */
    private byte @Nullable [] byPolicy(Envelope envelope, WrappedKey wrap, Failure failure, OpeningWork work) {
        try {
            byte[] ciphertext = PolicyWrap.attributeCiphertext(wrap);
            Label label = PolicyWrap.label(wrap);
            for (ReaderKey key : readers.candidates(wrap.keyId(), ciphertext, work)) {
                if (!key.policyKey().takes(label) || !work.compares(label)) {
                    return null;
                }
                int distance = key.label().distance(label);
                if (distance == 0) {
                    return work.decapsulates(ciphertext) ? satisfied(envelope, wrap, key, failure) : null;
                }
                failure.unsatisfied(key.label(), label, distance);
            }
        } catch (MalformedEncodingException e) {
            return null; // nobody opens it
        }
        return null;
    }

    private static byte @Nullable [] satisfied(Envelope envelope, WrappedKey wrap, ReaderKey key, Failure failure) {
        try {
            Optional<byte[]> opened = PolicyWrap.open(wrap, key, envelope.headerDigest());
            failure.named = true;
            return committed(envelope, opened, failure);
        } catch (UnsatisfiedPolicyException e) {
            throw new IllegalStateException("a policy holds, and its shares do not", e);
        }
    }

    private static byte @Nullable [] committed(Envelope envelope, Optional<byte[]> opened, Failure failure) {
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
        failure.uncommitted = true;
        return null;
    }
}
