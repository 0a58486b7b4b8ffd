package dev.veilgate.abe;

import dev.veilgate.abe.kem.AuthorityKem;
import dev.veilgate.abe.kem.ChosenCiphertextKem;
import dev.veilgate.abe.kem.ChosenCiphertextKem.Opening;
import dev.veilgate.abe.kem.KeyPair;
import dev.veilgate.abe.kem.OutsourcedKem;
import dev.veilgate.abe.kem.ReaderKey;
import dev.veilgate.abe.kem.RetrievalKey;
import dev.veilgate.abe.kem.TransformKey;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.peks.KeyId;
import dev.veilgate.random.CoinStream;
import dev.veilgate.secret.ErasableKey;
import dev.veilgate.secret.Secret;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;

/**
 * A scheme behind the door: checks what is given, makes it secure against chosen ciphertexts, turns it into bytes. Type parameters as of {@link
 * AuthorityKem}.
 */
@Secret
final class SchemeKem<P, M extends ErasableKey, S extends ReaderKey<L, ?>, L, D, C> implements AttributeKem {
    /** One of the two kinds of label, as a scheme has it. */
    private record Kind<T>(Function<Label, T> of, Function<T, Label> label) {}

    private static final Kind<Policy> POLICY =
            new Kind<>(label -> ((Label.OfPolicy) label).policy(), Label.OfPolicy::new);
    private static final Kind<AttributeSet> ATTRIBUTES =
            new Kind<>(label -> ((Label.OfAttributes) label).attributes(), Label.OfAttributes::new);

    private final AuthorityKem<P, M, S, L, D, C> scheme;
    private final Kind<L> ofKeys;
    private final Kind<D> ofCiphertexts;
    private final ChosenCiphertextKem<P, S, D, C> kem;

    private SchemeKem(AuthorityKem<P, M, S, L, D, C> scheme, Kind<L> ofKeys, Kind<D> ofCiphertexts) {
        this.scheme = scheme;
        this.ofKeys = ofKeys;
        this.ofCiphertexts = ofCiphertexts;
        this.kem = new ChosenCiphertextKem<>(
                scheme, descriptor -> label(descriptor).encode());
    }

    static <P, M extends ErasableKey, S extends ReaderKey<AttributeSet, ?>, C>
            SchemeKem<P, M, S, AttributeSet, Policy, C> policiesInCiphertexts(
                    AuthorityKem<P, M, S, AttributeSet, Policy, C> scheme) {
        return new SchemeKem<>(scheme, ATTRIBUTES, POLICY);
    }

    static <P, M extends ErasableKey, S extends ReaderKey<Policy, ?>, C>
            SchemeKem<P, M, S, Policy, AttributeSet, C> policiesInKeys(
                    AuthorityKem<P, M, S, Policy, AttributeSet, C> scheme) {
        return new SchemeKem<>(scheme, POLICY, ATTRIBUTES);
    }

    @Override
    public String id() {
        return scheme.id();
    }

    @Override
    public boolean keysHavePolicies() {
        return ofKeys == POLICY;
    }

    @Override
    public AttributeKeys setup(SecureRandom random) {
        try (CoinStream coins = CoinStream.fresh(random)) {
            KeyPair<P, M> keys = scheme.setup(coins);
            AttributePublicKey publicKey = publicKey(keys.publicKey());
            return new AttributeKeys(publicKey, masterKey(publicKey.id(), keys.masterKey()));
        }
    }

    @Override
    public AttributeSecretKey keyGen(
            AttributeMasterKey masterKey, AttributePublicKey publicKey, Label label, SecureRandom random) {
        requireScheme("public key", publicKey.scheme());
        requireScheme("master key", masterKey.scheme());
        requireSame(publicKey, masterKey.publicKeyId());
        requireKind("a key", label, keysHavePolicies());
        try (CoinStream coins = CoinStream.fresh(random)) {
            return secretKey(publicKey.id(), scheme.keyGen(inner(masterKey), ofKeys.of.apply(label), coins));
        }
    }

    @Override
    public boolean canDelegate() {
        return scheme.canDelegate();
    }

    @Override
    public AttributeSecretKey delegate(
            AttributePublicKey publicKey, AttributeSecretKey key, Label label, SecureRandom random) {
        P inner = inner(publicKey);
        requireScheme("secret key", key.scheme());
        requireSame(publicKey, key.publicKeyId());
        requireKind("a key", label, keysHavePolicies());
        try (CoinStream coins = CoinStream.fresh(random)) {
            return secretKey(publicKey.id(), scheme.delegate(inner, inner(key), ofKeys.of.apply(label), coins));
        }
    }

    @Override
    public Encapsulation encapsulate(AttributePublicKey publicKey, Label label, SecureRandom random) {
        P inner = inner(publicKey);
        requireKind("a ciphertext", label, !keysHavePolicies());
        ChosenCiphertextKem.Encapsulated made = kem.encapsulate(inner, ofCiphertexts.of.apply(label), random);
        byte[] ciphertext = Format.CIPHERTEXT
                .begin(id(), made.ciphertext().length)
                .bytes(made.ciphertext())
                .toByteArray();
        return new Encapsulation(ciphertext, made.secret());
    }

    @Override
    public int ciphertextBytes(Label label) {
        requireKind("a ciphertext", label, !keysHavePolicies());
        return Format.CIPHERTEXT.begin(id(), 0).toByteArray().length
                + ChosenCiphertextKem.SECRET_BYTES
                + scheme.ciphertextBytes(ofCiphertexts.of.apply(label));
    }

    @Override
    public byte[] decapsulate(AttributePublicKey publicKey, AttributeSecretKey key, byte[] ciphertext)
            throws MalformedEncodingException, UnsatisfiedPolicyException, RefusedCiphertextException {
        P inner = inner(publicKey);
        requireScheme("secret key", key.scheme());
        requireSame(publicKey, key.publicKeyId());
        byte[] body = body(ciphertext);
        Label label = label(kem.descriptor(body));
        if (key.label().distance(label) > 0) { // before any element is decoded: there may be thousands
            throw UnsatisfiedPolicyException.of(key.label(), label);
        }
        return switch (kem.decapsulate(inner, inner(key), body)) {
            case Opening.Secret secret -> secret.bytes();
            case Opening.Unsatisfied unsatisfied -> throw UnsatisfiedPolicyException.of(key.label(), label);
            case Opening.Refused refused -> throw new RefusedCiphertextException();
        };
    }

    @Override
    public boolean pairingsGrow() {
        return scheme.pairingsGrow();
    }

    @Override
    public AttributeBlindedKey blind(AttributeSecretKey key, SecureRandom random) {
        requireScheme("secret key", key.scheme());
        try (CoinStream coins = CoinStream.fresh(random)) {
            OutsourcedKem.Blinded<S> blinded = scheme.blind(inner(key), coins);
            return new AttributeBlindedKey(
                    transformKey(key.publicKeyId(), blinded.transformKey()),
                    new AttributeRetrievalKey(id(), key.publicKeyId(), blinded.retrievalKey()));
        }
    }

    @Override
    public byte[] transform(AttributeTransformKey key, byte[] ciphertext)
            throws MalformedEncodingException, UnsatisfiedPolicyException {
        requireScheme("transformation key", key.scheme());
        byte[] body = body(ciphertext);
        Label label = label(kem.descriptor(body));
        if (key.label().distance(label) > 0) {
            throw UnsatisfiedPolicyException.of(key.label(), label);
        }
        Optional<Gt> answer = scheme.transform(inner(key), kem.inner(body));
        if (answer.isEmpty()) {
            throw UnsatisfiedPolicyException.of(key.label(), label);
        }
        return answer.get().encode();
    }

    @Override
    public byte[] decapsulate(AttributePublicKey publicKey, AttributeRetrievalKey key, byte[] answer, byte[] ciphertext)
            throws MalformedEncodingException, RefusedCiphertextException {
        P inner = inner(publicKey);
        requireScheme("retrieval key", key.scheme());
        requireSame(publicKey, key.publicKeyId());
        Gt found = scheme.recover(key.inner(), Gt.decode("attribute-answer", answer));
        if (kem.open(inner, found, body(ciphertext)) instanceof Opening.Secret secret) {
            return secret.bytes();
        }
        throw new RefusedCiphertextException();
    }

    @Override
    public Label labelOf(byte[] ciphertext) throws MalformedEncodingException {
        return label(kem.descriptor(body(ciphertext)));
    }

    private Label label(D descriptor) {
        return ofCiphertexts.label.apply(descriptor);
    }

    private Label keyLabel(S key) {
        return ofKeys.label.apply(key.label());
    }

    private byte[] body(byte[] ciphertext) throws MalformedEncodingException {
        ByteReader in = Format.CIPHERTEXT.reader(ciphertext);
        if (Format.CIPHERTEXT.scheme(in) != this) {
            throw new MalformedEncodingException("attribute-ciphertext.scheme", "must be " + id());
        }
        return in.bytes("body", in.remaining());
    }

    AttributePublicKey decodePublicKey(byte[] bytes) throws MalformedEncodingException {
        return publicKey(scheme.decodePublicKey(bytes));
    }

    AttributeMasterKey decodeMasterKey(Format.Key key) throws MalformedEncodingException {
        try {
            return masterKey(key.publicKeyId(), scheme.decodeMasterKey(key.key()));
        } finally {
            Arrays.fill(key.key(), (byte) 0);
        }
    }

    AttributeSecretKey decodeSecretKey(Format.Key key) throws MalformedEncodingException {
        try {
            return secretKey(key.publicKeyId(), scheme.decodeKey(key.key()));
        } finally {
            Arrays.fill(key.key(), (byte) 0);
        }
    }

    AttributeRetrievalKey decodeRetrievalKey(Format.Key key) throws MalformedEncodingException {
        try {
            return new AttributeRetrievalKey(id(), key.publicKeyId(), RetrievalKey.decode(key.key()));
        } finally {
            Arrays.fill(key.key(), (byte) 0);
        }
    }

    AttributeTransformKey decodeTransformKey(Format.Key key) throws MalformedEncodingException {
        return transformKey(key.publicKeyId(), scheme.decodeTransformKey(key.key()));
    }

    private AttributeTransformKey transformKey(KeyId publicKeyId, TransformKey<S> inner) {
        Label label = keyLabel(inner.blinded());
        return new AttributeTransformKey(id(), publicKeyId, label, scheme.encodeTransformKey(inner), inner);
    }

    private AttributePublicKey publicKey(P inner) {
        return new AttributePublicKey(id(), scheme.encodePublicKey(inner), inner);
    }

    private AttributeMasterKey masterKey(KeyId publicKeyId, M inner) {
        return new AttributeMasterKey(id(), publicKeyId, inner);
    }

    private AttributeSecretKey secretKey(KeyId publicKeyId, S inner) {
        return new AttributeSecretKey(id(), publicKeyId, keyLabel(inner), inner);
    }

    @SuppressWarnings("unchecked") // keys of this scheme's id are made above only
    private P inner(AttributePublicKey key) {
        requireScheme("public key", key.scheme());
        return (P) key.inner();
    }

    @SuppressWarnings("unchecked") // as above
    private M inner(AttributeMasterKey key) {
        return (M) key.inner();
    }

    @SuppressWarnings("unchecked") // as above
    private S inner(AttributeSecretKey key) {
        return (S) key.inner();
    }

    @SuppressWarnings("unchecked") // as above
    private TransformKey<S> inner(AttributeTransformKey key) {
        return (TransformKey<S>) key.inner();
    }

    private void requireScheme(String what, String of) {
        if (!of.equals(id())) {
            throw new IllegalArgumentException("a " + what + " of " + of + " where one of " + id() + " is wanted");
        }
    }

    private static void requireSame(AttributePublicKey publicKey, KeyId of) {
        if (!publicKey.id().equals(of)) {
            throw new IllegalArgumentException("a key of " + of + ", not of " + publicKey.id());
        }
    }

    private static void requireKind(String what, Label label, boolean policy) {
        if (label instanceof Label.OfPolicy != policy) {
            throw new IllegalArgumentException(what + " of this scheme has " + (policy ? "a policy" : "attributes"));
        }
    }

    @Override
    public String toString() {
        return id();
    }
}
