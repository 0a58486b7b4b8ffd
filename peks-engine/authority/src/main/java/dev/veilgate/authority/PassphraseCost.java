package dev.veilgate.authority;

import dev.veilgate.encoding.MalformedEncodingException;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * What one guess of a passphrase costs: the parameters of Argon2id, version 1.3 (RFC 9106). The default takes twice the memory of the RFC's
 * second recommendation (t = 3, p = 4, 64 MiB), and about a second.
 *
 * @param memoryKiB   memory, 8 a lane to {@link #MAX_MEMORY_KIB}
 * @param iterations  passes over it, 1 to 64
 * @param lanes       1 to 16
 */
public record PassphraseCost(int memoryKiB, int iterations, int lanes) {
    /** Most memory: a key file from elsewhere cannot ask for more. */
    public static final int MAX_MEMORY_KIB = 512 << 10;

    /** Most work, memory times passes: a minute or less. */
    static final long MAX_WORK_KIB = 8L << 20;

    /** For keys that matter. */
    public static final PassphraseCost DEFAULT = new PassphraseCost(128 << 10, 3, 4);

    /** Salt bytes. */
    static final int SALT_BYTES = 16;

    /** @throws IllegalArgumentException out of range */
    public PassphraseCost {
        if (lanes < 1 || lanes > 16 || iterations < 1 || iterations > 64) {
            throw new IllegalArgumentException("must have 1 to 16 lanes and 1 to 64 passes");
        }
        if (memoryKiB < 8 * lanes || memoryKiB > MAX_MEMORY_KIB || (long) memoryKiB * iterations > MAX_WORK_KIB) {
            throw new IllegalArgumentException("must use 8 KiB a lane to " + (MAX_MEMORY_KIB >> 10)
                    + " MiB of memory, and memory times passes at most " + (MAX_WORK_KIB >> 20) + " GiB");
        }
    }

    static PassphraseCost ofUntrusted(int memoryKiB, int iterations, int lanes) throws MalformedEncodingException {
        try {
            return new PassphraseCost(memoryKiB, iterations, lanes);
        } catch (IllegalArgumentException e) {
            throw new MalformedEncodingException("key-file.argon2id", String.valueOf(e.getMessage()));
        }
    }

    /** 32 bytes of key. */
    byte[] derive(byte[] passphrase, byte[] salt) {
        Argon2BytesGenerator argon2 = new Argon2BytesGenerator();
        argon2.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                .withMemoryAsKB(memoryKiB)
                .withIterations(iterations)
                .withParallelism(lanes)
                .withSalt(salt)
                .build());
        byte[] key = new byte[32];
        argon2.generateBytes(passphrase, key);
        return key;
    }
}
