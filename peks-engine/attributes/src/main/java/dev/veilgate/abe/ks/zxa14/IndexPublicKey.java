package dev.veilgate.abe.ks.zxa14;

import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.sharing.SecretSharing;
import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import org.jspecify.annotations.Nullable;

/**
 * What keywords are sealed under: the authority's key, and who may search. Its id, which blocks and tokens carry and hash, names both, so that a token is good for one
 * policy of one authority. Immutable.
 *
 * <p>There are two forms. In one {@linkplain #byEpoch by epoch}, every attribute of the policy that names no epoch is asked for in the epoch of what is sealed, so that a searcher's
 * key for one epoch makes tokens for no other. In the other, which is the older, attributes stand as they are: a searcher's key makes tokens for all epochs.
 */
public final class IndexPublicKey {
    /** Most attributes of a policy: what a block of 16 slots and a token for all of them have room for. */
    public static final int MAX_LEAVES = 400;

    /** Longest encoding: what a sender's bundle has room for. */
    static final int MAX_BYTES = 1 << 16;

    private static final int VERSION = 1;
    private static final int VERSION_BY_EPOCH = 2;

    private final PublicKey authority;
    private final Policy policy;
    private final boolean isByEpoch;
    private final SecretSharing sharing;
    private final KeyId id;

    /**
     * A key whose policy is the same in all epochs.
     *
     * @throws IllegalArgumentException for a policy of more than {@link #MAX_LEAVES} attributes, or one whose text makes the key longer than 65,536 bytes
     */
    public IndexPublicKey(PublicKey authority, Policy policy) {
        this(authority, policy, false);
    }

    private IndexPublicKey(PublicKey authority, Policy policy, boolean isByEpoch) {
        this.authority = authority;
        this.policy = policy;
        this.isByEpoch = isByEpoch;
        requireWithinLimits(policy);
        this.sharing = new SecretSharing(policy);
        this.id = KeyId.ofPublicKey(encode());
    }

    /**
     * A key that asks for the attributes of its policy in the epoch of what is sealed.
     *
     * @throws IllegalArgumentException as the constructor
     */
    public static IndexPublicKey byEpoch(PublicKey authority, Policy policy) {
        return new IndexPublicKey(authority, policy, true);
    }

    /**
     * Throws unless a key can have this policy.
     *
     * @throws IllegalArgumentException naming the limit
     */
    public static void requireWithinLimits(Policy policy) {
        policy.requireWithinLimits();
        if (policy.leaves().size() > MAX_LEAVES) {
            throw new IllegalArgumentException("a policy to search under has at most " + MAX_LEAVES + " attributes");
        }
        if (1 + PublicKey.BYTES + policy.encode().length > MAX_BYTES) {
            throw new IllegalArgumentException("a key with its policy has at most " + MAX_BYTES + " bytes");
        }
    }

    /** The same policy, in the same form, of another authority. */
    public IndexPublicKey of(PublicKey other) {
        return new IndexPublicKey(other, policy, isByEpoch);
    }

    /** The authority's part. */
    public PublicKey authority() {
        return authority;
    }

    /** Who may search, as it was given. */
    public Policy policy() {
        return policy;
    }

    /** Whether its attributes are asked for in the epoch of what is sealed. */
    public boolean isByEpoch() {
        return isByEpoch;
    }

    /** Who may search what is sealed in an epoch. */
    public Policy policyIn(String epoch) {
        return isByEpoch ? policy.in(epoch) : policy;
    }

    /** Names authority and policy. */
    public KeyId id() {
        return id;
    }

    /** How many attributes the policy asks for, in every epoch. */
    int leaves() {
        return sharing.leaves().size();
    }

    /** Along the policy of an epoch. */
    SecretSharing sharing(String epoch) {
        return isByEpoch ? new SecretSharing(policyIn(epoch)) : sharing;
    }

    /** Canonical encoding: version, the authority's key (865), the policy. */
    public byte[] encode() {
        byte[] tree = policy.encode();
        return new ByteWriter(1 + PublicKey.BYTES + tree.length)
                .uint8(isByEpoch ? VERSION_BY_EPOCH : VERSION)
                .bytes(authority.encode())
                .bytes(tree)
                .toByteArray();
    }

    /** The inverse of {@link #encode}: refuses what {@link PublicKey#decode} does, policies beyond the limits, and trailing bytes. */
    public static IndexPublicKey decode(byte[] encoded) throws MalformedEncodingException {
        if (encoded.length > MAX_BYTES) {
            throw new MalformedEncodingException("index-public-key", "at most " + MAX_BYTES + " bytes");
        }
        ByteReader in = new ByteReader("index-public-key", encoded);
        int version = in.uint8("version");
        if (version != VERSION && version != VERSION_BY_EPOCH) {
            throw new MalformedEncodingException(
                    "index-public-key.version",
                    VERSION + " or " + VERSION_BY_EPOCH + "; a later one needs newer software");
        }
        byte[] authority = in.bytes("authority", PublicKey.BYTES);
        Policy policy = Policy.read(in);
        in.end();
        if (policy.leaves().size() > MAX_LEAVES) {
            throw new MalformedEncodingException("index-public-key.policy", "at most " + MAX_LEAVES + " attributes");
        }
        return new IndexPublicKey(PublicKey.decode(authority), policy, version == VERSION_BY_EPOCH);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof IndexPublicKey that
                && isByEpoch == that.isByEpoch
                && authority.equals(that.authority)
                && policy.equals(that.policy);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return "IndexPublicKey[" + Zxa14IndexScheme.ID + ", " + policy + (isByEpoch ? " by epoch, " : ", ") + id + "]";
    }
}
