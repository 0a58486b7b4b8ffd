package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.random.TestSeed;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The container of a search. What it finds is tested with the authority that issues it. */
class SearchTermTest {
    private static ScopedTrapdoor trapdoor(int i) {
        return new ScopedTrapdoor(
                "ntru-peks", "N2048_Q29", KeyId.of(new byte[KeyId.BYTES]), "plant-7", "2026-11", new byte[] {(byte) i});
    }

    private static final SearchTerm TERM =
            new SearchTerm("acme", List.of(List.of(trapdoor(1), trapdoor(2)), List.of(trapdoor(3))));

    @Test
    void encodingComesBack() throws Exception {
        assertThat(SearchTerm.decode(TERM.encode())).isEqualTo(TERM);
        assertThat(TERM.toString()).doesNotContain("plant");
    }

    @Test
    void refusesEmptyAndLongTerms() {
        assertThatIllegalArgumentException().isThrownBy(() -> new SearchTerm("acme", List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> new SearchTerm("acme", List.of(List.of())));
        List<ScopedTrapdoor> many = Collections.nCopies(SearchTerm.MAX_TRAPDOORS, trapdoor(1));
        new SearchTerm("acme", List.of(many));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SearchTerm("acme", List.of(many, List.of(trapdoor(2)))));
    }

    @Test
    void garbageIsRefusedOrCanonical() {
        SplittableRandom random = TestSeed.of(SearchTermTest.class).random("fuzz");
        byte[] good = TERM.encode();
        for (int i = 0; i < 50_000; i++) {
            byte[] altered = Arrays.copyOf(good, random.nextInt(3) == 0 ? random.nextInt(good.length) : good.length);
            if (altered.length > 0) {
                altered[random.nextInt(altered.length)] = (byte) random.nextInt(256);
            }
            try {
                assertThat(SearchTerm.decode(altered).encode()).isEqualTo(altered);
            } catch (MalformedEncodingException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        }
        assertThatThrownBy(() -> SearchTerm.decode(Arrays.copyOf(good, good.length + 1)))
                .isInstanceOf(MalformedEncodingException.class)
                .hasMessageContaining("trailing");
    }
}
