package dev.veilgate.gateway.ingest;

import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.gateway.ChosenId;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/** Sealed mails whose index blocks a stranger replaced or altered. */
public final class ForgedMail {
    private static final int BINDING_BYTES = 32;
    private static final int ROWS = 256;
    private static final int TAG_BYTES = 13;
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

    /** The mail with another A in its first block, and the binding of the one before. */
    public static byte[] otherMask(byte[] mail) throws Exception {
        return changed(mail, (bytes, envelope) -> flip(bytes, 8 * (envelope.payloadOffset(0) + A_AT)));
    }

    /**
     * The mail, which has two blocks of one size at least, with mask and binding of the first block in the second, too.
     */
    public static byte[] sharedMask(byte[] mail) throws Exception {
        return changed(
                mail,
                (bytes, envelope) -> System.arraycopy(
                        bytes,
                        envelope.payloadOffset(0) + A_AT,
                        bytes,
                        envelope.payloadOffset(1) + A_AT,
                        N * A_BITS / 8 + BINDING_BYTES));
    }

    /**
     * The mail with a bit of each tag of its first block flipped, which no check can notice: what is in the block is
     * found no more.
     *
     * @param at which bit of each tag, so that there are some that differ
     */
    public static byte[] bitFlipped(byte[] mail, int at) throws Exception {
        return changed(mail, (bytes, envelope) -> flipBit(bytes, envelope.payloadOffset(0), at));
    }

    /** {@link #bitFlipped} of the block whose payload begins at a place. */
    public static void flipBit(byte[] envelope, int payloadAt, int at) {
        int slots = (envelope[payloadAt + 2] & 0xff) + 1;
        int tagsAt = payloadAt + A_AT + N * A_BITS / 8 + BINDING_BYTES + ROWS * slots / 8;
        for (int slot = 0; slot < slots; slot++) {
            flip(envelope, 8 * (tagsAt + TAG_BYTES * slot) + at % (8 * TAG_BYTES));
        }
        int more = at / (8 * TAG_BYTES);
        if (more > 0) { // of the last one another, never the same
            flip(envelope, 8 * (tagsAt + TAG_BYTES * (slots - 1)) + (at + more) % (8 * TAG_BYTES));
        }
    }

    private static void flip(byte[] bytes, int bit) {
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
    }

    /**
     * The sealed mail with another index, of these words and under this bundle, whose envelope has the id of the one
     * before: as an earlier version's mail would be if it were sealed today.
     */
    public static byte[] sealedAnew(byte[] mail, PublicBundle bundle, String epoch, String... words) throws Exception {
        return sealedAnew(mail, Envelope.decode(index(mail)).id(), bundle, epoch, words);
    }

    /** {@link #sealedAnew} of an envelope with any id. */
    public static byte[] sealedAnew(byte[] mail, UUID id, PublicBundle bundle, String epoch, String... words)
            throws Exception {
        Envelope before = Envelope.decode(index(mail));
        ChosenId chosen = new ChosenId(id);
        List<Posting> postings = Arrays.stream(words)
                .map(word -> Posting.of(Keyword.text("word", word), 0))
                .toList();
        EnvelopeDraft draft = new EnvelopeDraft(
                before.index().getFirst().scope(),
                epoch,
                before.first(),
                before.last(),
                "application/pkcs7-mime",
                List.of(),
                List.of(),
                List.of(),
                0);
        try (EnvelopeSealer sealer = new EnvelopeSealer(bundle, null, chosen.clock(), chosen)) {
            byte[] index = sealer.sealDetached(
                            draft, postings, before.detachedDigest().orElseThrow(), new byte[32], ChainPosition.first())
                    .bytes();
            return with(mail, index);
        }
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
        byte[] envelope = index(mail);
        byte[] other = envelope.clone();
        change.apply(other, Envelope.decode(envelope));
        return with(mail, other);
    }

    /** The mail with another envelope. */
    private static byte[] with(byte[] mail, byte[] envelope) throws Exception {
        String text = new String(mail, StandardCharsets.ISO_8859_1);
        Base64.Encoder lines = Base64.getMimeEncoder();
        String was = lines.encodeToString(index(mail));
        if (!text.contains(was)) {
            throw new AssertionError("the mail does not hold its envelope in lines of 76 characters");
        }
        return text.replace(was, lines.encodeToString(envelope)).getBytes(StandardCharsets.ISO_8859_1);
    }
}
