package dev.veilgate.peks.pairing.zi07;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.IndexVerifier;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.peks.pairing.BlockLayout;
import dev.veilgate.peks.pairing.DecodedTrapdoor;
import dev.veilgate.peks.pairing.SlotKey;
import java.security.SecureRandom;
import java.util.List;

/**
 * Index blocks of {@link Zi07} behind the contract of {@link IndexScheme}: what the gateway runs. It needs no secret
 * and no public key.
 *
 * <p>A Test is, slot by slot, one pairing and one power in GT, e(u, d_w)·v^r_w, up to the slot that matches: nothing is
 * shared between slots, and no slot says anything of another. u is kept with both coordinates and v is not checked
 * again, so that a Test repeats no check that arrival has made.
 *
 * <p>Payload: version 1, slots - 1, records - 1, u compressed (48) and v (576) of each slot, locators (8 each,
 * ascending), tag (16) and field (ceil(records/8)) of each slot.
 */
public final class Zi07IndexScheme implements IndexScheme {
    /** The scheme's id. */
    public static final String ID = "zi07-peks";

    /** Most keywords of a block: some 20 kB, for larger ones save nothing. */
    static final int MAX_SLOTS = 32;

    static final BlockLayout LAYOUT =
            new BlockLayout(ID, MAX_SLOTS, slots -> slots * Share.BYTES, slots -> slots * Share.WIDE_BYTES);

    /** What the service loader makes. */
    public Zi07IndexScheme() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public IndexSealer sealer(byte[] publicKey, SecureRandom random) throws MalformedEncodingException {
        return new Zi07IndexSealer(PublicKey.decode(publicKey), random);
    }

    @Override
    public IndexVerifier verifier(byte[] publicKey) throws MalformedEncodingException {
        PublicKey.decode(publicKey);
        return IndexVerifier.ofForm(this, KeyId.ofPublicKey(publicKey));
    }

    /**
     * {@inheritDoc}
     *
     * <p>u = 1 with v = 1 would match every trapdoor, and a v outside GT would let verdicts tell r_w modulo small
     * numbers: both are refused. Any other pair is a proper ciphertext of one identity at most; for all other trapdoors
     * the value is uniform, for r_w is, and its locator is found by guessing only (specification, section 5). What
     * passes can still lie about its keywords: whoever opens a hit extracts them again.
     */
    @Override
    public StoredBlock storedForm(IndexBlock block, MessageContext context) throws MalformedEncodingException {
        BlockLayout.Parts parts = LAYOUT.decode(block);
        int slots = parts.form().slots();
        ByteWriter wide = new ByteWriter(slots * Share.WIDE_BYTES);
        for (int slot = 0; slot < slots; slot++) {
            wide.bytes(Share.decode(parts.points(), slot * Share.BYTES).encodeWide());
        }
        byte[] binding = LAYOUT.binding(block, context, parts.form(), new byte[0]);
        return LAYOUT.stored(parts, binding, wide.toByteArray());
    }

    @Override
    public IndexBlock restore(IndexBlock withoutPayload, StoredBlock stored) {
        return LAYOUT.restore(withoutPayload, stored, (hot, form) -> {
            ByteWriter points = new ByteWriter(form.slots() * Share.BYTES);
            for (int slot = 0; slot < form.slots(); slot++) {
                points.bytes(share(hot, 0, slot).encode());
            }
            return points.toByteArray();
        });
    }

    private static Share share(byte[] hot, int at, int slot) {
        return Share.trusted(hot, LAYOUT.pointsAt(at) + slot * Share.WIDE_BYTES);
    }

    @Override
    public PreparedTrapdoor prepare(ScopedTrapdoor trapdoor) throws MalformedEncodingException {
        LAYOUT.requireOwn(trapdoor);
        return new DecodedTrapdoor<>(trapdoor, Trapdoor.decode(trapdoor.bytes()));
    }

    @Override
    public boolean mayMatch(PreparedTrapdoor prepared, byte[] hot, int hotOffset) {
        Trapdoor t = DecodedTrapdoor.own(prepared, Trapdoor.class);
        return LAYOUT.isHot(hot, hotOffset) && LAYOUT.mayMatch(hot, hotOffset, keys(t, hot, hotOffset));
    }

    @Override
    public List<SlotMatch> match(PreparedTrapdoor prepared, StoredBlock block) {
        Trapdoor t = DecodedTrapdoor.own(prepared, Trapdoor.class);
        byte[] hot = block.hot();
        return LAYOUT.isHot(hot, 0) ? LAYOUT.match(block, keys(t, hot, 0)) : List.of();
    }

    /** The key of a slot, if it is the trapdoor's: K = e(u, d_w)·v^r_w. */
    private static BlockLayout.SlotKeys keys(Trapdoor t, byte[] hot, int at) {
        byte[] binding = LAYOUT.binding(hot, at);
        return slot -> {
            Share share = share(hot, at, slot);
            return SlotKey.of(Zi07.tested(t, share), binding, ID, share.encode());
        };
    }
}
