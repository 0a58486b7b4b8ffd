package dev.veilgate.envelope;

import dev.veilgate.secret.Secret;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
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
 * ML-DSA-65 (FIPS 204) with the empty context string. Keys come from their seed by Bouncy Castle; signing and verifying is the JDK's,
 * whose vector code needs two thirds of the time. The JDK takes keys in their standard envelopes only (RFC 9881), so the raw bytes
 * get those put before them.
 */
@Secret
final class MlDsa65 {
    static final int SEED_BYTES = 32;
    static final int PUBLIC_KEY_BYTES = 1952;
    static final int SIGNATURE_BYTES = 3309;

    private static final String NAME = "ML-DSA-65";
    private static final byte[] PKCS8 =
            HexFormat.of().parseHex("30820fd8020100300b060960864801650304031204820fc404820fc0");
    private static final byte[] X509 = HexFormat.of().parseHex("308207b2300b0609608648016503040312038207a100");

    private MlDsa65() {}

    /** A key pair in both forms. */
    record Keys(PrivateKey privateKey, byte[] publicKey) {
        void destroy() {
            try {
                privateKey.destroy();
            } catch (DestroyFailedException e) {
                // a runtime that cannot erase its keys: the reference goes, the collector does the rest
            }
        }
    }

    static Keys ofSeed(byte[] seed) {
        MLDSAPrivateKeyParameters sk = new MLDSAPrivateKeyParameters(MLDSAParameters.ml_dsa_65, seed.clone());
        byte[] expanded = sk.getParametersWithFormat(MLDSAPrivateKeyParameters.EXPANDED_KEY)
                .getEncoded();
        byte[] pkcs8 = concat(PKCS8, expanded);
        try {
            PrivateKey key = KeyFactory.getInstance(NAME).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            return new Keys(key, sk.getPublicKeyParameters().getEncoded());
        } catch (GeneralSecurityException e) {
            throw missing(e);
        } finally {
            Arrays.fill(expanded, (byte) 0);
            Arrays.fill(pkcs8, (byte) 0);
            sk.destroy();
        }
    }

    static PublicKey publicKey(byte[] raw) {
        try {
            return KeyFactory.getInstance(NAME).generatePublic(new X509EncodedKeySpec(concat(X509, raw)));
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    /** Hedged: 32 bytes of {@code random} are mixed in, so that a fault during signing does not give the key away. */
    static byte[] sign(PrivateKey key, byte[] message, SecureRandom random) {
        try {
            Signature signature = Signature.getInstance(NAME);
            signature.initSign(key, random);
            signature.update(message);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    static boolean verify(PublicKey key, byte[] message, byte[] signature) {
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

    private static byte[] concat(byte[] head, byte[] tail) {
        byte[] out = Arrays.copyOf(head, head.length + tail.length);
        System.arraycopy(tail, 0, out, head.length, tail.length);
        return out;
    }

    private static IllegalStateException missing(GeneralSecurityException e) {
        return new IllegalStateException("this Java runtime lacks " + NAME, e);
    }
}
