package dev.veilgate.pq;

import dev.veilgate.secret.Secret;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.NamedParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import javax.security.auth.DestroyFailedException;

/**
 * ML-DSA-65 of the JDK, with the empty context string: its vector code is faster than Bouncy Castle in all three
 * operations (docs/post-quantum.md has the figures). The JDK takes public keys in their standard envelopes only (RFC
 * 9881), so the raw bytes get those put before them.
 */
@Secret
final class PlatformMlDsa65 implements SignatureScheme {
    private static final SignatureParameters PARAMETERS = SignatureParameters.ML_DSA_65;
    private static final String NAME = PARAMETERS.name();

    private static final byte[] X509 = HexFormat.of().parseHex("308207b2300b0609608648016503040312038207a100");

    @Override
    public SignatureParameters parameters() {
        return PARAMETERS;
    }

    @Override
    public SignatureSecretKey key(byte[] seed) {
        PARAMETERS.requireSeed(seed);
        try (GivenBytes random = new GivenBytes(seed)) {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(NAME);
            generator.initialize(NamedParameterSpec.ML_DSA_65, random);
            KeyPair pair = generator.generateKeyPair();
            random.requireAllTaken();
            return new Signer(pair.getPrivate(), raw(pair.getPublic()));
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    private static byte[] raw(PublicKey key) {
        byte[] x509 = key.getEncoded();
        if (x509.length != X509.length + PARAMETERS.publicKeyBytes()
                || !Arrays.equals(x509, 0, X509.length, X509, 0, X509.length)) {
            throw new IllegalStateException("this Java runtime encodes public keys of " + NAME + " in another form");
        }
        return Arrays.copyOfRange(x509, X509.length, x509.length);
    }

    @Override
    public SignaturePublicKey publicKey(byte[] publicKey) {
        PARAMETERS.requirePublicKey(publicKey);
        try {
            return new Verifier(
                    KeyFactory.getInstance(NAME).generatePublic(new X509EncodedKeySpec(concat(X509, publicKey))));
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    static final class Signer implements SignatureSecretKey {
        private final KeyState state = new KeyState();
        final PrivateKey key;
        private final byte[] encodedPublicKey;

        Signer(PrivateKey key, byte[] encodedPublicKey) {
            this.key = key;
            this.encodedPublicKey = encodedPublicKey;
        }

        @Override
        public byte[] publicKey() {
            return encodedPublicKey.clone();
        }

        @Override
        public byte[] sign(byte[] message, SecureRandom random) {
            state.requireOpen();
            try {
                Signature signature = Signature.getInstance(NAME);
                signature.initSign(key, random);
                signature.update(message);
                return state.result(signature.sign());
            } catch (GeneralSecurityException e) {
                throw missing(e);
            }
        }

        @Override
        public void close() {
            state.close();
            try {
                key.destroy();
            } catch (DestroyFailedException e) {
                // a runtime that cannot erase its keys: the reference goes, the collector does the rest
            }
        }

        @Override
        public String toString() {
            return NAME + "[hidden]";
        }
    }

    private record Verifier(PublicKey key) implements SignaturePublicKey {
        @Override
        public boolean verify(byte[] message, byte[] signature) {
            try {
                Signature verifier = Signature.getInstance(NAME);
                verifier.initVerify(key);
                verifier.update(message);
                return verifier.verify(signature);
            } catch (SignatureException e) {
                return false;
            } catch (GeneralSecurityException e) {
                throw missing(e);
            }
        }
    }

    private static byte[] concat(byte[] head, byte[] tail) {
        byte[] out = Arrays.copyOf(head, head.length + tail.length);
        System.arraycopy(tail, 0, out, head.length, tail.length);
        return out;
    }

    private static IllegalStateException missing(GeneralSecurityException e) {
        return new IllegalStateException("this Java runtime lacks " + NAME, e);
    }
}
