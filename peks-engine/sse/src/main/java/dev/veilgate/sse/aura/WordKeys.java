package dev.veilgate.sse.aura;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.AesBlocks;
import java.util.Arrays;

/**
 * The owner's keys of one word. They follow from W = F(k, w), 32 bytes, of which the first 16 are a key of AES:
 *
 * <pre>
 *   name, tag, cache = AES_W(0, j), j = 0, 1, 2
 *   label_i          = AES_W(1, i)                of generation i: the number of searches that met updates, from 1
 *   root_i           = AES_W(2, i)
 * </pre>
 */
@Secret
final class WordKeys {
    private static final int FIXED = 0;
    private static final int LABEL = 1;
    private static final int ROOT = 2;

    private final byte[] word;
    private final byte[] fixed;

    /** @param word W */
    WordKeys(byte[] word, AesBlocks aes) {
        this.word = word;
        byte[] blocks = new byte[3 * AesBlocks.BYTES];
        for (int i = 0; i < 3; i++) {
            blocks[i * AesBlocks.BYTES + AesBlocks.BYTES - 1] = (byte) i;
        }
        fixed = aes.encryptWith(word, FIXED).of(blocks);
    }

    /** Names the word's state in the owner's cells. */
    byte[] name() {
        return Arrays.copyOf(fixed, AesBlocks.BYTES);
    }

    /** Makes the word's tags. */
    byte[] tagKey() {
        return Arrays.copyOfRange(fixed, AesBlocks.BYTES, 2 * AesBlocks.BYTES);
    }

    /** Names what a server has decrypted of the word. */
    byte[] cache() {
        return Arrays.copyOfRange(fixed, 2 * AesBlocks.BYTES, 3 * AesBlocks.BYTES);
    }

    /** Makes the labels of a generation's entries. */
    byte[] labelKey(long generation, AesBlocks aes) {
        return aes.encryptWith(word, 0).of(LABEL, generation);
    }

    /** The root of a generation's tree. */
    byte[] root(long generation, AesBlocks aes) {
        return aes.encryptWith(word, 0).of(ROOT, generation);
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
