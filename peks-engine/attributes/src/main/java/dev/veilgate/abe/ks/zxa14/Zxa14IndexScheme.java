package dev.veilgate.abe.ks.zxa14;

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
import java.util.stream.IntStream;

/**
 * Index blocks of {@link Zxa14} behind the contract of {@link IndexScheme}: what the gateway runs. It needs no secret,
 * no public key and no policy: a token names the leaves that it takes.
 *
 * <p>A Test is, slot by slot, one product of 2n + 3 pairings for a token of n leaves, up to the slot that matches:
 * nothing is shared between slots, and no slot says anything of another. Points are kept with both coordinates, and
 * those of other leaves are not read.
 *
 * <p>Payload: version 1, slots - 1, records - 1, leaves (2); of each slot W_0 (48), W, W' (96 each), W_v (96) and D_v
 * (48) of each leaf; locators (8 each, ascending), tag (16) and field (ceil(records/8)) of each slot.
 */
public final class Zxa14IndexScheme implements IndexScheme {
    /** The scheme's id. */
    public static final String ID = "cp-zxa14";

    /** What the service loader makes. */
    public Zxa14IndexScheme() {}

    @Override
    public String id() {
        return ID;
    }

    /** @param publicKey an {@link IndexPublicKey}, encoded */
    @Override
    public IndexSealer sealer(byte[] publicKey, SecureRandom random) throws MalformedEncodingException {
        return new Zxa14IndexSealer(IndexPublicKey.decode(publicKey), random);
    }

    @Override
    public IndexVerifier verifier(byte[] publicKey) throws MalformedEncodingException {
        IndexPublicKey.decode(publicKey);
        return IndexVerifier.ofForm(this, KeyId.ofPublicKey(publicKey));
    }

    /**
     * {@inheritDoc}
     *
     * <p>W = 1 would match every token, for the keyword is in W_0 to the power r1 only, and so would a slot all of
     * whose points are 1: identities are refused, and points outside the groups. Of any other slot the value that Test
     * finds holds s, rho and rho_j of the token, which no forger knows, unless they cancel, as they do for one keyword
     * that he must name (specification, section 5). What passes can still lie about its keywords: whoever opens a hit
     * extracts them again.
     */
    @Override
    public StoredBlock storedForm(IndexBlock block, MessageContext context) throws MalformedEncodingException {
        SlotLayout layout = SlotLayout.of(block);
        BlockLayout.Parts parts = layout.blocks().decode(block);
        byte[] wide = layout.wide(parts.points(), parts.form().slots());
        byte[] binding = layout.blocks().binding(block, context, parts.form(), layout.count());
        return layout.blocks().stored(parts, binding, wide);
    }

    @Override
    public IndexBlock restore(IndexBlock withoutPayload, StoredBlock stored) {
        SlotLayout layout = SlotLayout.of(stored.hot(), 0);
        int[] all = IntStream.range(0, layout.leaves()).toArray();
        return layout.blocks().restore(withoutPayload, stored, (hot, form) -> {
            ByteWriter points = new ByteWriter(hot.length / 2).bytes(layout.count());
            for (int slot = 0; slot < form.slots(); slot++) {
                points.bytes(layout.trusted(hot, 0, slot, all).encode());
            }
            return points.toByteArray();
        });
    }

    /**
     * What a Test takes.
     *
     * @param places of the leaves that the token takes
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Search(Token token, int[] places) {
        /** Whether a block's policy can be the token's: a forged block may have fewer leaves than its key's policy. */
        boolean isFor(SlotLayout layout) {
            return token.leaves() == layout.leaves();
        }

        /** The key of a slot, if it is the token's. */
        BlockLayout.SlotKeys keys(SlotLayout layout, byte[] hot, int at) {
            byte[] binding = layout.blocks().binding(hot, at);
            return slot -> {
                Ciphertext taken = layout.trusted(hot, at, slot, places);
                return SlotKey.of(Zxa14.tested(token, taken), binding, ID, layout.digest(hot, at, slot));
            };
        }
    }

    @Override
    public PreparedTrapdoor prepare(ScopedTrapdoor trapdoor) throws MalformedEncodingException {
        SlotLayout.of(1).blocks().requireOwn(trapdoor);
        Token token = Token.decode(trapdoor.bytes());
        return new DecodedTrapdoor<>(trapdoor, new Search(token, token.places()));
    }

    @Override
    public boolean mayMatch(PreparedTrapdoor prepared, byte[] hot, int hotOffset) {
        Search search = DecodedTrapdoor.own(prepared, Search.class);
        if (!SlotLayout.isHot(hot, hotOffset)) {
            return false;
        }
        SlotLayout layout = SlotLayout.of(hot, hotOffset);
        return search.isFor(layout) && layout.blocks().mayMatch(hot, hotOffset, search.keys(layout, hot, hotOffset));
    }

    @Override
    public List<SlotMatch> match(PreparedTrapdoor prepared, StoredBlock block) {
        Search search = DecodedTrapdoor.own(prepared, Search.class);
        byte[] hot = block.hot();
        if (!SlotLayout.isHot(hot, 0)) {
            return List.of();
        }
        SlotLayout layout = SlotLayout.of(hot, 0);
        return search.isFor(layout) ? layout.blocks().match(block, search.keys(layout, hot, 0)) : List.of();
    }
}
