package dev.veilgate.extract.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.mail.Refusal.Reason;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Text of attached files, and what becomes of hostile ones. */
class MailAttachmentTest {
    /** With time enough wherever everything else runs too: what is refused here is not refused for its time. */
    private static final MailExtractor EXTRACTOR = new MailExtractor(
            ExtractorProfile.defaults(),
            limits(
                    AttachmentLimits.DEFAULT.maxBytes(),
                    300_000,
                    AttachmentLimits.DEFAULT.stallMillis(),
                    AttachmentLimits.DEFAULT.readerMegabytes()));

    @AfterAll
    static void close() {
        EXTRACTOR.close();
    }

    private static MailKeywords attach(String type, String name, byte[] file) {
        MailKeywords mail = EXTRACTOR.extract(Mails.withAttachment(type, name, file));
        assertThat(Mails.words(mail)).as("the other parts").contains("word:before", "word:behind", "filename:" + name);
        return mail;
    }

    private static void isRead(String type, String name, byte[] file) {
        MailKeywords mail = attach(type, name, file);
        assertThat(mail.refusals()).as(name).isEmpty();
        assertThat(Mails.words(mail)).as(name).contains("word:sealed", "word:overheating", "number:3.14", "word:words");
    }

    private static MailKeywords isRefused(String type, String name, byte[] file, Reason... reasons) {
        MailKeywords mail = attach(type, name, file);
        assertThat(mail.refusals()).as(name).isNotEmpty();
        assertThat(Mails.reasons(mail)).as(name).containsAnyElementsOf(Arrays.asList(reasons));
        assertThat(mail.refusals()).as(name).allMatch(refusal -> refusal.part().startsWith("2"));
        return mail;
    }

    @Test
    void aDocumentByItselfIsReadAsAnAttachmentIs() throws Exception {
        for (var each : Map.of(
                        "a.pdf", Attachments.pdf(),
                        "\u00c4 \"q\"\\\r\n.docx", Attachments.docx(Attachments.TEXT),
                        "page.HTML", ("<p title=no>" + Attachments.TEXT).getBytes(StandardCharsets.US_ASCII))
                .entrySet()) {
            MailKeywords document = EXTRACTOR.extractDocument(each.getKey(), each.getValue());
            assertThat(document.refusals()).as(each.getKey()).isEmpty();
            assertThat(Mails.words(document))
                    .as(each.getKey())
                    .contains("word:sealed", "word:overheating", "number:3.14")
                    .doesNotContain("word:title", "word:before");
        }
        assertThat(Mails.words(EXTRACTOR.extractDocument("a.pdf", Attachments.pdf())))
                .contains("filename:a.pdf", "filename:*.pdf", "attachment-type:application/pdf");
        MailKeywords encrypted = EXTRACTOR.extractDocument("b.pdf", Attachments.encryptedPdf());
        assertThat(Mails.reasons(encrypted)).contains(Reason.ENCRYPTED);
        assertThat(Mails.words(encrypted)).contains("filename:b.pdf");
        assertThat(Mails.words(EXTRACTOR.extractDocument("empty", new byte[0]))).contains("filename:empty");
    }

    @Test
    void readsEveryKindOfDocument() throws Exception {
        isRead("application/pdf", "a.pdf", Attachments.pdf());
        isRead("application/msword", "a.docx", Attachments.docx(Attachments.TEXT));
        isRead("application/vnd.ms-excel", "a.xlsx", Attachments.xlsx());
        isRead("application/vnd.ms-excel", "a.xls", Attachments.xls());
        isRead("application/octet-stream", "a.pptx", Attachments.pptx());
        isRead("application/vnd.oasis.opendocument.text", "a.odt", Attachments.odt());
        isRead("text/rtf", "a.rtf", Attachments.rtf());
        isRead("text/html", "a.html", ("<p>" + Attachments.TEXT).getBytes(StandardCharsets.US_ASCII));
        isRead(
                "text/html",
                "long.html",
                ("<p>" + Attachments.TEXT + "<br>".repeat(100_000)).getBytes(StandardCharsets.US_ASCII));
        isRead("application/octet-stream", "notes", Attachments.TEXT.getBytes(StandardCharsets.US_ASCII));
        assertThat(EXTRACTOR.readersStarted()).as("one process for all").isLessThanOrEqualTo(8);
    }

    @Test
    void tellsTheRealTypeBesideTheDeclared() throws Exception {
        assertThat(Mails.values(attach("image/png", "x.png", Attachments.pdf()), "attachment-type"))
                .containsExactlyInAnyOrder("image/png", "application/pdf");
        assertThat(Mails.values(attach("application/pdf", "x.pdf", Attachments.pdf()), "attachment-type"))
                .containsExactly("application/pdf");
    }

    @Test
    void readsArchivesAndNamesTheirFiles() throws Exception {
        byte[] inner = Attachments.zip(Map.of("deep.txt", "deepest gr\u00fc\u00dfe"));
        MailKeywords mail = attach(
                "application/zip",
                "all.zip",
                Attachments.zipOf(Map.of(
                        "dir/a.pdf", Attachments.pdf(), "inner.zip", inner, "odd.bin", new byte[] {0, 1, 2, 3})));
        assertThat(Mails.words(mail))
                .contains("word:sealed", "word:deepest", "word:gr\u00fcsse")
                .contains("filename:a.pdf", "filename:deep.txt", "filename:*.txt", "filename:inner.zip");
        assertThat(Mails.reasons(mail)).containsExactly(Reason.UNSUPPORTED_TYPE);
        assertThat(mail.refusals().getFirst().part()).matches("2/[0-9]");
    }

    @Test
    void refusesWhatIsEncrypted() throws Exception {
        isRefused("application/pdf", "a.pdf", Attachments.encryptedPdf(), Reason.ENCRYPTED);
        isRefused("application/octet-stream", "a.docx", Attachments.encryptedDocx(), Reason.ENCRYPTED);
        isRefused("application/pkcs7-mime", "smime.p7m", new byte[] {0x30, 1}, Reason.ENCRYPTED);
    }

    @Test
    void refusesWhatIsDamaged() throws Exception {
        for (byte[] file : new byte[][] {
            Attachments.pdf(), Attachments.docx(Attachments.TEXT), Attachments.xlsx(), Attachments.odt()
        }) {
            isRefused(
                    "application/msword",
                    "cut",
                    Arrays.copyOf(file, file.length / 2),
                    Reason.DAMAGED,
                    Reason.UNSUPPORTED_TYPE);
        }
        isRefused("application/pdf", "empty.pdf", new byte[0], Reason.DAMAGED);
    }

    @Test
    void refusesBombs() throws Exception {
        isRefused("application/zip", "a.zip", Attachments.zipBomb("a.txt", 200), Reason.BOMB);
        isRefused("application/zip", "a.docx", Attachments.zipBomb("word/document.xml", 200), Reason.BOMB);
        byte[] nested = Attachments.zip(Map.of("a.txt", "core"));
        for (int i = 0; i < 10; i++) {
            nested = Attachments.zipOf(Map.of("n.zip", nested));
        }
        assertThat(Mails.words(isRefused("application/zip", "n.zip", nested, Reason.TOO_DEEP)))
                .doesNotContain("word:core");
        attach("application/pdf", "a.pdf", Attachments.pdfBomb(64)); // read in pieces or refused
        isRead("application/pdf", "after.pdf", Attachments.pdf());
    }

    @Test
    void expandsNoEntities(@TempDir Path folder) throws Exception {
        byte[] laughs = Attachments.docxWithEntities(Attachments.billionLaughs(), "&l9;");
        MailKeywords mail = attach("application/msword", "laughs.docx", laughs);
        assertThat(mail.textChars()).isLessThan(100_000);
        Path secret = Files.writeString(folder.resolve("secret.txt"), "exfiltrated");
        byte[] reads = Attachments.docxWithEntities("<!ENTITY x SYSTEM \"" + secret.toUri() + "\">", "&x;");
        assertThat(Mails.words(attach("application/msword", "reads.docx", reads)))
                .doesNotContain("word:exfiltrated");
        String xml = "<!DOCTYPE a [" + Attachments.billionLaughs() + "]><a>inside &l9;</a>";
        MailKeywords plain = attach("application/xml", "a.xml", xml.getBytes(StandardCharsets.US_ASCII));
        assertThat(Mails.words(plain)).contains("word:inside");
        assertThat(plain.textChars()).isLessThan(10_000);
    }

    @Test
    void refusesWhatIsTooLarge() throws Exception {
        MailLimits small = limits(20_000, 50_000, AttachmentLimits.DEFAULT.stallMillis(), 64);
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults(), small)) {
            byte[] large = Attachments.zipOf(Map.of(
                    "x",
                    new java.util.Random(1)
                            .ints(30_000)
                            .collect(java.io.ByteArrayOutputStream::new, (out, i) -> out.write(i), (x, y) -> {})
                            .toByteArray()));
            MailKeywords mail = extractor.extract(Mails.withAttachment("application/zip", "l.zip", large));
            assertThat(Mails.reasons(mail)).containsExactly(Reason.TOO_LARGE);
            mail = extractor.extract(Mails.withAttachment("application/pdf", "a.pdf", Attachments.pdf()));
            assertThat(Mails.words(mail)).contains("word:sealed");
        }
    }

    /**
     * Stops a process: it reacts to nothing but being killed, as a parser that loops. Its threads stop one by one, some
     * after the signal was sent; one that still runs would answer.
     */
    private static void stop(ProcessHandle reader) throws IOException {
        try {
            new ProcessBuilder("kill", "-STOP", Long.toString(reader.pid()))
                    .start()
                    .waitFor();
            while (!isStopped(reader)) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static boolean isStopped(ProcessHandle reader) throws IOException {
        Path threads = Path.of("/proc", Long.toString(reader.pid()), "task");
        if (!Files.isDirectory(threads)) { // not Linux
            Process ps = new ProcessBuilder("ps", "-o", "stat=", "-p", Long.toString(reader.pid())).start();
            return new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).startsWith("T");
        }
        try (DirectoryStream<Path> each = Files.newDirectoryStream(threads)) {
            for (Path thread : each) {
                String stat = Files.readString(thread.resolve("stat"));
                if (!stat.substring(stat.lastIndexOf(')') + 2).startsWith("T")) {
                    return false;
                }
            }
        } catch (NoSuchFileException e) {
            return false; // a thread that ended meanwhile
        }
        return true;
    }

    @Test
    void aReaderThatUsesNoProcessorInAnAttachmentIsKilledAndReplaced() throws Exception {
        try (MailExtractor extractor =
                new MailExtractor(ExtractorProfile.defaults(), limits(20_000_000, 60_000, 4_000, 128))) {
            byte[] pdf = Mails.withAttachment("application/pdf", "a.pdf", Attachments.pdf());
            extractor.extract(pdf);
            ProcessHandle reader = extractor.readerProcess().orElseThrow();
            byte[] file = new byte[4 << 20];
            file[0] = '%';
            System.arraycopy("%PDF-1.7".getBytes(StandardCharsets.US_ASCII), 0, file, 0, 8);
            byte[] mail = Mails.withAttachment("application/pdf", "b.pdf", file);
            InputStream source = new FilterInputStream(new ByteArrayInputStream(mail)) {
                private int count;

                @Override
                public int read(byte[] bytes, int from, int length) throws IOException {
                    int before = count;
                    int n = super.read(bytes, from, Math.min(length, 4096));
                    count += n;
                    if (before < mail.length / 2 && count >= mail.length / 2) {
                        stop(reader);
                    }
                    return n;
                }
            };
            MailKeywords stopped = extractor.extract(source);
            assertThat(stopped.refusals()).containsExactly(new Refusal("2", Reason.READER_FAILED));
            assertThat(Mails.words(stopped)).contains("word:before", "word:behind");
            reader.onExit().join();
            assertThat(Mails.words(extractor.extract(pdf))).contains("word:sealed");
            assertThat(extractor.readersStarted()).isEqualTo(2);
        }
    }

    @Test
    void aReaderThatDoesNotAnswerIsReplacedAtOnce() throws Exception {
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults())) {
            byte[] mail = Mails.withAttachment("application/pdf", "a.pdf", Attachments.pdf());
            extractor.extract(mail);
            stop(extractor.readerProcess().orElseThrow());
            assertThat(Mails.words(extractor.extract(mail))).contains("word:sealed");
            extractor.readerProcess().orElseThrow().destroyForcibly();
            extractor.readerProcess().orElseThrow().onExit().join();
            assertThat(Mails.words(extractor.extract(mail))).contains("word:sealed");
            assertThat(extractor.readersStarted()).isEqualTo(3);
        }
    }

    @Test
    void closingEndsTheReader() throws Exception {
        MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults());
        extractor.extract(Mails.withAttachment("application/pdf", "a.pdf", Attachments.pdf()));
        ProcessHandle reader = extractor.readerProcess().orElseThrow();
        extractor.close();
        reader.onExit().join();
        assertThat(reader.isAlive()).isFalse();
    }

    @Test
    void mailsWithoutFilesStartNoReader() throws Exception {
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults())) {
            for (String name :
                    new String[] {"plain.eml", "alternative.eml", "names.eml", "attached-message.eml", "broken.eml"}) {
                extractor.extract(Mails.sample(name));
            }
            assertThat(extractor.readersStarted()).isZero();
        }
    }

    @Test
    void noFileIsWritten() throws Exception {
        Set<Path> before = temporaryFiles();
        isRead("application/msword", "a.docx", Attachments.docx(Attachments.TEXT));
        isRead("application/vnd.oasis.opendocument.text", "a.odt", Attachments.odt());
        assertThat(temporaryFiles())
                .noneMatch(file ->
                        !before.contains(file) && file.getFileName().toString().contains("tika"));
    }

    /** The folder is everybody's: what others remove meanwhile, or show to nobody, is passed over. */
    private static Set<Path> temporaryFiles() throws IOException {
        Set<Path> files = new HashSet<>();
        Files.walkFileTree(Path.of(System.getProperty("java.io.tmpdir")), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                files.add(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException e) {
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }

    private static MailLimits limits(int attachmentBytes, int millis, int stallMillis, int megabytes) {
        AttachmentLimits base = AttachmentLimits.DEFAULT;
        return MailLimits.DEFAULT.with(new AttachmentLimits(
                attachmentBytes,
                base.maxInflatedBytes(),
                base.maxEmbedded(),
                base.maxEmbeddedDepth(),
                millis,
                base.megabyteMillis(),
                Math.max(base.mostMillis(), millis),
                stallMillis,
                megabytes));
    }
}
