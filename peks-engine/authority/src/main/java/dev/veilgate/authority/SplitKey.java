package dev.veilgate.authority;

import dev.veilgate.secret.Secret;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A fresh random key of a backup: the cipher under it, and the shares it is given up to. */
@Secret
final class SplitKey implements AutoCloseable {
    private static final int KEY_BYTES = 32;

    private final BackupHeader header;
    private final BackupCipher cipher;
    private final List<KeyShare> shares;

    private SplitKey(BackupHeader header, BackupCipher cipher, List<KeyShare> shares) {
        this.header = header;
        this.cipher = cipher;
        this.shares = shares;
    }

    /**
     * Draws a key and an id, and splits the key.
     *
     * @param of what the backup is of, in clear
     * @throws IllegalArgumentException for numbers of shares that cannot be
     */
    static SplitKey fresh(String of, int threshold, int count, Instant now, SecureRandom random) {
        byte[] id = new byte[KeyShare.ID_BYTES];
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(id);
        random.nextBytes(key);
        byte[][] values = new byte[0][];
        try {
            values = ShamirSharing.split(key, threshold, count, random);
            BackupHeader header = new BackupHeader(of, id, now.getEpochSecond(), threshold, count);
            List<KeyShare> shares = new ArrayList<>();
            for (int i = 1; i <= count; i++) {
                shares.add(new KeyShare(id, threshold, count, i, values[i - 1]));
            }
            return new SplitKey(header, new BackupCipher(key, header.binding()), List.copyOf(shares));
        } finally {
            Arrays.fill(key, (byte) 0);
            for (byte[] value : values) {
                Arrays.fill(value, (byte) 0);
            }
        }
    }

    BackupHeader header() {
        return header;
    }

    BackupCipher cipher() {
        return cipher;
    }

    /** The shares, which are closed by whoever takes them. */
    List<KeyShare> shares() {
        return shares;
    }

    /** Erases the key; the shares are as they were. */
    @Override
    public void close() {
        cipher.close();
    }
}
