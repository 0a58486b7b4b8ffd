package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.edge.MadeTable;
import dev.veilgate.envelope.smime.HeaderProtection;
import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.SenderField;
import dev.veilgate.testing.AlteredMail;
import dev.veilgate.testing.Thunderbird;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sealed mails in the window of Thunderbird. Photographs are kept in target/thunderbird. */
@Timeout(300)
class ThunderbirdTest {
    private static final String READER = "rsa2048@example.org";
    private static final String SENDER = "ada@example.org";
    private static final String TEXT = "the owls are not what they seem";
    private static final String GOOD = "Good signature";
    private static final Duration FIVE_YEARS = Duration.ofDays(5 * 365 + 1);

    private static final List<String> PARTS = List.of(
            "Ada",
            "boss",
            SENDER,
            "<" + SENDER + ">",
            "@",
            "<",
            ">",
            "\t",
            "\r\n ",
            "\"",
            "\\",
            "(",
            ")",
            "[",
            "]",
            ",",
            ";",
            ":",
            "=",
            "?",
            "=?",
            "?=",
            "?Q?",
            "utf-8",
            "=40",
            "_",
            "..",
            "'",
            "*",
            "\u00e4",
            "\uff20",
            "\u202e",
            "\u200d",
            "\u3000",
            "\0",
            "(c)",
            "\"q, x\"",
            "\"(\"",
            "\"[\"",
            "=?utf-8?Q?Ad=C3=A4?=",
            "=?utf-8?Q?=22?=",
            "=?utf-8?Q?=28?=",
            "=?utf-8?Q?a=5C?=",
            "=?utf-8?Q?=3A?=",
            "=?utf-8?Q?=5B?=",
            "=?utf-8?Q?=3D?=",
            "=?utf-8?B?QWTDpA==?=",
            "=?koi8-r?B?4Q==?=",
            "=?utf-8*de?Q?x=2C?=");

    @TempDir
    private static Path folder;

    /** Keys and mails of five years ago, so that today's clock is five years on. */
    private static MailLab lab;

    /** Key and certificate that the sender has of somebody else. */
    private static MailSigner own;

    /** The same of another person. */
    private static MailSigner others;

    private static Path pictures;
    private static Thunderbird thunderbird;

    private final Instant then = Instant.now().minus(FIVE_YEARS);

    @BeforeAll
    static void start() throws Exception {
        Clock clock = Clock.offset(Clock.systemUTC(), FIVE_YEARS.negated());
        lab = new MailLab(Files.createDirectory(folder.resolve("lab")), clock);
        lab.add(READER, "RSA", 2048, Duration.ofDays(1));
        lab.signAsSenders("example.org");
        MailSigner issuer = MailLab.senders("example.org", clock.instant());
        own = issuer.ofSender(SENDER);
        others = issuer.ofSender("bob@example.org");
        Path authority = MailLab.pem(
                folder.resolve("own-authority.pem"),
                "CERTIFICATE",
                own.chain().getLast().getEncoded());
        pictures = Files.createDirectories(Path.of("target/thunderbird"));
        thunderbird = Thunderbird.start(
                folder.resolve("thunderbird"),
                List.of(lab.signerCertificate, authority),
                List.of(lab.pkcs12(READER)),
                MailLab.PASSPHRASE,
                READER);
    }

    @AfterAll
    static void end() throws Exception {
        thunderbird.close();
    }

    @Test
    void theSubjectStandsInTheTextAndOutsideIfThatIsSet() throws Exception {
        Thunderbird.Shown shown = open(sealed(SENDER, then, "--subject", "text"), "subject-in-text");
        assertThat(shown.subject()).isEqualTo("[...]");
        assertThat(shown.text())
                .isEqualTo("From: " + SENDER + "\nTo: " + READER + "\nSubject: the true subject\n\n" + TEXT + "\n");
        assertThat(shown.encryption()).isEqualTo("Decryption successful");
        Thunderbird.Shown outside = open(sealed(SENDER, then, "--subject", "outside"), "subject-outside");
        assertThat(outside.subject()).isEqualTo("the true subject");
        assertThat(outside.text()).isEqualTo(TEXT + "\n");
    }

    @Test
    void aMailThatItsSenderSealedFiveYearsAgoHasAGoodSignature() throws Exception {
        assertThat(open(sealed(SENDER, then), "good").signature()).isEqualTo(GOOD);
        assertThat(open(sealed("Ada Lovelace <" + SENDER + ">", then), "good-with-name")
                        .signature())
                .isEqualTo(GOOD);
    }

    /** As programs do that have no connection at first. */
    @Test
    void aMailThatWaitedAtItsSenderHasAGoodSignature() throws Exception {
        assertThat(open(sealed(SENDER, then.minus(Duration.ofHours(30))), "waited")
                        .signature())
                .isEqualTo(GOOD);
        Duration longer = Duration.ofDays(4).plusHours(20); // since before the keys were made
        assertThat(open(sealed(SENDER, then.minus(longer)), "waited-longer").signature())
                .isEqualTo(GOOD);
    }

    @Test
    void aMailWhoseDateIsFalseOrWhoseSenderIsNotOfTheDomainHasNone() throws Exception {
        Instant later = then.plus(Duration.ofDays(3));
        assertThat(open(sealed(SENDER, later), "date-of-the-future").signature())
                .isEqualTo("Bad signature");
        Instant before = then.minus(Duration.ofDays(30));
        assertThat(open(sealed(SENDER, before), "date-of-long-ago").signature()).isEqualTo("Bad signature");
        assertThat(open(sealed("ada@example.net", then), "other-domain").signature())
                .isNotEqualTo(GOOD)
                .isNotEmpty();
        assertThat(open(sealed(SENDER, then, "--sign-as", "tenant"), "tenant").signature())
                .isNotEqualTo(GOOD)
                .isNotEmpty();
    }

    /** Anybody on the way can write another sender over that of the mail. */
    @Test
    void aMailWhoseSenderIsChangedOutsideHasNone() throws Exception {
        String mail = new String(sealed(SENDER, then), StandardCharsets.ISO_8859_1);
        byte[] changed =
                mail.replaceFirst("(?m)^From: .*$", "From: boss@example.org").getBytes(StandardCharsets.ISO_8859_1);
        assertThat(open(changed, "changed-sender").signature())
                .isNotEqualTo(GOOD)
                .isNotEmpty();
    }

    @Test
    void aMailThatIsSignedWithTheSendersOwnKeyHasAGoodSignature() throws Exception {
        Path keys = Files.createDirectory(folder.resolve("sender-keys"));
        Files.write(keys.resolve(SENDER + ".p12"), own.toPkcs12("own".toCharArray()));
        Files.writeString(keys.resolve(SENDER + ".passphrase"), "own\n");
        byte[] mail = sealed(SENDER, then, "--sender-keys", keys.toString());
        assertThat(open(mail, "own-key").signature()).isEqualTo(GOOD);
    }

    /** The table in docs/mail.md is made from it. */
    @Test
    void showsWhatMailsHaveInThem() throws Exception {
        List<String> rows = new ArrayList<>(
                List.of("| content | text | attached | said above it | signature |", "|---|---|---|---|---|"));
        for (Map.Entry<String, MailContents.Content> each :
                MailContents.all(own, then).entrySet()) {
            Thunderbird.Shown shown =
                    open(sealed(each.getValue().mail()), each.getKey().replace(' ', '-'));
            String said = String.join("; ", shown.notices());
            rows.add("| " + each.getKey() + " | "
                    + (shown.text().contains(each.getValue().text()) ? "shown" : "not shown") + " | "
                    + String.join(", ", shown.attachments()) + " | " + said + " | "
                    + (shown.signature().equals(GOOD) ? "good" : shown.signature()) + " |");
        }
        MadeTable.compare("mail.md", "contents", rows);
    }

    /** The table in docs/mail.md is made from it. */
    @Test
    void showsMailThatItsAuthorSignedOpaquely() throws Exception {
        List<String> rows =
                new ArrayList<>(List.of("| mail | Subject | text | attached | signature |", "|---|---|---|---|---|"));
        for (Map.Entry<String, MailContents.Content> each :
                MailContents.opaque(own, others, then).entrySet()) {
            String[] more = each.getKey().contains("outside") ? new String[] {"--subject", "outside"} : new String[0];
            Thunderbird.Shown shown = open(
                    sealed(each.getValue().mail(), more),
                    "opaque-" + each.getKey().replaceAll("[^a-z]+", "-"));
            rows.add("| " + each.getKey() + " | " + shown.subject() + " | "
                    + (shown.text().contains(each.getValue().text()) ? "shown" : "not shown") + " | "
                    + String.join(", ", shown.attachments()) + " | "
                    + (shown.signature().equals(GOOD) ? "good" : shown.signature()) + " |");
        }
        MadeTable.compare("mail.md", "opaque", rows);
    }

    @Test
    void aReplyQuotesTheText() throws Exception {
        Thunderbird.Reply reply = thunderbird.reply(sealed(SENDER, then, "--subject", "outside"));
        assertThat(reply.subject()).isEqualTo("Re: the true subject");
        assertThat(reply.recipient()).isEqualTo(SENDER);
        assertThat(reply.text()).contains("ada@example.org wrote:", TEXT);
    }

    @Test
    void namesThatProgramsWriteInTheirOwnWayAreSignedAndShown() throws Exception {
        for (String name : List.of(SENDER, "\"" + SENDER + "\"")) {
            Thunderbird.Shown shown = open(sealed(name + " <" + SENDER + ">", then), "address-as-its-own-name");
            assertThat(shown.signature()).isEqualTo(GOOD);
        }
        Thunderbird.Shown raw = open(sealed("Ädä Öberg <" + SENDER + ">", then), "name-in-utf-8");
        assertThat(raw.signature()).isEqualTo(GOOD);
        assertThat(raw.from().toString()).contains("Ädä Öberg");
        Thunderbird.Shown japanese =
                open(sealed("=?ISO-2022-JP?B?GyRCOzNFRBsoQg==?= <" + SENDER + ">", then), "name-in-iso-2022-jp");
        assertThat(japanese.signature()).isEqualTo(GOOD);
        assertThat(japanese.from().toString()).contains("山田");
    }

    @Test
    void aMailWhoseNameShowsAnotherAddressHasNone() throws Exception {
        Thunderbird.Shown shown =
                open(sealed("=?utf-7?Q?boss+AEA-example.org?= <" + SENDER + ">", then), "address-as-name");
        assertThat(shown.from().toString()).contains("boss@example.org").contains(SENDER);
        assertThat(shown.signature()).isNotEqualTo(GOOD).isNotEmpty();
    }

    /** Fields are put together from parts that programs read in different ways. */
    @Test
    void readsTheOneAddressInEveryFieldThatIsSignedFor() throws Exception {
        Random random = new Random(38);
        List<String> outside = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        while (outside.size() < 2000) {
            StringBuilder field = new StringBuilder();
            for (int i = random.nextInt(6); i >= 0; i--) {
                field.append(PARTS.get(random.nextInt(PARTS.size()))).append(random.nextInt(3) == 0 ? " " : "");
            }
            String[] address = {"<" + SENDER + ">", SENDER, ""};
            field.append(address[random.nextInt(3)]);
            byte[] bytes = ("From: " + field + "\r\n\r\n").getBytes(StandardCharsets.UTF_8);
            MailHeader header = MailHeader.read(new ByteArrayInputStream(bytes)).header();
            Optional<String> signedFor = SenderField.address(header, "from");
            if (signedFor.isPresent()) {
                expected.add(signedFor.get());
                String outer = HeaderProtection.protect(header, SENDER, then).outer();
                outside.add(MailHeader.read(new ByteArrayInputStream(outer.getBytes(StandardCharsets.US_ASCII)))
                        .header()
                        .first("from")
                        .orElseThrow()
                        .value());
            }
        }
        List<List<String>> read = thunderbird.addresses(outside);
        for (int i = 0; i < outside.size(); i++) {
            String address = expected.get(i);
            assertThat(read.get(i))
                    .as(outside.get(i))
                    .isNotEmpty()
                    .allMatch(text -> text.equalsIgnoreCase(address) || isNameWith(text, address));
        }
    }

    /** Tells if a text is a name whose quotes do not end before the address, or the address as its own name. */
    private static boolean isNameWith(String text, String address) {
        String own = text.replace("\"", "");
        return own.equalsIgnoreCase(address + " <" + address + ">")
                || text.toLowerCase(Locale.ROOT).endsWith("<" + address + ">")
                        && text.indexOf('@') == text.lastIndexOf('@');
    }

    /**
     * By one bit of each of the blocks that CBC chains: no change, of the header or of what is signed, leaves the text
     * alone.
     */
    @Test
    void anAlteredMailIsNotShownAsItsTextWithoutASignature() throws Exception {
        byte[] mail = sealed(SENDER, then);
        for (int block : new int[] {0, 2, 4, 7, 9, 11, 20, 60}) {
            Thunderbird.Shown shown = open(AlteredMail.inBlock(mail, block), "altered-" + block);
            boolean isText = shown.text().contains(TEXT);
            assertThat(isText && shown.signature().isEmpty())
                    .as("block %d: %s", block, shown)
                    .isFalse();
        }
    }

    @Test
    void anAlteredMailOfAnAuthorIsNotShownAsItsTextWithoutASignature() throws Exception {
        MailContents.Content content = MailContents.opaque(own, others, then).get("signed by its sender");
        byte[] mail = sealed(content.mail());
        for (int block : new int[] {0, 2, 10, 20, 30, 34, 38, 60}) {
            Thunderbird.Shown shown = open(AlteredMail.inBlock(mail, block), "opaque-altered-" + block);
            boolean isText = shown.text().contains(content.text());
            assertThat(isText && shown.signature().isEmpty())
                    .as("block %d: %s", block, shown)
                    .isFalse();
        }
    }

    private static Thunderbird.Shown open(byte[] mail, String picture) throws Exception {
        return thunderbird.open(mail, pictures.resolve(picture + ".png"));
    }

    private static byte[] sealed(String from, Instant date, String... more) throws Exception {
        return sealed("""
                From: %s
                To: %s
                Date: %s
                Subject: the true subject
                Content-Type: text/plain; charset=utf-8

                %s
                """.formatted(from, READER, MailContents.date(date), TEXT), more);
    }

    private static byte[] sealed(String mail, String... more) throws Exception {
        Path out = folder.resolve("sealed.eml");
        Files.deleteIfExists(out);
        List<String> arguments = new ArrayList<>(List.of("--no-index", "-o", out.toString()));
        arguments.addAll(List.of(more));
        SentMail.send(lab, mail, arguments.toArray(String[]::new));
        return Files.readAllBytes(out);
    }
}
