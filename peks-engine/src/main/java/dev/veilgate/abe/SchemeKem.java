package dev.veilgate.abe;

import dev.veilgate.abe.kem.ChosenCiphertextKem;
import dev.veilgate.abe.kem.ChosenCiphertextKem.Opening;
import dev.veilgate.abe.kem.OutsourcedKem;
import dev.veilgate.abe.kem.TransformKey;
import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.peks.KeyId;
import dev.veilgate.random.CoinStream;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;

/** A scheme behind the door: checks what is given, makes it secure against chosen ciphertexts, turns it into bytes. Type parameters as of {@link Scheme}. */
final class SchemeKem<P, M, S, D, C> implements AttributeKem {
    private final Scheme<P, M, S, D, C> scheme;
    private final ChosenCiphertextKem<P, S, D, C> kem;

    SchemeKem(Scheme<P, M, S, D, C> scheme) {
        this.scheme = scheme;
        this.kem = new ChosenCiphertextKem<>(
                scheme.kem(), descriptor -> scheme.label(descriptor).encode());
    }

    @Override
    public String id() {
        return scheme.kem().id();
    }

    @Override
    public boolean keysHavePolicies() {
        return scheme.keysHavePolicies();
    }

    @Override
    public AttributeKeys setup(SecureRandom random) {
        try (CoinStream coins = CoinStream.fresh(random)) {
            Scheme.Keys<P, M> keys = scheme.setup(coins);
            AttributePublicKey publicKey = publicKey(keys.publicKey());
            return new AttributeKeys(publicKey, masterKey(publicKey.id(), keys.masterKey()));
        }
    }

    @Override
    public AttributeSecretKey keyGen(
            AttributeMasterKey masterKey, AttributePublicKey publicKey, Label label, SecureRandom random) {
        P inner = inner(publicKey);
        requireScheme("master key", masterKey.scheme());
        requireSame(publicKey, masterKey.publicKeyId());
        requireKind("a key", label, keysHavePolicies());
        try (CoinStream coins = CoinStream.fresh(random)) {
            return secretKey(publicKey.id(), scheme.keyGen(inner, inner(masterKey), label, coins));
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
            return secretKey(publicKey.id(), scheme.delegate(inner, inner(key), label, coins));
        }
    }

    @Override
    public Encapsulation encapsulate(AttributePublicKey publicKey, Label label, SecureRandom random) {
        P inner = inner(publicKey);
        requireKind("a ciphertext", label, !keysHavePolicies());
        ChosenCiphertextKem.Encapsulated made = kem.encapsulate(inner, scheme.descriptor(label), random);
        byte[] ciphertext = Format.CIPHERTEXT
                .begin(id(), made.ciphertext().length)
                .bytes(made.ciphertext())
                .toByteArray();
        return new Encapsulation(ciphertext, made.secret());
    }

    @Override
    public byte[] decapsulate(AttributePublicKey publicKey, AttributeSecretKey key, byte[] ciphertext)
            throws MalformedEncodingException, UnsatisfiedPolicyException, RefusedCiphertextException {
        P inner = inner(publicKey);
        requireScheme("secret key", key.scheme());
        requireSame(publicKey, key.publicKeyId());
        byte[] body = body(ciphertext);
        return switch (kem.decapsulate(inner, inner(key), body)) {
            case Opening.Secret secret -> secret.bytes();
            case Opening.Unsatisfied unsatisfied -> throw unsatisfied(key.label(), scheme.label(kem.descriptor(body)));
            case Opening.Refused refused -> throw new RefusedCiphertextException();
        };
    }

    @Override
    public AttributeBlindedKey blind(AttributeSecretKey key, SecureRandom random) {
        requireScheme("secret key", key.scheme());
        try (CoinStream coins = CoinStream.fresh(random)) {
            OutsourcedKem.Blinded<S> blinded = scheme.kem().blind(inner(key), coins);
            return new AttributeBlindedKey(
                    transformKey(key.publicKeyId(), blinded.transformKey()),
                    new AttributeRetrievalKey(id(), key.publicKeyId(), blinded.retrievalKey()));
        }
    }

    @Override
    public byte[] transform(AttributeTransformKey key, byte[] ciphertext)
            throws MalformedEncodingException, UnsatisfiedPolicyException {
        requireScheme("transformation key", key.scheme());
        C inner = kem.inner(body(ciphertext));
        Optional<Gt> answer = scheme.kem().transform(inner(key), inner);
        if (answer.isEmpty()) {
            throw unsatisfied(key.label(), scheme.label(scheme.kem().descriptor(inner)));
        }
        return answer.get().encode();
    }

    @Override
    public byte[] decapsulate(AttributePublicKey publicKey, AttributeRetrievalKey key, byte[] answer, byte[] ciphertext)
            throws MalformedEncodingException, RefusedCiphertextException {
        P inner = inner(publicKey);
        requireScheme("retrieval key", key.scheme());
        requireSame(publicKey, key.publicKeyId());
        Gt found = scheme.kem().recover(key.inner(), Gt.decode("attribute-answer", answer));
        if (kem.open(inner, found, body(ciphertext)) instanceof Opening.Secret secret) {
            return secret.bytes();
        }
        throw new RefusedCiphertextException();
    }

    private static UnsatisfiedPolicyException unsatisfied(Label one, Label other) {
        return one instanceof Label.OfPolicy policy
                ? new UnsatisfiedPolicyException(policy.policy(), ((Label.OfAttributes) other).attributes())
                : unsatisfied(other, one);
    }

    @Override
    public Label labelOf(byte[] ciphertext) throws MalformedEncodingException {
        return scheme.label(kem.descriptor(body(ciphertext)));
    }

    private byte[] body(byte[] ciphertext) throws MalformedEncodingException {
        ByteReader in = new ByteReader("attribute-ciphertext", ciphertext);
        if (Format.CIPHERTEXT.scheme(in) != this) {
            throw new MalformedEncodingException("attribute-ciphertext.scheme", "must be " + id());
        }
        return in.bytes("body", in.remaining());
    }

    AttributePublicKey decodePublicKey(byte[] bytes) throws MalformedEncodingException {
        return publicKey(scheme.kem().decodePublicKey(bytes));
    }

    AttributeMasterKey decodeMasterKey(KeyId publicKeyId, byte[] bytes) throws MalformedEncodingException {
        try {
            return masterKey(publicKeyId, scheme.decodeMasterKey(bytes));
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    AttributeSecretKey decodeSecretKey(KeyId publicKeyId, byte[] bytes) throws MalformedEncodingException {
        try {
            return secretKey(publicKeyId, scheme.kem().decodeKey(bytes));
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    AttributeTransformKey decodeTransformKey(KeyId publicKeyId, byte[] bytes) throws MalformedEncodingException {
        return transformKey(publicKeyId, scheme.kem().decodeTransformKey(bytes));
    }

    private AttributeTransformKey transformKey(KeyId publicKeyId, TransformKey<S> inner) {
        Label label = scheme.keyLabel(inner.blinded());
        return new AttributeTransformKey(id(), publicKeyId, label, scheme.kem().encodeTransformKey(inner), inner);
    }

    private AttributePublicKey publicKey(P inner) {
        return new AttributePublicKey(id(), scheme.kem().encodePublicKey(inner), inner);
    }

    private AttributeMasterKey masterKey(KeyId publicKeyId, M inner) {
        return new AttributeMasterKey(
                id(), publicKeyId, new Held<>(inner, scheme::encodeMasterKey, scheme::destroyMasterKey));
    }

    private AttributeSecretKey secretKey(KeyId publicKeyId, S inner) {
        Held<S> held = new Held<>(inner, scheme.kem()::encodeKey, scheme::destroyKey);
        return new AttributeSecretKey(id(), publicKeyId, scheme.keyLabel(inner), held);
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
