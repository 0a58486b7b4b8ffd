package dev.veilgate.extract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Work that reading a query takes, however it is written. */
class QueryCostTest {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final ExtractorProfile PROFILE = ExtractorProfile.defaults().upgraded();
    private static final int LONGEST = KeywordQuery.MAX_CHARACTERS - 2;
    private static final int QUERIES = Integer.getInteger("veilgate.queries", 2_000);

    /** Pieces that are repeated up to the greatest length, with spaces between and without. */
    private static final List<String> PIECES = List.of(
            "a",
            "a,",
            "a:",
            "f:(",
            "(a)",
            "((a)",
            "NOT a",
            "a OR b",
            "-a",
            "a=b",
            "a|b",
            "/x/",
            "a*",
            "?a",
            "*",
            "a~2",
            "a..b",
            "1..2",
            "10.0.0.0/25",
            "ip:10.0.0.0/25",
            "fe80::1",
            "levl:errr",
            "user:",
            "message:a",
            "message:",
            "[1 TO 5]",
            "f:[1 TO 5]",
            "{a}",
            "%20",
            "<13>",
            "\\",
            "\"",
            "\"a\"",
            "'",
            "'a b'",
            "\u201c",
            "\u65e5\u672c",
            "src_ip:1.2.3.4",
            "time:2026",
            "user in (a,b)",
            "level>=warn",
            "x=~\"a|b\"",
            "| stats",
            "f:(a b)",
            "@a:b",
            "a.b",
            "a::b",
            "&&",
            "=",
            "AND",
            "where a = 1 and");

    private static final List<String> MIXED = List.of(
            "a",
            "b1",
            "user:",
            "host:x",
            "(",
            ")",
            "\"",
            "AND",
            "OR",
            "NOT",
            "-",
            "!",
            "[",
            "]",
            "{",
            "}",
            "/",
            ":",
            "|",
            "=",
            "~",
            "^",
            "*",
            "?",
            "<",
            ">",
            "\\",
            ",",
            " ",
            "10.0.0.1",
            "10.0.0.0/8",
            "fe80::1",
            "\u65e5\u672c",
            "level:error",
            "time:2026-11",
            "&&",
            "||",
            "TO",
            "=~",
            "src_ip:1.2.3.4",
            "+",
            "'",
            "`",
            "..",
            "1..2",
            "in");

    static Stream<String> pieces() {
        return PIECES.stream().flatMap(piece -> Stream.of(piece, piece + " "));
    }

    private static String repeated(String piece, int length) {
        return piece.repeat(length / piece.length());
    }

    private static long nanos(String query) {
        long before = THREADS.getCurrentThreadCpuTime();
        try {
            assertThat(KeywordQuery.read(query, PROFILE).meaning()).isNotEmpty();
        } catch (MalformedQueryException e) {
            assertThat(e.suggestions()).hasSizeLessThanOrEqualTo(3);
        }
        return THREADS.getCurrentThreadCpuTime() - before;
    }

    private static long least(String query) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            least = Math.min(least, nanos(query));
        }
        return least;
    }

    @ParameterizedTest
    @MethodSource("pieces")
    void theLongestQueryTakesNoMoreThanInProportionToItsLength(String piece) {
        for (int i = 0; i < 4; i++) {
            nanos(repeated(piece, 1_000));
        }
        long eighth = least(repeated(piece, LONGEST / 8));
        long whole = least(repeated(piece, LONGEST));
        // the work of a short one can hardly be measured
        assertThat(Duration.ofNanos(whole)).isLessThan(Duration.ofMillis(15).plusNanos(20 * eighth));
    }

    @Test
    void randomQueriesOfAllLengthsTakeLittle() {
        long seed = Long.getLong("veilgate.seed", new Random().nextLong());
        Random random = new Random(seed);
        long all = 0;
        for (int i = 0; i < QUERIES; i++) {
            int length = random.nextInt(20) > 0 ? random.nextInt(1, 200) : random.nextInt(1, LONGEST);
            List<String> of = random.ints(random.nextInt(1, 8), 0, MIXED.size())
                    .mapToObj(MIXED::get)
                    .toList();
            StringBuilder query = new StringBuilder();
            while (query.length() < length) {
                query.append(of.get(random.nextInt(of.size()))).append(random.nextInt(3) > 0 ? " " : "");
            }
            all += nanos(query.substring(0, Math.min(LONGEST, query.length())));
        }
        assertThat(Duration.ofNanos(all / QUERIES)).as("seed " + seed).isLessThan(Duration.ofMillis(20));
    }

    @Test
    void termsAreCountedAsTheyAreWritten() throws Exception {
        String most = "a ".repeat(KeywordQuery.MAX_TERMS);
        assertThat(KeywordQuery.parse(most, PROFILE).keywords()).hasSize(1);
        assertThatThrownBy(() -> KeywordQuery.parse(most + "a", PROFILE))
                .isInstanceOf(MalformedQueryException.class)
                .hasMessage("the query has more than 1024 terms");
    }

    @Test
    void veryLongQueriesAreReadWithoutSuggestions() throws Exception {
        String bar = "disk ".repeat(500);
        ReadQuery read = KeywordQuery.read(bar + "levl:error", PROFILE);
        assertThat(read.warnings())
                .hasSize(1)
                .allMatch(warning -> warning.instead().isEmpty());
        assertThat(read.notes()).contains("Nothing is suggested, as the query has more than 2048 characters.");
        assertThatThrownBy(() -> KeywordQuery.read(bar + "-a", PROFILE))
                .isInstanceOfSatisfying(
                        MalformedQueryException.class,
                        e -> assertThat(e.suggestions()).isEmpty());
        assertThatThrownBy(() -> KeywordQuery.read("disk -full", PROFILE))
                .isInstanceOfSatisfying(
                        MalformedQueryException.class,
                        e -> assertThat(e.suggestions()).containsExactly("disk NOT full"));
    }
}
