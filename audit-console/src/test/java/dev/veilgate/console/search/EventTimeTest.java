package dev.veilgate.console.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.console.search.ExportSample.Unzipped;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.query.SearchRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

/** One time decides of a row: whether it is shown, in which bar it counts, what it shows, what leaves with it. Against a gateway that finds what it is asked for and nothing else. */
class EventTimeTest extends ScriptedGateway {
    private static final String SCOPE = "plant-time";
    private static final int ROUNDS = 40;

    private final SplittableRandom random = random();

    private static SplittableRandom random() {
        String seed = System.getProperty("veilgate.seed", "1");
        System.out.println("EventTimeTest: -Dveilgate.seed=" + seed);
        return new SplittableRandom(seed.hashCode());
    }

    @BeforeEach
    void find() {
        findAsAsked();
    }

    /** A row as it is shown. */
    private record Seen(String envelope, int ordinal, Instant time, String source) {
        static Seen of(JsonNode row) {
            return new Seen(
                    row.get("envelope").asString(),
                    row.path("ordinal").asInt(-1),
                    Instant.parse(row.get("time").asString()),
                    row.get("timeSource").asString());
        }

        boolean isIn(@Nullable Instant from, @Nullable Instant to) {
            return (from == null || !time.isBefore(from)) && (to == null || time.isBefore(to));
        }
    }

    private String find(@Nullable Instant from, @Nullable Instant to) throws Exception {
        return find(from, to, "\"mail\": false");
    }

    private String find(@Nullable Instant from, @Nullable Instant to, String mail) throws Exception {
        List<String> more = new ArrayList<>();
        if (from != null) {
            more.add("\"from\": \"" + from + "\"");
        }
        if (to != null) {
            more.add("\"to\": \"" + to + "\"");
        }
        String search =
                start(query("overheated", SCOPE, more.toArray(String[]::new)).replace("\"mail\": false", mail));
        assertThat(awaitEnd(search).get("state").asString()).isEqualTo("complete");
        return search;
    }

    private List<Seen> seen(String search) throws Exception {
        List<Seen> seen = new ArrayList<>();
        read(search + "/rows?from=0&count=500").get("rows").forEach(row -> seen.add(Seen.of(row)));
        return seen;
    }

    private long others(String search) throws Exception {
        return read(search).path("others").path("count").asLong();
    }

    private Duration upTo(Duration longest) {
        return Duration.ofMillis(random.nextLong(longest.toMillis() + 1));
    }

    private String line(Instant read) {
        Instant own = read.minus(upTo(Duration.ofDays(random.nextBoolean() ? 1 : 40)));
        LocalDateTime local = LocalDateTime.ofInstant(own, ZoneOffset.UTC);
        return switch (random.nextInt(7)) {
                    case 0 -> "";
                    case 1 -> local.plusHours(random.nextInt(13)) + " "; // a zone that is not named
                    case 2 -> own.atOffset(ZoneOffset.ofHours(random.nextInt(25) - 12)) + " ";
                    case 3 -> "1970-01-01T00:00:00Z ";
                    case 4 -> "2199-01-01T00:00:00Z ";
                    default -> own + " ";
                }
                + "overheated";
    }

    private List<byte[]> sealRandomly() throws Exception {
        List<byte[]> sealed = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            Instant last = now().truncatedTo(ChronoUnit.MILLIS).minus(upTo(Duration.ofDays(1)));
            List<String> lines = new ArrayList<>();
            for (int j = 0; j < 8; j++) {
                lines.add(line(last));
            }
            sealed.add(sealRead(SCOPE, last.minus(upTo(Duration.ofMinutes(30))), last, lines));
        }
        return sealed;
    }

    private Instant end(List<Seen> all) {
        Instant at = all.get(random.nextInt(all.size())).time().truncatedTo(ChronoUnit.MILLIS);
        return at.plusMillis(random.nextBoolean() ? random.nextInt(3) - 1 : random.nextInt(100_000_000) - 50_000_000);
    }

    @Test
    void mailsWithoutADateThatCanBeAreCounted() throws Exception {
        List<byte[]> mails = new ArrayList<>();
        for (String date : List.of("", "Date: tomorrow\r\n", "Date: Thu, 1 Jan 1970 00:00:00 +0000\r\n")) {
            mails.add(sealAnotherMail(SCOPE, "From: eve@example.org\r\n" + date + "Subject: s\r\n\r\noverheated"));
        }
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                now().minusSeconds(60).atOffset(ZoneOffset.UTC));
        mails.add(sealAnotherMail(SCOPE, "From: eve@example.org\r\nDate: " + date + "\r\n\r\noverheated"));
        serve(mails.toArray(byte[][]::new));
        String search = find(null, null, "\"mail\": true");
        assertThat(read(search).get("rows").asLong()).isEqualTo(4);
        assertThat(read(search).get("undated").asLong()).isEqualTo(3);
    }

    @Test
    void whatIsFoundInARangeIsWhatIsFoundWithoutAndShowsATimeOfIt() throws Exception {
        serve(sealRandomly().toArray(byte[][]::new));
        List<Seen> all = seen(find(null, null));
        assertThat(all).hasSize(96).extracting(Seen::source).contains("own", "read");
        int some = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Instant from = end(all);
            Instant to = random.nextInt(4) == 0 ? null : end(all);
            if (to != null && !from.isBefore(to)) {
                continue;
            }
            String search = find(from, to);
            List<Seen> expected = all.stream().filter(row -> row.isIn(from, to)).toList();
            assertThat(seen(search)).as("round %d: %s to %s", round, from, to).isEqualTo(expected);
            assertThat(others(search))
                    .as("counted, as far as the gateway found them")
                    .isLessThanOrEqualTo(all.size() - expected.size());
            some += expected.isEmpty() ? 0 : 1;
        }
        assertThat(some).isGreaterThan(ROUNDS / 4);
    }

    @Test
    void whatIsOfABarIsFoundInItsTime() throws Exception {
        serve(sealRandomly().toArray(byte[][]::new));
        String search = find(null, null);
        JsonNode chart = read(search + "/histogram?buckets=7");
        long from = Instant.parse(chart.get("from").asString()).toEpochMilli();
        long to = Instant.parse(chart.get("to").asString()).toEpochMilli();
        long width = chart.get("widthMillis").asLong();
        long counted = 0;
        for (int bar = 0; bar < chart.get("counts").size(); bar++) {
            long begin = from + bar * width;
            Instant end = Instant.ofEpochMilli(Math.min(to, begin + width));
            long count = chart.get("counts").get(bar).asLong();
            assertThat(seen(find(Instant.ofEpochMilli(begin), end)))
                    .as("bar %d", bar)
                    .hasSize((int) count);
            counted += count;
        }
        assertThat(counted).isEqualTo(96);
    }

    @Test
    void aChartOfOneMomentOrOfNothingIsOne() throws Exception {
        Instant read = now().truncatedTo(ChronoUnit.MILLIS);
        serve(sealRead(SCOPE, read, read, List.of("overheated", "overheated")));
        JsonNode moment = read(find(null, null) + "/histogram");
        assertThat(moment.get("counts").size()).isEqualTo(1);
        assertThat(moment.get("counts").get(0).asLong()).isEqualTo(2);
        JsonNode nothing = read(find(read.plusSeconds(60), null) + "/histogram");
        assertThat(nothing.get("counts").get(0).asLong()).isZero();
    }

    @Test
    void whatIsOfAnotherTimeIsCountedOfferedAndInTheManifest() throws Exception {
        Instant read = now().truncatedTo(ChronoUnit.MILLIS);
        Instant own = read.minus(Duration.ofDays(3));
        serve(sealRead(
                SCOPE, read, read, List.of(own + " overheated", own.plusMillis(1) + " overheated", "overheated")));
        String search = find(read.minus(Duration.ofHours(24)), read.plusMillis(1));
        assertThat(seen(search)).hasSize(1);
        JsonNode others = read(search).get("others");
        assertThat(others.get("count").asLong()).isEqualTo(2);
        assertThat(others.get("earliest").asString()).isEqualTo(own.toString());
        assertThat(others.get("latest").asString()).isEqualTo(own.plusMillis(1).toString());
        Unzipped export = Unzipped.of(send(search + "/export?format=csv").getContentAsByteArray());
        assertThat(export.text("manifest.json").replaceAll("\\s", ""))
                .contains("\"others\":{\"count\":2,\"earliest\":\"" + own + "\",\"latest\":\"" + own.plusMillis(1)
                        + "\"}");
        assertThat(export.text("hits.csv")).contains("," + read + ",read,");
        assertThat(read(find(own, read.plusMillis(1))).has("others")).isFalse();
        assertThat(seen(find(own, own.plusMillis(1)))).hasSize(1);
    }

    @Test
    void anUnzonedLineOfUtcPlusOneIsOfTheLastDay() throws Exception {
        Instant read = now().truncatedTo(ChronoUnit.MILLIS);
        String written = LocalDateTime.ofInstant(read, ZoneOffset.ofHours(1)).toString();
        serve(sealRead(SCOPE, read, read, List.of(written + " overheated")));
        assertThat(seen(find(read.minus(Duration.ofHours(24)), read.plusMillis(1))))
                .extracting(Seen::time, Seen::source)
                .containsExactly(tuple(read, "read"));
    }

    @Test
    void whatCannotBeReadHasTheTimeOfReading() throws Exception {
        byte[] cut = withoutSecond(seal(SCOPE, "overheated\noverheated"));
        serve(cut);
        Instant read = now().truncatedTo(ChronoUnit.MILLIS);
        assertThat(seen(find(read.minus(Duration.ofHours(1)), read.plusSeconds(60))))
                .hasSize(2);
        String before = find(read.minus(Duration.ofHours(2)), read.minus(Duration.ofHours(1)));
        assertThat(seen(before)).isEmpty();
        assertThat(others(before)).isEqualTo(2);
        assertThat(read(before).get("unreadable").asLong()).isZero();
    }

    private static String mail(@Nullable Instant date) {
        String header = date == null
                ? ""
                : "Date: " + DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.ofInstant(date, ZoneOffset.UTC))
                        + "\r\n";
        return "From: ada@acme.example\r\n" + header + "Subject: press 4\r\n\r\noverheated\r\n";
    }

    @Test
    void aMailHasItsDateUnlessItLies() throws Exception {
        String ofMails = "\"mail\": true";
        Instant now = now().truncatedTo(ChronoUnit.SECONDS);
        List<@Nullable Instant> lies = new ArrayList<>();
        lies.add(null);
        lies.add(Instant.EPOCH);
        lies.add(now.plus(Duration.ofDays(1)));
        lies.add(now.minus(Duration.ofDays(32)));
        for (Instant date : lies) {
            serve(sealMail(SCOPE, mail(date)));
            Seen row = seen(find(null, null, ofMails)).getFirst();
            assertThat(row.source()).as("%s", date).isEqualTo("sealed");
            assertThat(seen(find(row.time(), row.time().plusMillis(1), ofMails)))
                    .containsExactly(row);
        }
        Instant sent = now.minus(Duration.ofDays(2));
        serve(sealMail(SCOPE, mail(sent)));
        Seen row = seen(find(null, null, ofMails)).getFirst();
        assertThat(row).extracting(Seen::time, Seen::source).containsExactly(sent, "own");
        assertThat(seen(find(sent, sent.plusSeconds(1), ofMails))).containsExactly(row);
        String day = find(now.minus(Duration.ofHours(24)), now.plusSeconds(60), ofMails);
        assertThat(seen(day)).isEmpty();
        assertThat(others(day)).isEqualTo(1);
    }

    @Test
    void noTrapdoorIsOfAnEpochThatHasNotBegun() throws Exception {
        serve(seal(SCOPE, "overheated"));
        Instant now = now();
        String present = EpochPolicy.MONTHLY.at(now).name();
        for (Instant from : new Instant[] {now.minus(Duration.ofHours(1)), now.plus(Duration.ofDays(90))}) {
            String search = find(
                    from.truncatedTo(ChronoUnit.MILLIS),
                    now.plus(Duration.ofDays(120)).truncatedTo(ChronoUnit.MILLIS));
            SearchRequest asked = asked().getLast();
            assertThat(asked.terms().stream().flatMap(List::stream).map(ScopedTrapdoor::epoch))
                    .containsOnly(present);
            assertThat(read(search).get("leakage").toString()).contains("in the epoch " + present + ",");
        }
        assertThat(logged("trapdoor"))
                .isNotEmpty()
                .allSatisfy(entry -> assertThat(detail(entry, "epochs")).isEqualTo(present));
    }

    @Test
    void aRangeOfNothingAndOneThatGoesBackwardsAreRefused() throws Exception {
        Instant now = now().truncatedTo(ChronoUnit.MILLIS);
        for (Instant to : new Instant[] {now, now.minusMillis(1)}) {
            MockHttpServletResponse answer = send(
                    "/api/searches", query("overheated", SCOPE, "\"from\": \"" + now + "\"", "\"to\": \"" + to + "\""));
            assertThat(answer.getStatus()).isEqualTo(400);
            assertThat(answer.getContentAsString()).contains("from must be before to");
        }
    }

    @Test
    void surroundingsAreOfTheTimeThatWasAskedFor() throws Exception {
        Instant now = now().truncatedTo(ChronoUnit.MILLIS);
        var press = newSender("press-time");
        register(press);
        List<byte[]> chain = chain(
                press,
                List.of(SCOPE, SCOPE),
                List.of(now.minusSeconds(50) + " one overheated", now.minusSeconds(10) + " two"));
        serve(chain.getFirst(), chain.getLast());
        find(1, false);
        for (boolean isIn : new boolean[] {true, false}) {
            String search = find(now.minusSeconds(60), now.minusSeconds(isIn ? 1 : 20));
            JsonNode around = read(search + "/rows/0/surrounding?before=1&after=1");
            assertThat(around.size()).as("%s", around).isEqualTo(isIn ? 2 : 1);
            assertThat(around.get(0).get("time").asString())
                    .isEqualTo(now.minusSeconds(50).toString());
        }
    }
}
