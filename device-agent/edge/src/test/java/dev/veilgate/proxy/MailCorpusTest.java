package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real mails, sent by swaks, come out of openssl as they were sent; odd ones do, or are refused with a reason. Without -Dveilgate.data the
 * mails are a few of our own.
 */
class MailCorpusTest {
    private static final Pattern BCC = Pattern.compile("(?im)^(resent-)?bcc[ \\t]*:.*\\r\\n([ \\t].*\\r\\n)*");
    private static final String[] RECIPIENTS = {"rsa@example.org", "ec@example.org"};

    @TempDir
    Path folder;

    @Test
    void realMailsSentBySwaksOpenWithOpenssl() throws Exception {
        List<byte[]> all =
                realMails(); // swaks and openssl take a process a mail each, so every fourth one, if there are many
        int step = all.size() > 100 ? 4 : 1;
        List<byte[]> mails = IntStream.range(0, all.size() / step)
                .mapToObj(i -> all.get(step * i))
                .toList();
        var lab = new MailLab(Files.createDirectory(folder.resolve("lab")));
        try (var relay = new CaptureServer();
                var proxy = lab.proxy(lab.settings(folder.resolve("spool"), 16 << 20, false), relay.port())) {
            var runs = new StringBuilder();
            for (int i = 0; i < mails.size(); i++) {
                Path data = folder.resolve("mail-" + i);
                Files.write(data, ended(RawSmtp.stuffed(mails.get(i))));
                runs.append(String.join("\t", swaks(proxy.port(), i, data)))
                        .append('\t')
                        .append(answer(i))
                        .append('\n');
            }
            runSwaks(runs.toString());
            for (int i = 0; i < mails.size(); i++) {
                assertThat(Files.readString(answer(i), StandardCharsets.ISO_8859_1))
                        .contains("250 2.6.0 sealed and queued");
            }
            var received = new HashMap<String, CaptureServer.Mail>();
            relay.await(mails.size()).forEach(mail -> received.put(mail.sender(), mail));
            for (int i = 0; i < mails.size(); i++) {
                CaptureServer.Mail mail = received.get("m" + i + "@example.org");
                byte[] opened = lab.openssl(mail.bytes(), RECIPIENTS[i % 2]);
                assertThat(SealedMailTest.restored(opened)).as("mail %d", i).isEqualTo(withoutBcc(mails.get(i)));
                assertThat(mail.text()).as("mail %d", i).contains("\r\nSubject: [...]\r\n");
            }
        }
    }

    @Test
    void oddMailsPassOrAreRefusedWithAReason() throws Exception {
        Map<String, byte[]> mails = oddMails();
        var lab = new MailLab(Files.createDirectory(folder.resolve("lab")));
        var answers = new TreeMap<String, Integer>();
        try (var relay = new CaptureServer();
                var proxy = lab.proxy(lab.settings(folder.resolve("spool"), 16 << 20, false), relay.port())) {
            int accepted = 0;
            for (Map.Entry<String, byte[]> mail : mails.entrySet()) {
                String answer;
                try (var smtp = new RawSmtp(proxy.port())) {
                    answer = smtp.send("m" + accepted + "@example.org", List.of("ec@example.org"), mail.getValue());
                }
                answers.merge(answer.replaceAll("queued as .*", "queued"), 1, Integer::sum);
                assertThat(answer).as(mail.getKey()).matches("250 2\\.6\\.0 .*|55[024] 5\\.[0-9]\\.[0-9] .{20,}");
                if (answer.startsWith("250")) {
                    accepted++;
                    var received = relay.await(accepted).get(accepted - 1);
                    byte[] opened = SealedMailTest.restored(lab.openssl(received.bytes(), "ec@example.org"));
                    assertThat(lenient(opened)).as(mail.getKey()).isEqualTo(lenient(withoutBcc(mail.getValue())));
                }
            }
            assertThat(accepted).isGreaterThan(mails.size() / 2);
        }
        System.out.println("MailCorpusTest: " + mails.size() + " odd mails: " + answers);
    }

    private static List<String> swaks(int port, int i, Path data) {
        return List.of(
                "--server",
                "127.0.0.1:" + port,
                "--helo",
                "test",
                "--from",
                "m" + i + "@example.org",
                "--to",
                RECIPIENTS[i % 2],
                "--data",
                "@" + data,
                "--no-data-fixup");
    }

    private Path answer(int i) {
        return folder.resolve("answer-" + i);
    }

    /** A process a mail, but one compilation of swaks for all. */
    private void runSwaks(String runs) throws Exception {
        Path lines = Files.writeString(folder.resolve("runs"), runs);
        Path program = Path.of(MailCorpusTest.class.getResource("many-swaks.pl").toURI());
        MailLab.Result result =
                MailLab.run(new ProcessBuilder("perl", program.toString()).redirectInput(lines.toFile()));
        assertThat(result.code()).as(result.output()).isZero();
    }

    private static byte[] ended(byte[] stuffed) {
        var out = new ByteArrayOutputStream();
        out.writeBytes(stuffed);
        out.writeBytes(new byte[] {'.', '\r', '\n'});
        return out.toByteArray();
    }

    /** What a message is without what must not be in it; also says what we add: the empty line behind a header without a body. */
    private static byte[] withoutBcc(byte[] mail) {
        String text = new String(mail, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        int split = end < 0 ? text.length() : end + 2;
        return (BCC.matcher(text.substring(0, split)).replaceAll("") + text.substring(split))
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Odd mails may lack an end of line or header at their end, or begin with a line of a mail box. */
    private static String lenient(byte[] mail) {
        return new String(mail, StandardCharsets.ISO_8859_1)
                .replaceFirst("\\A>?From [^\r\n]*\r\n", "")
                .replaceAll("(?i)(\\A|\r\n)hp-outer:[^\r\n]*", "")
                .strip();
    }

    static List<byte[]> realMails() throws IOException {
        String data = data();
        var mails = new ArrayList<byte[]>();
        if (data == null) {
            for (int i = 0; i < 6; i++) {
                mails.add(("From: a@example.org\r\nSubject: owls " + i + "\r\nMessage-ID: <" + i
                                + "@x>\r\n\r\n.dot\r\nbody \u00e9\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1));
            }
            return mails;
        }
        try (Stream<Path> files = Files.list(Path.of(data, "mail"))) {
            for (Path file : files.filter(f -> f.getFileName().toString().matches("[0-9]{5}\\..*"))
                    .sorted()
                    .toList()) {
                String text = Files.readString(file, StandardCharsets.ISO_8859_1);
                mails.add(text.replaceFirst("\\AFrom [^\n]*\n", "")
                        .replaceAll("\r?\n", "\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        assertThat(mails).hasSizeGreaterThanOrEqualTo(740);
        return mails;
    }

    static Map<String, byte[]> oddMails() throws IOException {
        String data = data();
        var mails = new TreeMap<String, byte[]>();
        mails.put("empty", new byte[0]);
        mails.put("only-a-line", "no header here\r\n".getBytes(StandardCharsets.US_ASCII));
        mails.put("only-header", "Subject: x\r\nFrom: a@example.org\r\n".getBytes(StandardCharsets.US_ASCII));
        mails.put("bare-cr", "Subject: x\r\n\r\na\rb\r\n".getBytes(StandardCharsets.US_ASCII));
        mails.put(
                "wide-header",
                ("Subject: x\r\nTo: " + "a".repeat(5000) + "@example.org\r\n\r\nx\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        mails.put(
                "endless-header", ("X: " + "y".repeat(2 << 20) + "\r\n\r\nx\r\n").getBytes(StandardCharsets.US_ASCII));
        if (data != null) {
            try (Stream<Path> files = Files.walk(Path.of(data, "mime"))) {
                for (Path file : files.filter(f -> f.toString().matches(".*\\.(eml|txt)"))
                        .sorted()
                        .toList()) {
                    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
                    // A mail program ends lines as SMTP wants it; a CR alone it leaves.
                    mails.put(
                            file.toString(),
                            text.replaceAll("(?<!\r)\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
                }
            }
            assertThat(mails).hasSizeGreaterThan(100);
        }
        return mails;
    }

    private static String data() {
        String data = System.getProperty("veilgate.data");
        if (data == null) {
            if (System.getenv("CI") != null) {
                throw new AssertionError("-Dveilgate.data is needed in CI");
            }
            System.out.println("MailCorpusTest: no -Dveilgate.data, mails of our own only");
        }
        return data;
    }
}
