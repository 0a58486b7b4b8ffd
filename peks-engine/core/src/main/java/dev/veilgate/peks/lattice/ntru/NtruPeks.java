package dev.veilgate.peks.lattice.ntru;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.lattice.NtruBasis;
import dev.veilgate.math.lattice.NtruBasisGenerator;
import dev.veilgate.math.lattice.PreimageSampler;
import dev.veilgate.math.ring.Modulus;
import dev.veilgate.math.ring.NegacyclicNtt;
import dev.veilgate.math.ring.RingSampling;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.random.CoinStream;
import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;

/**
 * NTRU-PEKS, public-key encryption with keyword search over R_q = Z_q[x]/(x^N + 1), as published, read top-down.
 *
 * <table>
 * <caption>Symbols (the paper's)</caption>
 * <tr><td>h</td><td>public key, g·f^-1 mod q</td></tr>
 * <tr><td>f, g, F, G</td><td>secret key, f·G - g·F = q</td></tr>
 * <tr><td>H1(w)</td><td>a keyword's hash in R_q, uniform</td></tr>
 * <tr><td>s, t_w</td><td>a trapdoor: short, s + t_w·h = H1(w)</td></tr>
 * <tr><td>r, e1, e2</td><td>ternary, fresh for each ciphertext</td></tr>
 * <tr><td>k</td><td>N random bits</td></tr>
 * </table>
 *
 * <p>The product seals many keywords at once instead: {@link NtruIndexSealer}, {@link NtruIndexScheme}. Both forms take the same
 * keys and trapdoors.
 *
 * <p>Source: Behnia, Ozmen, Yavuz, "Lattice-Based Public Key Searchable Encryption from Experimental Perspectives" (IEEE TDSC
 * 2020), Algorithms 1 to 4, over the identity-based encryption of Ducas, Lyubashevsky, Prest (ASIACRYPT 2014). Safe for use by
 * several threads if the random source is.
 */
@Secret
public final class NtruPeks {
    private static final String TRAPDOOR_COINS = "veilgate/ntru-peks/trapdoor/" + SecretKey.SAMPLER_VERSION;
    private static final String TRAPDOOR_NAME = "veilgate/ntru-peks/trapdoor-name/1";

    private final NtruParameters parameters;
    private final SecureRandom random;

    /**
     * @param parameters all keys must be of this set
     * @param random     seeds the coins of key generation and encryption
     */
    public NtruPeks(NtruParameters parameters, SecureRandom random) {
        this.parameters = Objects.requireNonNull(parameters);
        this.random = Objects.requireNonNull(random);
    }

    /** The default parameter set with a {@link SecureRandom} of the platform's choice. */
    public static NtruPeks withDefaults() {
        return new NtruPeks(NtruParameters.N2048_Q29, new SecureRandom());
    }

    /**
     * KeyGen: short f, g, F, G with f·G - g·F = q, Gram-Schmidt norm at most 1.17·sqrt(q); h = g·f^-1 mod q.
     *
     * <p>Finding any basis as short from h is the NTRU problem. Draws two 32-byte seeds: the coins, and the secret seed from which
     * trapdoors are sampled. Takes seconds.
     */
    public KeyPair keyGen() {
        try (CoinStream coins = CoinStream.fresh(random)) {
            NtruBasis basis = new NtruBasisGenerator(parameters.ring()).generate(coins);
            int[] h = Objects.requireNonNull(basis.publicPolynomial(parameters.ring()));
            PublicKey publicKey = new PublicKey(parameters, h);
            byte[] seed = new byte[CoinStream.SEED_BYTES];
            random.nextBytes(seed);
            SecretKey secretKey = new SecretKey(publicKey, basis, seed);
            Arrays.fill(seed, (byte) 0);
            return new KeyPair(publicKey, secretKey);
        }
    }

    /**
     * Trapdoor: t_w with s + t_w·h = H1(w), (s, t_w) Gaussian of width sigma and norm at most {@link NtruParameters#normBound}.
     *
     * <p>Samples do not leak the basis: sigma is at least the smoothing width times the Gram-Schmidt norm. Coins are a
     * pseudorandom function of the keyword under the key's seed, and the trapdoor is stored durably before it is returned; asked
     * again, the stored bytes are returned. A trapdoor lets its holder search the domain's scope and epoch for the keyword, and
     * check guesses of it.
     *
     * <p>What is stored is not believed: {@code ||(H1(w) - t_w·h, t_w)||} is at most the bound for a trapdoor of w, and of a size near q for one of another keyword, which somebody
     * who can write into the store may have put there. A fresh trapdoor is checked likewise before it is stored, since a faulty sample could give the basis away.
     *
     * @param store the authority's; the same one for the whole life of the key
     * @throws IOException if the store fails or holds something else than the keyword's trapdoor: then nothing is issued
     */
    public ScopedTrapdoor trapdoor(SecretKey secretKey, KeywordDomain domain, Keyword keyword, TrapdoorStore store)
            throws IOException {
        requireOwn(secretKey.parameters());
        byte[] input = domain.hashInput(secretKey.publicKey().id(), keyword);
        byte[] name = storeName(secretKey, domain, keyword);
        Optional<ScopedTrapdoor> stored = stored(secretKey, domain, keyword, store);
        if (stored.isPresent()) {
            return stored.get();
        }
        Trapdoor fresh = secretKey.use((sampler, seed) -> sample(sampler, seed, input));
        if (!isOf(secretKey.publicKey(), input, fresh)) {
            throw new IllegalStateException("the sampler gave something that is no preimage");
        }
        return verified(secretKey, domain, keyword, name, store.storeIfAbsent(name, fresh.encode()));
    }

    /**
     * The trapdoor of a keyword that was issued before, checked as {@link #trapdoor} does; nothing is sampled.
     *
     * @return empty if none was issued
     * @throws IOException if the store fails or holds something else than the keyword's trapdoor
     */
    public Optional<ScopedTrapdoor> stored(
            SecretKey secretKey, KeywordDomain domain, Keyword keyword, TrapdoorStore store) throws IOException {
        requireOwn(secretKey.parameters());
        byte[] name = storeName(secretKey, domain, keyword);
        Optional<byte[]> bytes = store.find(name);
        return bytes.isPresent()
                ? Optional.of(verified(secretKey, domain, keyword, name, bytes.get()))
                : Optional.empty();
    }

    /**
     * Opens an index block with the secret key, to tell which of an opened record's keywords it has; no trapdoor is sampled. Finds
     * r in A = r·h + e1; what that gives and does not give, {@link BlockOpening} says.
     *
     * <p>Source: specification, section 8; the decryption of NTRU with both rows of the basis.
     *
     * @param tenant  whose keywords
     * @param context the message that the block came with
     * @return what the caller closes; also for a block that is not well formed, whatever is wrong with it
     * @throws MalformedEncodingException for what anybody sees: a block of another scheme, set or key, or of another message
     */
    public BlockOpening open(SecretKey secretKey, String tenant, IndexBlock block, MessageContext context)
            throws MalformedEncodingException {
        requireOwn(secretKey.parameters());
        return BlockOpening.of(secretKey, tenant, block, context);
    }

    /** Under which name a keyword's trapdoor is in the store: pseudorandom under the key's seed. */
    public byte[] storeName(SecretKey secretKey, KeywordDomain domain, Keyword keyword) {
        byte[] input = domain.hashInput(secretKey.publicKey().id(), keyword);
        return secretKey.use((sampler, seed) -> storeName(seed, input));
    }

    private ScopedTrapdoor verified(
            SecretKey secretKey, KeywordDomain domain, Keyword keyword, byte[] name, byte[] bytes) throws IOException {
        PublicKey publicKey = secretKey.publicKey();
        String file = HexFormat.of().formatHex(name);
        try {
            Trapdoor trapdoor = Trapdoor.decode(bytes);
            requireOwn(trapdoor.parameters());
            if (!isOf(publicKey, domain.hashInput(publicKey.id(), keyword), trapdoor)) {
                throw new IOException(
                        "the trapdoor store holds another keyword's trapdoor under the name " + file
                                + "; files were exchanged. Restore the store from a backup, and see what else was changed: veilgate keys check");
            }
        } catch (MalformedEncodingException e) {
            throw new IOException(
                    "the trapdoor store holds something that is not a trapdoor under the name " + file, e);
        }
        return new ScopedTrapdoor(
                NtruIndexScheme.ID, parameters.id(), publicKey.id(), domain.scope(), domain.epoch(), bytes);
    }

    /** Whether s = H1(w) - t·h is short, together with t. Of a keyword that t does not belong to it is uniform, and ||s||^2 near N·q^2/12. */
    private boolean isOf(PublicKey publicKey, byte[] input, Trapdoor trapdoor) {
        NegacyclicNtt ring = parameters.ring();
        Modulus modulus = ring.modulus();
        int[] s = new int[parameters.n()];
        RingSampling.hashToRingHat(input, modulus, s);
        int[] product = trapdoor.t().clone();
        for (int i = 0; i < product.length; i++) {
            product[i] += product[i] >> 31 & parameters.q();
        }
        ring.forwardInPlace(product);
        ring.multiplyHat(product, product, publicKey.hHatMont());
        for (int i = 0; i < s.length; i++) {
            s[i] = modulus.subtract(s[i], product[i]);
        }
        ring.inverseInPlace(s);
        long normSquared = PreimageSampler.normSquared(trapdoor.t());
        for (int x : s) {
            long centred = modulus.centred(x);
            normSquared += centred * centred;
            if (normSquared > parameters.normSquaredLimit()) {
                return false; // before the sum is beyond 63 bits
            }
        }
        return true;
    }

    private static byte[] storeName(byte[] seed, byte[] input) {
        byte[] name = new byte[TrapdoorStore.NAME_BYTES];
        try (CoinStream coins = CoinStream.derived(seed, TRAPDOOR_NAME, input)) {
            coins.nextBytes(name);
        }
        return name;
    }

    private Trapdoor sample(PreimageSampler sampler, byte[] seed, byte[] input) {
        int[] target = new int[parameters.n()];
        RingSampling.hashToRingHat(input, parameters.ring().modulus(), target);
        try (CoinStream coins = CoinStream.derived(seed, TRAPDOOR_COINS, input)) {
            while (true) {
                PreimageSampler.Preimage preimage = sampler.sample(coins, target);
                Arrays.fill(preimage.s(), 0);
                boolean fits = Trapdoor.fits(preimage.t());
                Trapdoor trapdoor = new Trapdoor(parameters, preimage.t());
                Arrays.fill(preimage.t(), 0);
                if (fits) {
                    return trapdoor;
                }
            }
        }
    }

    /**
     * PEKS: A = r·h + e1, B = r·H1(w) + e2 + floor(q/2)·k, tag = H2(k).
     *
     * <p>Hides the keyword from whoever has no trapdoor of it (IND-CKA under decision ring-LWE and decisional NTRU, random
     * oracles). Draws one seed: 3N ternary digits and N bits. As in the paper, nothing binds the ciphertext to a message; index
     * blocks are bound.
     */
    public Ciphertext encrypt(PublicKey publicKey, KeywordDomain domain, Keyword keyword) {
        requireOwn(publicKey.parameters());
        int[] b = hash(publicKey, domain, keyword);
        try (CoinStream coins = CoinStream.fresh(random);
                BlockMask.Opened mask = BlockMask.draw(publicKey, coins).open()) {
            return encrypt(mask, b, coins);
        }
    }

    /** The part of a ciphertext that needs no keyword: A. Draws one seed: 2N ternary digits. */
    public CiphertextStart start(PublicKey publicKey) {
        requireOwn(publicKey.parameters());
        try (CoinStream coins = CoinStream.fresh(random)) {
            return new CiphertextStart(publicKey, BlockMask.draw(publicKey, coins));
        }
    }

    /**
     * PEKS whose A was computed ahead; the ciphertext is distributed as the other's. Draws one seed: N ternary digits and
     * N bits.
     *
     * @throws IllegalStateException if there is a ciphertext of this start already
     */
    public Ciphertext encrypt(CiphertextStart start, KeywordDomain domain, Keyword keyword) {
        requireOwn(start.publicKey().parameters());
        int[] b = hash(start.publicKey(), domain, keyword);
        try (CoinStream coins = CoinStream.fresh(random);
                BlockMask.Opened mask = start.open()) {
            return encrypt(mask, b, coins);
        }
    }

    private int[] hash(PublicKey publicKey, KeywordDomain domain, Keyword keyword) {
        int[] hash = new int[parameters.n()];
        RingSampling.hashToRingHat(
                domain.hashInput(publicKey.id(), keyword), parameters.ring().modulus(), hash);
        return hash;
    }

    /** @param b the transform of H1(w); becomes the ciphertext's B */
    private Ciphertext encrypt(BlockMask.Opened mask, int[] b, CoinStream coins) {
        int n = parameters.n();
        int q = parameters.q();
        int[] e2 = new int[n];
        byte[] k = new byte[n / 8];
        try {
            RingSampling.ternary(coins, e2);
            coins.nextBytes(k);
            mask.productInPlace(b);
            for (int i = 0; i < n; i++) {
                int bit = k[i >> 3] >> (i & 7) & 1;
                int x = b[i] + e2[i] - (q - (q >> 1) * bit); // -q-1 to q/2
                x += x >> 31 & q;
                b[i] = x + (x >> 31 & q);
            }
            return new Ciphertext(parameters, mask.a(), b, SlotHash.paperTag(k));
        } finally {
            Arrays.fill(e2, 0);
            Arrays.fill(k, (byte) 0);
        }
    }

    /**
     * Test: y = round((B - A·t_w)/(q/2)), and whether H2(y) is the tag. All N coefficients count. A wrong keyword passes with
     * probability below 2^-128; a right one fails with probability below 2^-60.
     *
     * @return whether the ciphertext is one of the trapdoor's keyword
     */
    public boolean test(Trapdoor trapdoor, Ciphertext ciphertext) {
        requireOwn(trapdoor.parameters());
        requireOwn(ciphertext.parameters());
        int n = parameters.n();
        int q = parameters.q();
        NegacyclicNtt ring = parameters.ring();
        Modulus modulus = ring.modulus();
        int[] tHat = trapdoor.t().clone();
        for (int i = 0; i < n; i++) {
            tHat[i] += tHat[i] >> 31 & q;
        }
        ring.forwardInPlace(tHat);
        ring.toMontInPlace(tHat);
        int[] product = ciphertext.a().clone();
        ring.forwardInPlace(product);
        ring.multiplyHat(product, product, tHat);
        ring.inverseInPlace(product);
        byte[] y = new byte[n / 8];
        for (int i = 0; i < n; i++) {
            int d = modulus.subtract(ciphertext.b()[i], product[i]);
            int rounded = (int) ((4L * d + q) / (2L * q)); // round(2d/q), 0 to 2; 2 is 0 again
            y[i >> 3] |= (byte) ((rounded & 1) << (i & 7));
        }
        return MessageDigest.isEqual(ciphertext.tag(), SlotHash.paperTag(y));
    }

    private void requireOwn(NtruParameters others) {
        if (others != parameters) {
            throw new IllegalArgumentException("a key, trapdoor or ciphertext of " + others + ", not " + parameters);
        }
    }
}
