package dev.veilgate.benchmarks;

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
import dev.veilgate.extract.mail.CostlyAttachments;
import dev.veilgate.extract.mail.MailLimits;
import dev.veilgate.extract.mail.MailQuery;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import dev.veilgate.query.Filter;
import dev.veilgate.reading.HitCheck;
import dev.veilgate.reading.MailChecks;
import dev.veilgate.reading.OpenedMail;
import dev.veilgate.testing.AttachedPdf;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Processor time of a search for a word that mails may have in their attachments, as console and command check what
 * they found ({@link MailChecks}): of this process and of those that read attachments, with their starts. On Linux.
 *
 * <p>Writes {@code attachments.csv}: harmless mails with a PDF of 600 bytes, a search for each and one for all; dense
 * text; hostile mails for the first time and again; different hostile ones and one signed mail beside them.
 */
public final class AttachmentFigures {
    /** Place of the first of four times that the system says of a process: its own and its children's, in ticks. */
    private static final int FIRST_TIME = 11;

    private static final int TIMES = 4;
    private static final double TICKS_A_SECOND = 100;
    private static final Duration REAPED = Duration.ofSeconds(1);

    private static final int NESTED = 40;
    private static final MailAuthor ADA = new MailAuthor(MailAuthor.Kind.SENDER, "ada@acme.example");
    private static final String LINE = "night shift pump valve pressure was measured before running hot in";

    private final Envelope index;
    private final List<String> rows = new ArrayList<>();

    private AttachmentFigures(Envelope index) {
        this.index = index;
    }

    /** @param args the output folder, and perhaps {@code --quick}: figures that mean nothing */
    public static void main(String[] args) throws Exception {
        boolean isQuick = args.length == 2 && args[1].equals("--quick");
        if (args.length != 1 && !isQuick) {
            throw new IllegalArgumentException("arguments: OUTPUT-FOLDER [--quick]");
        }
        List<String> table = new AttachmentFigures(index()).measure(isQuick);
        Files.write(Files.createDirectories(Path.of(args[0])).resolve("attachments.csv"), table);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        table.forEach(out::println);
    }

    private List<String> measure(boolean isQuick) throws Exception {
        rows.add("what,mails,decided,cpu_s,cpu_s_a_mail");
        IntFunction<byte[]> harmless = i -> AttachedPdf.ofText("owls " + i);
        IntFunction<byte[]> hostile = i -> AttachedPdf.ofNestedForms(NESTED, "owls " + i);
        row("a search for each", isQuick ? 1 : 20, true, harmless, new CostlyAttachments(), false);
        row("one search", isQuick ? 2 : 100, false, harmless, new CostlyAttachments(), false);
        for (int pages : isQuick ? new int[] {3} : new int[] {30, 300, 1_000}) {
            IntFunction<byte[]> dense = i -> AttachedPdf.ofPages(pages, LINE + " owls " + i);
            row(pages + " pages of text", isQuick ? 1 : 5, false, dense, new CostlyAttachments(), false);
        }
        CostlyAttachments costly = new CostlyAttachments();
        row("hostile first", isQuick ? 1 : 10, false, hostile, costly, false);
        row("hostile again", isQuick ? 1 : 10, false, hostile, costly, false);
        row(
                "different hostile ones and one of ada",
                isQuick ? 2 : 1_000,
                false,
                hostile,
                new CostlyAttachments(),
                true);
        return rows;
    }

    /** @param endsWithAda tells if a harmless mail that ada signed is found behind the others */
    private void row(
            String what,
            int mails,
            boolean isSearchForEach,
            IntFunction<byte[]> pdf,
            CostlyAttachments costly,
            boolean endsWithAda)
            throws Exception {
        List<OpenedMail> all = new ArrayList<>();
        for (int i = 0; i < mails; i++) {
            all.add(mail(MailAuthor.NONE, pdf.apply(i)));
        }
        if (endsWithAda) {
            all.add(mail(ADA, AttachedPdf.ofText("owls")));
        }
        double before = processorSeconds();
        int decided = 0;
        for (List<OpenedMail> search :
                isSearchForEach ? all.stream().map(List::of).toList() : List.of(all)) {
            decided += search(search, costly);
        }
        double seconds = processorSeconds() - before;
        rows.add(String.format(
                Locale.ROOT, "%s,%d,%d,%.2f,%.4f", what, all.size(), decided, seconds, seconds / all.size()));
    }

    private OpenedMail mail(MailAuthor author, byte[] pdf) {
        String mail = AttachedPdf.mail("Subject: report\r\nFrom: ada@acme.example\r\n", "see the file", pdf);
        return new OpenedMail(
                index.id(), "", "", "", "report", author, List.of(), mail.getBytes(StandardCharsets.UTF_8));
    }

    /** A search for a word that the attachments have; how many mails were decided. */
    private int search(List<OpenedMail> mails, CostlyAttachments costly) throws Exception {
        ExtractorProfile profile = ExtractorProfile.defaults();
        HitCheck check = new HitCheck(
                QueryReadings.of(MailQuery.parse("owls", profile), profile),
                new Filter(Optional.empty(), Optional.empty(), Set.of()),
                Set.of(),
                MailLimits.ofSearch(1),
                costly);
        int[] decided = {0};
        try (MailChecks<RuntimeException> checks = new MailChecks<>(check, 1, (envelope, mail, checked) -> {
            decided[0] += checked.verdict() == HitCheck.Verdict.UNDECIDED ? 0 : 1;
            return true;
        })) {
            for (OpenedMail mail : mails) {
                checks.add(index, mail);
            }
            while (checks.goOn()) {
                Sample.sink = decided;
            }
        }
        return decided[0];
    }

    /** Processor time of this process and of its children that have ended, for which it waits. */
    private static double processorSeconds() throws IOException, InterruptedException {
        TimeUnit.NANOSECONDS.sleep(REAPED.toNanos());
        String stat = Files.readString(Path.of("/proc/self/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        long ticks = 0;
        for (int i = FIRST_TIME; i < FIRST_TIME + TIMES; i++) {
            ticks += Long.parseLong(fields[i]);
        }
        return ticks / TICKS_A_SECOND;
    }

    private static Envelope index() throws Exception {
        SecureRandom random = new SecureRandom();
        Clock clock = Clock.systemUTC();
        Instant now = clock.instant();
        try (TenantKeys keys = TenantKeys.generate("acme", EpochPolicy.MONTHLY, new byte[0], random, now)) {
            PublicBundle bundle = PublicBundle.verify(
                    keys.nextBundle(now, Duration.ofDays(30)), keys.authority().fingerprint(), now);
            try (EnvelopeSealer sealer = new EnvelopeSealer(bundle, null, clock, random)) {
                EnvelopeDraft draft = new EnvelopeDraft(
                        "mailbox",
                        EpochPolicy.MONTHLY.at(now).name(),
                        now,
                        now,
                        "application/pkcs7-mime",
                        List.of(),
                        List.of(),
                        List.of(),
                        0);
                List<Posting> words = List.of(Posting.of(Keyword.text("word", "owls"), 0));
                return Envelope.decode(
                        sealer.sealDetached(draft, words, new byte[32], new byte[32], ChainPosition.first())
                                .bytes());
            }
        }
    }
}
