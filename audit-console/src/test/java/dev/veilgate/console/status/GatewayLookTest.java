package dev.veilgate.console.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.client.JsonObject;
import dev.veilgate.console.status.Problem.Kind;
import dev.veilgate.console.status.Problem.Source;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which problems answers of a gateway show. */
class GatewayLookTest {
    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
    private static final String WELL =
            "\"machine\": {\"time\": \"2026-11-30T12:00:01Z\", \"diskFull\": false, \"setAside\": 0}";

    private final GatewayLook look = new GatewayLook(NOW);

    private static JsonObject json(String text) throws IOException {
        return JsonObject.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    private static JsonObject status(String bundleEnds, long free, String more) throws IOException {
        return json("{\"bundleEnds\": \"" + bundleEnds + "\", \"freeBytes\": " + free + ", " + more + "}");
    }

    private List<Kind> kinds() {
        return look.problems().stream().map(Problem::kind).toList();
    }

    @Test
    void aGatewayThatIsWellShowsNothing() throws Exception {
        look.status(status("2027-01-01T00:00:00Z", 500_000_000_000L, WELL));
        look.certificate(Optional.of(NOW.plus(Duration.ofDays(30))));
        look.certificate(Optional.empty());
        look.senders(List.of(json("{\"sender\": \"a\", \"gaps\": [], \"forks\": 0}")));
        look.routes(List.of(json("{\"name\": \"r\", \"actions\": {\"waiting\": 0, \"givenUp\": 0}}")));
        look.figures(spool(0L, 10L, 0L));
        assertThat(look.problems()).isEmpty();
        assertThat(look.notKnown()).isEmpty();
    }

    @Test
    void troublesOfTheMachineAreTheWorstFirst() throws Exception {
        look.certificate(Optional.of(NOW.plus(Duration.ofDays(6))));
        look.status(status(
                "2026-11-30T11:00:00Z",
                7,
                "\"machine\": {\"time\": \"2026-11-30T11:58:00Z\", \"diskFull\": true, \"setAside\": 2,"
                        + " \"trouble\": \"<b>no\"}"));
        assertThat(kinds())
                .containsExactly(
                        Kind.NOT_STORING,
                        Kind.DISK_FULL,
                        Kind.CERTIFICATE_ENDING,
                        Kind.BUNDLE_ENDING,
                        Kind.SET_ASIDE,
                        Kind.CLOCKS_DIFFER);
        assertThat(look.problems().getLast().count()).isEqualTo(120);
    }

    @Test
    void whatAGatewayOfBeforeDoesNotSayIsNotKnown() throws Exception {
        look.status(status("2027-01-01T00:00:00Z", 4_000_000_000L, "\"blocks\": 1"));
        look.figures(FigureSeries.none());
        look.routes(List.of(json("{\"name\": \"r\", \"actions\": {\"waiting\": 3, \"givenUp\": 0}}")));
        assertThat(kinds()).containsExactly(Kind.DISK_LOW);
        assertThat(look.notKnown()).containsExactly(Source.ROUTES, Source.FIGURES, Source.MACHINE);
    }

    @Test
    void sendersAreCountedAndTheFirstAreNamed() throws Exception {
        List<JsonObject> senders = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            senders.add(json("{\"sender\": \"s" + i + "\", \"gaps\": [], \"forks\": " + (i == 7 ? 1 : 0)
                    + ", \"silentSince\": \"2026-11-" + (i == 5 ? 10 : 20) + "T00:00:00Z\"}"));
        }
        look.senders(senders);
        assertThat(look.problems())
                .containsExactly(
                        new Problem(Kind.SENDERS_WITH_GAPS, 1L, List.of("s7"), null),
                        new Problem(
                                Kind.SENDERS_SILENT,
                                10_000L,
                                List.of("s0", "s1", "s2"),
                                Instant.parse("2026-11-10T00:00:00Z")));
    }

    @Test
    void deliveriesThatWaitLongAndRoutesThatEndAreProblems() throws Exception {
        look.routes(List.of(
                json("{\"name\": \"late\", \"lastEpochEnds\": \"2026-12-01T00:00:00Z\", \"actions\": {\"waiting\": 3,"
                        + " \"givenUp\": 2, \"waitingSince\": \"2026-11-30T11:44:00Z\"}}"),
                json("{\"name\": \"busy\", \"actions\": {\"waiting\": 1, \"givenUp\": 0,"
                        + " \"waitingSince\": \"2026-11-30T11:46:00Z\"}}")));
        assertThat(look.problems())
                .containsExactly(
                        new Problem(Kind.DELIVERIES_GIVEN_UP, 2L, List.of("late"), null),
                        new Problem(
                                Kind.DELIVERIES_WAITING, 1L, List.of("late"), Instant.parse("2026-11-30T11:44:00Z")),
                        new Problem(Kind.ROUTES_ENDING, 1L, List.of("late"), null));
        assertThat(look.notKnown()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "1000000, 2000000, 9000000, true",
        "9000000, 2000000, 1000000, false",
        "100, 200, 900000, false",
        "8000000, 8100000, 8200000, false",
        "1000000, 90000000, 3000000, false"
    })
    void aSpoolThatDoublesAndDoesNotShrinkGrows(long first, long middle, long last, boolean isGrowing) {
        look.figures(spool(first, middle, last));
        assertThat(kinds()).isEqualTo(isGrowing ? List.of(Kind.SPOOL_GROWING) : List.of());
    }

    @Test
    void aSpoolThatNobodyMeasuredIsNotKnown() {
        look.figures(spool(null, null, 5_000_000L));
        assertThat(look.problems()).isEmpty();
        assertThat(look.notKnown()).containsExactly(Source.FIGURES);
    }

    private static FigureSeries spool(@Nullable Long... bytes) {
        List<FigureSeries.Point> points = new ArrayList<>();
        for (int i = 0; i < bytes.length; i++) {
            Instant begins = NOW.plusSeconds(60L * (i - bytes.length));
            points.add(new FigureSeries.Point(begins, 1, 0, 0, 0, 0, 0, 1L, 0L, bytes[i], 9L));
        }
        return new FigureSeries(true, 1, NOW.minusSeconds(3600), NOW, points);
    }

    @Test
    void anAnswerThatIsNoneIsRefused() {
        assertThatThrownBy(() -> look.status(json("{\"bundleEnds\": \"soon\", \"freeBytes\": 1}")))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(
                        () -> FigureSeries.of(json("{\"stepMinutes\": 1, \"points\": [" + "{},".repeat(400) + "{}]}")))
                .hasMessageContaining("more than 400");
    }
}
