package dev.veilgate.benchmarks;

import dev.veilgate.abe.AttributeBlindedKey;
import dev.veilgate.abe.AttributeKem;
import dev.veilgate.abe.AttributeKems;
import dev.veilgate.abe.AttributeKeys;
import dev.veilgate.abe.AttributeSecretKey;
import dev.veilgate.abe.Encapsulation;
import dev.veilgate.abe.Label;
import dev.veilgate.abe.cp.bsw07.Bsw07;
import dev.veilgate.abe.fabeo22.Fabeo22Cp;
import dev.veilgate.abe.fabeo22.Fabeo22Kp;
import dev.veilgate.abe.kem.AuthorityKem;
import dev.veilgate.abe.kem.CpaKem;
import dev.veilgate.abe.kem.KeyPair;
import dev.veilgate.abe.kem.OutsourcedKem;
import dev.veilgate.abe.kem.ReaderKey;
import dev.veilgate.abe.kp.gpsw06.Gpsw06;
import dev.veilgate.abe.policy.Attribute;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.random.CoinStream;
import dev.veilgate.secret.ErasableKey;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * One attribute-based scheme at work on n attributes, the policy asking for all of them: as its paper has it, secure against chosen plaintexts, and as the product has it,
 * secure against chosen ciphertexts and from bytes to bytes. Type parameters as of {@link OutsourcedKem}.
 */
final class AttributeWork<P, S, D, C> {
    /** What is measured. */
    enum Operation {
        KEY_GEN("keygen"),
        ENCRYPT("encrypt"),
        DECRYPT("decrypt"),
        /** Encapsulation by the product, with encoding. */
        CCA_ENCRYPT("cca-encrypt"),
        /** Decapsulation by the product, which decodes, checks all points and encapsulates again. */
        CCA_DECRYPT("cca-decrypt"),
        /** A key taken apart for a server. */
        BLIND("blind"),
        /** The server's part of decapsulation. */
        TRANSFORM("transform"),
        /** The reader's part. */
        RETRIEVE("retrieve"),
        /** The server's part, from bytes to bytes. */
        CCA_TRANSFORM("cca-transform"),
        /** The reader's part by the product, which encapsulates again. */
        CCA_RETRIEVE("cca-retrieve"),
        READ_KEY("read-key"),
        READ_CIPHERTEXT("read-ciphertext");

        /** The operations that a paper has figures of. */
        static final List<Operation> OF_PAPERS = List.of(KEY_GEN, ENCRYPT, DECRYPT);

        private final String label;

        Operation(String label) {
            this.label = label;
        }

        /** In tables. */
        String label() {
            return label;
        }
    }

    /**
     * Bytes that are kept and sent.
     *
     * @param key           of a reader
     * @param ciphertext    of the scheme
     * @param ccaCiphertext of the product
     * @param transformKey  for a server
     * @param answer        of the server
     */
    record Size(
            String scheme, int attributes, int key, int ciphertext, int ccaCiphertext, int transformKey, int answer) {}

    /** A scheme's key generation. */
    private interface KeyGen<S> {
        S of(int attributes, CoinStream coins);
    }

    private static final SecureRandom RANDOM = new SecureRandom();

    private final OutsourcedKem<P, S, D, C> scheme;
    private final P publicKey;
    private final KeyGen<S> keyGen;
    private final IntFunction<D> descriptor;
    private final AttributeKem product;
    private final AttributeKeys keys;

    private AttributeWork(OutsourcedKem<P, S, D, C> scheme, P publicKey, KeyGen<S> keyGen, IntFunction<D> descriptor) {
        this.scheme = scheme;
        this.publicKey = publicKey;
        this.keyGen = keyGen;
        this.descriptor = descriptor;
        try {
            this.product = AttributeKems.byId(scheme.id());
        } catch (MalformedEncodingException e) {
            throw new IllegalStateException(e);
        }
        this.keys = product.setup(RANDOM);
    }

    /** All schemes, each with an authority's keys. */
    static List<AttributeWork<?, ?, ?, ?>> all() {
        try (CoinStream coins = CoinStream.fresh(RANDOM)) {
            return List.of(
                    of(new Fabeo22Cp(), AttributeWork::attributes, AttributeWork::policy, coins),
                    of(new Fabeo22Kp(), AttributeWork::policy, AttributeWork::attributes, coins),
                    of(new Bsw07(), AttributeWork::attributes, AttributeWork::policy, coins),
                    of(new Gpsw06(), AttributeWork::policy, AttributeWork::attributes, coins));
        }
    }

    /**
     * The scheme with an id.
     *
     * @param id for example {@code cp-bsw07}
     */
    static AttributeWork<?, ?, ?, ?> byId(List<AttributeWork<?, ?, ?, ?>> schemes, String id) {
        return schemes.stream()
                .filter(scheme -> scheme.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no scheme " + id));
    }

    private static <P, M extends ErasableKey, S extends ReaderKey<L, ?>, L, D, C> AttributeWork<P, S, D, C> of(
            AuthorityKem<P, M, S, L, D, C> scheme,
            IntFunction<L> ofKey,
            IntFunction<D> ofCiphertext,
            CoinStream setup) {
        KeyPair<P, M> keys = scheme.setup(setup);
        return new AttributeWork<>(
                scheme,
                keys.publicKey(),
                (n, coins) -> scheme.keyGen(keys.masterKey(), ofKey.apply(n), coins),
                ofCiphertext);
    }

    /** Attribute i of a policy or a key. */
    static Attribute attribute(int i) {
        return Attribute.of("site", "plant-" + i);
    }

    private static AttributeSet attributes(int n) {
        return AttributeSet.of(
                IntStream.range(0, n).mapToObj(AttributeWork::attribute).toList());
    }

    private static Policy policy(int n) {
        Policy[] leaves = IntStream.range(0, n)
                .mapToObj(i -> new Policy.Leaf(attribute(i)))
                .toArray(Policy[]::new);
        return n == 1 ? leaves[0] : Policy.and(leaves);
    }

    String id() {
        return scheme.id();
    }

    boolean keysHavePolicies() {
        return product.keysHavePolicies();
    }

    private S keyGen(int n) {
        try (CoinStream coins = CoinStream.fresh(RANDOM)) {
            return keyGen.of(n, coins);
        }
    }

    private CpaKem.Encapsulated<C> encrypt(int n) {
        try (CoinStream coins = CoinStream.fresh(RANDOM)) {
            return scheme.encapsulate(publicKey, descriptor.apply(n), coins);
        }
    }

    /**
     * Key generation, encryption or decryption with n attributes; nothing is made before but what it works on, so that
     * the memory of a process that does nothing else is that of this operation.
     *
     * @throws IllegalArgumentException for another operation
     */
    Callable<?> alone(Operation operation, int n) {
        return switch (operation) {
            case KEY_GEN -> () -> keyGen(n);
            case ENCRYPT -> () -> encrypt(n);
            case DECRYPT -> {
                S key = keyGen(n);
                C ciphertext = encrypt(n).ciphertext();
                yield () -> scheme.decapsulate(key, ciphertext).orElseThrow();
            }
            default -> throw new IllegalArgumentException(operation + " works on what other operations make");
        };
    }

    /** The scheme with n attributes: one key, one ciphertext of the scheme and of the product, each blinded and transformed too. */
    final class At {
        private final int n;
        private final S key;
        private final CpaKem.Encapsulated<C> encapsulated;
        private final OutsourcedKem.Blinded<S> blinded;
        private final Gt partial;
        private final AttributeSecretKey productKey;
        private final Encapsulation productCiphertext;
        private final AttributeBlindedKey productBlinded;
        private final byte[] answer;

        private At(int n) throws Exception {
            this.n = n;
            key = keyGen(n);
            encapsulated = encrypt(n);
            blinded = blind();
            partial = scheme.transform(blinded.transformKey(), encapsulated.ciphertext())
                    .orElseThrow();
            Label ofKey = keysHavePolicies() ? new Label.OfPolicy(policy(n)) : new Label.OfAttributes(attributes(n));
            productKey = product.keyGen(keys.masterKey(), keys.publicKey(), ofKey, RANDOM);
            productCiphertext = ccaEncrypt();
            productBlinded = product.blind(productKey, RANDOM);
            answer = ccaTransform();
        }

        private Gt decrypt() {
            return scheme.decapsulate(key, encapsulated.ciphertext()).orElseThrow();
        }

        private OutsourcedKem.Blinded<S> blind() {
            try (CoinStream coins = CoinStream.fresh(RANDOM)) {
                return scheme.blind(key, coins);
            }
        }

        private Gt retrieve() {
            return scheme.recover(blinded.retrievalKey(), partial);
        }

        private Encapsulation ccaEncrypt() {
            Label label = keysHavePolicies() ? new Label.OfAttributes(attributes(n)) : new Label.OfPolicy(policy(n));
            return product.encapsulate(keys.publicKey(), label, RANDOM);
        }

        private byte[] ccaDecrypt() throws Exception {
            return product.decapsulate(keys.publicKey(), productKey, productCiphertext.ciphertext());
        }

        private byte[] ccaTransform() throws Exception {
            return product.transform(productBlinded.transformKey(), productCiphertext.ciphertext());
        }

        private byte[] ccaRetrieve() throws Exception {
            return product.decapsulate(
                    keys.publicKey(), productBlinded.retrievalKey(), answer, productCiphertext.ciphertext());
        }

        /** A figure of what does not decrypt would say nothing. */
        private void requireRight() throws Exception {
            if (!decrypt().equals(encapsulated.key())
                    || !retrieve().equals(encapsulated.key())
                    || !Arrays.equals(ccaDecrypt(), productCiphertext.secret())
                    || !Arrays.equals(ccaRetrieve(), productCiphertext.secret())) {
                throw new IllegalStateException(id() + " does not decrypt with " + n + " attributes");
            }
        }

        /** To be timed. */
        Map<Operation, Callable<?>> operations() {
            byte[] keyBytes = scheme.encodeKey(key);
            byte[] ciphertextBytes = scheme.encodeCiphertext(encapsulated.ciphertext());
            Map<Operation, Callable<?>> operations = new EnumMap<>(Operation.class);
            operations.put(Operation.KEY_GEN, () -> keyGen(n));
            operations.put(Operation.ENCRYPT, () -> encrypt(n));
            operations.put(Operation.DECRYPT, this::decrypt);
            operations.put(Operation.CCA_ENCRYPT, this::ccaEncrypt);
            operations.put(Operation.CCA_DECRYPT, this::ccaDecrypt);
            operations.put(Operation.BLIND, this::blind);
            operations.put(
                    Operation.TRANSFORM, () -> scheme.transform(blinded.transformKey(), encapsulated.ciphertext()));
            operations.put(Operation.RETRIEVE, this::retrieve);
            operations.put(Operation.CCA_TRANSFORM, this::ccaTransform);
            operations.put(Operation.CCA_RETRIEVE, this::ccaRetrieve);
            operations.put(Operation.READ_KEY, () -> scheme.decodeKey(keyBytes));
            operations.put(Operation.READ_CIPHERTEXT, () -> scheme.decodeCiphertext(ciphertextBytes));
            return operations;
        }

        /** Name and value of an attribute have 11 to 13 characters. */
        Size size() {
            return new Size(
                    id(),
                    n,
                    productKey.encode().length,
                    scheme.encodeCiphertext(encapsulated.ciphertext()).length,
                    productCiphertext.ciphertext().length,
                    productBlinded.transformKey().encode().length,
                    answer.length);
        }
    }

    /** @throws IllegalStateException if it does not decrypt */
    At at(int n) throws Exception {
        At at = new At(n);
        at.requireRight();
        return at;
    }
}
