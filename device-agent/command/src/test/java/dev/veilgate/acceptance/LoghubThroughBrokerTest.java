package dev.veilgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.Keyword;
import dev.veilgate.query.PreparedSearch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Logs go through the agent and a real broker: they come out byte for byte, nothing of them is readable on the way, and whatever a person would search
 * for is found, and nothing else.
 */
class LoghubThroughBrokerTest {
    private static final int LINES = 100;

    /** Queries that are made and tested by commands in processes of their own, one of each kind; the others run the commands in this JVM. */
    private static final Set<Integer> AS_PROCESSES =
            Set.of(KeywordSample.RANGE, KeywordSample.ABSENT, KeywordSample.EXPRESSION, KeywordSample.FIRST_OF_FIELD);

    /** By sequence number. */
    private static final Map<Long, AdmittedEnvelope> ADMITTED = new ConcurrentHashMap<>();

    @TempDir
    private static Path folder;

    private static SealedLogs sealed;
    private static KeyFolder keys;
    private static PlainSearch plain;
    private static long seed;
    private static final IssuedInMemory ISSUED = new IssuedInMemory();

    @BeforeAll
    static void sealLogs() throws Exception {
        seed = Long.getLong("veilgate.seed", 1);
        System.out.println("LoghubThroughBrokerTest: -Dveilgate.seed=" + seed);
        long start = System.nanoTime();
        sealed = SealedLogs.make(folder);
        keys = KeyFolder.open(
                sealed.keys,
                SealedLogs.PASSPHRASE.getBytes(StandardCharsets.UTF_8),
                KeyFolder.Access.READ,
                new SecureRandom());
        plain = PlainSearch.of(keys, sealed.envelopes());
        said(
                "sealed, sent and opened " + plain.size() + " records in "
                        + sealed.envelopes().size() + " envelopes",
                start);
    }

    @AfterAll
    static void close() throws Exception {
        if (keys != null) {
            keys.close();
        }
        if (sealed != null) {
            sealed.close();
        }
    }

    private static void said(String what, long start) {
        System.out.printf("LoghubThroughBrokerTest: %s, %.1f s%n", what, (System.nanoTime() - start) / 1e9);
    }

    @Test
    void everyFileComesOutByteForByte() throws Exception {
        Path opened = folder.resolve("opened");
        Veilgate.Ended ended =
                sealed.veilgate.ok("open", "--signed-only", "-o", opened + "/", sealed.received.toString());
        assertThat(ended.err()).doesNotContain("warning");
        Path logs =
                opened.resolve(SealedLogs.SENDER).resolve(sealed.logs.toString().substring(1));
        for (Map.Entry<String, byte[]> log : sealed.raw.entrySet()) {
            assertThat(logs.resolve(log.getKey())).hasBinaryContent(log.getValue());
        }
        try (Stream<Path> files = Files.walk(opened).filter(Files::isRegularFile)) {
            assertThat(files).hasSize(sealed.raw.size());
        }
    }

    @Test
    void theChainHasNoFinding() throws Exception {
        Veilgate.Ended verified = sealed.veilgate.ok("verify", sealed.received.toString());
        assertThat(verified.out()).isEmpty();
        assertThat(verified.err()).contains(sealed.envelopes().size() + " envelopes verified, 0 findings");
    }

    @Test
    void envelopesHoldNothingThatCanBeRead() {
        Windows words = new Windows();
        for (byte[] log : sealed.raw.values()) {
            words.addWords(log, LoghubThroughBrokerTest::isWordByte);
        }
        assertThat(words.size()).isPositive();
        for (byte[] log : sealed.raw.values()) { // it would see them
            assertThat(words.indexIn(log)).isNotNegative();
        }
        for (Envelope envelope : sealed.envelopes()) {
            assertThat(words.indexIn(withoutMediaType(envelope)))
                    .as("place of a plain word in envelope %d", envelope.sequence())
                    .isNegative();
        }
    }

    /** The one thing in clear that has long words: what records are. */
    private static byte[] withoutMediaType(Envelope envelope) {
        return new String(envelope.bytes(), StandardCharsets.ISO_8859_1)
                .replaceFirst(Pattern.quote(envelope.mediaType()), "")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    /** What the agent says has words of its own: looked for are runs of letters with digits, and addresses. */
    @Test
    void theAgentSaysNothingOfTheLogs() {
        Set<String> telling = new LinkedHashSet<>();
        for (byte[] log : sealed.raw.values()) {
            for (byte[] line : RawLogs.lines(log)) {
                SimpleTokens.of(line).stream()
                        .filter(token -> token.length() >= 8
                                && (token.indexOf('.') > 0
                                        || token.matches(".*[0-9].*") && token.matches(".*[A-Za-z].*")))
                        .forEach(telling::add);
            }
        }
        telling.remove("127.0.0.1"); // the broker's as well
        assertThat(telling).isNotEmpty();
        String said = sealed.agentText();
        assertThat(said).isNotEmpty();
        assertThat(sealed.monitorText()).contains("veilgate_agent_lost_records_total 0\n", "\"status\":\"up\"");
        for (String token : telling) {
            assertThat(said).doesNotContain(token);
            assertThat(sealed.monitorText()).doesNotContain(token);
        }
        assertThat(said).doesNotContain(SealedLogs.PASSPHRASE);
    }

    private static boolean isWordByte(int b) {
        return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z';
    }

    @Test
    void testFindsExactlyWhatAPlaintextSearchFinds() throws Exception {
        long start = System.nanoTime();
        List<Keyword> sample = KeywordSample.of(plain, new Random(seed));
        Map<String, Long> byField =
                sample.stream().collect(Collectors.groupingBy(Keyword::field, TreeMap::new, Collectors.counting()));
        long records = 0;
        for (Keyword keyword : sample) {
            KeywordQuery query = KeywordQuery.allOf(List.of(List.of(keyword)));
            SortedMap<Long, List<Integer>> expected = plain.find(query);
            assertThat(test(query))
                    .as("%s:%s", keyword.field(), keyword.value())
                    .isEqualTo(expected);
            records += expected.values().stream().mapToInt(List::size).sum();
        }
        said(sample.size() + " keywords, " + records + " records " + byField, start);
    }

    private static SortedMap<Long, List<Integer>> test(KeywordQuery query) throws Exception {
        PreparedSearch search = search(query);
        SortedMap<Long, List<Integer>> found = new ConcurrentSkipListMap<>();
        sealed.envelopes().parallelStream()
                .map(LoghubThroughBrokerTest::admitted)
                .forEach(admitted -> {
                    List<Integer> ordinals =
                            admitted.find(search).ordinals().boxed().toList();
                    if (!ordinals.isEmpty()) {
                        found.put(admitted.envelope().sequence(), ordinals);
                    }
                });
        return found;
    }

    private static AdmittedEnvelope admitted(Envelope envelope) {
        return ADMITTED.computeIfAbsent(
                envelope.sequence(), sequence -> AdmittedEnvelope.of(envelope, IndexSchemes.load()));
    }

    private static PreparedSearch search(KeywordQuery query) throws Exception {
        return PreparedSearch.of(
                keys.keys().request(SealedLogs.SCOPE, sealed.epochs(), query.terms(), query.expression(), ISSUED),
                IndexSchemes.load());
    }

    @Test
    void commandsFindExactlyWhatAPlaintextSearchFinds() throws Exception {
        long start = System.nanoTime();
        CompletableFuture<?> before = CompletableFuture.completedFuture("");
        List<String> queries = KeywordSample.typed(plain, new Random(seed));
        for (int i = 0; i < queries.size(); i++) { // a request is issued while the one before is tested
            String query = queries.get(i);
            SortedMap<Long, List<Integer>> expected = plain.find(KeywordQuery.parse(query, plain.profile()));
            Path request = Files.createTempFile(folder, "query-", ".search");
            String epochs = String.join(",", sealed.epochs());
            Commands veilgate = AS_PROCESSES.contains(i) ? sealed.veilgate::run : sealed.veilgate::runHere;
            Veilgate.Ended issued = veilgate.run(
                    query.getBytes(StandardCharsets.UTF_8),
                    "trapdoor",
                    "--scope",
                    SealedLogs.SCOPE,
                    "--epoch",
                    epochs,
                    "-o",
                    request.toString(),
                    "@-");
            assertThat(issued.code()).as(issued.err()).isZero();
            before.get();
            before = CompletableFuture.runAsync(
                    () -> assertThat(test(request, veilgate)).as(query).isEqualTo(expected));
        }
        before.get();
        said(queries.size() + " queries by veilgate trapdoor and veilgate test", start);
    }

    /** Runs a command to its end. */
    private interface Commands {
        Veilgate.Ended run(byte[] input, String... arguments) throws Exception;
    }

    private static SortedMap<Long, List<Integer>> test(Path request, Commands veilgate) {
        try {
            Veilgate.Ended ended =
                    veilgate.run(new byte[0], "test", "--json", request.toString(), sealed.received.toString());
            assertThat(ended.code()).as(ended.err()).isEqualTo(ended.bytes().length > 0 ? 0 : 1);
            return hits(ended.out());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static final Pattern HIT = Pattern.compile("\"sequence\":(\\d+).*\"records\":\\[([0-9,]+)]");

    private static SortedMap<Long, List<Integer>> hits(String json) {
        SortedMap<Long, List<Integer>> hits = new TreeMap<>();
        for (String line : json.lines().toList()) {
            Matcher hit = HIT.matcher(line);
            assertThat(hit.find()).as(line).isTrue();
            hits.put(
                    Long.valueOf(hit.group(1)),
                    Pattern.compile(",")
                            .splitAsStream(hit.group(2))
                            .map(Integer::valueOf)
                            .toList());
        }
        return hits;
    }

    @Test
    void everyWordNumberAndAddressOfALineIsFound() throws Exception {
        long start = System.nanoTime();
        List<byte[]> lines = new ArrayList<>();
        sealed.raw.values().forEach(log -> lines.addAll(RawLogs.lines(log)));
        Collections.shuffle(lines, new Random(seed));
        Map<String, PreparedSearch> prepared = new HashMap<>();
        Set<String> missed = new TreeSet<>();
        int searches = 0;
        for (byte[] line : lines.subList(0, Math.min(LINES, lines.size()))) {
            assertThat(plain.placesOf(line)).isNotEmpty();
            PlainSearch.Place place = plain.placesOf(line).getFirst();
            for (String token : SimpleTokens.of(line)) {
                if (!prepared.containsKey(token)) {
                    prepared.put(token, search(KeywordQuery.parse('"' + token + '"', plain.profile())));
                }
                if (!admitted(place.envelope()).find(prepared.get(token)).contains(place.ordinal())) {
                    missed.add(token + " of: " + new String(line, StandardCharsets.UTF_8));
                }
                searches++;
            }
        }
        assertThat(missed).isEmpty();
        said(prepared.size() + " different tokens, " + searches + " searches", start);
    }
}
