package dev.veilgate.gateway.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.chain.ChainStages;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.database.TestDatabase;
import dev.veilgate.gateway.deliver.OutboundMail;
import dev.veilgate.gateway.route.RouteStages;
import dev.veilgate.gateway.store.Arrivals;
import dev.veilgate.gateway.store.EnvelopeName;
import dev.veilgate.gateway.store.SearchHit;
import dev.veilgate.gateway.store.SearchProgress;
import dev.veilgate.gateway.store.SearchSink;
import dev.veilgate.gateway.store.StoredEnvelope;
import dev.veilgate.query.PreparedSearch;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several envelopes of one id: what a stranger makes of a sealed mail takes nothing away from the genuine one, whichever comes first. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SharedIdTest {
    private static final TestTenant ACME = TestTenant.of("acme");
    private static final String MAIL = "From: bob@elsewhere.example\r\nTo: ada@example.org\r\nSubject: pump\r\n\r\n"
            + "The pump is overheated.\r\n";
    private static final List<String> ADA = List.of("ada@example.org");
    private static final List<String> MALLORY = List.of("mallory@example.org");

    @TempDir
    Path folder;

    private final List<OutboundMail> queued = new CopyOnWriteArrayList<>();
    private final Database database = TestDatabase.create();
    private TestMail mails;
    private byte[] genuine;
    private byte[] altered;

    @BeforeEach
    void seal() throws Exception {
        mails = new TestMail(folder, ACME);
        genuine = mails.seal(MAIL, "overheated", "pump");
        altered = ForgedMail.bitFlipped(genuine, 0);
        assertThat(envelope(altered).id()).isEqualTo(envelope(genuine).id());
    }

    private IngestionLab lab() throws Exception {
        return lab(folder, database);
    }

    private IngestionLab lab(Path at, Database of) throws Exception {
        List<ArrivalStage> stages = List.of(
                ChainStages.of(of),
                RouteStages.finding(of, ACME, "overheated"),
                new MailStage(of, queued::add, (tenant, id) -> Optional.empty(), Clock.systemUTC()));
        return new IngestionLab(at, of, ACME, store -> store, stages);
    }

    private static Envelope envelope(byte[] mail) {
        try {
            return Envelope.decode(SealedMail.read(mail).orElseThrow().envelope());
        } catch (RefusedException | MalformedEncodingException e) {
            throw new AssertionError(e);
        }
    }

    private static EnvelopeName name(byte[] mail) {
        return EnvelopeName.of(envelope(mail));
    }

    private static void take(IngestionLab lab, List<String> to, byte[] mail) {
        assertThat(IngestionLab.refusal(lab.mail("bob@elsewhere.example", to, mail)))
                .isNull();
    }

    private static final class Hits implements SearchSink {
        private final List<EnvelopeName> found = new ArrayList<>();

        @Override
        public void hit(SearchHit hit) {
            found.add(new EnvelopeName(hit.envelope(), hit.digest()));
        }

        @Override
        public void progress(SearchProgress progress) {}
    }

    private List<EnvelopeName> search(IngestionLab lab) throws Exception {
        lab.settle();
        lab.store.refresh();
        Hits hits = new Hits();
        lab.store.search(
                PreparedSearch.of(ACME.search("overheated", folder.resolve("trapdoors")), Arrivals.SCHEMES),
                hits,
                () -> false);
        return hits.found;
    }

    /** What was queued for a recipient. */
    private List<byte[]> delivered(List<String> to) {
        return queued.stream()
                .filter(mail -> mail.recipients().equals(to))
                .map(OutboundMail::message)
                .toList();
    }

    /** That the index which is searched is that of the mail which was delivered. */
    private static void assertBelongs(IngestionLab lab, byte[] sealed, byte[] delivered) throws Exception {
        StoredEnvelope stored = lab.store.find("acme", name(sealed)).orElseThrow();
        assertThat(stored.envelope()).isEqualTo(envelope(sealed));
        assertThat(Objects.requireNonNull(stored.content()).open()).hasBinaryContent(delivered);
        assertThat(stored.envelope().detachedDigest().orElseThrow()).isEqualTo(cmsDigest(delivered));
    }

    private static byte[] cmsDigest(byte[] delivered) throws Exception {
        String text = new String(delivered, StandardCharsets.ISO_8859_1);
        return MessageDigest.getInstance("SHA-256")
                .digest(Base64.getMimeDecoder().decode(text.substring(text.indexOf("\r\n\r\n") + 4)));
    }

    @Test
    void theGenuineMailIsFoundAndOpensThoughAnAlteredCopyCameFirst() throws Exception {
        try (IngestionLab lab = lab()) {
            take(lab, MALLORY, altered);
            take(lab, ADA, genuine);
            assertThat(search(lab)).containsExactly(name(genuine));
            byte[] delivered = delivered(ADA).getFirst();
            assertBelongs(lab, genuine, delivered);
            assertThat(mails.open(delivered)).contains("The pump is overheated.");
            assertBelongs(lab, altered, delivered(MALLORY).getFirst());
            assertThat(queued).hasSize(2);
        }
    }

    @Test
    void theGenuineMailIsFoundThoughAnAlteredCopyComesLater() throws Exception {
        try (IngestionLab lab = lab()) {
            take(lab, ADA, genuine);
            take(lab, ADA, altered);
            assertThat(search(lab)).containsExactly(name(genuine));
            assertThat(delivered(ADA)).hasSize(2);
            assertBelongs(lab, genuine, delivered(ADA).getFirst());
            assertBelongs(lab, altered, delivered(ADA).getLast());
        }
    }

    @Test
    void theGenuineMailIsDeliveredToWhomAnotherContentUnderItsIdWasSentBefore() throws Exception {
        byte[] other = mails.sealWithId(envelope(genuine).id(), MAIL.replace("overheated", "calm"), "calm");
        try (IngestionLab lab = lab()) {
            take(lab, ADA, other);
            take(lab, ADA, genuine);
            assertThat(search(lab)).containsExactly(name(genuine));
            assertThat(delivered(ADA)).hasSize(2);
            assertBelongs(lab, genuine, delivered(ADA).getLast());
            assertThat(mails.open(delivered(ADA).getLast())).contains("overheated");
        }
    }

    /** Whoever relays a mail adds to its header. */
    @Test
    void theSameMailAgainIsStoredAndDeliveredAndRoutedOnce() throws Exception {
        byte[] relayed = ("Received: from relay.example\r\n" + new String(genuine, StandardCharsets.ISO_8859_1))
                .getBytes(StandardCharsets.ISO_8859_1);
        try (IngestionLab lab = lab()) {
            take(lab, ADA, genuine);
            take(lab, ADA, genuine);
            take(lab, ADA, relayed);
            lab.settle();
            take(lab, ADA, relayed);
            take(lab, MALLORY, relayed);
            assertThat(search(lab)).containsExactly(name(genuine));
            assertThat(lab.store.holdings().get("acme").envelopes()).isOne();
            assertThat(queued).hasSize(2);
            assertThat(RouteStages.found(database))
                    .containsExactly(name(genuine).id());
        }
    }

    /** None is durable before the others come. */
    @Test
    void theSameMailManyTimesAtOnceIsDeliveredOnce() throws Exception {
        try (IngestionLab lab = lab()) {
            List<CompletableFuture<?>> taken = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                taken.add(lab.mail("bob@elsewhere.example", i % 2 == 0 ? ADA : MALLORY, genuine));
            }
            taken.forEach(CompletableFuture::join);
            assertThat(search(lab)).containsExactly(name(genuine));
            assertThat(queued).hasSize(2);
            assertThat(delivered(ADA)).hasSize(1);
            assertThat(RouteStages.found(database))
                    .containsExactly(name(genuine).id());
        }
    }

    @Test
    void aRouteFindsEachOfSeveral() throws Exception {
        byte[] other = mails.sealWithId(envelope(genuine).id(), MAIL, "overheated");
        try (IngestionLab lab = lab()) {
            take(lab, MALLORY, other);
            take(lab, MALLORY, altered); // is not found by it
            take(lab, ADA, genuine);
            take(lab, ADA, genuine);
            assertThat(search(lab)).containsExactlyInAnyOrder(name(other), name(genuine));
            assertThat(RouteStages.deliveries(database))
                    .hasSize(2)
                    .doesNotHaveDuplicates()
                    .allMatch(delivery -> delivery.contains("/" + name(genuine).id() + "/"))
                    .anyMatch(delivery -> delivery.endsWith("/" + name(genuine).digest()));
        }
    }

    /** They cost what other mails cost, and hide nothing. */
    @Test
    void theGenuineMailIsFoundAmongAThousandAlteredCopies() throws Exception {
        int before = 600;
        int after = 400;
        try (IngestionLab lab = lab()) {
            for (int i = 0; i < before; i++) {
                take(lab, MALLORY, ForgedMail.bitFlipped(genuine, i));
            }
            take(lab, ADA, genuine);
            for (int i = before; i < before + after; i++) {
                take(lab, MALLORY, ForgedMail.bitFlipped(genuine, i));
            }
            assertThat(search(lab)).containsExactly(name(genuine));
            assertBelongs(lab, genuine, delivered(ADA).getFirst());
            assertThat(lab.store.holdings().get("acme").envelopes()).isEqualTo(before + after + 1);
            assertThat(lab.store.named("acme", name(genuine).id())).isEmpty();
        }
    }

    @Test
    void aSignedEnvelopeIsTakenThoughAnUnsignedMailHasItsId() throws Exception {
        SealedEnvelope signed = ACME.sender("press-1", Clock.systemUTC()).seal("valve overheated");
        byte[] mail = mails.sealWithId(signed.id(), MAIL, "overheated");
        try (IngestionLab lab = lab()) {
            take(lab, MALLORY, mail);
            lab.settle();
            assertThat(lab.envelope(signed.bytes()).join().repeated()).isFalse();
            assertThat(lab.envelope(signed.bytes()).join().repeated()).isTrue();
            EnvelopeName of = EnvelopeName.of(Envelope.decode(signed.bytes()));
            assertThat(search(lab)).containsExactlyInAnyOrder(of, name(mail));
            assertThat(lab.store.named("acme", signed.id())).hasValue(of);
            assertThat(lab.store.isShared("acme", signed.id())).isTrue();
        }
    }

    @Test
    void anUnsignedMailIsTakenThoughASignedEnvelopeHasItsId() throws Exception {
        SealedEnvelope signed = ACME.sender("press-1", Clock.systemUTC()).seal("valve overheated");
        byte[] mail = mails.sealWithId(signed.id(), MAIL, "overheated");
        try (IngestionLab lab = lab()) {
            assertThat(lab.envelope(signed.bytes()).join().repeated()).isFalse();
            take(lab, ADA, mail);
            assertThat(lab.envelope(signed.bytes()).join().repeated()).isTrue();
            EnvelopeName of = EnvelopeName.of(Envelope.decode(signed.bytes()));
            assertThat(search(lab)).containsExactlyInAnyOrder(of, name(mail));
            assertBelongs(lab, mail, delivered(ADA).getFirst());
            assertThat(lab.store.named("acme", signed.id())).hasValue(of);
        }
    }

    @Test
    void aSenderIsRefusedForAnIdOfItsOwnOnly() throws Exception {
        SealedEnvelope[] twins = ACME.sameId("press-1", "valve overheated", "valve calm");
        byte[] ofAnother = ACME.withId("press-2", twins[0].id(), "overheated").bytes();
        try (IngestionLab lab = lab()) {
            assertThat(IngestionLab.refusal(lab.envelope(ofAnother))).isNull();
            assertThat(IngestionLab.refusal(lab.envelope(twins[0].bytes()))).isNull();
            assertThat(IngestionLab.refusal(lab.envelope(twins[1].bytes()))).isEqualTo(Refusal.CONFLICT);
            assertThat(search(lab)).hasSize(2);
            assertThat(IngestionLab.refusal(lab.envelope(twins[1].bytes()))).isEqualTo(Refusal.CONFLICT);
            assertThat(lab.store.named("acme", twins[0].id())).isEmpty(); // two senders signed
        }
    }

    /** Neither is lost or doubled when the journal is given again: to nothing, to all of it, and to a store that is ahead. */
    @Test
    void eachIsThereOnceAfterACrash() throws Exception {
        try (IngestionLab lab = lab()) {
            take(lab, MALLORY, altered);
            take(lab, ADA, genuine);
            take(lab, ADA, genuine);
            lab.settle();
        }
        Path nothing = copy("nothing", "journal");
        Path storeOnly = copy("store", "journal", "index");
        for (Path at : List.of(nothing, storeOnly)) {
            queued.clear();
            Database empty = TestDatabase.create();
            for (int start = 0; start < 2; start++) {
                try (IngestionLab lab = lab(at, empty)) {
                    assertThat(search(lab)).containsExactly(name(genuine));
                    assertThat(lab.store.holdings().get("acme").envelopes()).isEqualTo(2);
                    assertThat(queued).hasSize(2);
                    assertBelongs(lab, genuine, delivered(ADA).getFirst());
                    assertBelongs(lab, altered, delivered(MALLORY).getFirst());
                }
            }
        }
    }

    private Path copy(String name, String... parts) throws Exception {
        Path to = Files.createDirectory(folder.resolve(name));
        for (String part : parts) {
            Files.createDirectory(to.resolve(part));
            try (Stream<Path> files = Files.list(folder.resolve(part))) {
                for (Path file : files.toList()) {
                    Files.copy(file, to.resolve(part).resolve(file.getFileName()));
                }
            }
        }
        return to;
    }

    /** Another reverse path, or a trace that the next server refuses, leaves the genuine mail to be delivered. */
    @Test
    void aCopyThatNobodyTakesDoesNotStandForTheGenuineMail() throws Exception {
        try (IngestionLab lab = lab()) {
            take(
                    lab,
                    ADA,
                    ("Received: by x\r\n".repeat(101) + new String(genuine, StandardCharsets.ISO_8859_1))
                            .getBytes(StandardCharsets.ISO_8859_1));
            assertThat(IngestionLab.refusal(lab.mail("mallory@elsewhere.example", ADA, genuine)))
                    .isNull();
            take(lab, ADA, genuine);
            take(lab, ADA, genuine);
            lab.settle();
            assertThat(queued).hasSize(3);
        }
    }

    /** A row of an earlier version has no digest: it speaks of the one envelope of the id that there was. */
    @Test
    void whatAnEarlierVersionNotedIsNotDeliveredAgainAndAnotherOfTheIdIs() throws Exception {
        UUID id = envelope(genuine).id();
        database.jdbc()
                .sql(
                        "INSERT INTO mail_seen (tenant, envelope, recipient, seen) VALUES ('acme', ?, 'ada@example.org', NOW())")
                .param(id)
                .update();
        EnvelopeName before = name(genuine);
        MailStage stage = new MailStage(database, queued::add, (tenant, of) -> Optional.of(before), Clock.systemUTC());
        for (byte[] mail : Arrays.asList(genuine, altered, altered)) {
            stage.apply(List.of(new Applied(
                    Optional.of(Arrivals.of(envelope(mail).bytes(), Instant.now())),
                    DeliveredForms.delivered(ACME.tenant(), mail),
                    "bob@elsewhere.example",
                    ADA)));
        }
        assertThat(queued).hasSize(1);
        assertThat(queued.getFirst().message()).isEqualTo(DeliveredForms.delivered(ACME.tenant(), altered));
    }
}
