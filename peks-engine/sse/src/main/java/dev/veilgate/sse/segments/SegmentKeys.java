package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.Prf;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Keys of an archive's objects:
 *
 * <pre>
 *   Kv = derive("segments/v"), Ks = derive("segments/pages")
 *   v = HMAC(Kv, kind || how || archive || r || digest)
 *   key of a part = HMAC(Ks, kind || v || part)
 *   digest of a document = first 8 bytes of HMAC(Kd, archive || SHA-256(content)),  Kd = derive("segments/digests")
 * </pre>
 *
 * <p>Kd is of the first key for ever, see {@link EpochKey}.
 *
 * <p>r is random, and digest is of what the object says (how = 0) or of what that follows from (how = 1); so a key is
 * used twice only for the same bytes, even if r repeats. All of these have fixed lengths. Safe for use by several
 * threads.
 */
@Secret
public final class SegmentKeys {
    /** Bytes of the name of an archive. */
    public static final int ARCHIVE_BYTES = 16;

    /** Bytes of an object's v. */
    static final int V_BYTES = Prf.BYTES;

    /** Bytes of r. */
    static final int R_BYTES = 32;

    private final Prf ofObjects;
    private final Prf ofParts;
    private final Prf ofContents;
    private final byte[] archive;
    private final int epoch;

    private SegmentKeys(Prf ofObjects, Prf ofParts, Prf ofContents, byte[] archive, int epoch) {
        this.ofObjects = ofObjects;
        this.ofParts = ofParts;
        this.ofContents = ofContents;
        this.archive = archive;
        this.epoch = epoch;
    }

    /**
     * The keys of an archive.
     *
     * @param archive its random name, {@value #ARCHIVE_BYTES} bytes
     */
    public static SegmentKeys of(ArchiveKey key, byte[] archive) {
        return of(EpochKey.first(key), archive);
    }

    /** The keys of an archive in an epoch. */
    static SegmentKeys of(EpochKey epoch, byte[] archive) {
        if (archive.length != ARCHIVE_BYTES) {
            throw new IllegalArgumentException("an archive's name has " + ARCHIVE_BYTES + " bytes");
        }
        byte[] digestsKey = epoch.digestsKey();
        try {
            return new SegmentKeys(
                    epoch.key().prf("segments/v"),
                    epoch.key().prf("segments/pages"),
                    Prf.of(digestsKey),
                    archive.clone(),
                    epoch.epoch());
        } finally {
            Arrays.fill(digestsKey, (byte) 0);
        }
    }

    /** Epoch of the key that they follow from. */
    int epoch() {
        return epoch;
    }

    /** Subject of a digest. */
    enum Of {
        /** All that the object says. */
        CONTENT,
        /** The objects that it is made from, of which it is a function. */
        INPUTS
    }

    synchronized byte[] v(ObjectKind kind, Of how, byte[] r, byte[] digest) {
        return ofObjects.apply(ByteBuffer.allocate(2 + ARCHIVE_BYTES + R_BYTES + digest.length)
                .put(kind.code)
                .put((byte) how.ordinal())
                .put(archive)
                .put(r)
                .put(digest)
                .array());
    }

    synchronized PageCipher cipher(ObjectKind kind, byte[] v, int part) {
        byte[] key = ofParts.apply(ByteBuffer.allocate(2 + V_BYTES)
                .put(kind.code)
                .put(v)
                .put((byte) part)
                .array());
        try {
            return new PageCipher(key);
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    synchronized byte[] digest(byte[] sha256) {
        return Arrays.copyOf(ofContents.apply(archive, sha256), ArchivedDocument.DIGEST_BYTES);
    }

    /** Shows nothing. */
    @Override
    public String toString() {
        return "SegmentKeys[hidden]";
    }
}
