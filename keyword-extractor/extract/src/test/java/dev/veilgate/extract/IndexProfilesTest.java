package dev.veilgate.extract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.IndexRules;
import dev.veilgate.envelope.NextProfile;
import dev.veilgate.envelope.PublicBundle.Epoch;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The profiles by which a tenant's keywords are made, epoch by epoch. */
class IndexProfilesTest {
    private static final ExtractorProfile FIRST = ExtractorProfile.defaults();
    private static final ExtractorProfile LATER = FIRST.withRules(2);
    private static final Epoch NOVEMBER = epoch("2026-11", 0);
    private static final Epoch JANUARY = epoch("2027-01", 61);

    private static Epoch epoch(String name, int days) {
        Instant from = Instant.parse("2026-11-01T00:00:00Z").plusSeconds(86_400L * days);
        return new Epoch(name, from, from.plusSeconds(86_400L * 28));
    }

    private static IndexProfiles with(byte[] later) throws Exception {
        return IndexProfiles.of(FIRST.encode(), Optional.of(new NextProfile(later, NOVEMBER, JANUARY)));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-10,         1, 1",
        "2026-11,         2, 2 1",
        "2026-12,         2, 2 1",
        "2027-01,         2, 2",
        "2026-10 2026-11, 2, 2 1",
        "2026-12 2027-01, 2, 2 1",
        "2027-01 2027-02, 2, 2",
        "2026-10 2027-01, 2, 2 1",
    })
    void anEpochHasThoseThatItsKeywordsMayBeMadeBy(String epochs, int sealing, String asked) throws Exception {
        List<String> names = List.of(epochs.split(" "));
        IndexProfiles profiles = with(LATER.encode());
        assertThat(profiles.ofEpochs(names).stream().map(each -> String.valueOf(each.rules())))
                .containsExactly(asked.split(" "));
        assertThat(profiles.toSeal(names.getLast()).profile().rules()).isEqualTo(sealing);
    }

    @Test
    void anEnvelopeIsToldTheBytesOfTheBundle() throws Exception {
        byte[] encoded = LATER.encode();
        IndexRules rules = with(encoded).toSeal("2026-11").rules();
        assertThat(rules).isEqualTo(IndexRules.of(2, encoded));
        assertThat(IndexProfiles.of(FIRST).toSeal("2026-11").rules()).isEqualTo(IndexRules.of(1, FIRST.encode()));
    }

    @Test
    void rulesThatThisSoftwareDoesNotKnowLeaveTheFirst() throws Exception {
        byte[] unknown = LATER.encode();
        unknown[2] = 9;
        IndexProfiles profiles = with(unknown);
        assertThat(profiles.isOutdatedIn(List.of("2026-11"))).isTrue();
        assertThat(profiles.isOutdatedIn(List.of("2026-10"))).isFalse();
        assertThat(profiles.toSeal("2027-01").profile()).isEqualTo(FIRST);
        assertThat(profiles.ofEpochs(List.of("2027-01"))).containsExactly(FIRST);
        assertThat(with(LATER.encode()).isOutdatedIn(List.of("2026-11"))).isFalse();
        QueryReadings told =
                QueryReadings.read(profiles, List.of("2026-11"), profile -> KeywordQuery.read("disk", profile));
        assertThat(told.shown().warnings().getLast().message()).contains("does not know");
        assertThat(told.asked()).isEqualTo(KeywordQuery.parse("disk", FIRST));
    }
}
