package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.agent.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client submits again after an answer that it did not get counts once; what is another mail is delivered. */
class RepeatedMailTest {
    private static final String ADA = "ada@example.org";
    private static final List<String> TO = List.of("rsa@example.org");
    private static final String MAIL = """
            From: Ada <ada@example.org>\r
            To: <rsa@example.org>\r
            Subject: owls\r
            Message-ID: <one@example.org>\r
            MIME-Version: 1.0\r
            \r
            the price is 100\r
            """;

    @TempDir
    Path folder;

    private MailLab lab;
    private CaptureServer relay;

    @BeforeEach
    void start() throws Exception {
        lab = new MailLab(Files.createDirectory(folder.resolve("lab")));
        relay = new CaptureServer();
    }

    @AfterEach
    void stop() throws Exception {
        relay.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", // no Date
                "Date: Sat, 21 Nov 2026 10:00:00 +0000\r\n",
                "Received: from a by b; Sat, 21 Nov 2026 10:00:00 +0000\r\n\tfolded\r\n",
                "Date: Sat, 21 Nov 2026 10:00:00 +0000\r\nDate: Sat, 21 Nov 2026 11:00:00 +0000\r\n"
            })
    void anotherMailOfTheSameIdAndLengthIsDelivered(String more) throws Exception {
        String first = more + MAIL;
        try (var proxy = proxy("spool")) {
            List<String> others = List.of(
                    first.replace("100", "200"),
                    first.replace("owls", "bats"),
                    first.replace("the price", "The price"),
                    first.replace("To: <rsa", "Cc: <rsa"),
                    first.replace("1.0\r\n\r\n", "1.0\r\n \r\n")); // the body is a part of the header
            String accepted = send(proxy, first);
            for (String other : others) {
                assertThat(send(proxy, other)).startsWith("250").isNotEqualTo(accepted);
            }
            relay.await(1 + others.size());
            awaitEmptyQueue("spool");
            for (String each : others) {
                assertThat(send(proxy, each)).startsWith("250");
            }
            awaitEmptyQueue("spool");
            assertThat(relay.mails).hasSize(1 + others.size());
        }
    }

    @Test
    void linesThatOnlyFollowATraceFieldMakeAnotherMail() throws Exception {
        try (var proxy = proxy("spool")) {
            String first = send(proxy, "Received: from a by b\r\nno field one\r\n" + MAIL);
            assertThat(send(proxy, "Received: from a by b\r\nno field two\r\n" + MAIL))
                    .startsWith("250")
                    .isNotEqualTo(first);
            relay.await(2);
        }
    }

    @Test
    void aSubmissionThatDiffersInTraceFieldsOnlyIsNotSentAgain() throws Exception {
        String again =
                "Return-Path: <ada@example.org>\r\nX-Original-To: rsa@example.org\r\nDelivered-To: rsa@example.org\r\n"
                        + "Received: from a\r\n\tby b; Sat, 21 Nov 2026 10:07:00 +0000\r\n"
                        + MAIL.replace("Subject", "RECEIVED : from c\r\n by d\r\nSubject");
        try (var proxy = proxy("spool")) {
            String first = send(proxy, "Received: from a by b; Sat, 21 Nov 2026 10:00:00 +0000\r\n" + MAIL);
            assertThat(send(proxy, again)).isEqualTo(first);
            assertThat(send(proxy, MAIL)).isEqualTo(first);
            relay.await(1);
            awaitEmptyQueue("spool");
            assertThat(send(proxy, again)).isEqualTo(first);
            assertThat(relay.mails).hasSize(1);
        }
    }

    @Test
    void otherRecipientsOrAnotherSenderMakeAnotherMail() throws Exception {
        try (var proxy = proxy("spool");
                var smtp = new RawSmtp(proxy.port())) {
            byte[] mail = MAIL.getBytes(StandardCharsets.US_ASCII);
            var answers = List.of(
                    smtp.send(ADA, TO, mail),
                    smtp.send("bob@example.org", TO, mail),
                    smtp.send("", TO, mail),
                    smtp.send(ADA, List.of("ec@example.org"), mail),
                    smtp.send(ADA, List.of("rsa@example.org", "ec@example.org"), mail));
            assertThat(answers).doesNotHaveDuplicates().allMatch(answer -> answer.startsWith("250"));
            assertThat(smtp.send(ADA, List.of("ec@example.org", "rsa@example.org"), mail))
                    .isEqualTo(answers.getLast());
        }
    }

    @Test
    void isRecognizedAfterARestartWhetherItWaitsOrIsGone() throws Exception {
        relay.answers = line -> line.startsWith("RCPT") ? "451 4.2.0 later" : null;
        String first;
        try (var proxy = proxy("spool")) {
            first = send(proxy, MAIL);
        }
        try (var proxy = proxy("spool")) {
            assertThat(send(proxy, MAIL)).isEqualTo(first);
            relay.answers = line -> null;
            relay.await(1);
            awaitEmptyQueue("spool");
        }
        try (var proxy = proxy("spool")) {
            assertThat(send(proxy, MAIL)).isEqualTo(first);
            assertThat(relay.mails).hasSize(1);
        }
    }

    /** Of mail that is not on disk in clear, a digest without a key would let anybody who reads the disk check a guess. */
    @Test
    void whatIsKeptOfAMailIsKeyedByASecretOfTheSpool() throws Exception {
        for (String spool : List.of("one", "two")) {
            try (var proxy = proxy(spool)) {
                assertThat(send(proxy, MAIL)).startsWith("250");
                awaitEmptyQueue(spool);
            }
            Path key = folder.resolve(spool).resolve(RepetitionKey.IN_SPOOL);
            assertThat(key).hasSize(32);
            assertThat(Files.getPosixFilePermissions(key)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
        assertThat(names("one", "seen")).hasSize(1).doesNotContainAnyElementsOf(names("two", "seen"));
    }

    @Test
    void withoutItsKeyOrWithADamagedOneTheProxyStartsAndNothingIsLost() throws Exception {
        proxy("spool").close();
        Path key = folder.resolve("spool").resolve(RepetitionKey.IN_SPOOL);
        byte[] damaged = new byte[33];
        int sent = 0;
        for (int i = 0; i < 3; i++) {
            try (var proxy = proxy("spool")) {
                assertThat(send(proxy, MAIL)).startsWith("250");
                relay.await(++sent);
                awaitEmptyQueue("spool");
            }
            if (i == 0) {
                Files.delete(key);
            } else {
                Files.write(key, damaged);
            }
        }
        assertThat(relay.mails).hasSize(3);
    }

    /** They told mails apart by their length, so one of them may stand for another mail. */
    @Test
    void marksOfTheVersionBeforeKeepNoMailFromBeingSent() throws Exception {
        proxy("spool").close();
        String old =
                String.join("\n", "<one@example.org>", "", ADA, "rsa@example.org", Integer.toString(MAIL.length()));
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(old.getBytes(StandardCharsets.UTF_8));
        Files.writeString(
                folder.resolve("spool/seen").resolve(HexFormat.of().formatHex(digest)),
                "6f2a1f3e-0000-4000-8000-000000000000");
        try (var proxy = proxy("spool")) {
            assertThat(send(proxy, MAIL)).startsWith("250");
            relay.await(1);
        }
    }

    private MailProxy proxy(String spool) throws IOException {
        return lab.proxy(lab.settings(folder.resolve(spool), 1 << 20, false), relay.port());
    }

    private static String send(MailProxy proxy, String mail) throws IOException {
        try (var smtp = new RawSmtp(proxy.port())) {
            return smtp.send(ADA, TO, mail.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private List<String> names(String spool, String part) {
        try (Stream<Path> items = Files.list(folder.resolve(spool).resolve(part))) {
            return items.map(item -> item.getFileName().toString()).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitEmptyQueue(String spool) {
        Await.until("an empty queue", () -> names(spool, "queue").isEmpty());
    }
}
