package dev.veilgate.sse.segments;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.ArchiveKey;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * A key of an archive with its epoch: the first is 1, and each that takes the place of another has the next number.
 * Everything is derived from the key but the key of documents' digests, which is the first epoch's for ever: digests
 * that are there cannot be made anew without the documents.
 */
@Secret
public final class EpochKey implements AutoCloseable {
    /** Highest epoch. */
    public static final int MAX_EPOCH = 1 << 20;

    /** Bytes of the key of digests. */
    public static final int DIGESTS_BYTES = 32;

    private static final String DIGESTS = "segments/digests";

    private final int epoch;
    private final ArchiveKey key;
    private final byte[] digestsKey;

    private EpochKey(int epoch, ArchiveKey key, byte[] digestsKey) {
        this.epoch = epoch;
        this.key = key;
        this.digestsKey = digestsKey;
    }

    /** The first key of an archive. */
    public static EpochKey first(ArchiveKey key) {
        return new EpochKey(1, key, key.derive(DIGESTS));
    }

    /**
     * A key that was kept.
     *
     * @param digestsKey as {@link #digestsKey} gave it; the caller wipes it
     */
    public static EpochKey of(int epoch, ArchiveKey key, byte[] digestsKey) throws MalformedEncodingException {
        if (epoch < 1 || epoch > MAX_EPOCH || digestsKey.length != DIGESTS_BYTES) {
            throw new MalformedEncodingException("epoch-key", "must have an epoch from 1 on, and a key of digests");
        }
        return new EpochKey(epoch, key, digestsKey.clone());
    }

    /** A fresh key for the next epoch; draws 32 bytes. */
    public EpochKey next(SecureRandom random) {
        if (epoch == MAX_EPOCH) {
            throw new IllegalStateException("an archive has at most " + MAX_EPOCH + " keys");
        }
        return new EpochKey(epoch + 1, ArchiveKey.random(random), digestsKey.clone());
    }

    /** Number of the key, from 1. */
    public int epoch() {
        return epoch;
    }

    /** The key. */
    public ArchiveKey key() {
        return key;
    }

    /** The key of documents' digests, which the caller wipes. */
    public byte[] digestsKey() {
        return digestsKey.clone();
    }

    /** Compares two keys with their epochs. */
    public boolean isSame(EpochKey other) {
        return epoch == other.epoch && key.equals(other.key) && MessageDigest.isEqual(digestsKey, other.digestsKey);
    }

    /** Erases both keys. */
    @Override
    public void close() {
        key.close();
        Arrays.fill(digestsKey, (byte) 0);
    }

    /** Shows the epoch only. */
    @Override
    public String toString() {
        return "EpochKey[hidden, " + epoch + "]";
    }
}
