package dev.veilgate.ese;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.random.CoinStream;
import dev.veilgate.secret.Secret;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Objects;

/**
 * Efficiently searchable encryption by encrypt-with-hash: a randomised encryption whose coins are a hash of public key and message, so that equal messages have equal
 * ciphertexts, which a server finds in any index.
 *
 * <pre>
 *   R       = H(id, pk, domain, x)
 *   (c, K)  = Encaps(pk; R)                       the instance's, secure against chosen plaintexts
 *   E(pk,x) = (c, x xor G(K))
 *   D(sk,y) : K = Decaps(sk, c), x = c2 xor G(K); refused unless E(pk, x) = y
 *   F(pk,x) = SHA-256(E(pk, x)),  G(pk,y) = SHA-256(y)      tags: what is asked for, and what is indexed
 * </pre>
 *
 * <table>
 * <caption>Symbols (the paper's)</caption>
 * <tr><td>x, y = (c, c2)</td><td>message (here with a domain), ciphertext</td></tr>
 * <tr><td>R</td><td>coins, 32 bytes from which the instance draws all of its randomness</td></tr>
 * <tr><td>H</td><td>random oracle, SHA-256 of an injective encoding</td></tr>
 * <tr><td>K, G(K)</td><td>encapsulated key; AES-256-CTR under it</td></tr>
 * <tr><td>F, G</td><td>tag of a message, tag of a ciphertext; perfectly consistent, as both are hashes of E</td></tr>
 * </table>
 *
 * <p><b>Leakage.</b> Encryption is deterministic and its key is public. So
 * <ul>
 *   <li>everybody who has ciphertexts sees which messages are <b>equal</b> and how <b>frequent</b> each is, without any search having been made; with statistics of
 *       a language or a log that often names them;
 *   <li>everybody who has <b>the public key alone</b> finds each message of a dictionary by encrypting the dictionary: for n possible messages this costs n encryptions,
 *       once, for all ciphertexts that were or will ever be. Keywords are such messages;
 *   <li>the length of the message is visible;
 *   <li>nothing is granted or revoked: every reader of the public key can search for everything, for ever.
 * </ul>
 *
 * <p><b>Security given</b>: PRIV, in the random oracle model, if the instance is IND-CPA: of messages that each have high min-entropy (no guess succeeds with more
 * than negligible probability), that are as long as each other and that <b>do not depend on the public key</b>, ciphertexts tell nothing but which are equal; also against chosen ciphertexts (PRIV-CCA), for which {@link #decrypt} encrypts again. <b>Not given</b>: indistinguishability (IND-CPA) of anything;
 * any secrecy of messages of low entropy; secrecy of messages that were chosen with the key in sight; forward secrecy.
 *
 * <p>It is <b>not used by the gateway</b>. It is here because public-key encryption with keyword search is compared with it: search by equality is as fast as
 * search can be, and this is its price.
 *
 * <p>Source: Bellare, Boldyreva, O'Neill, "Deterministic and Efficiently Searchable Encryption" (CRYPTO 2007), section 4 (encrypt-with-hash) and the section on
 * efficiently searchable encryption. Deviations, all in docs/spec/ese.md: a key encapsulation with a mask in the place of an encryption of x itself, so that messages may
 * be of any length; a domain beside the message; a hash of the ciphertext as tag. Safe for use by several threads if the random source is.
 *
 * @param <P> public key of the instance
 * @param <S> secret key of the instance
 */
@Secret
public final class EncryptWithHash<P extends EsePublicKey, S extends EseSecretKey<P>> {
    /** Most bytes of a message. */
    public static final int MAX_MESSAGE_BYTES = 4096;

    private static final String COINS = "veilgate/ese/coins/1";

    private final SeededKem<P, S> kem;
    private final SecureRandom random;

    /**
     * @param kem    the instance's algebra
     * @param random seeds key generation; nothing else is random
     */
    public EncryptWithHash(SeededKem<P, S> kem, SecureRandom random) {
        this.kem = Objects.requireNonNull(kem);
        this.random = Objects.requireNonNull(random);
    }

    /** K: a key pair of the instance. Draws 32 bytes. */
    public KeyPair<P, S> keyGen() {
        byte[] seed = new byte[SeededKem.SEED_BYTES];
        random.nextBytes(seed);
        try {
            S secretKey = kem.keyGen(seed);
            return new KeyPair<>(secretKey.publicKey(), secretKey);
        } finally {
            Arrays.fill(seed, (byte) 0);
        }
    }

    /**
     * E: c, K from Encaps(pk; H(id, pk, domain, x)), and x xor G(K). The same for the same arguments; see <b>Leakage</b> above. Draws no coins.
     *
     * @param domain  hashed with the message, not encrypted: equal messages of two domains do not show
     * @param message 1 to {@value #MAX_MESSAGE_BYTES} bytes, read and not kept
     * @throws IllegalArgumentException for a message of another length
     */
    public Ciphertext encrypt(P publicKey, KeywordDomain domain, byte[] message) {
        if (message.length == 0 || message.length > MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException("a message has 1 to " + MAX_MESSAGE_BYTES + " bytes");
        }
        byte[] seed = coins(publicKey, domain, message);
        try {
            SeededKem.Encapsulated made = kem.encapsulate(publicKey, seed);
            return new Ciphertext(kem.code(), made.encapsulation(), masked(message, made.key()));
        } finally {
            Arrays.fill(seed, (byte) 0);
        }
    }

    /** F: the tag of a message, with which its ciphertexts are asked for. Takes as long as {@link #encrypt}, and anybody can compute it. */
    public Tag tag(P publicKey, KeywordDomain domain, byte[] message) {
        return encrypt(publicKey, domain, message).tag();
    }

    /**
     * Test: F(pk, x) = G(pk, y). A server that has an index looks {@code wanted} up instead.
     *
     * <p>True for every ciphertext of the message; true for another one only if SHA-256 collides.
     */
    public boolean test(Tag wanted, Ciphertext ciphertext) {
        return wanted.equals(ciphertext.tag());
    }

    /**
     * D: the message of a ciphertext, which is compared, in constant time, with what the message encrypts to. So there is one ciphertext of a message and no other is
     * taken.
     *
     * @return the message; the caller wipes it
     * @throws RefusedCiphertextException unless it is what {@link #encrypt} makes under this key and domain
     * @throws IllegalArgumentException for a ciphertext of another instance
     * @throws IllegalStateException for a secret key that was destroyed
     */
    public byte[] decrypt(S secretKey, KeywordDomain domain, Ciphertext ciphertext) throws RefusedCiphertextException {
        if (ciphertext.code() != kem.code()) {
            throw new IllegalArgumentException("a ciphertext of another instance than " + kem.id());
        }
        byte[] message = masked(ciphertext.masked(), kem.decapsulate(secretKey, ciphertext.encapsulation()));
        Ciphertext again = encrypt(secretKey.publicKey(), domain, message);
        if (!MessageDigest.isEqual(again.encode(), ciphertext.encode())) {
            Arrays.fill(message, (byte) 0);
            throw new RefusedCiphertextException();
        }
        return message;
    }

    /** The inverse of {@link Ciphertext#encode}: refuses other instances, wrong lengths, and encapsulations that are not canonical. */
    public Ciphertext decode(byte[] encoded) throws MalformedEncodingException {
        return Ciphertext.decode(kem, encoded);
    }

    /** R. Everything but the message, which is the last, stands behind its length. */
    private byte[] coins(P publicKey, KeywordDomain domain, byte[] message) {
        byte[] key = publicKey.encode();
        byte[] head = new ByteWriter(128 + key.length)
                .shortString(COINS)
                .shortString(kem.id())
                .longBytes(key)
                .shortString(domain.tenant())
                .shortString(domain.scope())
                .shortString(domain.epoch())
                .toByteArray();
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(head);
            return sha.digest(message);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }

    /** text xor G(key), which is its own inverse; erases the key. */
    private static byte[] masked(byte[] text, byte[] key) {
        byte[] mask = new byte[text.length];
        try (CoinStream stream = CoinStream.ofSeed(key)) {
            stream.nextBytes(mask);
        } finally {
            Arrays.fill(key, (byte) 0);
        }
        for (int i = 0; i < mask.length; i++) {
            mask[i] ^= text[i];
        }
        return mask;
    }
}
