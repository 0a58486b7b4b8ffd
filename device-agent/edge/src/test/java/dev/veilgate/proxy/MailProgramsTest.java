package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.veilgate.edge.MadeTable;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.testing.AlteredMail;
import dev.veilgate.testing.ThunderbirdFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs that people read mail with, and what each makes of a delivered mail. A table in docs/mail.md is made of it.
 */
@Timeout(600)
class MailProgramsTest {
    private static final String TEXT = "the owls are not what they seem";
    private static final String RSA_2048 = "rsa2048@example.org";

    /** Blocks of the ciphertext. */
    private static final int IN_THE_HEADER = 1;

    private static final int IN_THE_MESSAGE = 30;

    private static final String MAIL =
            "From: ada@example.org\nTo: %s\nSubject: the true subject\nContent-Type: text/plain; charset=utf-8\n\n"
                    + TEXT + "\n";

    /** Recipients by the heading of their column. */
    private static final Map<String, String> RECIPIENTS = new LinkedHashMap<>();

    static {
        RECIPIENTS.put("RSA-2048", "rsa2048@example.org");
        RECIPIENTS.put("RSA-3072", "rsa3072@example.org");
        RECIPIENTS.put("P-256", "p256@example.org");
        RECIPIENTS.put("P-521", "p521@example.org");
    }

    /** What programs said of mails that they did not open, by program and recipient. */
    private final Map<String, String> refusals = new LinkedHashMap<>();

    @TempDir
    private Path folder;

    @FunctionalInterface
    private interface Program {
        MailPrograms.Opened open(byte[] mail, String address) throws Exception;
    }

    @Test
    void opensInTheProgramsThatTheTableSays() throws Exception {
        MailLab lab = new MailLab(Files.createDirectory(folder.resolve("lab")));
        lab.add("rsa2048@example.org", "RSA", 2048, Duration.ofDays(1));
        lab.add("rsa3072@example.org", "RSA", 3072, Duration.ofDays(1));
        lab.add("p256@example.org", "EC", 256, Duration.ofDays(1));
        lab.add("p521@example.org", "EC", 521, Duration.ofDays(1));
        lab.signAsSenders("example.org");
        try (MailPrograms programs = new MailPrograms(Files.createDirectory(folder.resolve("programs")), lab)) {
            Map<String, Program> all = new LinkedHashMap<>();
            all.put("Thunderbird", (mail, to) -> programs.thunderbird(mail, List.copyOf(RECIPIENTS.values())));
            all.put(
                    "NSS of Thunderbird",
                    (mail, to) -> programs.cmsutil(Optional.of(ThunderbirdFolder.find()), mail, to));
            all.put("NSS of the system", (mail, to) -> programs.cmsutil(Optional.empty(), mail, to));
            all.put("`openssl cms`", (mail, to) -> programs.openssl("cms", mail, to));
            all.put("`openssl smime`", (mail, to) -> programs.openssl("smime", mail, to));
            all.put("gpgsm", programs::gpgsm);
            all.put("mutt", programs::mutt);
            List<String> rows = table(lab, all);
            refusals.values().removeIf(String::isEmpty);
            assertThatCode(() -> MadeTable.compare("mail.md", "programs", rows))
                    .as("what does not open: %s", refusals)
                    .doesNotThrowAnyException();
        }
    }

    /** Thunderbird's window is in ThunderbirdTest. */
    @Test
    void programsFindTheAuthorsOwnSignatureGood() throws Exception {
        MailLab lab = new MailLab(Files.createDirectory(folder.resolve("lab")));
        lab.add(RSA_2048, "RSA", 2048, Duration.ofDays(1));
        lab.signAsSenders("example.org");
        MailSigner author =
                MailForm.read(lab.form(), lab.clock.instant()).signer().ofSender("ada@example.org");
        MailContents.Content content =
                MailContents.opaque(author, author, lab.clock.instant()).get("signed by its sender");
        Path out = folder.resolve("sealed.eml");
        SentMail.send(lab, content.mail(), "-o", out.toString());
        byte[] mail = SealedParts.of(Files.readAllBytes(out)).delivered();
        try (MailPrograms programs = new MailPrograms(Files.createDirectory(folder.resolve("programs")), lab)) {
            Map<String, Program> all = new LinkedHashMap<>();
            all.put("NSS", (each, to) -> programs.cmsutil(Optional.of(ThunderbirdFolder.find()), each, to));
            all.put("openssl cms", (each, to) -> programs.openssl("cms", each, to));
            all.put("openssl smime", (each, to) -> programs.openssl("smime", each, to));
            all.put("gpgsm", programs::gpgsm);
            all.put("mutt", programs::mutt);
            for (Map.Entry<String, Program> program : all.entrySet()) {
                MailPrograms.Opened opened = program.getValue().open(mail, RSA_2048);
                assertThat(opened.text()).as(program.getKey()).contains(content.text());
                assertThat(opened.verified()).as(program.getKey()).isTrue();
            }
        }
    }

    private List<String> table(MailLab lab, Map<String, Program> programs) throws Exception {
        List<String> rows = new ArrayList<>();
        rows.add("| program | " + String.join(" | ", RECIPIENTS.keySet())
                + " | AuthEnvelopedData | a bit altered above what is signed | in what is signed |");
        rows.add("|---" + "|---".repeat(RECIPIENTS.size() + 3) + "|");
        for (Map.Entry<String, Program> program : programs.entrySet()) {
            List<String> cells = new ArrayList<>();
            for (String address : RECIPIENTS.values()) {
                MailPrograms.Opened opened = program.getValue().open(delivered(lab, address), address);
                refusals.put(program.getKey() + ", " + address, opened.said());
                cells.add(cell(opened, address));
            }
            MailPrograms.Opened other =
                    program.getValue().open(delivered(lab, RSA_2048, "--authenticated", "*"), RSA_2048);
            cells.add(isEmpty(other) ? "no" : "opens");
            byte[] mail = delivered(lab, RSA_2048);
            for (int block : List.of(IN_THE_HEADER, IN_THE_MESSAGE)) {
                cells.add(ofAltered(program.getValue().open(AlteredMail.inBlock(mail, block), RSA_2048)));
            }
            rows.add("| " + program.getKey() + " | " + String.join(" | ", cells) + " |");
        }
        return rows;
    }

    /** Tells if the message is not there, whatever else is. */
    private static boolean isEmpty(MailPrograms.Opened opened) {
        return !opened.text().contains(TEXT);
    }

    /** Which of the two it is, no text or a complaint, depends on the random bytes that the altered ones decrypt to. */
    private static String ofAltered(MailPrograms.Opened opened) {
        if (isEmpty(opened) || opened.complains()) {
            return "no text, or an error";
        }
        return opened.verified() ? "the text, signature good" : "the text, without a sign";
    }

    private static String cell(MailPrograms.Opened opened, String address) {
        if (isEmpty(opened)) {
            return "no";
        }
        assertThat(opened.text()).as(address).contains("Subject: the true subject");
        return opened.verified() ? "opens, signature good" : "opens";
    }

    /** As a gateway delivers it. */
    private byte[] delivered(MailLab lab, String address, String... more) throws Exception {
        Path out = folder.resolve("sealed.eml");
        List<String> arguments = new ArrayList<>(List.of(more));
        arguments.addAll(List.of("-o", out.toString()));
        SentMail.send(lab, MAIL.formatted(address), arguments.toArray(String[]::new));
        return SealedParts.of(Files.readAllBytes(out)).delivered();
    }
}
