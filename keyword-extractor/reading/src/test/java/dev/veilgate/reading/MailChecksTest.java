package dev.veilgate.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.smime.MailAuthor;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.QueryReadings;
import dev.veilgate.extract.mail.AttachmentBudget;
import dev.veilgate.extract.mail.CostlyAttachments;
import dev.veilgate.extract.mail.MailLimits;
import dev.veilgate.extract.mail.MailQuery;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import dev.veilgate.query.Filter;
import dev.veilgate.reading.HitCheck.Verdict;
import dev.veilgate.testing.AttachedPdf;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mails that a search found: by what they are decided, in which order, and at what cost. */
class MailChecksTest {
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
    private static final Filter ANY = new Filter(Optional.empty(), Optional.empty(), Set.of());
    private static final MailAuthor STRANGER = new MailAuthor(MailAuthor.Kind.STRANGER, "");
    private static final MailAuthor ADA = new MailAuthor(MailAuthor.Kind.SENDER, "ada@acme.example");

    private static Envelope index;

    private final List<String> given = new ArrayList<>();
    private int number;

    @BeforeAll
    static void seal() throws Exception {
        SecureRandom random = new SecureRandom();
        TenantKeys keys = TenantKeys.generate("acme", EpochPolicy.MONTHLY, new byte[0], random, NOW);
        PublicBundle bundle = PublicBundle.verify(
                keys.nextBundle(NOW, Duration.ofDays(30)), keys.authority().fingerprint(), NOW);
        try (EnvelopeSealer sealer = new EnvelopeSealer(bundle, null, Clock.fixed(NOW, ZoneOffset.UTC), random)) {
            EnvelopeDraft draft = new EnvelopeDraft(
                    "mailbox",
                    EpochPolicy.MONTHLY.at(NOW).name(),
                    NOW,
                    NOW,
                    "application/pkcs7-mime",
                    List.of(),
                    List.of(),
                    List.of(),
                    0);
            byte[] sealed = sealer.sealDetached(
                            draft,
                            List.of(Posting.of(Keyword.text("word", "owls"), 0)),
                            new byte[32],
                            new byte[32],
                            ChainPosition.first())
                    .bytes();
            index = Envelope.decode(sealed);
        }
    }

    private static HitCheck check(String query, Set<MailAuthor.Kind> signed, CostlyAttachments costly)
            throws Exception {
        ExtractorProfile profile = ExtractorProfile.defaults();
        QueryReadings readings = QueryReadings.of(MailQuery.parse(query, profile), profile);
        return new HitCheck(readings, ANY, signed, MailLimits.ofSearch(1), costly);
    }

    private MailChecks<RuntimeException> checks(HitCheck check) {
        return new MailChecks<>(check, 1, (envelope, mail, checked) -> {
            given.add(mail.subject() + " " + checked.verdict());
            return true;
        });
    }

    private OpenedMail mail(String subject, MailAuthor author, String message) {
        return new OpenedMail(
                index.id(),
                "Sun, 22 Nov 2026 11:00:00 +0000",
                "",
                "",
                subject,
                author,
                List.of(),
                message.getBytes(StandardCharsets.UTF_8));
    }

    private OpenedMail withPdf(String subject, MailAuthor author, byte[] pdf) {
        return mail(subject, author, AttachedPdf.mail("Subject: " + subject + "\r\n", "larks", pdf));
    }

    private OpenedMail costly(MailAuthor author) {
        return withPdf("costly" + number, author, AttachedPdf.ofNestedForms(40, "no " + number++));
    }

    private static void finish(MailChecks<RuntimeException> checks) {
        while (checks.goOn()) {
            // all
        }
    }

    /** The mail has the words "press" in its subject, "larks" in its text and "owls" in its attachment. */
    @ParameterizedTest
    @CsvSource({
        "larks,                        FOUND",
        "larks OR owls,                FOUND",
        "filename:a.pdf,               FOUND",
        "attachment-type:application/pdf, FOUND",
        "owls,                         UNDECIDED",
        "larks AND owls,               UNDECIDED",
        "larks AND NOT geese,          UNDECIDED",
        "larks AND NOT owls,           UNDECIDED",
        "subject:geese,                LIES",
        "subject:geese AND owls,       LIES",
        "larks AND NOT subject:press,  LIES",
        "owls AND NOT larks,           LIES",
        "larks AND NOT subject:geese,  FOUND",
    })
    void headerAndTextDecideWhereTheyCan(String query, Verdict expected) throws Exception {
        try (HitCheck check = check(query, Set.of(), new CostlyAttachments())) {
            OpenedMail mail = withPdf("press", STRANGER, AttachedPdf.ofText("owls and swifts"));
            AttachmentBudget budget = new AttachmentBudget(Duration.ofSeconds(1));
            assertThat(check.checkText(index, mail, budget).verdict()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({"owls, FOUND", "larks AND NOT geese, FOUND", "geese, LIES", "larks AND NOT owls, LIES"})
    void attachmentsDecideTheOthers(String query, Verdict expected) throws Exception {
        try (MailChecks<RuntimeException> checks = checks(check(query, Set.of(), new CostlyAttachments()))) {
            checks.add(index, withPdf("press", STRANGER, AttachedPdf.ofText("owls and swifts")));
            assertThat(given).isEmpty();
            finish(checks);
            assertThat(given).containsExactly("press " + expected);
            assertThat(checks.spent()).isPositive();
        }
    }

    @Test
    void attachmentsOfMailsThatNobodyAskedForAreNotRead() throws Exception {
        HitCheck check = check("owls", Set.of(MailAuthor.Kind.SENDER), new CostlyAttachments());
        try (MailChecks<RuntimeException> checks = checks(check)) {
            checks.add(index, costly(STRANGER));
            assertThat(given).containsExactly("costly0 OTHERWISE_SIGNED");
            assertThat(checks.spent()).isZero();
        }
    }

    @Test
    void whatTakesTooLongComesLastAndIsNotReadAgain() throws Exception {
        CostlyAttachments costly = new CostlyAttachments();
        OpenedMail hostile = costly(STRANGER);
        try (MailChecks<RuntimeException> checks = checks(check("owls", Set.of(), costly))) {
            checks.add(index, hostile);
            checks.add(index, withPdf("harmless", STRANGER, AttachedPdf.ofText("owls" + " and swifts ".repeat(500))));
            finish(checks);
            assertThat(given).containsExactly("harmless FOUND", "costly0 UNDECIDED");
            assertThat(checks.spent()).isLessThan(Duration.ofSeconds(6)); // two starts, and a busy machine
        }
        given.clear();
        try (MailChecks<RuntimeException> checks = checks(check("owls", Set.of(), costly))) {
            checks.add(index, hostile);
            finish(checks);
            assertThat(given).containsExactly("costly0 UNDECIDED");
            assertThat(checks.spent()).isZero();
        }
    }

    /** Several attachments would each take all of the mail's time, which the others then have not. */
    @Test
    void aMailOfManyCostlyAttachmentsIsNotReadAgain() throws Exception {
        StringBuilder parts = new StringBuilder("Subject: many\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n");
        for (int i = 0; i < 8; i++) {
            parts.append("--b\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n")
                    .append(Base64.getMimeEncoder().encodeToString(AttachedPdf.ofNestedForms(40, "owls " + i)))
                    .append("\r\n");
        }
        OpenedMail many = mail("many", STRANGER, parts.append("--b--\r\n").toString());
        CostlyAttachments costly = new CostlyAttachments();
        for (String query : List.of("owls", "owls AND subject:many")) {
            try (MailChecks<RuntimeException> checks = checks(check(query, Set.of(), costly))) {
                checks.add(index, many);
                finish(checks);
                assertThat(given).containsExactly("many UNDECIDED");
                assertThat(checks.spent()).isLessThan(Duration.ofMillis(query.equals("owls") ? 4_000 : 50));
            }
            given.clear();
        }
    }

    /** Text whose folding was quadratic: a million capitals that become longer. */
    @Test
    void textThatIsMuchWorkIsBounded() throws Exception {
        byte[] text = "\u0130 \ufdfa ".repeat(400_000).getBytes(StandardCharsets.UTF_8);
        OpenedMail mail =
                mail("capitals", STRANGER, "Subject: capitals\r\n\r\n" + new String(text, StandardCharsets.UTF_8));
        CostlyAttachments costly = new CostlyAttachments();
        long[] used = new long[2];
        for (int i = 0; i < 2; i++) {
            long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            try (MailChecks<RuntimeException> checks = checks(check("owls", Set.of(), costly))) {
                checks.add(index, mail);
                finish(checks);
            }
            used[i] = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
        }
        assertThat(given).allMatch(each -> each.matches("capitals (LIES|UNDECIDED)"));
        for (long each : used) {
            assertThat(Duration.ofNanos(each)).isLessThan(Duration.ofSeconds(4)); // a minute, before
        }
    }

    /** Headers that contradict one another: the body is read in each way, as deep HTML in each charset. */
    private OpenedMail ofManyReadings(int i) {
        String header = "Subject: readings\r\nContent-Type: text/html\r\nContent-Type: text/xml; charset=koi8-r\r\n"
                + "Content-Type: text/enriched\r\nContent-Type: text/calendar; charset=cp037\r\n"
                + "Content-Type: text/plain; charset=utf-16\r\nContent-Transfer-Encoding: 7bit\r\n"
                + "Content-Transfer-Encoding: quoted-printable\r\nContent-Transfer-Encoding: base64\r\n\r\n";
        return mail("readings", STRANGER, header + "<li><ul>".repeat(7_000) + i);
    }

    @Test
    void textsOfManyHostileMailsTakeNoMoreThanTheBudgetOfTheSearch() throws Exception {
        HitCheck check = check("larks", Set.of(), new CostlyAttachments());
        try (MailChecks<RuntimeException> checks =
                new MailChecks<>(check, Duration.ofSeconds(1), Duration.ZERO, (envelope, mail, checked) -> {
                    given.add(mail.subject() + " " + checked.verdict());
                    return true;
                })) {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadCpuTime();
            for (int i = 0; i < 60; i++) {
                checks.add(index, ofManyReadings(i));
            }
            checks.add(index, mail("signed", ADA, "Subject: signed\r\n\r\nlarks"));
            assertThat(given).contains("signed FOUND");
            finish(checks);
            assertThat((threads.getCurrentThreadCpuTime() - before) / 1e9).isLessThan(4);
            assertThat(given).hasSize(61);
            assertThat(given.getLast()).as("named, and behind the others").isEqualTo("readings UNDECIDED");
        }
    }

    @Test
    void signersTakeTurnsWhateverStrangersSend() throws Exception {
        try (MailChecks<RuntimeException> checks = checks(check("owls", Set.of(), new CostlyAttachments()))) {
            for (int i = 0; i < 6; i++) {
                checks.add(index, costly(i % 2 == 0 ? STRANGER : MailAuthor.NONE));
            }
            byte[] long1 = AttachedPdf.ofText("owls " + "and swifts ".repeat(2_000));
            checks.add(index, withPdf("signed", ADA, long1));
            int steps = 0;
            while (!given.contains("signed FOUND")) {
                assertThat(checks.goOn()).isTrue();
                steps++;
            }
            assertThat(steps).as("at most one before it").isLessThanOrEqualTo(2);
        }
    }

    @Test
    void aThousandCostlyMailsTakeNoMoreThanTheBudgetOfTheSearch() throws Exception {
        HitCheck check = check("owls", Set.of(), new CostlyAttachments());
        try (MailChecks<RuntimeException> checks =
                new MailChecks<>(check, Duration.ofSeconds(6), Duration.ZERO, (envelope, mail, checked) -> {
                    given.add(mail.subject() + " " + checked.verdict());
                    return true;
                })) {
            for (int i = 0; i < 1_000; i++) {
                checks.add(index, costly(STRANGER));
            }
            checks.add(index, withPdf("signed", ADA, AttachedPdf.ofText("owls")));
            finish(checks);
            assertThat(checks.spent()).isLessThan(Duration.ofSeconds(10)); // what is begun is ended
            assertThat(given).hasSize(1_001).contains("signed FOUND");
            assertThat(given.subList(1, given.size())).allMatch(each -> each.endsWith("UNDECIDED"));
        }
    }
}
