package dev.veilgate.random;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A stream of pseudorandom coins: the AES-256 keystream in counter mode (from counter 0) under a 32-byte seed.
 *
 * <p>Computationally indistinguishable from uniform bytes to whoever does not know the seed, if AES-256 is a
 * pseudorandom permutation; at most 2^40 bytes may be drawn from one seed. The same seed gives the same coins on every
 * JVM. It is not forward secure: erase it ({@link #close()}) as soon as the coins are drawn.
 *
 * <p>Not safe for use by several threads.
 */
public final class CoinStream implements AutoCloseable {
    /** Bytes of a seed. */
    public static final int SEED_BYTES = 32;

    private static final int BUFFER_BYTES = 4096;
    private static final long LOW_32 = 0xffff_ffffL;
    private static final byte[] ZEROS = new byte[BUFFER_BYTES];
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final Cipher cipher;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    /** The buffer, for copies in bulk. */
    private final IntBuffer words =
            ByteBuffer.wrap(buffer).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();

    private int used = BUFFER_BYTES;
    private boolean closed;

    private CoinStream(byte[] seed) {
        try {
            cipher = Cipher.getInstance("AES/CTR/NoPadding");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks AES/CTR/NoPadding", e);
        }
        reseed(seed);
    }

    /**
     * Starts the stream of another seed: the same coins as of {@link #ofSeed}, without the time that it takes to look up a
     * cipher, which is that of some kilobytes of coins. The caller wipes the seed.
     */
    public void reseed(byte[] seed) {
        if (seed.length != SEED_BYTES) {
            throw new IllegalArgumentException("a seed has " + SEED_BYTES + " bytes");
        }
        requireOpen();
        try {
            cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(seed, "AES"), new IvParameterSpec(new byte[16]));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES/CTR/NoPadding refused its key", e);
        }
        used = BUFFER_BYTES;
    }

    /** The stream of a seed that the caller knows; the caller wipes the seed. */
    public static CoinStream ofSeed(byte[] seed) {
        return new CoinStream(seed);
    }

    /** Fresh coins under a seed drawn from {@code random} (32 bytes). */
    public static CoinStream fresh(SecureRandom random) {
        byte[] seed = new byte[SEED_BYTES];
        random.nextBytes(seed);
        try {
            return new CoinStream(seed);
        } finally {
            Arrays.fill(seed, (byte) 0);
        }
    }

    /**
     * Coins of the pseudorandom function {@code seed = HMAC-SHA-256(key, len(domain) || domain || input)}: the same for
     * the same three arguments, independent of all others.
     *
     * @param key    secret, 32 bytes
     * @param domain names the use, at most 255 bytes of ASCII, so that no two uses share coins
     */
    public static CoinStream derived(byte[] key, String domain, byte[] input) {
        byte[] label = domain.getBytes(StandardCharsets.US_ASCII);
        if (label.length > 255 || !StandardCharsets.US_ASCII.newEncoder().canEncode(domain)) {
            throw new IllegalArgumentException("a domain has at most 255 bytes of ASCII");
        }
        if (key.length != SEED_BYTES) {
            throw new IllegalArgumentException("a key has " + SEED_BYTES + " bytes");
        }
        byte[] seed = null;
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update((byte) label.length);
            mac.update(label);
            seed = mac.doFinal(input);
            return new CoinStream(seed);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks HmacSHA256", e);
        } finally {
            if (seed != null) {
                Arrays.fill(seed, (byte) 0);
            }
        }
    }

    /** 32 uniform bits. */
    public int nextInt() {
        if (used > BUFFER_BYTES - 4) {
            refill();
        }
        int value = (int) INT.get(buffer, used);
        used += 4;
        return value;
    }

    /** 32 uniform bits each for {@code out[from] .. out[to - 1]}: what as many calls of {@link #nextInt()} return. */
    public void nextInts(int[] out, int from, int to) {
        for (int done = from; done < to; ) {
            if (used > BUFFER_BYTES - 4) {
                refill();
            }
            int take = Math.min(to - done, BUFFER_BYTES - used >> 2);
            if ((used & 3) == 0) {
                words.get(used >> 2, out, done, take);
            } else {
                for (int i = 0; i < take; i++) {
                    out[done + i] = (int) INT.get(buffer, used + 4 * i);
                }
            }
            used += 4 * take;
            done += take;
        }
    }

    /** 64 uniform bits. */
    public long nextLong() {
        if (used > BUFFER_BYTES - 8) {
            refill();
        }
        long value = (long) LONG.get(buffer, used);
        used += 8;
        return value;
    }

    /** 8 uniform bits, 0 to 255. */
    public int nextByte() {
        if (used == BUFFER_BYTES) {
            refill();
        }
        return buffer[used++] & 0xff;
    }

    /** Fills {@code out} with uniform bytes. */
    public void nextBytes(byte[] out) {
        for (int done = 0; done < out.length; ) {
            if (used == BUFFER_BYTES) {
                refill();
            }
            int take = Math.min(out.length - done, BUFFER_BYTES - used);
            System.arraycopy(buffer, used, out, done, take);
            used += take;
            done += take;
        }
    }

    /**
     * A uniform integer of [0, bound), exactly, by multiplication and rejection (Lemire, "Fast Random Integer Generation in an
     * Interval", 2019); 4 bytes are drawn, and again with probability below bound/2^32.
     *
     * @param bound 1 to 2^31 - 1
     */
    public int nextInt(int bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("bound must be positive");
        }
        while (true) {
            long product = (nextInt() & LOW_32) * bound;
            int low = (int) product;
            // values below 2^32 mod bound would make some results likelier; most draws need no division to see that
            // they are not
            if (Integer.compareUnsigned(low, bound) >= 0
                    || Integer.compareUnsigned(low, Integer.remainderUnsigned(-bound, bound)) >= 0) {
                return (int) (product >>> 32);
            }
        }
    }

    /** Puts a list in a uniformly random order, by Fisher and Yates. */
    public <T> void shuffle(List<T> list) {
        for (int i = list.size() - 1; i > 0; i--) {
            Collections.swap(list, i, nextInt(i + 1));
        }
    }

    /**
     * Uniform integers of [0, bound), exactly, for all of {@code out}: the rule of {@link #nextInt(int)}, one word a value, then
     * again for the values whose word was rejected, in order. Time depends on rejections only, never on the values.
     *
     * @param bound 1 to 2^31 - 1
     */
    public void nextInts(int[] out, int bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("bound must be positive");
        }
        long threshold = Integer.remainderUnsigned(-bound, bound); // 2^32 mod bound
        nextInts(out, 0, out.length);
        long rejected = 0;
        for (int i = 0; i < out.length; i++) {
            long product = (out[i] & LOW_32) * bound;
            long sign = (product & LOW_32) - threshold >> 63; // -1 for a word that would make some results likelier
            rejected |= sign;
            out[i] = (int) (product >>> 32 | sign);
        }
        if (rejected != 0) {
            for (int i = 0; i < out.length; i++) {
                if (out[i] < 0) {
                    out[i] = nextInt(bound);
                }
            }
        }
    }

    /** Erases the buffered coins. The cipher's own key schedule is left to the garbage collector, as Java's API has it. */
    @Override
    public void close() {
        Arrays.fill(buffer, (byte) 0);
        used = BUFFER_BYTES;
        closed = true;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the coin stream is closed");
        }
    }

    private void refill() {
        requireOpen();
        try {
            cipher.update(ZEROS, 0, BUFFER_BYTES, buffer, 0);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES-CTR failed", e);
        }
        used = 0;
    }
}
