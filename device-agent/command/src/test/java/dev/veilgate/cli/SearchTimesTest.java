package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which time --from and --to speak of; sealed and searched at noon of 2026-11-21. */
class SearchTimesTest {
    private static final String LATE = "2026-11-01T08:00:00Z press-4 pump[7]: overheat of the first of November";
    private static final String ZONELESS = "2026-11-21 12:59:59 press-4 pump[7]: overheat without a zone";
    private static final String ARCHIVE = "2019-03-05T08:00:00Z press-4 pump[7]: overheat of an archive";
    private static final String BOGUS = "2199-01-01T00:00:00Z press-4 pump[7]: overheat of a broken clock";
    private static final String UNTIMED = "overheat";

    @TempDir
    private Path temporary;

    private CommandRun run;
    private Path sealed;

    @BeforeEach
    void seal() throws Exception {
        Site site = new Site(temporary);
        run = site.run;
        sealed = site.seal("day", LATE, ZONELESS, ARCHIVE, BOGUS, UNTIMED);
    }

    private Result search(Object... options) {
        return run.run(
                Stream.of(new Object[] {"search", "--scope", "plant-7"}, options, new Object[] {"overheat", sealed})
                        .flatMap(Stream::of)
                        .toArray());
    }

    private static String lines(String... lines) {
        return String.join("\n", lines) + "\n";
    }

    @Test
    void aRecordIsOfItsOwnTimeOrOfThatOfReading() {
        Result day = search("--from", "24h");
        assertThat(day.out()).isEqualTo(lines(ZONELESS, ARCHIVE, BOGUS, UNTIMED));
        assertThat(day.err())
                .contains("note: 1 more is of another time, 2026-11-01T08:00:00Z; --from and --to leave that out");
        Result first = search("--from", "2026-11-01", "--to", "2026-11-02");
        assertThat(first.out()).isEqualTo(lines(LATE));
        assertThat(first.err())
                .contains("note: 4 more are of other times, 2026-11-21T12:00:00Z to 2026-11-21T12:00:00Z;");
        assertThat(search().out()).isEqualTo(lines(LATE, ZONELESS, ARCHIVE, BOGUS, UNTIMED));
        assertThat(search().err()).doesNotContain("note:");
    }

    @Test
    void theEndIsNotInARange() {
        assertThat(search("--from", "2026-11-01T08:00:00Z", "--to", "2026-11-01T08:00:01Z")
                        .out())
                .isEqualTo(lines(LATE));
        Result before = search("--from", "2026-11-01T07:00:00Z", "--to", "2026-11-01T08:00:00Z");
        assertThat(before.out()).isEmpty();
        assertThat(before.code()).isEqualTo(ExitCode.NO_MATCH);
        assertThat(before.err())
                .contains("note: 5 more are of other times, 2026-11-01T08:00:00Z to 2026-11-21T12:00:00Z;");
    }

    @Test
    void jsonSaysWhereATimeComesFrom() {
        assertThat(search("--json").out().lines())
                .satisfiesExactly(
                        late -> assertThat(late).contains("\"time\":\"2026-11-01T08:00:00Z\",\"timeSource\":\"own\""),
                        SearchTimesTest::isOfReading,
                        SearchTimesTest::isOfReading,
                        SearchTimesTest::isOfReading,
                        SearchTimesTest::isOfReading);
    }

    private static void isOfReading(String line) {
        assertThat(line).contains("\"time\":\"2026-11-21T12:00:00Z\",\"timeSource\":\"read\"");
    }

    /** Pairs inside the text of an object, which its sender read as pairs: by the field it is found in another form than by the word. */
    @Test
    void aRecordHasOneTimeWhateverItIsFoundBy() throws Exception {
        Path log = temporary.resolve("pairs.log");
        Files.writeString(log, "{\"msg\":\"x time=2026-11-20T10:00:00Z app=pump overheat\"}\n");
        Path pairs = temporary.resolve("pairs.vge");
        Path identity = temporary.resolve("press-4.identity");
        run.ok("seal", "--identity", identity, "--scope", "plant-7", "--format", "key_value", "-o", pairs, log);
        for (String query : List.of("overheat", "app:pump")) {
            assertThat(run.ok("search", "--scope", "plant-7", "--json", query, pairs)
                            .out())
                    .as(query)
                    .contains("\"timeSource\":\"read\"");
        }
    }

    private List<String> epochs(Object... options) throws Exception {
        Path file = temporary.resolve("made.search");
        run.ok(Stream.of(
                        new Object[] {"trapdoor", "--scope", "plant-7", "-o", file}, options, new Object[] {"overheat"})
                .flatMap(Stream::of)
                .toArray());
        SearchRequest request = SearchRequest.decode(Files.readAllBytes(file));
        Files.delete(file);
        return request.terms().stream()
                .flatMap(List::stream)
                .map(ScopedTrapdoor::epoch)
                .distinct()
                .toList();
    }

    @Test
    void noTrapdoorIsOfAnEpochThatHasNotBegun() throws Exception {
        run.ok("keys", "log", "--begin");
        assertThat(epochs("--from", "7d", "--to", "2027-03-01")).containsExactly("2026-11");
        assertThat(epochs("--from", "2026-09-30", "--to", "2026-10-01"))
                .as("what was read and sealed up to 31 days later")
                .containsExactly("2026-09", "2026-10");
        Result later = search("--epoch", "2026-11..2027-03");
        assertThat(later.code()).isEqualTo(ExitCode.USAGE);
        assertThat(later.err()).contains("2026-12 has not begun");
        Path log = temporary.resolve("issuing.vgl");
        run.ok("keys", "log", "-o", log);
        assertThat(run.ok("verify", "--issuing-log", log, "--json").out()).doesNotContain("2026-12", "2027");
    }

    @Test
    void aRequestNamesWhatTheGatewayIsAskedAndItsReaderSeesTheRange() throws Exception {
        Path log = temporary.resolve("for-ada.log");
        Files.writeString(log, lines(LATE, UNTIMED));
        Path identity = temporary.resolve("press-4.identity");
        Path forAda = temporary.resolve("for-ada.vge");
        run.ok("seal", "--identity", identity, "--scope", "plant-7", "--readers", "role:dpo", "-o", forAda, log);
        Path key = temporary.resolve("ada.vgr");
        run.environment.put("VEILGATE_READER_PASSPHRASE", "correct horse");
        run.ok("keys", "issue", "--memory", "8", "ada", "--attributes", "role:dpo", "-o", key);
        Path request = temporary.resolve("november.search");
        run.ok(
                "trapdoor",
                "--scope",
                "plant-7",
                "--from",
                "2026-11-01",
                "--to",
                "2026-11-02",
                "-o",
                request,
                "overheat");
        assertThat(SearchRequest.decode(Files.readAllBytes(request)).filter().to())
                .contains(Instant.parse("2026-12-03T00:00:00Z"));
        Result found = run.ok("search", "--request", request, "--reader-key", key, "overheat", forAda);
        assertThat(found.out()).isEqualTo(lines(LATE));
        assertThat(found.err()).contains("note: 1 more is of another time");
    }
}
