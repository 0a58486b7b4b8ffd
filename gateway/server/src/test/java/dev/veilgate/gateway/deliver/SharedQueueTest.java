package dev.veilgate.gateway.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import dev.veilgate.testing.PostgresServer;
import dev.veilgate.transport.smtp.SmtpMessage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The queue on both databases: gateways that share it, that die, and a database that goes away. */
class SharedQueueTest {
    private static final String MAIL = "Subject: x\r\n\r\nx\r\n";

    @TempDir
    static Path folder;

    private static PostgresServer postgres;

    @BeforeAll
    static void start() throws IOException {
        postgres = new PostgresServer();
    }

    @AfterAll
    static void stop() {
        postgres.close();
    }

    static Stream<String> databases() {
        return Stream.of(
                "jdbc:h2:file:" + folder.resolve(UUID.randomUUID().toString()) + ";LOCK_TIMEOUT=20000",
                postgres.newDatabase());
    }

    @ParameterizedTest
    @MethodSource("databases")
    void gatewaysThatShareAQueueSendEachMailOnce(String url) {
        try (var sink = new MailSink();
                var lab = new DeliveryLab(url)) {
            lab.relay("a.example", sink.port());
            lab.start("one");
            lab.start("two");
            lab.start("three");
            for (int i = 0; i < 300; i++) {
                lab.add("", List.of("r" + i + "@a.example"), MAIL);
            }
            sink.await(300);
            lab.awaitEmpty();
            assertThat(sink.mails).hasSize(300);
            Set<String> recipients = new HashSet<>();
            sink.mails.forEach(mail -> recipients.addAll(mail.recipients()));
            assertThat(recipients).hasSize(300);
            assertThat(lab.rows("outbound_mail")).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void whatADeadGatewayHeldIsItsOwnAfterARestartAndOthersAfterTheLease(String url) {
        try (var sink = new MailSink();
                var lab = new DeliveryLab(url)) {
            lab.relay("a.example", sink.port());
            for (int i = 0; i < 4; i++) {
                lab.add("", List.of("r" + i + "@a.example"), MAIL);
            }
            assertThat(lab.queue("dead").claim(2, Set.of())).hasSize(2);
            assertThat(lab.queue("restarted").claim(2, Set.of())).hasSize(2);
            lab.start("restarted");
            sink.await(2);
            await().during(Duration.ofMillis(300)).until(() -> lab.waiting() == 2);
            lab.clock.by = Duration.ofMinutes(6);
            sink.await(4);
            lab.awaitEmpty();
            assertThat(sink.mails).hasSize(4);
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void largeMessagesComeOutAsTheyWentIn(String url) throws IOException {
        byte[] large = new byte[3_000_001];
        new Random(1).nextBytes(large);
        try (var lab = new DeliveryLab(url)) {
            StoredQueue queue = lab.queue("one");
            var mail = new OutboundMail("a@b.example", List.of("x@c.example", "x@c.example"), large);
            lab.database.transactions().executeWithoutResult(status -> queue.add(mail));
            List<Due> due = queue.claim(10, Set.of());
            assertThat(due).hasSize(1);
            var loaded = queue.load(due.getFirst()).orElseThrow();
            assertThat(loaded.message().bytes()).isEqualTo(large.length);
            assertThat(loaded.message().open()).hasBinaryContent(large);
            assertThat(loaded.beginning().message().length).isBetween(64 << 10, 1 << 20);
            assertThat(loaded.beginning().recipients()).containsExactly("x@c.example");
            assertThat(queue.claim(10, Set.of())).isEmpty();
            lab.clock.by = Duration.ofMinutes(6);
            assertThat(queue.claim(10, Set.of("c.example"))).isEmpty();
            assertThat(queue.claim(10, Set.of("other.example"))).hasSize(1);
            assertThat(queue.oldest()).isGreaterThan(Duration.ofMinutes(5));
        }
    }

    /** Pieces of a large mail are written in transactions before the one that queues it. */
    @ParameterizedTest
    @MethodSource("databases")
    void nothingStaysOfALargeMailThatWasNotQueued(String url) {
        try (var lab = new DeliveryLab(url)) {
            StoredQueue queue = lab.queue("one");
            var mail = new OutboundMail("", List.of("x@c.example"), new byte[5_000_000]);
            lab.database.transactions().executeWithoutResult(status -> {
                queue.add(mail);
                assertThat(lab.rows("outbound_piece")).isEqualTo(20);
                status.setRollbackOnly();
            });
            assertThat(lab.rows("outbound_mail") + lab.rows("outbound_piece")).isZero();
            lab.database.transactions().executeWithoutResult(status -> queue.add(mail));
            lab.database.jdbc().sql("DELETE FROM outbound_recipient").update(); // as of a gateway that died before
            queue.forgetUnaddressed();
            assertThat(lab.rows("outbound_mail")).isOne();
            lab.clock.by = Duration.ofHours(2);
            queue.forgetUnaddressed();
            assertThat(lab.rows("outbound_mail") + lab.rows("outbound_piece")).isZero();
        }
    }

    /** Another gateway got the lease and sent it: what is read now must not pass for the whole message. */
    @ParameterizedTest
    @MethodSource("databases")
    void readingAMessageThatLeavesTheQueueFailsAndDoesNotEnd(String url) throws IOException {
        try (var lab = new DeliveryLab(url)) {
            lab.add("", List.of("x@c.example"), "x".repeat(5_000_000));
            StoredQueue queue = lab.queue("one");
            Due due = queue.claim(10, Set.of()).getFirst();
            SmtpMessage message = queue.load(due).orElseThrow().message();
            InputStream begun = message.open();
            assertThat(begun.read()).isEqualTo('x');
            queue.finish(due, Set.of("x@c.example"), Set.of(), Instant.now(), null, Optional.empty());
            assertThatIOException().isThrownBy(begun::readAllBytes).withMessageContaining("not in the queue");
            assertThatIOException().isThrownBy(() -> message.open().read()).withMessageContaining("not in the queue");
            assertThat(queue.load(due)).isEmpty();
        }
    }

    @Test
    void aDatabaseThatGoesAwayLosesNothingAndDoublesNothing() throws Exception {
        try (var sink = new MailSink();
                var lab = new DeliveryLab(postgres.newDatabase())) {
            lab.relay("a.example", sink.port());
            Dispatcher dispatcher = lab.start();
            for (int i = 0; i < 200; i++) {
                lab.add("", List.of("r" + i + "@a.example"), MAIL);
            }
            sink.await(20);
            postgres.stop();
            await().until(() -> !dispatcher.isWorking());
            postgres.start();
            sink.await(200);
            await().ignoreExceptions().until(() -> lab.waiting() == 0);
            await().until(dispatcher::isWorking); // at its next look
            assertThat(sink.mails).hasSize(200);
        }
    }
}
