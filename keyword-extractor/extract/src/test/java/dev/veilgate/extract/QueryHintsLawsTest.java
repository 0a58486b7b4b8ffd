package dev.veilgate.extract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.peks.DyadicIntervals;
import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Random queries in the syntax of other products, over random records: what is suggested first finds no record that the other product would not find. */
class QueryHintsLawsTest {
    private static final ExtractorProfile PROFILE =
            ExtractorProfile.defaults().withNumericFields(new DyadicIntervals("temp", -64, 8));
    private static final List<String> USERS = List.of("root", "ada", "bob");
    private static final List<String> HOSTS = List.of("press-4", "oven-1");
    private static final List<String> LEVELS = List.of("debug", "info", "warn", "error", "critical");
    private static final List<String> WORDS = List.of("disk", "full", "timeout");

    private final long seed = Long.getLong("veilgate.seed", new Random().nextLong());
    private final Random random = new Random(seed);

    private record Line(String user, String host, String level, double temp, Set<String> words) {
        Set<Keyword> keywords() {
            String json = "{\"user\":\"%s\",\"host\":\"%s\",\"level\":\"%s\",\"temp\":%s,\"msg\":\"%s\"}"
                    .formatted(user, host, level, temp, String.join(" ", words));
            byte[] utf8 = json.getBytes(StandardCharsets.UTF_8);
            return new HashSet<>(
                    LogExtractor.of(PROFILE, LogFormat.AUTO).extract(utf8).keywords());
        }

        String field(String name) {
            return name.equals("user") ? user : name.equals("host") ? host : level;
        }
    }

    /** A part of a query, and what it means there. */
    private record Part(String text, Predicate<Line> means) {}

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private Line line() {
        Set<String> words = WORDS.stream().filter(word -> random.nextBoolean()).collect(Collectors.toSet());
        double temp = random.nextInt(-640, 1900) / 10.0;
        return new Line(any(USERS), any(HOSTS), any(LEVELS), random.nextBoolean() ? Math.floor(temp) : temp, words);
    }

    private Part part(int depth) {
        String name = any(List.of("user", "host", "level"));
        List<String> values = name.equals("user") ? USERS : name.equals("host") ? HOSTS : LEVELS;
        String a = any(values);
        String b = any(values);
        String word = any(WORDS);
        Predicate<Line> isA = line -> line.field(name).equals(a);
        Predicate<Line> isB = line -> line.field(name).equals(b);
        Predicate<Line> has = line -> line.words().contains(word);
        int rank = LEVELS.indexOf(a);
        Predicate<Line> atLeast = line -> name.equals("level") && LEVELS.indexOf(line.level()) >= rank;
        return switch (random.nextInt(depth > 0 ? 26 : 24)) {
            case 0 -> new Part(name + "=" + a, isA);
            case 1 -> new Part(name + " == \"" + a + "\"", isA);
            case 2 -> new Part(name + "!=" + a, isA.negate());
            case 3 -> new Part(name + "<>\"" + a + "\"", isA.negate());
            case 4 -> new Part("-" + name + ":" + a, isA.negate());
            case 5 -> new Part("!" + word, has.negate());
            case 6 -> new Part("+" + name + ":" + a, isA);
            case 7 -> new Part(name + ":(" + a + " or " + b + ")", isA.or(isB));
            case 8 -> new Part(name + " : (" + a + " OR " + b + ")", isA.or(isB));
            case 9 -> new Part(name + ":(-" + a + ")", isA.negate());
            case 10 ->
                new Part(name + " NOT IN (" + a + ", '" + b + "')", isA.or(isB).negate());
            case 11 -> new Part(name + " in (\"" + a + "\",\"" + b + "\")", isA.or(isB));
            case 12 -> new Part(name + ":" + a + "," + b, isA.or(isB));
            case 13 -> new Part(name + "=~\"" + a + "|" + b + "\"", isA.or(isB));
            case 14 ->
                new Part(
                        name + "=\"" + a.substring(0, 2) + "*\"",
                        line -> line.field(name).startsWith(a.substring(0, 2)));
            case 15 ->
                new Part(
                        "level>=" + (rank < 0 ? "info" : a),
                        rank < 0 ? line -> LEVELS.indexOf(line.level()) >= 1 : atLeast);
            case 16 ->
                new Part(
                        "level:>" + (name.equals("level") ? a : "warn"),
                        line -> LEVELS.indexOf(line.level()) > (name.equals("level") ? rank : 2));
            case 17 -> temp(">=", false);
            case 18 -> temp("<", true);
            case 19 -> range('[', ']');
            case 20 -> range('{', '}');
            case 21 -> new Part("*" + word + "*", has);
            case 22 -> new Part("\"" + word + "\" != \"" + a + "\"", line -> false);
            case 23 -> new Part("/" + word + "/", has);
            case 24 -> joined(depth, " and ");
            default -> joined(depth, " or ");
        };
    }

    private String number() {
        return random.nextBoolean()
                ? "" + random.nextInt(-60, 180)
                : "%.1f".formatted(random.nextInt(-600, 1800) / 10.0);
    }

    private Part temp(String sign, boolean below) {
        String number = String.format(Locale.ROOT, "%s", number());
        double bound = Double.parseDouble(number);
        return new Part("temp" + sign + number, line -> below ? line.temp() < bound : line.temp() >= bound);
    }

    /** Whole numbers at the upper end stand for all that are rounded to them. */
    private Part range(char open, char close) {
        int low = random.nextInt(-60, 100);
        int high = low + random.nextInt(2, 60);
        return new Part(
                "temp:" + open + low + " TO " + high + close,
                line -> open == '['
                        ? line.temp() >= low && Math.floor(line.temp()) <= high
                        : line.temp() > low && line.temp() < high);
    }

    private Part joined(int depth, String with) {
        Part left = part(depth - 1);
        Part right = part(depth - 1);
        Predicate<Line> means = with.contains("and")
                ? left.means().and(right.means())
                : left.means().or(right.means());
        return new Part("(" + left.text() + with + right.text() + ")", means);
    }

    @Test
    void whatIsSuggestedFindsNoMoreThanWasMeant() throws Exception {
        List<Line> lines = IntStream.range(0, 200).mapToObj(i -> line()).toList();
        List<Set<Keyword>> keywords = lines.stream().map(Line::keywords).toList();
        int suggested = 0;
        List<String> more = new ArrayList<>();
        for (int n = 0; n < 4_000; n++) {
            Part part = part(2);
            try {
                KeywordQuery.parse(part.text(), PROFILE);
            } catch (MalformedQueryException e) {
                if (e.suggestions().isEmpty()) {
                    continue;
                }
                suggested++;
                KeywordQuery query = KeywordQuery.parse(e.suggestions().getFirst(), PROFILE);
                for (int i = 0; i < lines.size(); i++) {
                    if (query.matches(keywords.get(i)::contains)
                            && !part.means().test(lines.get(i))) {
                        more.add(part.text() + " -> " + e.suggestions().getFirst() + " finds " + lines.get(i));
                        break;
                    }
                }
            }
        }
        assertThat(more).as("seed " + seed).isEmpty();
        assertThat(suggested).as("seed " + seed).isGreaterThan(1_000);
    }
}
