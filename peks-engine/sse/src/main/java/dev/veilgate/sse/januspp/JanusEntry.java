package dev.veilgate.sse.januspp;

import dev.veilgate.sse.AesBlocks;
import dev.veilgate.sse.DocumentId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Layouts of entries and deletions, with their labels in front.
 *
 * <pre>
 *   entry     = l, r, t, id xor mask(t, l xor (r, 0))         8 random bytes r, 8 bytes t
 *   deletion  = l, r, puncture xor AES_x(r, n) of all n       x = AES_deletions(j, 1) of deletion j
 *   l         = AES_entries(n, 0), AES_deletions(j, 0)
 * </pre>
 */
final class JanusEntry {
    static final int SALT_BYTES = 8;
    static final int BYTES = AesBlocks.BYTES + SALT_BYTES + Long.BYTES + DocumentId.BYTES;

    private JanusEntry() {}

    /** The tag of an entry without its label. */
    static long tag(byte[] value) {
        return tag(value, 0);
    }

    /** The tag of an entry with so many bytes in front of its salt. */
    static long tag(byte[] entry, int at) {
        return ByteBuffer.wrap(entry).getLong(at + SALT_BYTES);
    }

    static byte[] joined(byte[] label, byte[] value) {
        byte[] entry = Arrays.copyOf(label, label.length + value.length);
        System.arraycopy(value, 0, entry, label.length, value.length);
        return entry;
    }

    static byte[] entry(byte[] label, byte[] salt, long tag, long masked) {
        return ByteBuffer.allocate(BYTES)
                .put(label)
                .put(salt)
                .putLong(tag)
                .putLong(masked)
                .array();
    }

    /** The tweak of an entry's mask. */
    static byte[] tweak(byte[] label, byte[] salted, int saltAt) {
        byte[] tweak = Arrays.copyOf(label, AesBlocks.BYTES);
        for (int i = 0; i < SALT_BYTES; i++) {
            tweak[i] ^= salted[saltAt + i];
        }
        return tweak;
    }

    /** The ids of entries with their labels, whose tags are of no puncture. */
    static long[] open(List<byte[]> entries, byte[] punctures, byte[] whole, Puncturable scheme) {
        long[] tags = new long[entries.size()];
        ByteBuffer tweaks = ByteBuffer.allocate(tags.length * AesBlocks.BYTES);
        for (int i = 0; i < tags.length; i++) {
            byte[] entry = entries.get(i);
            tags[i] = tag(entry, AesBlocks.BYTES);
            tweaks.put(tweak(entry, entry, AesBlocks.BYTES));
        }
        long[] ids = scheme.masks(punctures, whole, tags, tweaks.array());
        for (int i = 0; i < ids.length; i++) {
            ids[i] ^= ByteBuffer.wrap(entries.get(i)).getLong(BYTES - DocumentId.BYTES);
        }
        return ids;
    }

    /** A deletion with its label; both keys follow from the deletions' one. */
    static byte[] deletion(byte[] deletions, long number, byte[] salt, byte[] puncture, AesBlocks aes) {
        byte[] label = aes.encryptWith(deletions, 0).of(number, 0);
        byte[] key = aes.of(number, 1);
        return ByteBuffer.allocate(label.length + salt.length + puncture.length)
                .put(label)
                .put(salt)
                .put(masked(puncture, 0, key, ByteBuffer.wrap(salt).getLong(), aes))
                .array();
    }

    /** The puncture in a deletion without its label. */
    static byte[] puncture(byte[] deletions, long number, byte[] value, AesBlocks aes) {
        byte[] key = aes.encryptWith(deletions, 0).of(number, 1);
        return masked(value, SALT_BYTES, key, ByteBuffer.wrap(value).getLong(), aes);
    }

    private static byte[] masked(byte[] from, int at, byte[] key, long salt, AesBlocks aes) {
        byte[] puncture = Arrays.copyOfRange(from, at, from.length);
        int blocks = (puncture.length + AesBlocks.BYTES - 1) / AesBlocks.BYTES;
        ByteBuffer counters = ByteBuffer.allocate(blocks * AesBlocks.BYTES);
        for (int i = 0; i < blocks; i++) {
            counters.putLong(salt).putLong(i);
        }
        byte[] mask = aes.encryptWith(key, 0).of(counters.array());
        for (int i = 0; i < puncture.length; i++) {
            puncture[i] ^= mask[i];
        }
        return puncture;
    }

    static int deletionBytes(Puncturable scheme) {
        return AesBlocks.BYTES + SALT_BYTES + scheme.punctureBytes();
    }
}
