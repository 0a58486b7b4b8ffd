package dev.veilgate.envelope.smime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scanner says what the grammar says. */
class AddressFormTwinTest {
    private static final Pattern GRAMMAR =
            Pattern.compile("[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
                    + "@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*");

    @Test
    void agreesWithTheGrammarOnShortTexts() {
        long seed = Long.getLong("veilgate.seed", 20_261_123L);
        var random = new Random(seed);
        String signs = "aZ9.-@+_\"[ \u00e4";
        int taken = 0;
        for (int i = 0; i < 300_000; i++) {
            var text = new StringBuilder();
            for (int left = random.nextInt(9); left >= 0; left--) {
                text.append(signs.charAt(random.nextInt(random.nextBoolean() ? 6 : signs.length())));
            }
            boolean expected = GRAMMAR.matcher(text).matches();
            taken += expected ? 1 : 0;
            assertThat(AddressForm.isTaken(text.toString()))
                    .as("seed %d: %s", seed, text)
                    .isEqualTo(expected);
        }
        assertThat(taken).isGreaterThan(1_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 66})
    void theLocalPartHasAtMost64Characters(int chars) {
        assertThat(AddressForm.isTaken("a".repeat(chars) + "@example.org")).isEqualTo(chars <= 64);
    }

    @ParameterizedTest
    @ValueSource(ints = {253, 254, 255, 100_000})
    void theAddressHasAtMost254Characters(int chars) {
        assertThat(AddressForm.isTaken("a@" + "b".repeat(chars - 2))).isEqualTo(chars <= 254);
    }
}
