package dev.veilgate.envelope;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.CborSequence;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.pq.SignatureParameters;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads a sender registry from its beginning to its end, an entry at a time. What it gives is what the authority signed
 * only when {@link #next} has said that there is no more: the digest of all entries is compared there.
 */
public final class SenderRegistryReader {
    /** Bytes before a key: a byte string of 256 to 65,535 bytes. */
    static final int ENTRY_HEAD_BYTES = 3;

    /** Head of a byte string whose length is in two bytes. */
    static final byte BYTE_STRING = 0x59;

    private static final int MIN_KEY_BYTES = 1 + 1 + 1 + 32 + SignatureParameters.ML_DSA_65.publicKeyBytes();
    private static final int MAX_KEY_BYTES = MIN_KEY_BYTES + 254;

    /** Most bytes of an entry. */
    static final int MAX_ENTRY_BYTES = ENTRY_HEAD_BYTES + MAX_KEY_BYTES;

    private final InputStream in;
    private final SenderRegistryHead head;
    private final MessageDigest entry = Hashes.sha256();
    private final MessageDigest all = Hashes.sha256();
    private byte[] lastName = new byte[0];
    private byte[] fingerprint = new byte[0];
    private int read;
    private long at;
    private long entryAt;

    /**
     * Reads and verifies the head.
     *
     * @param in     buffered; not closed by this
     * @param pinned the authority's fingerprint, as {@link PublicBundle#canonicalFingerprint} writes it
     * @throws RefusedRegistryException if another authority signed it, or nobody
     */
    public SenderRegistryReader(InputStream in, String pinned)
            throws IOException, MalformedEncodingException, RefusedRegistryException {
        byte[] first = new CborSequence("sender-registry", in, SenderRegistryHead.MAX_BYTES)
                .next()
                .orElseThrow(() -> new MalformedEncodingException("sender-registry", "is empty"));
        this.in = in;
        this.head = SenderRegistryHead.verify(first, pinned);
        this.at = first.length;
    }

    /** What the authority says of the entries. */
    public SenderRegistryHead head() {
        return head;
    }

    /**
     * The next sender; null at the end, which is where the authority said.
     *
     * @throws MalformedEncodingException if it is none, or not behind the one before in the order of names
     * @throws RefusedRegistryException   at the end, if these are not the entries that were signed
     */
    public @Nullable SenderPublicKey next() throws IOException, MalformedEncodingException, RefusedRegistryException {
        if (read == head.count()) {
            end();
            return null;
        }
        entryAt = at;
        byte[] encoded = entry();
        SenderPublicKey key = SenderPublicKey.decode(encoded);
        byte[] name = ByteWriter.utf8(key.sender());
        if (Arrays.compareUnsigned(lastName, name) >= 0) {
            throw new MalformedEncodingException(
                    "sender-registry.entry", "must be in ascending order of names, each once");
        }
        lastName = name;
        fingerprint = entry.digest(encoded);
        all.update(fingerprint);
        read++;
        return key;
    }

    private byte[] entry() throws IOException, MalformedEncodingException {
        int type = read();
        int length = read() << 8 | read();
        if (type != BYTE_STRING || length < MIN_KEY_BYTES || length > MAX_KEY_BYTES) {
            throw new MalformedEncodingException("sender-registry.entry", "must be the key of a sender");
        }
        byte[] encoded = in.readNBytes(length);
        if (encoded.length != length) {
            throw cut();
        }
        at += ENTRY_HEAD_BYTES + length;
        return encoded;
    }

    private int read() throws IOException, MalformedEncodingException {
        int next = in.read();
        if (next < 0) {
            throw cut();
        }
        return next;
    }

    private MalformedEncodingException cut() {
        MalformedEncodingException e = new MalformedEncodingException(
                "sender-registry",
                "is cut off: it has " + read + " of " + head.count()
                        + " entries; copy it again, aside and then to its name");
        e.initCause(new EOFException());
        return e;
    }

    private void end() throws IOException, MalformedEncodingException, RefusedRegistryException {
        if (in.read() >= 0) {
            throw new MalformedEncodingException("sender-registry", "has more bytes than its head says");
        }
        if (!MessageDigest.isEqual(all.digest(), head.digest())) {
            throw new RefusedRegistryException(
                    "the sender registry was altered: its entries are not those that its head was signed for; copy it again from your authority");
        }
    }

    /** SHA-256 of the last entry's key: its fingerprint. */
    byte[] fingerprint() {
        return fingerprint;
    }

    /** Where the last entry begins. */
    long entryAt() {
        return entryAt;
    }
}
