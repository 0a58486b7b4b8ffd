package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the process prints names nobody and nothing of a mail, also when clients and servers misbehave. */
class MailLogTest {
    /** What must not come out, in lower case: addresses, user names, passwords, subject, body, replies; and libraries. */
    private static final List<String> FORBIDDEN = List.of(
            "example.org",
            "ada",
            "rsa@",
            "stranger",
            "quentin",
            "swordfish",
            "parliament",
            "owl",
            "zebra",
            "message-id",
            "slf4j",
            "log4j",
            "exception",
            "xyzzy");

    /** The spool's name of a mail, random, in which a short name may occur. */
    private static final Pattern MAIL_ID = Pattern.compile("\\bmail [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\\b");

    @TempDir
    Path folder;

    @Test
    void entriesOnlyAndNobodysName() throws Exception {
        var lab = new MailLab(Files.createDirectory(folder.resolve("lab")));
        Path users = folder.resolve("users");
        Files.writeString(users, PasswordFile.line("quentin", "swordfish", new SecureRandom()) + "\n");
        String output;
        try (var relay = new CaptureServer();
                var child = new ChildProxy(
                        lab, relay.port(), folder.resolve("spool"), "256m", "--passwords", users.toString())) {
            relay.answers = line -> line.startsWith("RCPT TO:<ec@") ? "550 5.1.1 zebra@example.org is unknown" : null;
            misbehave(child.port);
            assertThat(send(child.port, "one", "rsa@example.org", "ec@example.org"))
                    .startsWith("250");
            relay.await(2); // the mail and the report
            relay.answers = line -> line.equals(".") ? "what? zebra@example.org" : null; // no reply of SMTP
            assertThat(send(child.port, "two", "rsa@example.org")).startsWith("250");
            awaitText(child, "no delivery, attempt 1");
            relay.answers = line -> null;
            relay.await(3);
            output = child.stopInGoodOrder();
        }
        assertThat(MAIL_ID.matcher(output).replaceAll("mail ID").toLowerCase(Locale.ROOT))
                .doesNotContain(FORBIDDEN);
        assertThat(output.lines()).allMatch(line -> line.matches("\\d{4}-\\S+Z (INFO|WARN) .*"));
        assertThat(output).contains("recipients taken, others answered 550").contains("given up for 1 recipients");
    }

    /** Syntax errors, logins that fail, recipients without a key, a message that is refused. */
    private static void misbehave(int port) throws IOException {
        for (String line : List.of(
                "MAIL FROM:ada@example.org>>",
                "MAIL FROM:<ada@example.org> XYZZY=owl",
                "RCPT TO:<rsa@example.org>",
                "XYZZY ada@example.org",
                "VRFY ada",
                "HELO",
                "DATA",
                "AUTH PLAIN !!xyzzy",
                "AUTH XYZZY",
                "AUTH PLAIN " + base64("\0quentin\0xyzzy"),
                "AUTH PLAIN " + base64("quentin"),
                "AUTH PLAIN " + base64("\0ada@example.org\0swordfish"),
                "x".repeat(5000) + " owl")) {
            try (var smtp = new RawSmtp(port)) {
                assertThat(smtp.say(line)).as(line).matches("[2345].*");
            }
        }
        try (var smtp = new RawSmtp(port)) {
            logIn(smtp);
            assertThat(smtp.say("MAIL FROM:<ada@example.org")).startsWith("501");
            assertThat(smtp.say("MAIL FROM:<ada@example.org>")).startsWith("250");
            assertThat(smtp.say("RCPT TO:<stranger@example.org>")).startsWith("550");
            assertThat(smtp.say("RCPT TO:<rsa@@example.org>")).startsWith("5");
            smtp.say("RCPT TO:<rsa@example.org>");
            smtp.say("DATA");
            smtp.raw("From: ada@example.org\r\nSubject: parliament\r\n\r\nowl\nowl\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
            assertThat(smtp.say(".")).startsWith("550 5.6.0");
            smtp.begin("ada@example.org", List.of("rsa@example.org"));
            smtp.say("DATA");
            smtp.raw("From: ada@example.org\r\n".getBytes(StandardCharsets.US_ASCII));
        } // and gone in the middle
    }

    private static String send(int port, String id, String... recipients) throws IOException {
        String mail = "From: ada@example.org\r\nTo: " + String.join(", ", recipients)
                + "\r\nSubject: parliament\r\nMessage-ID: <" + id + "@example.org>\r\n\r\nof owls\r\n";
        try (var smtp = new RawSmtp(port)) {
            logIn(smtp);
            return smtp.send("ada@example.org", List.of(recipients), mail.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static void logIn(RawSmtp smtp) throws IOException {
        assertThat(smtp.say("AUTH PLAIN " + base64("\0quentin\0swordfish"))).startsWith("235");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void awaitText(ChildProxy child, String text) throws InterruptedException {
        long end = System.nanoTime() + 120_000_000_000L;
        while (!child.output().contains(text)) {
            assertThat(System.nanoTime()).as(text + " in " + child.output()).isLessThan(end);
            Thread.sleep(5); // the condition is looked at again
        }
    }
}
