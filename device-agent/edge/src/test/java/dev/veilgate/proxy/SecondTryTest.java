package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.extract.mail.MailLimits;
import dev.veilgate.sender.KeptBundle;
import dev.veilgate.settings.MailReaders;
import dev.veilgate.testing.AttachedPdf;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which messages, of those that could not be read in time, are read once more before they are sealed. */
class SecondTryTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String HEADER = "From: ada@example.org\r\nTo: rsa@example.org\r\nSubject: owls\r\n";
    /** A second of work or so. */
    private static final String MUCH_TEXT =
            IntStream.range(0, 150_000).mapToObj(i -> "w" + 31 * i).collect(Collectors.joining(" \r\n"));

    private static final int FEW_MILLIS = 5;

    @TempDir
    private Path folder;

    private MailLab lab;
    private final AtomicInteger tries = new AtomicInteger();

    @BeforeEach
    void make() throws Exception {
        lab = new MailLab(folder);
    }

    @Test
    void attachmentsAreTriedWithMoreTime() throws Exception {
        boolean isCutShort = false;
        for (int forms = 12; tries.get() == 0; forms++) { // each has twice the work of the one before
            isCutShort = seal(mail("see the file", forms), MailLimits.DEFAULT).cutShort();
        }
        assertThat(isCutShort)
                .as("what takes up to twice the time at first is read in five times the time")
                .isFalse();
        assertThat(tries).hasValue(1);
    }

    @Test
    void aMessageWhoseTextTakesTooLongIsNotReadOnceMore() throws Exception {
        assertThat(seal(HEADER + "\r\n" + MUCH_TEXT + "\r\n", shortLimits()).cutShort())
                .isTrue();
        assertThat(tries).as("as much time again would not be enough again").hasValue(0);
    }

    @Test
    void attachmentsBesideTextThatTakesTooLongAreNotTriedAgain() throws Exception {
        String both = mail("see the file", 40).replace("--pdf--\r\n", "--pdf\r\n\r\n" + MUCH_TEXT + "\r\n--pdf--\r\n");
        assertThat(seal(both, shortLimits()).cutShort()).isTrue();
        assertThat(tries).hasValue(0);
    }

    private static String mail(String text, int forms) {
        return AttachedPdf.mail(HEADER, text, AttachedPdf.ofNestedForms(forms, "owls"));
    }

    private static MailLimits shortLimits() {
        MailLimits base = MailLimits.DEFAULT;
        return new MailLimits(
                base.maxMessageBytes(),
                base.maxHeaderBytes(),
                base.maxHeaderFields(),
                base.maxParts(),
                base.maxDepth(),
                base.maxTextChars(),
                FEW_MILLIS,
                base.attachments());
    }

    private MailSealing.Sealed seal(String text, MailLimits limits) throws Exception {
        SeenSerial seen = SeenSerial.keptIn(folder.resolve("seen"));
        PublicBundle bundle =
                new BundleSource(KeptBundle.ofFile(lab.bundle), lab.fingerprint(), seen, lab.clock).current();
        MailForm form = MailForm.read(lab.form(), lab.clock.instant());
        Path sealed = Files.createTempDirectory(folder, "sealed");
        try (MailSealing sealing = new MailSealing(bundle, true, MailReaders.NONE, form, limits, lab.clock, RANDOM);
                PlainMail mail = new PlainMail(folder, RANDOM)) {
            mail.write(text.getBytes(StandardCharsets.US_ASCII));
            return sealing.seal(
                    mail,
                    "ada@example.org",
                    List.of("rsa@example.org"),
                    address -> true,
                    () -> tries.incrementAndGet() > 0,
                    sealed);
        }
    }
}
