package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.ScopedTrapdoor;
import java.util.List;
import java.util.SplittableRandom;

/** Sealer of a device that makes its own blocks, of one slot that is in use, for messages of one record. */
public final class ForgingSealer implements IndexSealer {
    private static final int SLOT = 3;

    private final PublicKey key;
    private final Trapdoor trapdoor;
    private final boolean isWellFormed;

    private ForgingSealer(PublicKey key, Trapdoor trapdoor, boolean isWellFormed) {
        this.key = key;
        this.trapdoor = trapdoor;
        this.isWellFormed = isWellFormed;
    }

    /** Seals a noise that is no mask; its slot is made by a trapdoor of the message's keyword, which so finds it. */
    public static ForgingSealer ofNoise(byte[] publicKey, ScopedTrapdoor trapdoor) throws MalformedEncodingException {
        return new ForgingSealer(PublicKey.decode(publicKey), Trapdoor.decode(trapdoor.bytes()), false);
    }

    /** Seals a slot that has the keyword and that its trapdoor, which the device has, does not find. */
    public static ForgingSealer hiding(byte[] publicKey, ScopedTrapdoor trapdoor) throws MalformedEncodingException {
        return new ForgingSealer(PublicKey.decode(publicKey), Trapdoor.decode(trapdoor.bytes()), true);
    }

    @Override
    public KeyId keyId() {
        return key.id();
    }

    @Override
    public List<IndexBlock> seal(
            KeywordDomain domain, MessageContext context, int recordCount, List<Posting> postings) {
        Keyword keyword = postings.getFirst().keyword();
        NtruParameters p = key.parameters();
        if (!isWellFormed) {
            int[] noise = new SplittableRandom(7).ints(p.n(), 0, p.q()).toArray();
            ForgedBlock forged = ForgedBlock.shifted(key, context, 16, recordCount, noise);
            forged.seal(SLOT, PlainTwin.kept(p, PlainTwin.product(p, forged.plain().a, trapdoor.t())));
            return List.of(forged.block());
        }
        int[] h1 = PlainTwin.hash(p, key, domain, keyword);
        return List.of(new HiddenSlot(key, trapdoor.t(), h1)
                .seal(key, context, recordCount)
                .block());
    }
}
