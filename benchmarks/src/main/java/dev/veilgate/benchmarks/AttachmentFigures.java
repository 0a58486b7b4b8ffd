package dev.veilgate.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.mail.AttachmentBudget;
import dev.veilgate.extract.mail.CostlyAttachments;
import dev.veilgate.extract.mail.MailExtractor;
import dev.veilgate.extract.mail.MailKeywords;
import dev.veilgate.extract.mail.MailLimits;
import dev.veilgate.testing.AttachedPdf;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Processor time of a search for the attachments of mails that it found, by the calls that the check of a hit makes:
 * header and text first, then the attachments. With that of the processes that read them, and of their starts.
 *
 * <p>Writes {@code attachments.csv}: harmless mails with a PDF of 600 bytes by a process each, as it was, and by a kept
 * one; hostile ones for the first time and again; different hostile ones up to the budget of a search.
 */
public final class AttachmentFigures {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final Duration BUDGET = Duration.ofSeconds(60);
    private static final int NESTED = 40;

    private final List<String> rows = new ArrayList<>();

    private AttachmentFigures() {}

    /** @param args the output folder, and perhaps {@code --quick}: figures that mean nothing */
    public static void main(String[] args) throws Exception {
        boolean isQuick = args.length == 2 && args[1].equals("--quick");
        if (args.length != 1 && !isQuick) {
            throw new IllegalArgumentException("arguments: OUTPUT-FOLDER [--quick]");
        }
        List<String> table = new AttachmentFigures().measure(isQuick);
        Files.write(Files.createDirectories(Path.of(args[0])).resolve("attachments.csv"), table);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        table.forEach(out::println);
    }

    private List<String> measure(boolean isQuick) {
        int hits = isQuick ? 2 : 100;
        rows.add("what,mails,decided,cpu_s,cpu_s_a_mail");
        IntFunction<String> harmless = i -> mail(AttachedPdf.ofText("owls " + i));
        IntFunction<String> hostile = i -> mail(AttachedPdf.ofNestedForms(NESTED, "owls " + i));
        AttachmentBudget each = new AttachmentBudget(Duration.ofDays(1));
        row("a process for each mail", isQuick ? 1 : 20, harmless, each, (mail, count) -> {
            try (MailExtractor extractor = extractor(new CostlyAttachments())) {
                count.accept(read(extractor, mail, each));
            }
        });
        AttachmentBudget kept = new AttachmentBudget(Duration.ofDays(1));
        try (MailExtractor extractor = extractor(new CostlyAttachments())) {
            row("a process for all", hits, harmless, kept, (mail, count) -> count.accept(read(extractor, mail, kept)));
        }
        CostlyAttachments costly = new CostlyAttachments();
        AttachmentBudget first = new AttachmentBudget(Duration.ofDays(1));
        AttachmentBudget again = new AttachmentBudget(Duration.ofDays(1));
        try (MailExtractor extractor = extractor(costly)) {
            int mails = isQuick ? 1 : 10;
            row("hostile first", mails, hostile, first, (mail, count) -> count.accept(read(extractor, mail, first)));
            row("hostile again", mails, hostile, again, (mail, count) -> count.accept(read(extractor, mail, again)));
        }
        AttachmentBudget search = new AttachmentBudget(isQuick ? Duration.ofSeconds(1) : BUDGET);
        try (MailExtractor extractor = extractor(costly)) {
            row("1000 different hostile ones", 1_000, i -> hostile.apply(i + 1_000), search, (mail, count) -> {
                if (!search.left().isNegative() && !search.left().isZero()) {
                    count.accept(read(extractor, mail, search));
                } else {
                    extractor.extractText(mail);
                }
            });
        }
        return rows;
    }

    private static MailExtractor extractor(CostlyAttachments costly) {
        return new MailExtractor(ExtractorProfile.defaults(), MailLimits.DEFAULT, costly);
    }

    private static String mail(byte[] pdf) {
        return AttachedPdf.mail("Subject: report\r\nFrom: ada@acme.example\r\n", "see the file", pdf);
    }

    /** Whether all of it was read. */
    private static boolean read(MailExtractor extractor, byte[] mail, AttachmentBudget budget) {
        Sample.sink = extractor.extractText(mail);
        MailKeywords keywords = extractor.extract(mail, budget);
        return !keywords.isCutShort();
    }

    /** Reads one mail, and tells if it was decided. */
    private interface Reading {
        void read(byte[] mail, Consumer<Boolean> decided);
    }

    private void row(String what, int mails, IntFunction<String> mail, AttachmentBudget budget, Reading reading) {
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < mails; i++) {
            all.add(mail.apply(i).getBytes(StandardCharsets.UTF_8));
        }
        int[] decided = {0};
        long before = SYSTEM.getProcessCpuTime();
        for (byte[] each : all) {
            reading.read(each, isDecided -> decided[0] += isDecided ? 1 : 0);
        }
        double seconds = (SYSTEM.getProcessCpuTime() - before + budget.spent().toNanos()) / 1e9;
        rows.add(String.format(Locale.ROOT, "%s,%d,%d,%.2f,%.4f", what, mails, decided[0], seconds, seconds / mails));
    }
}
