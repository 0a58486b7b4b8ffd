package dev.veilgate.peks.pairing;

import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.CONTEXT;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.DOMAIN;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.postings;
import static dev.veilgate.peks.pairing.PairingSchemeUnderTest.word;
import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.CoinStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Freezes what keys, trapdoors and blocks look like: devices in the field and archives of ten years must still be read by the software of then. A digest that changes is
 * a new format, which takes a new version number.
 */
public abstract class PairingWireFormatTest {
    /** The scheme with keys from {@link #frozen}. */
    protected abstract PairingSchemeUnderTest scheme();

    /** SHA-256 of each encoding. */
    protected abstract Map<String, String> digests();

    /** Coins that never change. */
    protected static SecureRandom frozen(int first) {
        byte[] seed = new byte[CoinStream.SEED_BYTES];
        seed[0] = (byte) first;
        return new ReplayableRandom(CoinStream.ofSeed(seed));
    }

    @Test
    void digestsAreFrozen() throws MalformedEncodingException {
        PairingSchemeUnderTest scheme = scheme();
        Map<String, String> actual = new LinkedHashMap<>();
        actual.put("public-key", sha256(scheme.publicKey()));
        actual.put("secret-key", sha256(scheme.secretKey()));
        actual.put("trapdoor", sha256(scheme.trapdoor(DOMAIN, word(1)).encode()));
        actual.put("block", sha256(scheme.block(5, 9, frozen(2)).encode()));
        actual.put(
                "block-of-one",
                sha256(scheme.oneKeywordPerBlock(frozen(3))
                        .seal(DOMAIN, CONTEXT, 256, postings(1, 256))
                        .getFirst()
                        .encode()));
        assertThat(actual).isEqualTo(digests());
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
