package dev.veilgate.extract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.extract.ExtractorProfile.Limits;
import dev.veilgate.extract.ExtractorProfile.WordPrefixes;
import dev.veilgate.peks.DyadicIntervals;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExtractorProfileTest {
    private static final ExtractorProfile RICH = Profiles.limitedTo(new Limits(100, 64, 32, 10, 4096))
            .withIpPrefixes(8, 16, 24)
            .withFields("Unit", "tag")
            .withNumericFields(new DyadicIntervals("temp", -100, 10), new DyadicIntervals("port", 0, 16))
            .withWordPrefixes(new WordPrefixes(3, 8))
            .withTemplates(false)
            .withStemLanguages("en", "de");

    @Test
    void decodesWhatItEncodes() throws Exception {
        for (ExtractorProfile profile : new ExtractorProfile[] {ExtractorProfile.defaults(), RICH}) {
            assertThat(ExtractorProfile.decode(profile.encode())).isEqualTo(profile);
            assertThat(ExtractorProfile.decode(profile.encode()).encode()).isEqualTo(profile.encode());
        }
    }

    /** Signed bundles hold these bytes: they never change for rules 1. */
    @Test
    void encodingIsFrozen() {
        assertThat(HexFormat.of().formatHex(ExtractorProfile.defaults().encode()))
                .isEqualTo("a8000101851920001901001840184 01a00100000028003800480058200 0006f50780".replace(" ", ""));
    }

    @Test
    void followsRules1And2() throws Exception {
        ExtractorProfile two = ExtractorProfile.defaults().withRules(2);
        assertThat(ExtractorProfile.defaults().rules()).isEqualTo(1);
        assertThat(ExtractorProfile.decode(two.encode())).isEqualTo(two);
        assertThat(two.withRules(1)).isEqualTo(ExtractorProfile.defaults());
        for (int rules : new int[] {0, 3}) {
            byte[] other = two.encode();
            other[2] = (byte) rules;
            assertThatThrownBy(() -> ExtractorProfile.decode(other)).isInstanceOf(MalformedEncodingException.class);
            assertThatThrownBy(() -> two.withRules(rules)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void refusesWhatIsOutOfRange() {
        ExtractorProfile profile = ExtractorProfile.defaults();
        assertThatThrownBy(() -> profile.withIpPrefixes(25)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> profile.withIpPrefixes(7)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> profile.withFields("word")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> profile.withFields("a b")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> profile.withStemLanguages("English")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Limits(15, 64, 32, 10, 4096)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new WordPrefixes(4, 3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () -> profile.withNumericFields(new DyadicIntervals("a", 0, 4), new DyadicIntervals("a", 0, 5)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void passesOverUnknownKeysUnlessTheyAreCritical() throws Exception {
        byte[] plain = ExtractorProfile.defaults().encode();
        byte[] tail = Arrays.copyOfRange(plain, 1, plain.length);
        byte[] ignored = new CborWriter(64)
                .map(9)
                .encoded(tail)
                .integer(64)
                .text("later")
                .toByteArray();
        byte[] critical =
                new CborWriter(64).map(9).encoded(tail).integer(8).text("later").toByteArray();
        assertThat(ExtractorProfile.decode(ignored)).isEqualTo(ExtractorProfile.defaults());
        assertThatThrownBy(() -> ExtractorProfile.decode(critical)).isInstanceOf(MalformedEncodingException.class);
    }

    @Test
    void refusesEveryTruncationAndTrailingBytes() {
        byte[] bytes = RICH.encode();
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> ExtractorProfile.decode(cut)).isInstanceOf(MalformedEncodingException.class);
        }
        assertThatThrownBy(() -> ExtractorProfile.decode(Arrays.copyOf(bytes, bytes.length + 1)))
                .isInstanceOf(MalformedEncodingException.class);
    }

    @Test
    void changedBytesAreRefusedOrCanonical() {
        long seed = Long.getLong("veilgate.seed", 1);
        Random random = new Random(seed);
        byte[] bytes = RICH.encode();
        for (int i = 0; i < 50_000; i++) {
            byte[] changed = bytes.clone();
            for (int n = 1 + random.nextInt(3); n > 0; n--) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
            }
            try {
                assertThat(ExtractorProfile.decode(changed).encode())
                        .as("seed " + seed)
                        .isEqualTo(changed);
            } catch (MalformedEncodingException e) {
                assertThat(e.getMessage()).startsWith("profile");
            }
        }
    }
}
