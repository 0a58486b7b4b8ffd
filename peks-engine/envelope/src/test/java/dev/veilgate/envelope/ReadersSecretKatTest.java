package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Frozen: what is derived once must come out the same for ever. The values were computed with Python's hmac and hashlib from the formula of docs/wire-format.md. */
class ReadersSecretKatTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final KeyId SCHEME = KeyId.of(filled(16, 2));

    private static byte[] filled(int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private static byte[] encoded(int version) {
        byte[] bytes = filled(33, 1);
        bytes[0] = (byte) version;
        return bytes;
    }

    private static String seed(ReadersSecret secret, KeyId scheme, String epoch) {
        byte[] key = secret.of(scheme, epoch).encode();
        return HEX.formatHex(key, 1, key.length);
    }

    @Test
    void seedsAreThoseOfTheFormula() throws Exception {
        ReadersSecret secret = ReadersSecret.decode(encoded(2));
        assertThat(secret.isByEpoch()).isTrue();
        assertThat(seed(secret, SCHEME, "2026-11"))
                .isEqualTo("0e24c0137759202e33a96852faeb05275c67347423a91f4c47ddbf2d5e9ec565");
        assertThat(seed(secret, SCHEME, "2026-12"))
                .isEqualTo("b168d791a8408f456e5da9d5f4ace320445f091723ffbcbe99810d6c84fc8770");
        assertThat(seed(secret, SCHEME, ""))
                .isEqualTo("f01e687e7adac919854d92aaba5e2536e3eecd34c669f86a2ee417e033d3fc04");
        assertThat(seed(secret, KeyId.of(filled(16, 3)), "2026-11"))
                .as("another pair")
                .isNotEqualTo(seed(secret, SCHEME, "2026-11"));
        assertThat(secret.encode()).isEqualTo(encoded(2));
        assertThat(secret.toString()).contains("hidden");
    }

    @Test
    void oneKeyForAllEpochsIsTheKeyThatItWas() throws Exception {
        ReadersSecret secret = ReadersSecret.decode(encoded(1));
        assertThat(secret.isByEpoch()).isFalse();
        for (String epoch : new String[] {"", "2026-11", "2026-12"}) {
            assertThat(secret.of(SCHEME, epoch).encode()).isEqualTo(encoded(1));
        }
        assertThat(secret.encode()).isEqualTo(encoded(1));
    }

    @Test
    void rejectsWhatItDoesNotKnowAndWhatIsErased() throws Exception {
        for (byte[] bad : new byte[][] {{}, encoded(0), encoded(3), filled(32, 1), Arrays.copyOf(encoded(2), 34)}) {
            assertThatThrownBy(() -> ReadersSecret.decode(bad)).isInstanceOf(MalformedEncodingException.class);
        }
        assertThatThrownBy(() -> KemSecretKey.decode(encoded(2)))
                .as("software of before refuses it, and does not take a root for a seed")
                .isInstanceOf(MalformedEncodingException.class);
        ReadersSecret erased = ReadersSecret.decode(encoded(2));
        erased.close();
        assertThatThrownBy(() -> erased.of(SCHEME, "2026-11")).isInstanceOf(IllegalStateException.class);
    }
}
