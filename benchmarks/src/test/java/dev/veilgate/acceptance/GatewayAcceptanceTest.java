package dev.veilgate.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.benchmarks.Corpus;
import dev.veilgate.benchmarks.EdgeLog;
import dev.veilgate.benchmarks.gateway.MailSink;
import dev.veilgate.benchmarks.gateway.Programs;
import dev.veilgate.benchmarks.gateway.RawMail;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeOpener;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.SourceKeyword;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.extract.mail.MailExtractor;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.query.Expression;
import dev.veilgate.query.SearchRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real logs go in through the agent and mosquitto_pub, real mails through the proxy and swaks; what the gateway finds is exactly what a search of the
 * plaintext's keywords finds. Without -Dveilgate.data on samples; with it on every fourth line and
 * mail; MailCorpusTest sends others.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GatewayAcceptanceTest {
    private static final int KEYWORDS = 200;
    private static final int BOOLEAN = 50;
    private static final int BY_SWAKS = 40;

    private Path folder;
    private final long seed = Long.getLong("veilgate.seed", 1);
    private final Random random = new Random(seed);
    private final Map<UUID, List<Set<Keyword>>> logs = new TreeMap<>();
    private final Map<UUID, List<Set<Keyword>>> mails = new TreeMap<>();
    private final List<UUID> published = new ArrayList<>();
    private final ExtractorProfile profile = ExtractorProfile.defaults();
    private MailSink sink;
    private Site site;

    @BeforeAll
    void sendEverything(@TempDir Path temporary) throws Exception {
        folder = temporary;
        System.out.println("GatewayAcceptanceTest: -Dveilgate.seed=" + seed);
        sink = new MailSink();
        site = new Site(folder, new Programs(folder), sink.port());
        List<EdgeLog> all = logs();
        publishOne(all.getLast());
        followOthers(all.subList(0, all.size() - 1));
        sendMails();
        readBack(all);
    }

    @AfterAll
    void stop() throws Exception {
        site.close();
        sink.close();
    }

    private static List<EdgeLog> logs() throws IOException {
        return EdgeLog.readAll().stream()
                .map(log -> new EdgeLog(log.name(), log.bytes(), everyOther(everyOther(log.lines()))))
                .toList();
    }

    private static List<byte[]> rawMails() throws IOException {
        List<byte[]> all = RawMail.all();
        return all.size() > 100 ? everyOther(everyOther(all)) : all;
    }

    private static List<byte[]> everyOther(List<byte[]> all) {
        return IntStream.range(0, all.size() / 2)
                .mapToObj(i -> all.get(2 * i + 1))
                .toList();
    }

    /** One log by mosquitto_pub: an agent of somebody else's making. */
    private void publishOne(EdgeLog log) throws Exception {
        LogExtractor extractor = LogExtractor.of(profile, LogFormat.AUTO);
        PublicBundle bundle =
                PublicBundle.verify(site.bundle, site.keys.authority().fingerprint(), Instant.now());
        try (EnvelopeSealer sealer =
                new EnvelopeSealer(bundle, site.publisher, Clock.systemUTC(), new SecureRandom())) {
            ChainPosition position = ChainPosition.first();
            for (int from = 0; from < log.lines().size(); from += 256) {
                List<byte[]> lines = log.lines()
                        .subList(from, Math.min(from + 256, log.lines().size()));
                Map<Keyword, List<Integer>> postings = new LinkedHashMap<>();
                for (int i = 0; i < lines.size(); i++) {
                    for (Keyword keyword :
                            new HashSet<>(extractor.extract(lines.get(i)).keywords())) {
                        postings.computeIfAbsent(keyword, k -> new ArrayList<>())
                                .add(i);
                    }
                }
                EnvelopeDraft draft = new EnvelopeDraft(
                        Site.SCOPE,
                        epoch().getFirst(),
                        Instant.now(),
                        Instant.now(),
                        "text/plain",
                        lines,
                        postings.entrySet().stream()
                                .map(p -> Posting.of(
                                        p.getKey(),
                                        p.getValue().stream()
                                                .mapToInt(Integer::intValue)
                                                .toArray()))
                                .toList(),
                        List.of(),
                        0);
                SealedEnvelope sealed = sealer.seal(draft, position);
                position = sealed.next();
                publish(sealed.bytes());
                published.add(sealed.id());
            }
        }
    }

    private void publish(byte[] envelope) throws Exception {
        Path file = Files.write(folder.resolve("envelope"), envelope);
        site.programs.run(List.of(
                "mosquitto_pub",
                "-V",
                "mqttv5",
                "-q",
                "1",
                "-h",
                "127.0.0.1",
                "-p",
                Integer.toString(site.gateway.mqtt),
                "-u",
                Site.PUBLISHER,
                "-P",
                Files.readString(site.file("publisher.password")),
                "-t",
                "veilgate/v1/" + Site.TENANT + "/" + Site.PUBLISHER,
                "-f",
                file.toString()));
    }

    /** The others by the agent. */
    private void followOthers(List<EdgeLog> others) throws Exception {
        Path directory = Files.createDirectory(folder.resolve("logs"));
        for (EdgeLog log : others) {
            try (var out = Files.newOutputStream(directory.resolve(log.name() + ".log"))) {
                for (byte[] line : log.lines()) {
                    out.write(line);
                    out.write('\n');
                }
            }
        }
        site.programs.run(List.of(
                "sh",
                Programs.edge(),
                "agent",
                "run",
                "--once",
                "--bundle",
                site.file("bundle").toString(),
                "--authority",
                site.keys.authority().fingerprint(),
                "--identity",
                site.file("identity").toString(),
                "--state",
                folder.resolve("agent-state").toString(),
                "--scope",
                Site.SCOPE,
                "--directory",
                directory.toString(),
                "--mqtt-url",
                "mqtt://127.0.0.1:" + site.gateway.mqtt,
                "--mqtt-user",
                Site.AGENT,
                "--mqtt-password-file",
                site.file("agent.password").toString()));
    }

    private void sendMails() throws Exception {
        int proxy = Programs.freePort();
        site.programs.startProxy(
                proxy,
                site.file("bundle"),
                site.keys.authority().fingerprint(),
                folder.resolve("mail-spool"),
                site.gateway.smtp);
        List<byte[]> all = rawMails();
        try (RawMail connection = new RawMail(proxy)) {
            for (int i = 0; i < all.size(); i++) {
                String sender = "m" + i + "@elsewhere.example";
                if (i < BY_SWAKS) {
                    Path data = Files.write(folder.resolve("mail"), RawMail.stuffed(all.get(i)));
                    site.programs.run(List.of(
                            "swaks",
                            "--server",
                            "127.0.0.1",
                            "--port",
                            Integer.toString(proxy),
                            "--from",
                            sender,
                            "--to",
                            Site.MAILBOX,
                            "--data",
                            "@" + data,
                            "--no-data-fixup",
                            "--silent",
                            "2"));
                } else {
                    connection.send(sender, Site.MAILBOX, all.get(i));
                }
            }
        }
        site.programs.await("mail in the mailbox", () -> sink.mails().size() == all.size());
        assertThat(sink.repeated()).isZero();
        site.programs.await("the last mail in searches", () -> mailIds(all).size() == all.size());
    }

    /** What the extractor says of everything that is stored, by opening it as an auditor would. */
    private void readBack(List<EdgeLog> all) throws Exception {
        EnvelopeOpener opener = site.keys.opener();
        LogExtractor extractor = LogExtractor.of(profile, LogFormat.AUTO);
        Map<String, Integer> expected = new HashMap<>();
        all.forEach(log -> log.lines().forEach(line -> expected.merge(text(line), 1, Integer::sum)));
        Map<String, Integer> stored = new HashMap<>();
        for (UUID id : logIds()) {
            Envelope envelope = Envelope.decode(site.stored(id, ""));
            if (envelope.detachedDigest().isPresent() || !envelope.mediaType().equals("text/plain")) {
                continue;
            }
            List<String> origins = opener.origins(envelope);
            List<Set<Keyword>> records = new ArrayList<>();
            for (byte[] record : opener.open(envelope)) {
                stored.merge(text(record), 1, Integer::sum);
                Set<Keyword> keywords = new HashSet<>(extractor.extract(record).keywords());
                if (!origins.isEmpty()) {
                    keywords.addAll(SourceKeyword.ofRecord(origins.get(records.size()), profile));
                }
                records.add(keywords);
            }
            logs.put(id, records);
        }
        assertThat(stored).isEqualTo(expected);
        readBackMails();
    }

    private void readBackMails() throws Exception {
        List<byte[]> all = rawMails();
        Map<String, UUID> byContent = new HashMap<>();
        for (UUID id : mailIds(all)) {
            byContent.put(text(site.stored(id, "/content")), id);
        }
        assertThat(byContent).hasSize(all.size());
        try (MailExtractor extractor = new MailExtractor(profile)) {
            for (int i = 0; i < all.size(); i++) {
                byte[] delivered = sink.mails().get("m" + i + "@elsewhere.example>" + Site.MAILBOX);
                UUID id = byContent.get(text(delivered));
                assertThat(id)
                        .as("what was delivered of mail %d is what is stored", i)
                        .isNotNull();
                mails.put(
                        id, List.of(new HashSet<>(extractor.extract(all.get(i)).keywords())));
            }
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** All envelopes of lines: those that were published here, and those that have a line of one of the agent's files. */
    private Set<UUID> logIds() throws Exception {
        List<List<Keyword>> terms = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder.resolve("logs"))) {
            for (Path file : files.toList()) {
                terms.add(List.of(SourceKeyword.of(file.toString(), profile).orElseThrow()));
            }
        }
        Set<UUID> ids = new HashSet<>(published);
        ids.addAll(anyOf(Site.SCOPE, terms));
        return ids;
    }

    /** All mails: each has one of these keywords. */
    private Set<UUID> mailIds(List<byte[]> all) throws Exception {
        List<List<Keyword>> terms = new ArrayList<>();
        try (MailExtractor extractor = new MailExtractor(profile)) {
            for (byte[] mail : all) {
                terms.add(List.of(extractor.extract(mail).keywords().iterator().next()));
            }
        }
        return anyOf(Site.MAIL_SCOPE, terms.stream().distinct().toList());
    }

    private Set<UUID> anyOf(String scope, List<List<Keyword>> terms) throws Exception {
        List<Expression> any = new ArrayList<>();
        for (int i = 0; i < terms.size(); i++) {
            any.add(new Expression.Term(i));
        }
        Expression expression = any.size() == 1 ? any.getFirst() : new Expression.Or(any);
        return site.search(site.keys.request(scope, epoch(), terms, expression, new Corpus.MemoryStore()))
                .keySet();
    }

    private List<String> epoch() {
        return List.of(site.keys.epochs().at(Instant.now()).name());
    }

    @Test
    void keywordsOfLogsAreFoundExactly() throws Exception {
        compare(logs, Site.SCOPE, singles(logs));
    }

    @Test
    void booleanQueriesOfLogsAreFoundExactly() throws Exception {
        compare(logs, Site.SCOPE, combinations(logs));
    }

    @Test
    void keywordsAndBooleanQueriesOfMailsAreFoundExactly() throws Exception {
        List<KeywordQuery> queries = new ArrayList<>(singles(mails));
        queries.addAll(combinations(mails));
        compare(mails, Site.MAIL_SCOPE, queries);
    }

    private void compare(Map<UUID, List<Set<Keyword>>> plain, String scope, List<KeywordQuery> queries)
            throws Exception {
        TrapdoorStore store = new Corpus.MemoryStore();
        long found = 0;
        long start = System.nanoTime();
        for (KeywordQuery query : queries) {
            SearchRequest search = site.keys.request(scope, epoch(), query.terms(), query.expression(), store);
            Map<UUID, List<Integer>> hits = site.search(search);
            assertThat(hits).as("seed %d: %s", seed, query.keywords()).isEqualTo(plainHits(plain, query));
            found += hits.values().stream().mapToLong(List::size).sum();
        }
        System.out.printf(
                "GatewayAcceptanceTest: %d queries of %s, %d records, %.1f s%n",
                queries.size(), scope, found, (System.nanoTime() - start) / 1e9);
        assertThat(found).isPositive();
    }

    private static Map<UUID, List<Integer>> plainHits(Map<UUID, List<Set<Keyword>>> plain, KeywordQuery query) {
        Map<UUID, List<Integer>> hits = new TreeMap<>();
        plain.forEach((id, records) -> {
            for (int i = 0; i < records.size(); i++) {
                if (query.matches(records.get(i)::contains)) {
                    hits.computeIfAbsent(id, k -> new ArrayList<>()).add(i);
                }
            }
        });
        return hits;
    }

    private List<Keyword> distinct(Map<UUID, List<Set<Keyword>>> plain) {
        return plain.values().stream()
                .flatMap(List::stream)
                .flatMap(Set::stream)
                .distinct()
                .filter(keyword -> profile.numericField(keyword.field()).isEmpty()
                        && !keyword.field().equals("template"))
                .toList();
    }

    /** Keywords of all kinds, and some that nothing has. */
    private List<KeywordQuery> singles(Map<UUID, List<Set<Keyword>>> plain) {
        List<Keyword> all = distinct(plain);
        List<KeywordQuery> queries = new ArrayList<>();
        for (int i = 0; i < KEYWORDS; i++) {
            Keyword some = all.get(random.nextInt(all.size()));
            Keyword asked = i % 10 == 0 ? Keyword.text(some.field(), some.value() + "qx") : some;
            queries.add(KeywordQuery.allOf(List.of(List.of(asked))));
        }
        return queries;
    }

    /** As a person types them, of keywords that one record has and others that it has not. */
    private List<KeywordQuery> combinations(Map<UUID, List<Set<Keyword>>> plain) throws Exception {
        Set<Keyword> all = new HashSet<>(distinct(plain));
        List<Keyword> typable =
                all.stream().filter(GatewayAcceptanceTest::canBeTyped).toList();
        List<List<Set<Keyword>>> envelopes = List.copyOf(plain.values());
        List<KeywordQuery> queries = new ArrayList<>();
        while (queries.size() < BOOLEAN) {
            List<Set<Keyword>> envelope = envelopes.get(random.nextInt(envelopes.size()));
            List<String> own = envelope.get(random.nextInt(envelope.size())).stream()
                    .filter(all::contains)
                    .filter(GatewayAcceptanceTest::canBeTyped)
                    .map(GatewayAcceptanceTest::typed)
                    .toList();
            if (own.size() < 3) {
                continue;
            }
            String other = typed(typable.get(random.nextInt(typable.size())));
            String a = own.get(random.nextInt(own.size()));
            String b = own.get(random.nextInt(own.size()));
            String text = switch (queries.size() % 5) {
                case 0 -> a + " AND " + b;
                case 1 -> a + " AND (" + b + " OR " + other + ")";
                case 2 -> a + " AND NOT " + other;
                case 3 -> "(" + a + " OR " + other + ") AND NOT (" + b + " AND " + other + ")";
                default -> a + " NOT " + b;
            };
            queries.add(KeywordQuery.parse(text, profile));
        }
        return queries;
    }

    /** Times are typed in one form of several. */
    private static boolean canBeTyped(Keyword keyword) {
        return !keyword.field().equals("time");
    }

    private static String typed(Keyword keyword) {
        return keyword.field() + ":\"" + keyword.value().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
