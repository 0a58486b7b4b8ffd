package dev.veilgate.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.query.Filter;
import dev.veilgate.reading.EventTime.Source;
import dev.veilgate.testing.ProcessorTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which time a record or mail has. */
class EventTimeTest {
    private static final Instant READ = Instant.parse("2026-11-22T12:00:00Z");

    private static EventTime own(Instant time) {
        return new EventTime(time, Source.OWN);
    }

    private static EventTime record(String line) {
        var extraction = LogExtractor.of(ExtractorProfile.defaults(), LogFormat.AUTO)
                .extract(line.getBytes(StandardCharsets.UTF_8));
        return EventTime.ofRecord(extraction.time(READ), READ);
    }

    private static Filter range(String from, String to) {
        return new Filter(Optional.of(Instant.parse(from)), Optional.of(Instant.parse(to)), Set.of());
    }

    @Test
    void isTheRecordsOwnUpToWhenItWasRead() {
        assertThat(EventTime.ofRecord(Optional.of(READ), READ)).isEqualTo(own(READ));
        Instant oldest = READ.minus(EventTime.BACKLOG);
        assertThat(EventTime.ofRecord(Optional.of(oldest), READ)).isEqualTo(own(oldest));
        EventTime read = new EventTime(READ, Source.READ);
        assertThat(EventTime.ofRecord(Optional.of(oldest.minusNanos(1)), READ)).isEqualTo(read);
        assertThat(EventTime.ofRecord(Optional.of(READ.plusNanos(1)), READ)).isEqualTo(read);
        assertThat(EventTime.ofRecord(Optional.empty(), READ)).isEqualTo(read);
    }

    /** RFC 3164 has no year: it is the one that puts the line nearest to when it was read, which is not always that of the reading. */
    @ParameterizedTest
    @CsvSource({
        "Nov 22 11:59:00, 2026-11-22T12:00:00Z, 2026-11-22T11:59:00Z",
        "Oct 24 13:00:00, 2026-11-22T12:00:00Z, 2026-10-24T13:00:00Z",
        "Dec 31 23:59:58, 2027-01-01T00:00:01Z, 2026-12-31T23:59:58Z",
        "Jan  1 00:00:00, 2027-01-01T00:00:01Z, 2027-01-01T00:00:00Z",
        "Feb 29 10:00:00, 2028-03-01T00:00:00Z, 2028-02-29T10:00:00Z",
        "Feb 29 10:00:00, 2104-03-03T00:00:00Z, 2104-02-29T10:00:00Z"
    })
    void ofALineWithoutAYearIsThatOfTheNearestYear(String time, Instant read, Instant expected) {
        var extraction = LogExtractor.of(ExtractorProfile.defaults(), LogFormat.AUTO)
                .extract((time + " press-4 pump: overheated").getBytes(StandardCharsets.UTF_8));
        assertThat(EventTime.ofRecord(extraction.time(read), read)).isEqualTo(own(expected));
    }

    @ParameterizedTest
    @CsvSource({
        "Jan  1 00:30:00, 2026-12-31T23:40:00Z", // of a zone ahead: in the new year, and so after it was read
        "Sep  1 10:00:00, 2026-11-22T12:00:00Z", // longer ago than is believed
        "Feb 29 10:00:00, 2027-03-01T00:00:00Z" // a year ago
    })
    void ofALineWithoutAYearThatIsNearToNoneIsWhenItWasRead(String time, Instant read) {
        var extraction = LogExtractor.of(ExtractorProfile.defaults(), LogFormat.AUTO)
                .extract((time + " press-4 pump: overheated").getBytes(StandardCharsets.UTF_8));
        assertThat(EventTime.ofRecord(extraction.time(read), read)).isEqualTo(new EventTime(read, Source.READ));
    }

    @Test
    void ofAbsurdLinesIsWhenTheyWereRead() {
        EventTime read = new EventTime(READ, Source.READ);
        for (String line : new String[] {
            "1970-01-01T00:00:00Z press-4 pump overheated",
            "2199-12-31 23:59:59 press-4 pump overheated",
            "9999-12-31T23:59:59Z press-4 pump overheated",
            "2026-02-31T12:00:00Z press-4 pump overheated",
            "Nov 31 11:59:00 press-4 pump: overheated",
            "Feb 30 11:59:00 press-4 pump: overheated",
            "pump overheated",
            ""
        }) {
            assertThat(record(line)).as(line).isEqualTo(read);
        }
        assertThat(record("2026-11-22 12:59:59 pump overheated"))
                .as("without a zone, from a host whose clock shows UTC+1")
                .isEqualTo(read);
        assertThat(record("2026-11-22T12:59:59+01:00 pump overheated"))
                .isEqualTo(own(Instant.parse("2026-11-22T11:59:59Z")));
    }

    @Test
    void ofAMailIsItsDateUpToWhenItWasSealed() {
        Instant at = Instant.parse("2026-11-22T11:23:09Z");
        assertThat(EventTime.ofMail("Sun, 22 Nov 2026 11:23:09 +0000", READ)).isEqualTo(own(at));
        assertThat(EventTime.ofMail(" Sun, 22 Nov 2026 12:23:09 +0100 (CET) ", READ))
                .isEqualTo(own(at));
        EventTime sealed = new EventTime(READ, Source.SEALED);
        for (String date : new String[] {
            "",
            "yesterday",
            "Sun, 22 Nov 2026 12:00:01 +0000",
            "Thu, 1 Jan 1970 00:00:00 +0000",
            "Fri, 31 Dec 9999 23:59:59 +0000"
        }) {
            assertThat(EventTime.ofMail(date, READ)).as(date).isEqualTo(sealed);
        }
    }

    @Test
    void ofAMailCostsNothingWhateverItsDateIs() throws Exception {
        ProcessorTime.bounded(Duration.ofSeconds(30), () -> {
            for (String date : new String[] {"(".repeat(1 << 20), "9".repeat(1 << 20), " ".repeat(1 << 20) + "("}) {
                assertThat(EventTime.ofMail(date, READ).source()).isEqualTo(Source.SEALED);
            }
            return READ;
        });
    }

    @Test
    void isInARangeFromItsBeginningToBeforeItsEnd() {
        Filter range = range("2026-11-22T11:00:00Z", "2026-11-22T12:00:00Z");
        assertThat(own(Instant.parse("2026-11-22T11:00:00Z")).isIn(range)).isTrue();
        assertThat(own(Instant.parse("2026-11-22T10:59:59.999999999Z")).isIn(range))
                .isFalse();
        assertThat(own(Instant.parse("2026-11-22T11:59:59.999999999Z")).isIn(range))
                .isTrue();
        assertThat(own(Instant.parse("2026-11-22T12:00:00Z")).isIn(range)).isFalse();
        assertThat(own(READ).isIn(Filter.NONE)).isTrue();
    }

    @Test
    void whatWasWidenedIsNarrowedAgain() {
        Filter range = range("2026-11-22T11:00:00Z", "2026-11-22T11:00:00.001Z");
        assertThat(EventTime.widened(range)).isEqualTo(range("2026-11-22T11:00:00Z", "2026-12-23T11:00:00.001Z"));
        assertThat(EventTime.narrowed(EventTime.widened(range))).isEqualTo(range);
        assertThat(EventTime.narrowed(range)).as("was not widened").isEqualTo(range);
        assertThat(EventTime.widened(Filter.NONE)).isEqualTo(Filter.NONE);
        assertThat(EventTime.narrowed(Filter.NONE)).isEqualTo(Filter.NONE);
        for (long end : new long[] {Long.MIN_VALUE, Long.MAX_VALUE}) {
            Filter extreme = new Filter(Optional.empty(), Optional.of(Instant.ofEpochMilli(end)), Set.of());
            assertThat(EventTime.widened(extreme).to()).isPresent();
            assertThat(EventTime.narrowed(extreme).to()).isPresent();
        }
    }

    @Test
    void othersAreCountedInNoMoreMemory() {
        OtherTimes others = OtherTimes.NONE;
        assertThat(others.isEmpty()).isTrue();
        for (int i = 1; i <= 1_000_000; i++) {
            others = others.and(own(READ.plusSeconds(i % 7 - 3)));
        }
        assertThat(others).isEqualTo(new OtherTimes(1_000_000, READ.minusSeconds(3), READ.plusSeconds(3)));
    }
}
