package dev.veilgate.abe.fabeo22;

import dev.veilgate.abe.kem.AuthorityKem;
import dev.veilgate.abe.kem.KeyPair;
import dev.veilgate.abe.kem.ReaderKey;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.sharing.SecretSharing;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.random.CoinStream;
import dev.veilgate.secret.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What both schemes have: the authority's keys, and sharing a secret along a policy, which the one does in ciphertexts and the other in keys. Type parameters as of {@link
 * AuthorityKem}.
 */
@Secret
abstract sealed class Fabeo22<S extends ReaderKey<L, ?>, L, D, C>
        implements AuthorityKem<PublicKey, MasterKey, S, L, D, C> permits Fabeo22Cp, Fabeo22Kp {
    private final Form form;
    private final String id;
    private final String domain;

    /** @param domain of H */
    Fabeo22(Form form, String id, String domain) {
        this.form = form;
        this.id = id;
        this.domain = domain;
    }

    @Override
    public final String id() {
        return id;
    }

    /**
     * {@code alpha random, y = e(g1, g2)^alpha}.
     *
     * @param coins 48 bytes are drawn, here and below for each random exponent
     */
    @Override
    public final KeyPair<PublicKey, MasterKey> setup(CoinStream coins) {
        Zr alpha = Zr.random(coins);
        Gt y = Gt.pairing(G1.GENERATOR, G2.GENERATOR).power(alpha);
        return new KeyPair<>(new PublicKey(form, y), new MasterKey(form, alpha));
    }

    /** @throws IllegalArgumentException for a key of the other scheme */
    final void requireOwn(Form of) {
        of.require(form);
    }

    /** H(u). */
    final G1 hash(Attribute u) {
        return G1.hash(domain, u.encode());
    }

    /**
     * A secret shared along a policy.
     *
     * @param byUse  g2^t_j for each use j
     * @param byLeaf base^lambda_i · H(rho(i))^t_use(i) for each leaf i
     */
    record Shared(List<G2> byUse, List<G1> byLeaf) {}

    /** @param coins the t_j, then those of {@link SecretSharing#share} */
    final Shared share(SecretSharing sharing, G1 base, Zr secret, CoinStream coins) {
        List<Zr> t =
                Stream.generate(() -> Zr.random(coins)).limit(sharing.uses()).toList();
        List<Zr> lambda = sharing.share(secret, () -> Zr.random(coins));
        List<SecretSharing.Leaf> leaves = sharing.leaves();
        List<G1> byLeaf = new ArrayList<>(leaves.size());
        for (int i = 0; i < leaves.size(); i++) {
            SecretSharing.Leaf leaf = leaves.get(i);
            byLeaf.add(base.times(lambda.get(i)).plus(hash(leaf.attribute()).times(t.get(leaf.use()))));
        }
        return new Shared(t.stream().map(G2.GENERATOR::times).toList(), byLeaf);
    }

    /** H(u)^exponent of each attribute u. */
    final SortedMap<Attribute, G1> hashes(AttributeSet attributes, Zr exponent) {
        SortedMap<Attribute, G1> hashes = new TreeMap<>();
        attributes.attributes().forEach(u -> hashes.put(u, hash(u).times(exponent)));
        return hashes;
    }

    /** {@code prod_i element_i^w_i} over the leaves i that take part; w are the coefficients. */
    static G1 overLeaves(List<G1> byLeaf, List<SecretSharing.Part> parts) {
        return G1.sum(parts.stream()
                .map(part -> part.weighted(byLeaf.get(part.leaf())))
                .toList());
    }

    /** {@code prod_(i: use(i) = j) element_rho(i)^w_i} for each use j. */
    static List<G1> overUses(
            SortedMap<Attribute, G1> byAttribute,
            int uses,
            List<SecretSharing.Leaf> leaves,
            List<SecretSharing.Part> parts) {
        List<List<G1>> elements = Stream.generate(() -> (List<G1>) new ArrayList<G1>())
                .limit(uses)
                .toList();
        for (SecretSharing.Part part : parts) {
            SecretSharing.Leaf leaf = leaves.get(part.leaf());
            // only leaves of attributes that are there take part
            elements.get(leaf.use()).add(part.weighted(Objects.requireNonNull(byAttribute.get(leaf.attribute()))));
        }
        return elements.stream().map(G1::sum).toList();
    }

    @Override
    public final byte[] encodePublicKey(PublicKey publicKey) {
        return Fabeo22Codec.encode(publicKey);
    }

    @Override
    public final PublicKey decodePublicKey(byte[] bytes) throws MalformedEncodingException {
        return Fabeo22Codec.decodePublicKey(form, bytes);
    }

    @Override
    public final MasterKey decodeMasterKey(byte[] bytes) throws MalformedEncodingException {
        return Fabeo22Codec.decodeMasterKey(form, bytes);
    }
}
