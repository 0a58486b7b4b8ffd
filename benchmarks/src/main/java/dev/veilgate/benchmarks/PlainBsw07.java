package dev.veilgate.benchmarks;

import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.random.CoinStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.milagro.amcl.BLS381.BIG;
import org.apache.milagro.amcl.BLS381.ECP;
import org.apache.milagro.amcl.BLS381.ECP2;
import org.apache.milagro.amcl.BLS381.FP12;
import org.apache.milagro.amcl.BLS381.PAIR;
import org.apache.milagro.amcl.BLS381.ROM;

/**
 * The scheme of Bethencourt, Sahai and Waters (S&amp;P 2007) with the steps of {@code dev.veilgate.abe.cp.bsw07}, over
 * a library for BLS12-381 that is all Java (Milagro's AMCL): what native code saves is measured against it, and nothing
 * else is done with it. Policies ask for all of a list of attributes.
 *
 * <pre>
 *   alpha, beta  the authority's exponents          H       attributes hashed into G1
 *   r            randomness of a key                lambda  shares of s, one an attribute
 *   r_u          of its attribute u                 s       randomness of a ciphertext
 * </pre>
 *
 * <p>Group operations are as many as there. The library's own algorithms differ: it hashes by trying x coordinates, and
 * it shares the squarings of two Miller loops where blst shares those of eight; powers in GT it computes by
 * endomorphisms, which the product does not.
 */
final class PlainBsw07 {
    /**
     * The authority's public key.
     *
     * @param h g2^beta
     * @param y e(g1, g2)^alpha
     */
    record PublicKey(ECP2 h, FP12 y) {}

    /**
     * The authority's secret.
     *
     * @param g1Alpha g1^alpha
     */
    record MasterKey(BIG beta, ECP g1Alpha) {}

    /** Both keys of an authority. */
    record Authority(PublicKey publicKey, MasterKey masterKey) {}

    /**
     * The part of a key for one attribute u.
     *
     * @param d      D_u = g1^r · H(u)^r_u
     * @param dPrime D'_u = g2^r_u
     */
    record Component(ECP d, ECP2 dPrime) {}

    /**
     * A reader's key.
     *
     * @param d D = g1^((alpha + r)/beta)
     */
    record SecretKey(ECP d, Map<Attribute, Component> components) {}

    /**
     * The part of a ciphertext for one attribute of its policy.
     *
     * @param c      C_i = g2^lambda_i
     * @param cPrime C'_i = H(attribute)^lambda_i
     */
    record Leaf(Attribute attribute, ECP2 c, ECP cPrime) {}

    /**
     * A ciphertext for readers who have all of its attributes.
     *
     * @param c C = h^s
     */
    record Ciphertext(ECP2 c, List<Leaf> leaves) {}

    /** A ciphertext and the key that it hides, y^s. */
    record Encapsulated(Ciphertext ciphertext, FP12 key) {}

    private static final byte[] DOMAIN = "VEILGATE-BENCHMARK-PLAIN-BSW07".getBytes(StandardCharsets.UTF_8);
    private static final BIG ORDER = new BIG(ROM.CURVE_Order);
    private static final ECP G1 = ECP.generator();
    private static final ECP2 G2 = ECP2.generator();

    private PlainBsw07() {}

    /**
     * h = g2^beta, y = e(g1, g2)^alpha.
     *
     * @param coins beta, alpha; 48 bytes are drawn, here and below for each random exponent
     */
    static Authority setup(CoinStream coins) {
        BIG beta = random(coins);
        ECP g1Alpha = PAIR.G1mul(G1, random(coins));
        PublicKey publicKey = new PublicKey(PAIR.G2mul(G2, beta), PAIR.fexp(PAIR.ate(G2, g1Alpha)));
        return new Authority(publicKey, new MasterKey(beta, g1Alpha));
    }

    /**
     * D = g1^((alpha + r)/beta), D_u = g1^r · H(u)^r_u, D'_u = g2^r_u.
     *
     * @param coins r, then the r_u in the order of the attributes
     */
    static SecretKey keyGen(MasterKey masterKey, List<Attribute> attributes, CoinStream coins) {
        ECP g1R = PAIR.G1mul(G1, random(coins));
        BIG inverse = new BIG(masterKey.beta);
        inverse.invmodp(ORDER);
        ECP d = PAIR.G1mul(sum(masterKey.g1Alpha, g1R), inverse);
        Map<Attribute, Component> components = new HashMap<>();
        for (Attribute u : attributes) {
            BIG rU = random(coins);
            components.put(u, new Component(sum(g1R, PAIR.G1mul(hash(u), rU)), PAIR.G2mul(G2, rU)));
        }
        return new SecretKey(d, components);
    }

    /**
     * C = h^s, C_i = g2^lambda_i, C'_i = H(attribute i)^lambda_i, key = y^s; the lambda_i are random with sum s.
     *
     * @param policy all of these, at least one
     * @param coins  s, then all lambda_i but the last
     */
    static Encapsulated encapsulate(PublicKey publicKey, List<Attribute> policy, CoinStream coins) {
        BIG s = random(coins);
        BIG left = s;
        List<Leaf> leaves = new ArrayList<>(policy.size());
        for (int i = 0; i < policy.size(); i++) {
            BIG lambda = i < policy.size() - 1 ? random(coins) : left;
            left = minus(left, lambda);
            Attribute attribute = policy.get(i);
            leaves.add(new Leaf(attribute, PAIR.G2mul(G2, lambda), PAIR.G1mul(hash(attribute), lambda)));
        }
        Ciphertext ciphertext = new Ciphertext(PAIR.G2mul(publicKey.h, s), leaves);
        return new Encapsulated(ciphertext, PAIR.GTpow(publicKey.y, s));
    }

    /** The hidden key; empty if the reader's key lacks an attribute. */
    static Optional<FP12> decapsulate(SecretKey key, Ciphertext ciphertext) {
        boolean allowed = ciphertext.leaves.stream().map(Leaf::attribute).allMatch(key.components::containsKey);
        return allowed ? Optional.of(combine(key, ciphertext)) : Optional.empty();
    }

    /** e(D, C) · prod_i e(D_i, C_i)^-1 · e(C'_i, D'_i), in one product of 2n + 1 pairings. */
    private static FP12 combine(SecretKey key, Ciphertext ciphertext) {
        FP12 product = PAIR.ate(ciphertext.c, key.d);
        for (Leaf leaf : ciphertext.leaves) {
            Component own = Objects.requireNonNull(key.components.get(leaf.attribute)); // as was checked
            product.mul(PAIR.ate2(leaf.c, negated(own.d), own.dPrime, leaf.cPrime));
        }
        return PAIR.fexp(product);
    }

    /** The library's hash into G1, of 48 bytes: SHA-384 of a domain and the attribute. */
    static ECP hash(Attribute attribute) {
        try {
            MessageDigest sha384 = MessageDigest.getInstance("SHA-384");
            sha384.update(DOMAIN);
            return ECP.mapit(sha384.digest(attribute.encode()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-384", e);
        }
    }

    private static BIG random(CoinStream coins) {
        byte[] wide = new byte[BIG.MODBYTES];
        BIG drawn;
        do {
            coins.nextBytes(wide);
            drawn = BIG.fromBytes(wide);
            drawn.mod(ORDER);
        } while (drawn.iszilch());
        return drawn;
    }

    // The library's own operations change what they are called on.

    private static BIG minus(BIG a, BIG b) {
        BIG difference = a.plus(BIG.modneg(b, ORDER));
        difference.mod(ORDER);
        return difference;
    }

    private static ECP sum(ECP a, ECP b) {
        ECP sum = new ECP(a);
        sum.add(b);
        return sum;
    }

    private static ECP negated(ECP point) {
        ECP negated = new ECP(point);
        negated.neg();
        return negated;
    }
}
