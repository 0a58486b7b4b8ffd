package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.IndexVerifier;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * NTRU-PEKS index blocks behind the contract of {@link IndexScheme}: what the gateway runs. It needs no secret.
 */
public final class NtruIndexScheme implements IndexScheme {
    /** The scheme's id. */
    public static final String ID = "ntru-peks";

    private final Set<NtruParameters> accepted;

    /** Accepts the default parameter set only; what the service loader makes. */
    public NtruIndexScheme() {
        this(Set.of(NtruParameters.N2048_Q29));
    }

    private NtruIndexScheme(Set<NtruParameters> accepted) {
        this.accepted = accepted;
    }

    /** Accepts the sets that a configuration or a benchmark names; see {@link NtruParameters#use}. */
    public static NtruIndexScheme accepting(Collection<NtruParameters> sets) {
        return new NtruIndexScheme(Set.copyOf(sets));
    }

    private void requireAccepted(NtruParameters parameters, String field) throws MalformedEncodingException {
        if (!accepted.contains(parameters)) {
            throw new MalformedEncodingException(field, "must be one of " + accepted);
        }
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public IndexSealer sealer(byte[] publicKey, SecureRandom random) throws MalformedEncodingException {
        PublicKey key = PublicKey.decode(publicKey);
        requireAccepted(key.parameters(), "public-key.parameters");
        return new NtruIndexSealer(key, random);
    }

    /**
     * {@inheritDoc}
     *
     * <p>What the scheme adds is one equation: the binding that came with a block is the hash of A - G(binding)·h. So a
     * sender chose A before she knew by what it is shifted, and a slot matches one keyword (specification, section 4).
     * What passes can still lie about its keywords: whoever opens a hit extracts them again.
     */
    @Override
    public IndexVerifier verifier(byte[] publicKey) throws MalformedEncodingException {
        PublicKey key = PublicKey.decode(publicKey);
        requireAccepted(key.parameters(), "public-key.parameters");
        return new NtruIndexVerifier(this, key);
    }

    @Override
    public StoredBlock storedForm(IndexBlock block, MessageContext context) throws MalformedEncodingException {
        BlockPayload payload = decode(block);
        byte[] binding = payload.version() == BlockPayload.VERSION
                ? payload.binding()
                : SlotHash.binding(block, context, payload.publicPartWith(payload.a()));
        return StoredForm.of(payload, binding);
    }

    @Override
    public boolean isOutdated(IndexBlock block) {
        return block.scheme().equals(ID) && block.isOfVersion(BlockPayload.UNSHIFTED_VERSION);
    }

    /** The payload of a block of this scheme and of an accepted set. */
    BlockPayload decode(IndexBlock block) throws MalformedEncodingException {
        if (!block.scheme().equals(ID)) {
            throw new MalformedEncodingException("index-block.scheme", "must be " + ID);
        }
        BlockPayload payload = BlockPayload.decode(block.payload());
        requireAccepted(payload.parameters(), "index-block.parameters");
        if (!payload.parameters().id().equals(block.parameters())) {
            throw new MalformedEncodingException("index-block.parameters", "must be those of the payload");
        }
        return payload;
    }

    @Override
    public IndexBlock restore(IndexBlock withoutPayload, StoredBlock stored) {
        return new IndexBlock(
                withoutPayload.scheme(),
                withoutPayload.parameters(),
                withoutPayload.keyId(),
                withoutPayload.scope(),
                withoutPayload.epoch(),
                StoredForm.payload(stored));
    }

    /** A trapdoor, and its vector ready for Test. */
    private record Prepared(ScopedTrapdoor trapdoor, PreparedVector vector) implements PreparedTrapdoor {
        @Override
        public String toString() {
            return "Prepared[" + trapdoor + "]";
        }
    }

    @Override
    public PreparedTrapdoor prepare(ScopedTrapdoor trapdoor) throws MalformedEncodingException {
        if (!trapdoor.scheme().equals(ID)) {
            throw new MalformedEncodingException("trapdoor.scheme", "must be " + ID);
        }
        Trapdoor t = Trapdoor.decode(trapdoor.bytes());
        requireAccepted(t.parameters(), "trapdoor.parameters");
        if (!t.parameters().id().equals(trapdoor.parameters())) {
            throw new MalformedEncodingException("trapdoor.parameters", "must be those of its bytes");
        }
        return new Prepared(trapdoor, new PreparedVector(t.parameters(), t.t()));
    }

    @Override
    public boolean mayMatch(PreparedTrapdoor prepared, byte[] hot, int hotOffset) {
        PreparedVector vector = own(prepared).vector;
        return vector.fits(hot, hotOffset) && vector.mayMatch(hot, hotOffset);
    }

    @Override
    public List<SlotMatch> match(PreparedTrapdoor prepared, StoredBlock block) {
        return mayMatch(prepared, block.hot(), 0) ? own(prepared).vector.decodeSurvivors(block) : List.of();
    }

    @Override
    public List<SlotMatch> matchSurvivor(PreparedTrapdoor prepared, StoredBlock block) {
        PreparedVector vector = own(prepared).vector;
        return vector.fits(block.hot(), 0) ? vector.decodeSurvivors(block) : List.of();
    }

    private static Prepared own(PreparedTrapdoor prepared) {
        if (!(prepared instanceof Prepared p)) {
            throw new IllegalArgumentException("the trapdoor was prepared by another scheme");
        }
        return p;
    }
}
