package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.math.ring.Modulus;
import dev.veilgate.math.ring.NegacyclicNtt;
import dev.veilgate.math.ring.RingSampling;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.SlotMatch;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The scheme by its definitions, with nothing left out and nothing made fast: what the engine's short cuts are compared
 * to.
 */
final class PlainTwin {
    private PlainTwin() {}

    /** a·t mod q, by transforms; t in any range. */
    static int[] product(NtruParameters p, int[] a, int[] t) {
        NegacyclicNtt ring = p.ring();
        Modulus modulus = ring.modulus();
        int[] left = a.clone();
        int[] right = Arrays.stream(t).map(modulus::canonical).toArray();
        ring.forwardInPlace(left);
        ring.forwardInPlace(right);
        for (int i = 0; i < left.length; i++) {
            left[i] = modulus.multiply(left[i], right[i]);
        }
        ring.inverseInPlace(left);
        return left;
    }

    /** a·t mod q, term by term, for a in [0, 2^30) and |t| up to 2^19. */
    static int[] schoolbook(NtruParameters p, int[] a, int[] t) {
        int n = p.n();
        int[] out = new int[n];
        for (int k = 0; k < n; k++) {
            long sum = 0;
            for (int i = 0; i <= k; i++) {
                sum += (long) a[i] * t[k - i];
            }
            for (int i = k + 1; i < n; i++) {
                sum -= (long) a[i] * t[n + k - i];
            }
            out[k] = Math.floorMod(sum, p.q());
        }
        return out;
    }

    /** G by its definition: AES-256-CTR under HMAC-SHA-256, signs before masks, least significant bit first. */
    static int[] rho(NtruParameters p, byte[] binding) {
        int planes = p == NtruParameters.N2048_Q29 ? 3 : 2;
        byte[] domain = "veilgate/ntru-peks/shift/1".getBytes(StandardCharsets.US_ASCII);
        byte[] stream;
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(binding, "HmacSHA256"));
            mac.update((byte) domain.length);
            Cipher aes = Cipher.getInstance("AES/CTR/NoPadding");
            aes.init(
                    Cipher.ENCRYPT_MODE,
                    new SecretKeySpec(mac.doFinal(domain), "AES"),
                    new IvParameterSpec(new byte[16]));
            stream = aes.doFinal(new byte[planes * p.n() / 8]);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        int[] rho = new int[p.n()];
        for (int i = 0; i < rho.length; i++) {
            boolean negative = (stream[i / 8] >> i % 8 & 1) == 1;
            boolean zero = false;
            for (int plane = 1; plane < planes; plane++) {
                zero |= (stream[plane * p.n() / 8 + i / 8] >> i % 8 & 1) == 0;
            }
            rho[i] = zero ? 0 : negative ? -1 : 1;
        }
        return rho;
    }

    /** A0 + rho·h. */
    static int[] shifted(NtruParameters p, PublicKey publicKey, int[] a0, byte[] binding) {
        int[] product = product(p, publicKey.h(), rho(p, binding));
        int[] a = new int[a0.length];
        Arrays.setAll(a, i -> (a0[i] + product[i]) % p.q());
        return a;
    }

    /** The coefficients j = 0 mod N/L. */
    static int[] kept(NtruParameters p, int[] c) {
        int[] out = new int[p.kept()];
        for (int j = 0; j < out.length; j++) {
            out[j] = c[j * (p.n() / p.kept())];
        }
        return out;
    }

    /** H1(w), as coefficients. */
    static int[] hash(NtruParameters p, PublicKey publicKey, KeywordDomain domain, Keyword keyword) {
        int[] h1 = new int[p.n()];
        RingSampling.hashToRingHat(
                domain.hashInput(publicKey.id(), keyword), p.ring().modulus(), h1);
        p.ring().inverseInPlace(h1);
        return h1;
    }

    /** round(2v/q) mod 2. */
    static int high(long v, long q) {
        return (int) ((4 * v + q) / (2 * q) % 2);
    }

    /** floor(4v/q) mod 2. */
    static int low(long v, long q) {
        return (int) (4 * v / q % 2);
    }

    /**
     * The high bit of the v that has the low bit b and is nearest to c: v lies in the quarter b or b + 2 of the circle.
     */
    static int keyBit(long c, int b, long q) {
        long first = distance(8 * c, (2L * b + 1) * q, 8 * q);
        long second = distance(8 * c, (2L * b + 5) * q, 8 * q);
        int quarter = first <= second ? b : b + 2;
        return quarter == 1 || quarter == 2 ? 1 : 0;
    }

    private static long distance(long x, long y, long circle) {
        long d = Math.floorMod(x - y, circle);
        return Math.min(d, circle - d);
    }

    /** High or low bits of values, least significant first. */
    static byte[] bits(int[] values, NtruParameters p, boolean high) {
        byte[] out = new byte[values.length / 8];
        for (int j = 0; j < values.length; j++) {
            int bit = high ? high(values[j], p.q()) : low(values[j], p.q());
            out[j >> 3] |= (byte) (bit << (j & 7));
        }
        return out;
    }

    /** A slot's key: from c = A·t at the kept coefficients and the slot's bits. */
    static byte[] slotKey(NtruParameters p, int[] c, byte[] column) {
        byte[] key = new byte[p.kept() / 8];
        for (int j = 0; j < p.kept(); j++) {
            int b = column[j >> 3] >> (j & 7) & 1;
            key[j >> 3] |= (byte) (keyBit(c[j], b, p.q()) << (j & 7));
        }
        return key;
    }

    /** Test without early rejection: every slot is decoded, and its tag alone decides. */
    static List<SlotMatch> match(PlainBlock block, byte[] binding, int[] t) {
        NtruParameters p = block.parameters;
        int[] c = kept(p, product(p, block.a, t));
        byte[] keyIfZero = slotKey(p, c, new byte[p.kept() / 8]);
        byte[] ones = new byte[p.kept() / 8];
        Arrays.fill(ones, (byte) -1);
        byte[] keyIfOne = slotKey(p, c, ones);
        List<SlotMatch> matches = new ArrayList<>();
        for (int slot = 0; slot < block.slots; slot++) {
            byte[] column = block.columns[slot];
            byte[] key = new byte[column.length];
            for (int i = 0; i < key.length; i++) {
                key[i] = (byte) (keyIfZero[i] & ~column[i] | keyIfOne[i] & column[i]);
            }
            byte[] field = block.fields[slot];
            byte[] opened = PlainBlock.cryptField(key, binding, field);
            byte[] content = block.cells(block.references(opened));
            if (Arrays.equals(PlainBlock.tag(key, binding, column, field, content), block.tags[slot])) {
                int[] records = block.records(opened, PlainBlock.cryptCells(key, binding, content));
                matches.add(new SlotMatch(slot, RecordSet.of(records)));
            }
        }
        return matches;
    }

    /** The kept coefficients of r·u, u given by its transform. */
    static int[] keptProduct(NtruParameters p, BlockMask.Opened mask, int[] uHat) {
        int[] v = new int[p.kept()];
        mask.keptProductHat(v, uHat);
        p.keptRing().inverseInPlace(v);
        return v;
    }
}
