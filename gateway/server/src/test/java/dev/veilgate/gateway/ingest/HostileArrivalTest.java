package dev.veilgate.gateway.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.LossReport;
import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.chain.ChainStages;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.database.TestDatabase;
import dev.veilgate.gateway.deliver.OutboundMail;
import dev.veilgate.gateway.route.RouteStages;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexSealer;
import dev.veilgate.peks.KeyId;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.Posting;
import dev.veilgate.testing.PostgresServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever a registered sender, a mail server or a user can make is refused on arrival or goes through store and all stages, on each database: nothing is ever set
 * aside, and what is behind goes on.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class HostileArrivalTest {
    enum Kind {
        H2,
        POSTGRESQL
    }

    private static final TestTenant ACME = TestTenant.of("hostile");
    private static final Clock CLOCK = Clock.systemUTC();
    private static final Instant YEAR_0 = Instant.parse("0000-01-01T00:00:00Z");
    private static final Instant YEAR_9999 = Instant.parse("9999-12-31T23:59:59.999Z");
    private static final String EMOJI = "\ud83d\udd25";
    private static final List<String> NAMES = List.of(
            "x".repeat(255),
            EMOJI.repeat(63),
            "\uffff\ufffe\u202e",
            " ",
            "'; DROP TABLE chain; --",
            "\\x00 %s $1 ? {ts} \"",
            "Press-1");
    private static final byte[] MESSAGE = "Subject: x\r\n\r\nx\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final List<String> ADA = List.of("ada@example.org");

    @TempDir
    Path folder;

    private final List<UUID> taken = new ArrayList<>();

    /** The journal's entries are brought into an empty store and database once more, as after a restore. */
    @ParameterizedTest
    @EnumSource
    void isRefusedOrApplied(Kind kind) throws Exception {
        List<TestTenant.Sender> named =
                NAMES.stream().map(name -> ACME.register(name, CLOCK)).toList();
        List<byte[]> toTake = new ArrayList<>(envelopes());
        named.forEach(sender -> toTake.add(sender.seal("urgent").bytes()));
        byte[] normal = ACME.sender("press-4", CLOCK).seal("urgent").bytes();
        try (PostgresServer postgres = kind == Kind.POSTGRESQL ? new PostgresServer() : null) {
            Database database = postgres == null ? TestDatabase.create() : TestDatabase.create(postgres);
            long mails;
            try (IngestionLab lab = lab(folder, database)) {
                for (byte[] envelope : toTake) {
                    take(lab, envelope);
                }
                mails = takeMails(lab);
                refuseEnvelopes(lab);
                refuseMails(lab);
                take(lab, normal);
                mails += take(lab, "bob@example.org", ADA, MESSAGE);
                lab.settle();
                check(lab, database, mails);
            }
            Database empty = postgres == null ? TestDatabase.create() : TestDatabase.create(postgres);
            Path restored = folder.resolve("restored");
            Files.createDirectories(restored);
            Files.move(folder.resolve("journal"), restored.resolve("journal"));
            try (IngestionLab lab = lab(restored, empty)) {
                check(lab, empty, mails);
            }
        }
    }

    private static IngestionLab lab(Path folder, Database database) throws Exception {
        List<ArrivalStage> stages = List.of(
                ChainStages.of(database),
                RouteStages.finding(database, ACME, "urgent"),
                new MailStage(database, mail -> queue(database, mail), (tenant, id) -> Optional.empty(), CLOCK));
        return new IngestionLab(folder, database, ACME, store -> store, stages);
    }

    /** As the queue does, which is another package's. */
    private static void queue(Database database, OutboundMail mail) {
        UUID id = UUID.randomUUID();
        database.jdbc()
                .sql("INSERT INTO outbound_mail (id, reverse_path, created) VALUES (?, ?, NOW())")
                .params(id, mail.reversePath())
                .update();
        for (String recipient : Set.copyOf(mail.recipients())) {
            database.jdbc()
                    .sql("INSERT INTO outbound_recipient (mail, recipient, domain, attempts, due)"
                            + " VALUES (?, ?, ?, 0, NOW())")
                    .params(id, recipient, recipient.substring(recipient.lastIndexOf('@') + 1))
                    .update();
        }
    }

    private void take(IngestionLab lab, byte[] envelope) throws Exception {
        taken.add(lab.envelope(envelope).join().envelope().orElseThrow());
    }

    /** How many mails to one recipient or more. */
    private static int take(IngestionLab lab, String from, List<String> to, byte[] message) {
        lab.mail(from, to, message).join();
        return 1;
    }

    private void check(IngestionLab lab, Database database, long mails) throws Exception {
        assertThat(lab.setAside.count()).isZero();
        assertThat(lab.applier.trouble()).isEmpty();
        for (UUID id : taken) {
            assertThat(lab.store.find("hostile", id)).as("%s", id).isPresent();
        }
        assertThat(RouteStages.found(database)).hasSizeGreaterThan(NAMES.size());
        String senders = new String(ChainStages.senders(database, "hostile"), StandardCharsets.UTF_8);
        assertThat(senders).contains("press-4", "loss-reported", Long.toString(Long.MAX_VALUE), NAMES.getFirst());
        assertThat(database.jdbc()
                        .sql("SELECT detail FROM chain_finding")
                        .query(String.class)
                        .list())
                .allMatch(StandardCharsets.UTF_8.newEncoder()::canEncode);
        assertThat(database.jdbc()
                        .sql("SELECT COUNT(*) FROM outbound_mail")
                        .query(Long.class)
                        .single())
                .isEqualTo(mails);
    }

    private static EnvelopeDraft draft(Instant first, Instant last, List<LossReport> loss, byte[]... records) {
        return new EnvelopeDraft(
                "s", "e", first, last, "\u0000".repeat(127), List.of(records), List.of(), loss, Integer.MAX_VALUE);
    }

    private static ChainPosition at(long sequence) {
        return new ChainPosition(sequence, new byte[32]);
    }

    private static List<byte[]> envelopes() {
        List<byte[]> all = new ArrayList<>();
        Instant now = CLOCK.instant();
        List<LossReport> losses = Collections.nCopies(
                EnvelopeDraft.MAX_LOSS_REPORTS,
                new LossReport("\u0000" + EMOJI.repeat(15), Long.MAX_VALUE, Long.MAX_VALUE, YEAR_9999, YEAR_0));
        List<LossReport> longer = new ArrayList<>(Collections.nCopies(
                EnvelopeDraft.MAX_LOSS_REPORTS, new LossReport(EMOJI.repeat(16), 0, 0, YEAR_0, YEAR_0)));
        longer.set(0, new LossReport("x", 0, 0, YEAR_0, YEAR_0)); // a finding of 500 characters would end within one
        try (EnvelopeSealer press = ACME.sealer("press-1", CLOCK, List.of());
                EnvelopeSealer old = ACME.sealer("press-2", at(Instant.EPOCH), List.of());
                EnvelopeSealer scopes = ACME.sealer("press-3", CLOCK, List.of(new ManyScopes()))) {
            SealedEnvelope far = press.seal(draft(YEAR_0, YEAR_9999, losses), at(Long.MAX_VALUE - 1));
            all.add(far.bytes());
            all.add(lastNumber(far.bytes()));
            all.add(press.seal(draft(now, now, longer), at(1L << 32)).bytes());
            all.add(press.seal(
                            draft(now, now, List.of(new LossReport("x" + EMOJI, 1, 1, now, now)), new byte[0]), at(7))
                    .bytes());
            all.add(press.seal(draft(now, now, List.of()), at(7)).bytes()); // a fork
            all.add(press.seal(draft(now, now, List.of()), ChainPosition.first())
                    .bytes());
            all.add(press.seal(draft(now, now, List.of()), ChainPosition.first())
                    .bytes());
            all.add(old.seal(draft(YEAR_9999, YEAR_0, List.of()), ChainPosition.first())
                    .bytes());
            all.add(scopes.seal(draft(now, now, List.of(), new byte[1]), ChainPosition.first())
                    .bytes());
        }
        TestTenant.Sender honest = ACME.sender("press-3", CLOCK);
        String[] lines = new String[EnvelopeDraft.MAX_RECORDS];
        Arrays.fill(lines, "urgent");
        all.add(honest.seal(lines).bytes());
        all.add(honest.sealFor("\u0000'" + "s".repeat(253), "urgent").bytes());
        return all;
    }

    private static Clock at(Instant time) {
        return Clock.fixed(time, ZoneOffset.UTC);
    }

    /** The same with the number 2^63 - 1, which no sealer gives out. */
    private static byte[] lastNumber(byte[] envelope) {
        byte[] changed = replaced(envelope, "091b7ffffffffffffffe", "091b7fffffffffffffff");
        int id = HexFormat.of().formatHex(envelope).indexOf("0250") / 2 + 2;
        changed[id + 15] ^= 1;
        return ACME.signAgain("press-1", changed);
    }

    private static byte[] replaced(byte[] bytes, String hex, String by) {
        String all = HexFormat.of().formatHex(bytes);
        assertThat(all).contains(hex);
        return HexFormat.of().parseHex(all.replace(hex, by));
    }

    /** Blocks of a scheme that nobody knows, as many as an envelope may have, each for a scope of its own. */
    private static final class ManyScopes implements IndexSealer {
        @Override
        public KeyId keyId() {
            return KeyId.of(new byte[KeyId.BYTES]);
        }

        @Override
        public List<IndexBlock> seal(
                KeywordDomain domain, MessageContext context, int recordCount, List<Posting> postings) {
            return IntStream.range(0, 1024)
                    .mapToObj(i -> new IndexBlock(
                            "tomorrow\u0000",
                            "",
                            keyId(),
                            i == 0 ? "" : i + "\u0000" + "\uffff".repeat(80),
                            "",
                            new byte[] {(byte) i}))
                    .toList();
        }
    }

    private static void refuseEnvelopes(IngestionLab lab) {
        EnvelopeSealer press = ACME.sealer("press-1", CLOCK, List.of());
        byte[] sealed = press.seal(draft(YEAR_0, YEAR_9999, List.of()), ChainPosition.first())
                .bytes();
        String year0 = "053b" + HexFormat.of().toHexDigits(~YEAR_0.toEpochMilli());
        String year9999 = "061b" + HexFormat.of().toHexDigits(YEAR_9999.toEpochMilli());
        for (byte[] times : List.of(
                replaced(sealed, year0, "053b7fffffffffffffff"), replaced(sealed, year9999, "061b7fffffffffffffff"))) {
            assertThat(IngestionLab.refusal(lab.envelope(ACME.signAgain("press-1", times))))
                    .isEqualTo(Refusal.MALFORMED);
        }
        Instant latest = Instant.ofEpochMilli((1L << 48) - 1); // of an id
        EnvelopeSealer ahead = ACME.sealer("press-1", at(latest), List.of());
        assertThat(IngestionLab.refusal(lab.envelope(
                        ahead.seal(draft(YEAR_0, YEAR_9999, List.of()), at(9)).bytes())))
                .isEqualTo(Refusal.CLOCK);
        assertThat(IngestionLab.refusal(lab.envelope(new byte[0]))).isEqualTo(Refusal.MALFORMED);
    }

    private long takeMails(IngestionLab lab) throws Exception {
        long mails = 0;
        String longest = "a".repeat(64) + "@" + "b".repeat(63) + "." + "c".repeat(63) + "." + "d".repeat(61);
        List<String> alike = List.of("ada@example.org", "Ada@Example.Org", "ADA@EXAMPLE.ORG", "ada@example.org");
        mails += take(lab, "", alike, MESSAGE);
        mails += take(lab, longest, List.of(longest), MESSAGE);
        mails += take(lab, "bob@example.org", ADA, Arrays.copyOf(MESSAGE, 3 << 20));
        mails += take(lab, "bob@example.org", ADA, new byte[1]);
        List<String> many =
                IntStream.range(0, 2000).mapToObj(i -> i + "@example.org").toList();
        mails += take(lab, "bob@example.org", many, MESSAGE);
        TestMail sealer = new TestMail(folder, ACME);
        byte[] sealed = sealer.seal("From: bob@elsewhere.example\r\nSubject: urgent\r\n\r\nx\r\n", "urgent");
        taken.add(Envelope.decode(SealedMail.read(sealed).orElseThrow().envelope())
                .id());
        mails += take(lab, "bob@example.org", alike, sealed);
        take(lab, "bob@example.org", List.of("ADA@example.org"), sealed); // is queued already
        mails += take(lab, "bob@example.org", List.of("ada@example.com"), sealed);
        return mails;
    }

    private static void refuseMails(IngestionLab lab) {
        for (String address : List.of(
                "a\u0000@example.org",
                "a@example.org\r\nRCPT TO:<b@example.org>",
                "a b@example.org",
                "<a@example.org>",
                "\u00e4@example.org",
                "a\ud83d@example.org",
                "a".repeat(309) + "@example.org",
                "a@" + "b".repeat(256))) {
            assertThat(IngestionLab.refusal(lab.mail("bob@example.org", List.of(address), MESSAGE)))
                    .as(address)
                    .isEqualTo(Refusal.MALFORMED);
            assertThat(IngestionLab.refusal(lab.mail(address, ADA, MESSAGE)))
                    .as(address)
                    .isEqualTo(Refusal.MALFORMED);
        }
        assertThat(IngestionLab.refusal(lab.mail("", ADA, new byte[0]))).isEqualTo(Refusal.MALFORMED);
        assertThat(IngestionLab.refusal(lab.mail("", List.of(), MESSAGE))).isEqualTo(Refusal.MALFORMED);
        assertThat(IngestionLab.refusal(lab.mail("", List.of("nobody"), MESSAGE)))
                .isEqualTo(Refusal.MALFORMED);
        List<String> tooMany = Collections.nCopies(Entry.MAX_RECIPIENTS + 1, "ada@example.org");
        assertThat(IngestionLab.refusal(lab.mail("", tooMany, MESSAGE))).isEqualTo(Refusal.TOO_LARGE);
    }
}
