package dev.veilgate.peks.pairing;

import dev.veilgate.math.pairing.Gt;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.random.CoinStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * What a slot's secret t of GT turns into, for the sender who chose it and for a trapdoor that computes it:
 *
 * <pre>
 *   okm     = HKDF-SHA-256(salt = binding, t, info = "veilgate/" || scheme || "/slot/1" || share, 96)
 *   locator = okm[0, 8)
 *   field   = bitmap of the records XOR the first bytes of okm[64, 96)
 *   tag     = first 16 bytes of HMAC-SHA-256(okm[32, 64), field)
 * </pre>
 *
 * <p>The binding ({@link BlockLayout#binding}) is of the block and its message: moved to another, a slot matches nothing. A key encrypts one field.
 *
 * <p>For one thread; {@link #close} erases it.
 */
public final class SlotKey implements AutoCloseable {
    private static final int PART_BYTES = 32;

    private final byte[] okm;

    private SlotKey(byte[] okm) {
        this.okm = okm;
    }

    /**
     * The key of a slot.
     *
     * @param t      the slot's secret
     * @param scheme the scheme's id
     * @param share  what is public of this slot alone; empty where the block's public part is that of all slots
     */
    public static SlotKey of(Gt t, byte[] binding, String scheme, byte[] share) {
        byte[] label = ("veilgate/" + scheme + "/slot/1").getBytes(StandardCharsets.US_ASCII);
        byte[] info = Arrays.copyOf(label, label.length + share.length);
        System.arraycopy(share, 0, info, label.length, share.length);
        byte[] ikm = t.encode();
        try {
            return new SlotKey(KDF.getInstance("HKDF-SHA256")
                    .deriveData(HKDFParameterSpec.ofExtract()
                            .addIKM(ikm)
                            .addSalt(binding)
                            .thenExpand(info, 3 * PART_BYTES)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks HKDF-SHA256", e);
        } finally {
            Arrays.fill(ikm, (byte) 0);
        }
    }

    /** Says in a Test whether a slot is this one. */
    public long locator() {
        return ByteBuffer.wrap(okm).getLong();
    }

    /** The slot, sealed. */
    public Slot seal(RecordSet records, SlotForm form, byte[] share) {
        byte[] field = records.toBitmap(form.records());
        crypt(field);
        return new Slot(share, locator(), tag(field), field);
    }

    /** A slot of no keyword: uniform bytes, which is what a slot looks like without its trapdoor. */
    public static Slot dummy(SlotForm form, CoinStream coins) {
        byte[] tag = new byte[SlotForm.TAG_BYTES];
        byte[] field = new byte[form.fieldBytes()];
        coins.nextBytes(tag);
        coins.nextBytes(field);
        return new Slot(new byte[0], coins.nextLong(), tag, field);
    }

    /** The records that a slot names; empty if its tag is not of this key, or if the bitmap names records beyond the last. */
    RecordSet open(byte[] tag, byte[] field, int records) {
        if (!MessageDigest.isEqual(tag, tag(field))) {
            return RecordSet.of();
        }
        crypt(field);
        RecordSet named = RecordSet.fromBitmap(field, records);
        return Arrays.equals(named.toBitmap(records), field) ? named : RecordSet.of();
    }

    private byte[] tag(byte[] field) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(okm, PART_BYTES, PART_BYTES, "HmacSHA256"));
            return Arrays.copyOf(mac.doFinal(field), SlotForm.TAG_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks HmacSHA256", e);
        }
    }

    private void crypt(byte[] field) {
        for (int i = 0; i < field.length; i++) {
            field[i] ^= okm[2 * PART_BYTES + i];
        }
    }

    /** Erases the key. */
    @Override
    public void close() {
        Arrays.fill(okm, (byte) 0);
    }
}
