package dev.veilgate.gateway.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.TestTenant;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SealedMailTest {
    private static final String MAIL =
            "From: Bob <bob@elsewhere.example>\r\nTo: ada@example.org\r\nSubject: the owls\r\n\r\nare not what they seem\r\n";

    @TempDir
    static Path folder;

    private static TestMail mails;
    private static byte[] sealed;

    @BeforeAll
    static void seal() throws Exception {
        mails = new TestMail(folder, TestTenant.of("acme"));
        sealed = mails.seal(MAIL, "owls", "seem");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static SealedMail read(byte[] message) throws RefusedException {
        return SealedMail.read(message).orElseThrow();
    }

    @Test
    void isAnEnvelopeAndAMailThatMailProgramsOpen() throws Exception {
        byte[] arrived = bytes("Received: from x by y; now\r\n" + text(sealed));
        SealedMail mail = read(arrived);
        Envelope envelope = Envelope.decode(mail.envelope());
        assertThat(envelope.tenant()).isEqualTo("acme");
        assertThat(envelope.detachedDigest()).hasValue(mail.contentDigest());
        byte[] delivered = DeliveredForms.delivered(TestTenant.of("acme").tenant(), arrived);
        assertThat(text(delivered))
                .startsWith("Received: from x by y; now\r\nDate: ")
                .contains("\r\nFrom: Bob <bob@elsewhere.example>\r\n", "\r\nSubject: [...]\r\n")
                .contains("\r\nMIME-Version: 1.0\r\nContent-Type: application/pkcs7-mime; smime-type=enveloped-data;")
                .doesNotContain("multipart", "vnd.veilgate");
        assertThat(mails.open(delivered))
                .contains("Subject: the owls\r\n")
                .endsWith("\r\n\r\nare not what they seem\r\n");
    }

    /** Byte for byte what the edge writes for mail that meets no gateway, but for the ciphertext. */
    @Test
    void isDeliveredInTheFormThatHasNoIndex() throws Exception {
        Pattern form = Pattern.compile("(?<header>.*?\r\n)\r\n(?:[A-Za-z0-9+/=]{1,76}\r\n)+", Pattern.DOTALL);
        Matcher delivered =
                form.matcher(text(DeliveredForms.delivered(TestTenant.of("acme").tenant(), sealed)));
        Matcher alone = form.matcher(text(mails.sealWithoutIndex(MAIL)));
        assertThat(delivered.matches() && alone.matches()).isTrue();
        String changing = "(?m)^(Message-ID|Date): .*$";
        assertThat(delivered.group("header").replaceAll(changing, ""))
                .isEqualTo(alone.group("header").replaceAll(changing, ""));
    }

    @Test
    void survivesAnotherTransferEncoding() throws Exception {
        String text = text(sealed);
        int from = text.indexOf("filename=\"smime.p7m\"\r\n\r\n") + 24;
        int to = text.indexOf("\r\n--", from);
        String base64 = text.substring(from, to).replace("\r\n", "");
        String rewrapped = base64.replaceAll("(.{60})", "$1\r\n");
        byte[] digest = read(sealed).contentDigest();
        assertThat(read(bytes(text.substring(0, from) + rewrapped + text.substring(to)))
                        .contentDigest())
                .isEqualTo(digest);
        var quoted = new StringBuilder();
        for (byte b : Base64.getDecoder().decode(base64)) {
            quoted.append(String.format("=%02X", b)).append(quoted.length() % 72 == 69 ? "=\r\n" : "");
        }
        String header = text.substring(0, from).replace("Encoding: base64", "Encoding: Quoted-Printable");
        assertThat(read(bytes(header + quoted + text.substring(to))).contentDigest())
                .isEqualTo(digest);
    }

    @Test
    void anIndexOfAnotherMessageIsFound() throws Exception {
        byte[] other = mails.seal(MAIL.replace("owls", "others"), "owls");
        String first = text(sealed);
        String second = text(other);
        String boundary = first.replaceFirst("(?s).*boundary=\"([^\"]+)\".*", "$1");
        String otherBoundary = second.replaceFirst("(?s).*boundary=\"([^\"]+)\".*", "$1");
        String index = second.split("--" + otherBoundary)[2];
        String mixed = first.substring(0, first.lastIndexOf("--" + boundary + "\r\n")) + "--" + boundary + index + "--"
                + boundary + "--\r\n";
        SealedMail mail = read(bytes(mixed));
        assertThat(Envelope.decode(mail.envelope()).detachedDigest().orElseThrow())
                .isNotEqualTo(mail.contentDigest());
    }

    private static String part(char kind) {
        return switch (kind) {
            case 'C' -> "Content-Type: application/pkcs7-mime\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n";
            case 'I' ->
                "Content-Type: application/vnd.veilgate.index+cbor\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n";
            case 'B' ->
                "Content-Type: application/vnd.veilgate.index+cbor\r\nContent-Transfer-Encoding: base64\r\n\r\nA\r\n";
            case 'M' -> "Content-Type: multipart/mixed; boundary=in\r\n\r\n--in\r\n" + part('I') + "--in--\r\n";
            default -> "Content-Type: text/plain\r\n\r\nhello\r\n";
        };
    }

    private static byte[] parts(String kinds) {
        var text = new StringBuilder("From: a@b.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n");
        kinds.chars().forEach(kind -> text.append("--b\r\n").append(part((char) kind)));
        return bytes(text + "--b--\r\n");
    }

    @Test
    void anyOtherFormWithAnIndexIsRefused() {
        for (String kinds : List.of("I", "IC", "CIT", "TCI", "TI", "CII", "CMI", "CB")) {
            assertThatThrownBy(() -> SealedMail.read(parts(kinds)))
                    .as(kinds)
                    .isInstanceOf(RefusedException.class)
                    .asInstanceOf(type(RefusedException.class))
                    .extracting(RefusedException::refusal)
                    .isEqualTo(Refusal.MALFORMED);
        }
    }

    @Test
    void whatHasNoIndexAtTheTopIsPlain() throws Exception {
        for (String kinds : List.of("", "T", "C", "CT", "CM", "M", "T".repeat(900))) {
            assertThat(SealedMail.read(parts(kinds))).as(kinds).isEmpty();
        }
        assertThat(SealedMail.read(mails.sealWithoutIndex(MAIL))).isEmpty();
        assertThat(SealedMail.read(bytes(MAIL))).isEmpty();
        assertThat(SealedMail.read(new byte[0])).isEmpty();
        assertThat(SealedMail.read(bytes("Content-Type: multipart/mixed\r\n\r\nx")))
                .isEmpty();
    }

    @Test
    void hugeHeadersAndEndlessPartsAreRefused() {
        byte[] header = bytes("Subject: x\r\n" + (" " + "x".repeat(900) + "\r\n").repeat(1200) + "\r\n");
        assertThatThrownBy(() -> SealedMail.read(header)).hasMessageContaining("header section is longer");
        assertThatThrownBy(() -> SealedMail.read(parts("T".repeat(1001)))).hasMessageContaining("1000 parts");
    }

    /** Cut off, or with bytes changed: refused or plain, never another exception. */
    @Test
    void damagedMailEndsInARefusal() {
        long seed = System.nanoTime();
        var random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            byte[] damaged = java.util.Arrays.copyOf(sealed, random.nextInt(sealed.length));
            for (int j = 0; j < 5 && damaged.length > 0; j++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            try {
                SealedMail.read(damaged);
            } catch (RefusedException e) {
                assertThat(e.refusal()).as("seed %s", seed).isEqualTo(Refusal.MALFORMED);
            }
        }
    }

    /** Real mail, and MIME that breaks the rules. */
    @Test
    void realMailIsPlain() throws Exception {
        String data = System.getProperty("veilgate.data");
        int read = 0;
        if (data != null) {
            for (String each : List.of("mail", "mime")) {
                try (Stream<Path> files = Files.walk(Path.of(data, each))) {
                    for (Path file : files.filter(Files::isRegularFile).toList()) {
                        assertThat(SealedMail.read(crlf(file)))
                                .as(file.toString())
                                .isEmpty();
                        read++;
                    }
                }
            }
            assertThat(read).isGreaterThan(800);
        }
    }

    private static byte[] crlf(Path file) throws IOException {
        return bytes(text(Files.readAllBytes(file)).replaceAll("\r?\n", "\r\n"));
    }
}
