package dev.veilgate.pq;

import dev.veilgate.secret.Secret;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import javax.security.auth.DestroyFailedException;
import org.bouncycastle.crypto.params.MLDSAParameters;
import org.bouncycastle.crypto.params.MLDSAPrivateKeyParameters;

/**
 * ML-DSA-65 with the empty context string. Keys come from their seed by Bouncy Castle; signing and verifying is the
 * JDK's, whose vector code needs two thirds of the time. The JDK takes keys in their standard envelopes only (RFC
 * 9881), so the raw bytes get those put before them.
 */
@Secret
final class PlatformMlDsa65 implements SignatureScheme {
    private static final SignatureParameters PARAMETERS = SignatureParameters.ML_DSA_65;
    private static final String NAME = PARAMETERS.name();

    private static final byte[] PKCS8 =
            HexFormat.of().parseHex("30820fd8020100300b060960864801650304031204820fc404820fc0");
    private static final byte[] X509 = HexFormat.of().parseHex("308207b2300b0609608648016503040312038207a100");

    @Override
    public SignatureParameters parameters() {
        return PARAMETERS;
    }

    @Override
    public SignatureSecretKey key(byte[] seed) {
        PARAMETERS.requireSeed(seed);
        MLDSAPrivateKeyParameters sk = new MLDSAPrivateKeyParameters(MLDSAParameters.ml_dsa_65, seed.clone());
        byte[] expanded = sk.getParametersWithFormat(MLDSAPrivateKeyParameters.EXPANDED_KEY)
                .getEncoded();
        byte[] pkcs8 = concat(PKCS8, expanded);
        try {
            PrivateKey key = KeyFactory.getInstance(NAME).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            return new Signer(key, sk.getPublicKeyParameters().getEncoded());
        } catch (GeneralSecurityException e) {
            throw missing(e);
        } finally {
            Arrays.fill(expanded, (byte) 0);
            Arrays.fill(pkcs8, (byte) 0);
            sk.destroy();
        }
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

    private record Signer(PrivateKey key, byte[] encodedPublicKey) implements SignatureSecretKey {
        @Override
        public byte[] publicKey() {
            return encodedPublicKey.clone();
        }

        @Override
        public byte[] sign(byte[] message, SecureRandom random) {
            try {
                Signature signature = Signature.getInstance(NAME);
                signature.initSign(key, random);
                signature.update(message);
                return signature.sign();
            } catch (GeneralSecurityException e) {
                throw missing(e);
            }
        }

        @Override
        public void close() {
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

    private record Verifier(java.security.PublicKey key) implements SignaturePublicKey {
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
