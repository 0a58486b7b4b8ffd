package dev.veilgate.gateway.ingest;

import dev.veilgate.envelope.Envelope;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.UUID;

/** Sealed mails whose index blocks a stranger replaced, so that they match trapdoors of keywords that they do not hold. */
public final class ForgedMail {
    private static final BigInteger Q = BigInteger.valueOf(536_813_569);
    private static final int A_AT = 5;
    private static final int A_BITS = 29;
    private static final int N = 2048;

    private ForgedMail() {}

    /** The envelope of a sealed mail. */
    public static byte[] index(byte[] mail) throws Exception {
        return SealedMail.read(mail).orElseThrow().envelope();
    }

    private interface Change {
        void apply(byte[] envelope, Envelope decoded);
    }

    /**
     * The mail with A_(8j+r) = round(182·cos(pi·j/256 + r·pi/8)) in its first block: in one complex embedding of the ring of the kept coefficients, where A·t is
     * two real numbers for every trapdoor t.
     */
    public static byte[] waves(byte[] mail) throws Exception {
        return changed(mail, (bytes, envelope) -> putWave(bytes, envelope.payloadOffset(0)));
    }

    /** {@link #waves} in an envelope without a mail round it. */
    public static byte[] wavesInEnvelope(byte[] envelope) throws Exception {
        byte[] changed = envelope.clone();
        putWave(changed, Envelope.decode(envelope).payloadOffset(0));
        return changed;
    }

    /** The mail, which has two blocks at least, with the A of the first block in the second, too. */
    public static byte[] sharedMask(byte[] mail) throws Exception {
        return changed(
                mail,
                (bytes, envelope) -> System.arraycopy(
                        bytes,
                        envelope.payloadOffset(0) + A_AT,
                        bytes,
                        envelope.payloadOffset(1) + A_AT,
                        N * A_BITS / 8));
    }

    /**
     * The mail with one bit of the A of its first block flipped, which no check can notice: what is in the block is found no more.
     *
     * @param coefficient of A, so that there are many that differ
     */
    public static byte[] bitFlipped(byte[] mail, int coefficient) throws Exception {
        return changed(mail, (bytes, envelope) -> flipBit(bytes, envelope.payloadOffset(0), coefficient));
    }

    /** {@link #bitFlipped} of the block whose payload begins at a place. */
    public static void flipBit(byte[] envelope, int payloadAt, int coefficient) {
        int first = 8 * (payloadAt + A_AT) + A_BITS * coefficient;
        for (int bit = A_BITS - 1; bit >= A_BITS - 3; bit--) { // one that is set, so that it stays below q
            if ((envelope[(first + bit) / 8] >> (first + bit) % 8 & 1) != 0) {
                envelope[(first + bit) / 8] ^= (byte) (1 << (first + bit) % 8);
                return;
            }
        }
        int bit = first + A_BITS - 2; // an eighth of q at most, and a quarter more
        envelope[bit / 8] ^= (byte) (1 << bit % 8);
    }

    /** An envelope with another id, to which its index is not bound. */
    public static byte[] envelopeWithId(byte[] envelope, UUID id) throws Exception {
        byte[] changed = envelope.clone();
        putId(changed, Envelope.decode(envelope).id(), id);
        return changed;
    }

    private static void putId(byte[] envelope, UUID was, UUID id) {
        String hex = HexFormat.of().formatHex(envelope);
        int at = hex.indexOf(was.toString().replace("-", "")) / 2;
        byte[] bytes = HexFormat.of().parseHex(id.toString().replace("-", ""));
        System.arraycopy(bytes, 0, envelope, at, bytes.length);
    }

    private static byte[] changed(byte[] mail, Change change) throws Exception {
        byte[] envelope = SealedMail.read(mail).orElseThrow().envelope();
        byte[] other = envelope.clone();
        change.apply(other, Envelope.decode(envelope));
        String text = new String(mail, StandardCharsets.ISO_8859_1);
        Base64.Encoder lines = Base64.getMimeEncoder();
        String was = lines.encodeToString(envelope);
        if (!text.contains(was)) {
            throw new AssertionError("the mail does not hold its envelope in lines of 76 characters");
        }
        return text.replace(was, lines.encodeToString(other)).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void putWave(byte[] envelope, int payloadAt) {
        BigInteger packed = BigInteger.ZERO;
        for (int i = N - 1; i >= 0; i--) {
            long a = Math.round(182 * Math.cos(Math.PI * (i / 8) / 256 + i % 8 * Math.PI / 8));
            packed = packed.shiftLeft(A_BITS).or(BigInteger.valueOf(a).mod(Q));
        }
        byte[] bigEndian = packed.toByteArray();
        for (int i = 0; i < N * A_BITS / 8; i++) { // packed least significant bit first
            int from = bigEndian.length - 1 - i;
            envelope[payloadAt + A_AT + i] = from < 0 ? 0 : bigEndian[from];
        }
    }
}
