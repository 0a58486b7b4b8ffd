package dev.veilgate.envelope;

import dev.veilgate.encoding.MalformedEncodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.crypto.AEADBadTagException;

/**
 * Opens envelopes with the tenant's secret key(s): authority side only. Safe for use by several threads; the keys stay the
 * caller's to close.
 *
 * <p>What it returns is what the holder of the content key sealed under this header: every record, in order. Who that was, only {@link
 * Envelope#signedBy} says.
 */
public final class EnvelopeOpener {
    private final List<KemSecretKey> keys;

    /** @param keys the present key and earlier ones; the one that a wrap names is used */
    public EnvelopeOpener(List<KemSecretKey> keys) {
        this.keys = List.copyOf(keys);
    }

    /**
     * All records, byte for byte; none for a heartbeat, a loss report, or an envelope whose content is elsewhere.
     *
     * @throws UnopenableEnvelopeException if no key fits, or something was altered
     */
    public List<byte[]> open(Envelope envelope) throws UnopenableEnvelopeException {
        int count = envelope.sealedRecords();
        List<byte[]> records = new ArrayList<>(count);
        if (count > 0) {
            try (ContentKey key = recordKey(envelope)) {
                for (int i = 0; i < count; i++) {
                    records.add(open(envelope, key, i));
                }
            }
        }
        return records;
    }

    /**
     * One record.
     *
     * @throws IllegalArgumentException if there is no such record inside
     */
    public byte[] openRecord(Envelope envelope, int ordinal) throws UnopenableEnvelopeException {
        if (ordinal < 0 || ordinal >= envelope.sealedRecords()) {
            throw new IllegalArgumentException("there is no such record");
        }
        try (ContentKey key = recordKey(envelope)) {
            return open(envelope, key, ordinal);
        }
    }

    /**
     * Where each record came from, by its sender's word; empty if the sender did not say. Use it as no path before it is checked.
     *
     * @throws UnopenableEnvelopeException if no key fits, something was altered, or its sender sealed nonsense
     */
    public List<String> origins(Envelope envelope) throws UnopenableEnvelopeException {
        byte[] sealed = envelope.attributes();
        if (sealed == null) {
            return List.of();
        }
        byte[] contentKey = contentKey(envelope);
        try {
            return Origin.names(SealedAttributes.open(
                    contentKey, envelope.digestWithoutAttributes(), sealed, envelope.recordCount()));
        } catch (AEADBadTagException e) {
            throw new UnopenableEnvelopeException("the attributes of " + envelope.id() + " were altered");
        } catch (MalformedEncodingException e) {
            throw new UnopenableEnvelopeException("the attributes of " + envelope.id() + ": " + e.getMessage());
        } finally {
            Arrays.fill(contentKey, (byte) 0);
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
        return contentKey(envelope);
    }

    private static byte[] open(Envelope envelope, ContentKey key, int ordinal) throws UnopenableEnvelopeException {
        try {
            return key.openRecord(ordinal, envelope.sealedRecord(ordinal));
        } catch (AEADBadTagException e) {
            throw new UnopenableEnvelopeException("record " + ordinal + " of " + envelope.id() + " was altered");
        }
    }

    private ContentKey recordKey(Envelope envelope) throws UnopenableEnvelopeException {
        byte[] contentKey = contentKey(envelope);
        try {
            return new ContentKey(contentKey, envelope.headerDigest());
        } finally {
            Arrays.fill(contentKey, (byte) 0);
        }
    }

    /**
     * The content key that some key unwraps and the envelope commits to. Anybody can wrap another key for a public key, so a wrap that
     * the envelope does not commit to is passed over.
     */
    private byte[] contentKey(Envelope envelope) throws UnopenableEnvelopeException {
        boolean named = false;
        boolean uncommitted = false;
        for (WrappedKey wrap : envelope.wraps()) {
            for (KemSecretKey key : keys) {
                if (!wrap.isFor(key)) {
                    continue;
                }
                named = true;
                Optional<byte[]> contentKey = wrap.open(key, envelope.headerDigest());
                if (contentKey.isPresent()) {
                    if (isCommitted(envelope, contentKey.get())) {
                        return contentKey.get();
                    }
                    Arrays.fill(contentKey.get(), (byte) 0);
                    uncommitted = true;
                }
            }
        }
        if (uncommitted) {
            throw new UnopenableEnvelopeException(
                    "the content key of " + envelope.id() + " is not the one that the envelope commits to");
        }
        throw new UnopenableEnvelopeException(
                named
                        ? "the wrapped key or the header of " + envelope.id() + " was altered"
                        : "no key here opens " + envelope.id() + ", which is wrapped for "
                                + envelope.wraps().stream()
                                        .limit(4)
                                        .map(WrappedKey::keyId)
                                        .toList());
    }

    private static boolean isCommitted(Envelope envelope, byte[] contentKey) {
        byte[] commitment = envelope.commitment();
        try (ContentKey key = new ContentKey(contentKey, envelope.headerDigest())) {
            return commitment != null && key.commitsTo(commitment);
        }
    }
}
