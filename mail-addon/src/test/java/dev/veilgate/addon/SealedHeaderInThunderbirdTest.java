package dev.veilgate.addon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.testing.AlteredMail;
import dev.veilgate.testing.Thunderbird;
import dev.veilgate.testing.ThunderbirdAddOn;
import dev.veilgate.testing.ThunderbirdAddOn.Notice;
import dev.veilgate.testing.ThunderbirdAddOn.Shown;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The add-on in the window of Thunderbird, installed from its file. Photographs are kept in target/thunderbird. */
@Timeout(300)
class SealedHeaderInThunderbirdTest {
    private static final String NOTICE = "veilgate-sealed-header";
    private static final String ADA = "ada@example.org";
    private static final String GOOD = "Good signature";
    private static final String TEXT = "are not what they seem";
    private static final String SUBJECT = "Subject: bob wants the money";
    private static final String DIFFERS = "The header outside says something else";

    @TempDir
    static Path folder;

    private static SealedMails mails;
    private static Thunderbird thunderbird;
    private static ThunderbirdAddOn addOn;
    private static Path pictures;
    private static String genuine;

    @BeforeAll
    static void start() throws Exception {
        mails = new SealedMails(folder);
        pictures = Files.createDirectories(Path.of("target/thunderbird"));
        thunderbird = Thunderbird.start(
                folder.resolve("thunderbird"),
                List.of(mails.trusted()),
                List.of(mails.pkcs12()),
                SealedMails.PASSPHRASE,
                SealedMails.READER);
        addOn = thunderbird.install(AddOnFileTest.file());
        genuine = mails.sealed(plain(), mails.authority.ofSender(ADA));
    }

    @AfterAll
    static void end() throws Exception {
        thunderbird.close();
    }

    private static String plain() {
        return mail("Ada Lovelace <" + ADA + ">", "the owls");
    }

    /** The lines of a mail before those of its body. */
    private static String header() {
        return plain().substring(0, plain().indexOf("Content-Type"));
    }

    private static String mail(String from, String subject) {
        return """
                From: %s
                To: Reader <%s>
                Cc: carol@example.org
                Date: %s
                Message-ID: <1@example.org>
                Subject: %s
                Content-Type: text/plain; charset=utf-8

                %s
                """.formatted(from, SealedMails.READER, SealedMails.now(), subject, TEXT);
    }

    private static Shown open(String mail, String picture) throws Exception {
        return addOn.open(bytes(mail), NOTICE, pictureOf(picture));
    }

    private static byte[] bytes(String mail) {
        return mail.replaceAll("\r?\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    private static Path pictureOf(String name) {
        return pictures.resolve("addon-" + name + ".png");
    }

    private static Notice notice(String mail, String picture) throws Exception {
        return addOn.openUntilNotice(bytes(mail), NOTICE, pictureOf(picture));
    }

    private static String lines(String name) {
        return "(?m)^" + name + ": .*\r\n(?:[ \t].*\r\n)*";
    }

    private static String altered(String field) {
        String name = field.substring(0, field.indexOf(':'));
        return genuine.replaceFirst(lines(name), field + "\r\n");
    }

    @Test
    void showsTheHeaderInsideAGenuineMail() throws Exception {
        Shown shown = open(genuine, "genuine");
        assertThat(shown.mail().subject()).isEqualTo("[...]");
        assertThat(shown.mail().signature()).isEqualTo(GOOD);
        assertThat(shown.badge()).isEmpty();
        Notice notice = shown.notice().orElseThrow();
        assertThat(notice.text())
                .contains("From: Ada Lovelace <ada@example.org>")
                .contains("To: Reader <reader@example.org>")
                .contains("Cc: carol@example.org")
                .contains("Subject: the owls")
                .contains("Date: ")
                .doesNotContain(DIFFERS);
        assertThat(notice.isOnTop()).isTrue();
        assertThat(notice.isInside()).isTrue();
    }

    @Test
    void namesWhatIsAlteredOutside() throws Exception {
        Shown from = open(altered("From: Bob <bob@example.org>"), "altered-from");
        assertThat(from.mail().signature()).isNotEqualTo(GOOD);
        assertThat(from.badge()).isEqualTo("!");
        assertThat(from.notice().orElseThrow().text())
                .contains(DIFFERS)
                .contains("From outside: Bob <bob@example.org>")
                .contains("From inside: Ada Lovelace <ada@example.org>")
                .doesNotContain("Subject outside", "To outside", "Cc outside", "Date outside");
        Shown subject = open(altered(SUBJECT), "altered-subject");
        assertThat(subject.mail().signature()).isEqualTo(GOOD); // which is why this is here
        assertThat(subject.badge()).isEqualTo("!");
        assertThat(subject.notice().orElseThrow().text())
                .contains(DIFFERS)
                .contains("Subject outside: bob wants the money")
                .contains("Subject inside: the owls")
                .doesNotContain("From outside");
    }

    /** The fields that a mail has beside its own, before or behind them. */
    @Test
    void namesWhatIsAddedOutside() throws Exception {
        assertThat(notice(SUBJECT + "\r\n" + genuine, "two-subjects").text())
                .contains("Subject outside: bob wants the money, [...]");
        assertThat(notice(
                                genuine.replaceFirst("\r\n\r\n", "\r\nReply-To: mallory@elsewhere.example\r\n\r\n"),
                                "reply-to")
                        .text())
                .contains("Reply-To outside: mallory@elsewhere.example")
                .contains("Reply-To inside: (there is none)");
    }

    @Test
    void doesNotNameBareAddresses() throws Exception {
        String bare = altered("From: ADA@example.org").replaceFirst("(?m)^To: .*$", "To: <" + SealedMails.READER + ">");
        assertThat(notice(bare, "bare").text()).contains("From: Ada Lovelace").doesNotContain(DIFFERS, "outside:");
        String more = altered("To: " + SealedMails.READER + ", mallory@elsewhere.example");
        assertThat(notice(more, "more-recipients").text())
                .contains(DIFFERS, "To outside: reader@example.org, mallory@");
    }

    @Test
    void namesInOtherScriptsAreTheSameInsideAndOutside() throws Exception {
        String mail = mails.sealed(mail("Ädä Öberg <" + ADA + ">", "Grüße 山田"), mails.authority.ofSender(ADA));
        assertThat(notice(mail, "scripts").text())
                .contains("From: Ädä Öberg <ada@example.org>", "Subject: Grüße 山田")
                .doesNotContain(DIFFERS);
    }

    @Test
    void saysNothingOfMailThatIsNotSealed() throws Exception {
        String claimed = plain().replace("charset=utf-8", "charset=utf-8; hp=\"cipher\"");
        assertThat(open(claimed, "unsealed").notice()).isEmpty();
        assertThat(open(header() + mails.signedByStranger(claimed), "signed-only")
                        .notice())
                .isEmpty();
        String forwarded = header() + "Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\n"
                + "see below\n--x\nContent-Type: message/rfc822\n\n"
                + altered(SUBJECT).replace("\r", "") + "\n--x--\n";
        assertThat(open(forwarded, "forwarded").notice()).isEmpty();
    }

    /** A stranger can seal any header: it is shown as what its sealer wrote. */
    @Test
    void makesNoClaimOfWhatAStrangerSealed() throws Exception {
        Shown shown = open(mails.sealed(plain(), mails.stranger.ofSender(ADA)), "stranger");
        assertThat(shown.mail().signature()).isEqualTo("Bad signature");
        assertThat(shown.notice().orElseThrow().text())
                .contains("as whoever sealed it wrote it", "Thunderbird does not tell add-ons who signed")
                .doesNotContainIgnoringCase("signed by", "verified", "is from");
    }

    /** Somebody whose own signature is good writes another sender inside. */
    @Test
    void warnsOfAGoodSignatureBesideAnotherSenderInside() throws Exception {
        String boss = mails.sealed(mail("Boss <boss@example.org>", "pay"), mails.authority.ofSender("eve@example.org"));
        Shown shown = open(boss.replaceFirst("(?m)^From: .*$", "From: Eve <eve@example.org>"), "inner-boss");
        assertThat(shown.mail().signature()).isEqualTo(GOOD);
        assertThat(shown.notice().orElseThrow().text())
                .contains("From outside: Eve <eve@example.org>", "From inside: Boss <boss@example.org>")
                .contains("nothing shows that the one inside sent this");
    }

    /** Lines that say how the body is read, under which Thunderbird opens it all the same. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "smime-type=enveloped-data -> smime-type=signed-data",
                "application/pkcs7-mime -> application/x-pkcs7-mime",
                "application/pkcs7-mime -> application/octet-stream",
                "\r\n\r\n -> \r\nContent-Type: text/plain\r\n\r\n",
                "base64 -> quoted-printable",
                "base64 -> x-uuencode"
            })
    void isNotSilentWhereAnotherTypeIsWrittenAbove(String change) throws Exception {
        String[] parts = change.split(" -> ");
        String mail = altered(SUBJECT).replaceFirst(parts[0], parts[1]);
        Shown shown = open(SealedMails.reencoded(mail), "type-" + Math.floorMod(change.hashCode(), 10_000));
        assertThat(shown.mail().signature()).isEqualTo(GOOD);
        assertThat(shown.notice().orElseThrow().text())
                .containsAnyOf("Subject outside: bob wants the money", "it was compared with nothing");
    }

    @Test
    void showsNoHeaderThatNobodySigned() throws Exception {
        String claimed = plain().replace("charset=utf-8", "charset=utf-8; hp=\"cipher\"");
        String none = "no signed header is inside";
        assertThat(notice(mails.enveloped(header(), claimed), "encrypted-only").text())
                .contains(none)
                .doesNotContain(ADA);
        String text = "Content-Type: text/plain\n\n" + TEXT + "\n";
        String opaque = header() + mails.signedByStranger(text).replace("smime-type", "hp=\"cipher\"; smime-type");
        assertThat(notice(mails.enveloped(header(), opaque), "signed-by-its-author")
                        .text())
                .contains(none)
                .doesNotContain(ADA);
    }

    /** By one bit on its way, which encryption in CBC does not prevent. */
    @Test
    void showsNoHeaderOfAnAlteredMail() throws Exception {
        for (int block : new int[] {0, 20}) {
            byte[] altered = AlteredMail.inBlock(genuine.getBytes(StandardCharsets.ISO_8859_1), block);
            Shown shown = open(new String(altered, StandardCharsets.ISO_8859_1), "altered-" + block);
            assertThat(shown.mail().text()).doesNotContain(TEXT);
            assertThat(shown.notice().orElseThrow().text()).doesNotContain("Ada", "the owls", ADA);
        }
        String claimed = plain().replace("charset=utf-8", "charset=utf-8; hp=\"cipher\"");
        byte[] signed = mails.signedDataOfStranger(claimed);
        signed[signed.length - 1] ^= 1;
        String forged = mails.enveloped(header(), SealedMails.structure("signed-data", signed));
        assertThat(notice(forged, "forged").text())
                .contains("was altered, or cannot be checked")
                .doesNotContain("Ada", "the owls", ADA);
    }

    @Test
    void theButtonSaysTheSameWhereNoMailCanDraw() throws Exception {
        assertThat(addOn.popup(altered(SUBJECT).getBytes(StandardCharsets.ISO_8859_1)))
                .contains(DIFFERS, "Subject outside: bob wants the money", "Subject inside: the owls");
        assertThat(addOn.popup(plain().getBytes(StandardCharsets.ISO_8859_1)))
                .isEqualTo("This mail is not sealed as a whole. Its header could be changed on the way.");
    }

    @Test
    void noStyleOfAMailHidesTheNotice() throws Exception {
        String hostile = """
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
                <style>
                * { display: none !important; opacity: 0 !important; transition: all 9999s 9999s !important }
                html, body { display: block !important; transform: translate(-5000px); filter: opacity(0) }
                #veilgate-sealed-header, div { inset: -9999px !important; width: 0 !important }
                div { color: transparent !important }
                #cover { display: block !important; opacity: 1 !important; position: fixed; top: 0; left: 5000px;
                  width: 3000px !important; height: 3000px; z-index: 2147483647; background: white }
                </style>
                <div id="cover">nothing else</div><div id="veilgate-sealed-header">From: Boss</div>""";
        String mail = mails.sealed(
                plain().replace("text/plain", "text/html").replace(TEXT, hostile), mails.authority.ofSender(ADA));
        Notice notice = notice(mail, "hostile-styles");
        assertThat(notice.text())
                .contains("From: Ada Lovelace <ada@example.org>")
                .doesNotContain("Boss");
        assertThat(notice.isOnTop()).isTrue();
        assertThat(notice.isInside()).isTrue();
    }

    @Test
    void hostileFieldsAreTextOfBoundedSize() throws Exception {
        List<String> subjects = List.of(
                "<img src=x onerror=alert(1)><script>alert(1)</script>",
                "x".repeat(60_000),
                "=?utf-8?Q?=0D=0AFrom=3A_boss=40example.org?=",
                "",
                "=?utf-8?B?4oCu4oCu4oCu?=",
                "a" + "\u0301".repeat(60) + "\u3164\u2028 b");
        List<String> names = List.of(
                "\"Boss <boss@example.org>\"",
                "\"" + "y ".repeat(20_000) + "\"",
                "=?utf-8?Q?boss=40example=2Eorg=E2=80=AE?=",
                "=?utf-8?Q?boss=40example=2Eorg=2C_x?=",
                "=?utf-8?Q?=22=3Cboss=40example=2Eorg=3E=2C?=",
                "\u202eelpmaxe\u2066");
        for (int i = 0; i < subjects.size(); i++) {
            String mail = mail(names.get(i) + " <" + ADA + ">", subjects.get(i));
            String sealed = mails.sealed(mail, mails.authority.ofSender(ADA))
                    .replaceFirst(
                            lines("From"), "From: " + ADA + "\r\n"); // else Thunderbird shows nothing but the name
            Notice notice = notice(sealed, "hostile-" + i);
            assertThat(notice.elements()).containsExactly("bdi", "div", "span");
            assertThat(notice.isOnTop()).isTrue();
            assertThat(notice.isInside()).isTrue();
            assertThat(notice.text())
                    .doesNotContain("\u202e", "\u2066", "\u2028", "\u3164")
                    .hasSizeLessThan(3000);
            assertThat(notice.text().lines().filter(line -> line.startsWith("From: ")))
                    .hasSize(1)
                    .allMatch(line -> !line.startsWith("From: boss@") && !line.startsWith("From: Boss"));
        }
    }

    @Test
    void showsItBelowTheListOfMailsTooAndTakesItAwayWithTheNext() throws Exception {
        byte[] altered = altered(SUBJECT).getBytes(StandardCharsets.ISO_8859_1);
        Notice notice = addOn.showInMainWindow(altered, NOTICE, "Subject outside: bob wants the money");
        assertThat(notice.isOnTop()).isTrue();
        assertThat(addOn.popupInMainWindow()).contains("Subject outside: bob wants the money");
        byte[] unsealed = plain().replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        assertThat(addOn.showWithoutNotice(unsealed, NOTICE)).isEmpty();
    }

    @Test
    void readsAMailInAFileToo() throws Exception {
        byte[] altered = altered(SUBJECT).getBytes(StandardCharsets.ISO_8859_1);
        Shown shown = addOn.openFile(altered, NOTICE, pictures.resolve("addon-file.png"));
        assertThat(shown.notice().orElseThrow().text())
                .containsAnyOf("Subject outside: bob wants the money", "it was compared with nothing");
    }

    @Test
    void staysWhenThunderbirdIsStartedAgainAndWhenItsPageIsEnded() throws Exception {
        addOn.endBackground();
        assertThat(open(genuine, "page-ended").notice()).isPresent();
        thunderbird = thunderbird.restart();
        addOn = addOn.in(thunderbird);
        assertThat(open(genuine, "started-again").notice()).isPresent();
    }
}
