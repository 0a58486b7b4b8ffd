package dev.veilgate.extract.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import java.io.ByteArrayInputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processor time of hostile attachments, and the fate of harmless ones beside them. */
class HostileAttachmentTest {
    /**
     * The system counts hundredths of a second, and the watch looks fifty times a second; a busy machine is late for
     * it.
     */
    private static final double SLACK_SECONDS = 0.25;

    @Test
    void noAttachmentCostsMoreProcessorTimeThanItsSizeAllows() throws Exception {
        StringBuilder table = new StringBuilder();
        List<String> costly = new ArrayList<>();
        int refused = 0;
        try (AttachmentReader reader = new AttachmentReader(MailLimits.DEFAULT)) {
            for (Map.Entry<String, byte[]> each : HostileAttachments.all().entrySet()) {
                byte[] file = each.getValue();
                AttachmentTime time =
                        new AttachmentTime(AttachmentLimits.DEFAULT, new AttachmentBudget(Duration.ofDays(1)));
                AttachmentText text = reader.read(
                                "application/octet-stream", new ByteArrayInputStream(file), 1_000_000, time)
                        .text();
                double allowed = AttachmentLimits.DEFAULT.time(file.length).toNanos() / 1e9;
                double spent = allowed - time.leftNanos() / 1e9;
                table.append(String.format(
                        "%-52s %8d bytes %5.2f of %5.2f s %s%n",
                        each.getKey(), file.length, spent, allowed, text.refusals()));
                if (spent > allowed + SLACK_SECONDS) {
                    costly.add(each.getKey());
                }
                refused += text.refusals().contains(new Refusal("", Refusal.Reason.TIME_LIMIT)) ? 1 : 0;
            }
        }
        System.out.print(table);
        assertThat(costly).as(table.toString()).isEmpty();
        assertThat(refused).as("the table has some that take long: %n%s", table).isGreaterThan(3);
    }

    /** Text that the process answers is folded and cut by the thread that reads the mail. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0315\u0316",
                "\u0344\u0316",
                "\ufdfa",
                "\u4e00\u4e01",
                "a\u200b",
                "\u0130",
                "\u00df\n",
                "\u1161"
            })
    void textOfOneThingAgainAndAgainThatAnAttachmentUnpacksToCostsLittle(String piece) throws Exception {
        byte[] text = piece.repeat(900_000 / piece.length()).getBytes(StandardCharsets.UTF_8);
        byte[] mail = Mails.withAttachment("application/gzip", "a.gz", HostileAttachments.gzip(text));
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults(), MailLimits.ofSearch(1))) {
            AttachmentBudget budget = new AttachmentBudget(Duration.ofDays(1));
            long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            extractor.extract(mail, budget);
            double own = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1e9;
            assertThat(own).isLessThan(4); // a second, and what is done between two looks at the time
        }
    }

    /**
     * Processor time of a search for mails below 64 KB: of its thread, of its readers, and to start them and load their
     * classes, which is as much as for a harmless mail of all kinds of attachments.
     */
    @Test
    void noMailOfManyAttachmentsOrMuchTextCostsMoreThanItsSizeAllows() throws Exception {
        double harmless = search(HostileAttachments.harmlessMail(), new CostlyAttachments())
                .seconds();
        StringBuilder table = new StringBuilder(String.format("a harmless mail of all kinds %.2f s%n", harmless));
        List<String> costly = new ArrayList<>();
        for (Map.Entry<String, byte[]> each : HostileAttachments.mails().entrySet()) {
            byte[] mail = each.getValue();
            CostlyAttachments known = new CostlyAttachments();
            double allowed =
                    harmless + AttachmentLimits.DEFAULT.time(mail.length).toNanos() / 1e9;
            Cost first = search(mail, known);
            Cost again = search(mail, known);
            table.append(String.format(
                    "%-50s %6d bytes %5.2f of %5.2f s %s, again %5.3f s%n",
                    each.getKey(),
                    mail.length,
                    first.seconds,
                    allowed,
                    first.isCutShort ? "cut short" : "read",
                    again.seconds));
            if (first.seconds > allowed + SLACK_SECONDS || first.isCutShort && again.seconds > 0.1) {
                costly.add(each.getKey());
            }
        }
        System.out.print(table);
        assertThat(costly).as(table.toString()).isEmpty();
    }

    private record Cost(double seconds, boolean isCutShort) {}

    private static Cost search(byte[] mail, CostlyAttachments known) {
        AttachmentBudget budget = new AttachmentBudget(Duration.ofDays(1));
        try (MailExtractor search = new MailExtractor(ExtractorProfile.defaults(), MailLimits.ofSearch(1), known)) {
            search.extractText(mail, budget);
            boolean isCutShort = search.extract(mail, budget).isCutShort();
            return new Cost(budget.spent().toNanos() / 1e9, isCutShort);
        }
    }

    @Test
    void attachmentsOfAFewBytesHaveTheTimeOfTheirMail() throws Exception {
        byte[] mail = HostileAttachments.mails().get("1,000 beginnings of a PDF");
        try (MailExtractor search =
                new MailExtractor(ExtractorProfile.defaults(), MailLimits.ofSearch(1), new CostlyAttachments())) {
            MailKeywords found = search.extract(mail, new AttachmentBudget(Duration.ofDays(1)));
            assertThat(Mails.reasons(found).stream().filter(reason -> reason == Refusal.Reason.DAMAGED))
                    .as("at 2 ms each, of 0.31 s")
                    .hasSizeBetween(1, 156);
            assertThat(found.isCutShortByAttachments()).isTrue();
        }
    }

    /** Folded, each character is eighteen. */
    @Test
    void timeForTheTextOfAnAttachmentIsThatOfTheAttachmentAndRemembered() throws Exception {
        byte[] file = HostileAttachments.gzip("\ufdfa".repeat(900_000).getBytes(StandardCharsets.UTF_8));
        byte[] mail = Mails.withAttachment("application/gzip", "a.gz", file);
        CostlyAttachments costly = new CostlyAttachments();
        AttachmentBudget budget = new AttachmentBudget(Duration.ofDays(1));
        double[] own = new double[2];
        for (int time = 0; time < own.length; time++) {
            try (MailExtractor search =
                    new MailExtractor(ExtractorProfile.defaults(), MailLimits.ofSearch(1), costly)) {
                long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                MailKeywords found = search.extract(mail, budget);
                own[time] = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1e9;
                assertThat(found.isCutShort()).isTrue();
                assertThat(Mails.words(found)).contains("filename:a.gz");
                assertThat(search.readersStarted()).isEqualTo(time == 0 ? 1 : 0);
            }
        }
        assertThat(own[0]).isLessThan(AttachmentLimits.DEFAULT.time(file.length).toNanos() / 1e9 + SLACK_SECONDS);
        assertThat(own[1]).isLessThan(0.05);
    }

    @Test
    void aMailOfSeveralCostlyAttachmentsHasTheTimeOfOne() throws Exception {
        StringBuilder mail = new StringBuilder("Subject: owls\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n");
        for (int i = 0; i < 10; i++) {
            mail.append("--b\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n")
                    .append(Base64.getMimeEncoder().encodeToString(HostileAttachments.nestedForms(30)))
                    .append("\r\n");
        }
        mail.append("--b\r\n\r\nbehind\r\n--b--\r\n");
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults())) {
            MailKeywords found = extractor.extract(mail.toString().getBytes(StandardCharsets.US_ASCII));
            assertThat(found.isCutShort()).isTrue();
            assertThat(found.isCutShortByAttachments()).isTrue();
            assertThat(Mails.reasons(found)).hasSize(10).containsOnly(Refusal.Reason.TIME_LIMIT);
            assertThat(Mails.words(found)).contains("word:owls", "word:behind");
            assertThat(extractor.readersStarted()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void harmlessMailsBesideCostlyOnesAreFoundByTheirAttachments() throws Exception {
        byte[] costly = Mails.withAttachment("application/pdf", "a.pdf", HostileAttachments.nestedForms(30));
        byte[] harmless = Mails.withAttachment("application/pdf", "b.pdf", Attachments.pdf());
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults());
                ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<MailKeywords>> found = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                byte[] mail = i % 4 == 3 ? harmless : costly;
                found.add(threads.submit(() -> extractor.extract(mail)));
            }
            for (int i = 0; i < found.size(); i++) {
                MailKeywords keywords = found.get(i).get();
                if (i % 4 == 3) {
                    assertThat(keywords.refusals()).isEmpty();
                    assertThat(Mails.words(keywords)).contains("word:sealed");
                } else {
                    assertThat(keywords.isCutShort()).isTrue();
                }
            }
        }
    }

    @Test
    void aReaderThatWasKilledFromOutsideIsNotTakenForTheAttachmentsFault() throws Exception {
        byte[] mail = Mails.withAttachment("application/pdf", "a.pdf", Attachments.pdf());
        CostlyAttachments costly = new CostlyAttachments();
        AttachmentBudget budget = new AttachmentBudget(Duration.ofDays(1));
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults(), MailLimits.DEFAULT, costly)) {
            extractor.extract(Mails.withAttachment("application/pdf", "b.pdf", Attachments.pdf()), budget);
            Thread killer = Thread.ofPlatform()
                    .start(() -> extractor.readerProcess().ifPresent(ProcessHandle::destroyForcibly));
            extractor.extract(mail, budget);
            killer.join();
            assertThat(extractor.extract(mail, budget).refusals()).isEmpty();
        }
    }

    /**
     * Classes that were made ready when the stack ran over stay unusable: a process that read on found nothing in the
     * mails of others behind, and said that they were damaged.
     */
    @Test
    void aReaderWhoseStackRanOverReadsNothingMore() throws Exception {
        byte[] deep = HostileAttachments.gzip(HostileAttachments.deepFields(20_000));
        byte[] hostile = Mails.withAttachment("application/gzip", "a.gz", deep);
        byte[] harmless = Mails.withAttachment("application/pdf", "b.pdf", Attachments.pdf());
        CostlyAttachments costly = new CostlyAttachments();
        AttachmentBudget budget = new AttachmentBudget(Duration.ofDays(1));
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults(), MailLimits.DEFAULT, costly)) {
            MailKeywords first = extractor.extract(hostile, budget);
            assertThat(Mails.reasons(first)).containsExactly(Refusal.Reason.READER_FAILED);
            assertThat(extractor.readersStarted()).isEqualTo(1); // it says so itself, and is not tried again
            assertThat(extractor.readerProcess()).isEmpty();
            MailKeywords behind = extractor.extract(harmless, budget);
            assertThat(behind.refusals()).isEmpty();
            assertThat(Mails.words(behind)).contains("word:sealed");
            assertThat(extractor.readersStarted()).isEqualTo(2);
            assertThat(extractor.extract(hostile, budget).isCutShort()).isTrue();
            assertThat(extractor.readersStarted()).isEqualTo(2); // known from then on
        }
    }

    @Test
    void aMailOfManyAttachmentsThatRunOverTheStackEndsOneReader() throws Exception {
        StringBuilder mail = new StringBuilder("Subject: owls\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n");
        for (int i = 0; i < 5; i++) {
            byte[] deep = HostileAttachments.gzip(HostileAttachments.deepFields(20_000 + i));
            mail.append("--b\r\nContent-Type: application/gzip\r\nContent-Transfer-Encoding: base64\r\n\r\n")
                    .append(Base64.getMimeEncoder().encodeToString(deep))
                    .append("\r\n");
        }
        AttachmentBudget budget = new AttachmentBudget(Duration.ofDays(1));
        try (MailExtractor extractor =
                new MailExtractor(ExtractorProfile.defaults(), MailLimits.DEFAULT, new CostlyAttachments())) {
            extractor.extract(mail.append("--b--\r\n").toString().getBytes(StandardCharsets.US_ASCII), budget);
            assertThat(extractor.readersStarted()).isEqualTo(1);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aReaderIsKilledBeforeItsParentWhereMemoryRunsOut() throws Exception {
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults())) {
            extractor.extract(Mails.withAttachment("application/pdf", "a.pdf", Attachments.pdf()));
            long reader = extractor.readerProcess().orElseThrow().pid();
            assertThat(Files.readString(Path.of("/proc/" + reader + "/oom_score_adj")))
                    .isEqualToIgnoringWhitespace("1000");
        }
    }

    @Test
    void aReaderIsReplacedAfterAHundredMails() throws Exception {
        byte[] mail = Mails.withAttachment("application/pdf", "a.pdf", Attachments.pdf());
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults())) {
            for (int i = 0; i < AttachmentReader.MOST_MAILS; i++) {
                assertThat(extractor.extract(mail).refusals()).isEmpty();
            }
            assertThat(extractor.readersStarted()).isEqualTo(1);
            assertThat(extractor.extract(mail).refusals()).isEmpty();
            assertThat(extractor.readersStarted()).isEqualTo(2);
        }
    }
}
