package dev.veilgate.peks.pairing.bdop04;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.IndexVerifier;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.peks.pairing.BlockLayout;
import dev.veilgate.peks.pairing.DecodedTrapdoor;
import dev.veilgate.peks.pairing.SlotForm;
import dev.veilgate.peks.pairing.SlotKey;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * BCO index blocks behind the contract of {@link IndexScheme}: what the gateway runs. It needs no secret and no public
 * key.
 *
 * <p>A Test is one pairing, e(T_w, A), however many keywords the block has; then a search for one locator. A is kept
 * with both coordinates, so that a Test takes no square root and no check that arrival has made. The binding computes
 * no Miller loop of a fixed argument in advance, so that a prepared trapdoor is T_w decoded and no more.
 *
 * <p>Payload: version 1, slots - 1, records - 1, A compressed (96), locators (8 each, ascending), tag (16) and field
 * (ceil(records/8)) of each slot.
 */
public final class Bdop04IndexScheme implements IndexScheme {
    /** The scheme's id. */
    public static final String ID = "bdop04-peks";

    /** Most keywords of a block. */
    static final int MAX_SLOTS = 256;

    static final BlockLayout LAYOUT = new BlockLayout(ID, MAX_SLOTS, slots -> G2.BYTES, slots -> G2.WIDE_BYTES);

    /** What the service loader makes. */
    public Bdop04IndexScheme() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public IndexSealer sealer(byte[] publicKey, SecureRandom random) throws MalformedEncodingException {
        return new Bdop04IndexSealer(PublicKey.decode(publicKey), random);
    }

    @Override
    public IndexVerifier verifier(byte[] publicKey) throws MalformedEncodingException {
        PublicKey.decode(publicKey);
        return IndexVerifier.ofForm(this, KeyId.ofPublicKey(publicKey));
    }

    /**
     * {@inheritDoc}
     *
     * <p>A that is the identity is refused: e(T, 1) = 1 for every T, so that one slot would match every trapdoor. Under
     * every other A the value e(T_w, A) differs from keyword to keyword, and a locator that fits is a hash of it: a
     * forger who has no trapdoor can make slots for keywords that he names, as every sender may, and a slot for an
     * unknown one by guessing only. What passes can still lie about its keywords: whoever opens a hit extracts them
     * again.
     */
    @Override
    public StoredBlock storedForm(IndexBlock block, MessageContext context) throws MalformedEncodingException {
        BlockLayout.Parts parts = LAYOUT.decode(block);
        G2 a = G2.decode(ID + ".a", parts.points());
        byte[] binding = LAYOUT.binding(block, context, parts.form(), parts.points());
        return LAYOUT.stored(parts, binding, a.encodeWide());
    }

    @Override
    public IndexBlock restore(IndexBlock withoutPayload, StoredBlock stored) {
        return LAYOUT.restore(withoutPayload, stored, (hot, form) -> a(hot, 0).encode());
    }

    private static G2 a(byte[] hot, int at) {
        return G2.trusted(hot, LAYOUT.pointsAt(at));
    }

    @Override
    public PreparedTrapdoor prepare(ScopedTrapdoor trapdoor) throws MalformedEncodingException {
        LAYOUT.requireOwn(trapdoor);
        return new DecodedTrapdoor<>(trapdoor, Trapdoor.decode(trapdoor.bytes()));
    }

    @Override
    public boolean mayMatch(PreparedTrapdoor prepared, byte[] hot, int hotOffset) {
        Trapdoor t = DecodedTrapdoor.own(prepared, Trapdoor.class);
        if (!LAYOUT.isHot(hot, hotOffset)) {
            return false;
        }
        try (SlotKey key = slotKey(t, a(hot, hotOffset), hot, hotOffset)) {
            return LAYOUT.find(hot, hotOffset, LAYOUT.form(hot, hotOffset), key.locator()) >= 0;
        }
    }

    @Override
    public List<SlotMatch> match(PreparedTrapdoor prepared, StoredBlock block) {
        return matchTrapdoors(List.of(prepared), block).getFirst();
    }

    @Override
    public List<List<SlotMatch>> matchTrapdoors(List<? extends PreparedTrapdoor> prepared, StoredBlock block) {
        List<List<SlotMatch>> matches = new ArrayList<>(prepared.size());
        boolean hot = LAYOUT.isHot(block.hot(), 0);
        G2 a = hot ? a(block.hot(), 0) : G2.IDENTITY;
        for (PreparedTrapdoor trapdoor : prepared) {
            Trapdoor t = DecodedTrapdoor.own(trapdoor, Trapdoor.class);
            matches.add(hot ? match(t, a, block) : List.of());
        }
        return List.copyOf(matches);
    }

    private static List<SlotMatch> match(Trapdoor t, G2 a, StoredBlock block) {
        try (SlotKey key = slotKey(t, a, block.hot(), 0)) {
            SlotForm form = LAYOUT.form(block.hot(), 0);
            int slot = LAYOUT.find(block.hot(), 0, form, key.locator());
            RecordSet found = slot < 0 ? RecordSet.of() : LAYOUT.open(key, form, slot, block.cold());
            return found.isEmpty() ? List.of() : List.of(new SlotMatch(slot, found));
        }
    }

    /** The key of the slot that is the trapdoor's, if the block has one: t = e(T_w, A). */
    private static SlotKey slotKey(Trapdoor t, G2 a, byte[] hot, int at) {
        return SlotKey.of(Bdop04.tested(t, a), LAYOUT.binding(hot, at), ID, new byte[0]);
    }
}
