package dev.veilgate.sse.januspp;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.AesBlocks;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.SetSum;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The owner's keys of one word. They follow from W = F(k, w), 32 bytes, of which the first 16 are a key of AES:
 *
 * <pre>
 *   name, tag, cache = AES_W(0, j), j = 0, 1, 2
 *   entries_i        = AES_W(1, i)                of generation i: the number of searches that met updates, from 1
 *   secret_i         = AES_W(2, i)                that is punctured
 *   deletions_i      = AES_W(3, i)
 *   t                = first bits of AES_tag(id, 0)
 *   weight           = AES_tag(id, 1)
 * </pre>
 */
@Secret
final class WordKeys {
    private static final int ENTRIES = 1;
    private static final int SECRET = 2;
    private static final int DELETIONS = 3;

    private final byte[] word;
    private final byte[] fixed;
    private final AesBlocks aes;

    /** @param word W */
    WordKeys(byte[] word, AesBlocks aes) {
        this.word = word;
        this.aes = aes;
        byte[] blocks = new byte[3 * AesBlocks.BYTES];
        for (int i = 0; i < 3; i++) {
            blocks[i * AesBlocks.BYTES + AesBlocks.BYTES - 1] = (byte) i;
        }
        fixed = aes.encryptWith(word, 0).of(blocks);
    }

    /** Names the word's state in the owner's cells. */
    byte[] name() {
        return Arrays.copyOf(fixed, AesBlocks.BYTES);
    }

    /** Names what a server has found of the word. */
    byte[] cache() {
        return Arrays.copyOfRange(fixed, 2 * AesBlocks.BYTES, 3 * AesBlocks.BYTES);
    }

    /** Makes the labels of a generation's entries. */
    byte[] entries(long generation) {
        return aes.encryptWith(word, 0).of(ENTRIES, generation);
    }

    /** The key of a generation that is punctured. */
    byte[] secret(long generation) {
        return aes.encryptWith(word, 0).of(SECRET, generation);
    }

    /** Makes labels and masks of a generation's deletions. */
    byte[] deletions(long generation) {
        return aes.encryptWith(word, 0).of(DELETIONS, generation);
    }

    /** The tag of an id, of so many bits. */
    long tag(DocumentId id, int bits) {
        return ByteBuffer.wrap(aes.encryptWith(fixed, AesBlocks.BYTES).of(id.value(), 0))
                        .getLong()
                >>> Long.SIZE - bits;
    }

    /** The weight of an id in the sum of those that live. */
    byte[] weight(DocumentId id) {
        return aes.encryptWith(fixed, AesBlocks.BYTES).of(id.value(), 1);
    }

    /** The sum of ids. */
    SetSum sum(Iterable<DocumentId> ids) {
        aes.encryptWith(fixed, AesBlocks.BYTES);
        SetSum sum = SetSum.NONE;
        for (DocumentId id : ids) {
            sum = sum.plus(aes.of(id.value(), 1), 0);
        }
        return sum;
    }

    /** W, from which all follow. */
    byte[] encode() {
        return word;
    }

    @Override
    public String toString() {
        return "WordKeys[hidden]";
    }
}
