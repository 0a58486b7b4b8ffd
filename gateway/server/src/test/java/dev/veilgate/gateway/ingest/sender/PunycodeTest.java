package dev.veilgate.gateway.ingest.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.IDN;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Labels of domains in ASCII, as the runtime encodes those that it does, and as RFC 3492 and RFC 5891 have others. */
class PunycodeTest {
    /** Letters that IDNA of 2003 maps to nothing else: Greek, Cyrillic, Hebrew, kana, CJK, Hangul, Deseret. */
    private static final int[][] LETTERS = {
        {0x03b1, 17}, {0x0430, 32}, {0x05d0, 27}, {0x3042, 1}, {0x4e00, 500}, {0xac00, 500}, {0x10428, 10}
    };

    @ParameterizedTest
    @CsvSource({
        "b\u00fccher, bcher-kva",
        "stra\u00dfe, strae-oqa",
        "\u4ed6\u4eec\u4e3a\u4ec0\u4e48\u4e0d\u8bf4\u4e2d\u6587, ihqwcrb4cv8a8dqg056pqjye",
        "\u30d1\u30d5\u30a3\u30fcde\u30eb\u30f3\u30d0, de-jg4avhby1noc0d"
    })
    void aLabelIsWrittenAsTheStandardsHaveIt(String label, String encoded) {
        assertThat(Punycode.encoded(label)).isEqualTo(encoded);
    }

    @Test
    void aLabelThatTheRuntimeEncodesIsTheSame() {
        Random random = new Random(Long.getLong("veilgate.seed", 1));
        for (int i = 0; i < 2000; i++) {
            int[] script = LETTERS[random.nextInt(LETTERS.length)];
            StringBuilder label = new StringBuilder();
            int length = 1 + random.nextInt(8);
            for (int c = 0; c < length; c++) {
                boolean isAscii = script[0] != 0x05d0 && random.nextInt(3) == 0;
                label.appendCodePoint(isAscii ? 'a' + random.nextInt(26) : script[0] + random.nextInt(script[1]));
            }
            label.appendCodePoint(script[0]);
            assertThat("xn--" + Punycode.encoded(label.toString()))
                    .as(label.toString())
                    .isEqualTo(IDN.toASCII(label.toString(), IDN.ALLOW_UNASSIGNED));
        }
    }
}
