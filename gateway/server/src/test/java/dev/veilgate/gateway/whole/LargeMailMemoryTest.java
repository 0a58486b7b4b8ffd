package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.TestTenant;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many mails of 64 MB that come at once through a gateway with little memory. {@code -Dveilgate.large-mails=14} sends
 * more than the usual run does.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class LargeMailMemoryTest {
    private static final TestTenant ACME = TestTenant.of(GatewayProcess.TENANT);
    private static final int MAILS = Integer.getInteger("veilgate.large-mails", 4);
    /** Sealed ones are sent to several recipients, each in a mail of its own. */
    private static final int SEALED = 2;

    private static final int FILE_BYTES = 25_000_000;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    @TempDir
    Path folder;

    private static byte[] mail(int number, String subject, byte[] file) {
        return ("From: bob@elsewhere.example\r\nTo: " + TestMail.ADDRESS
                        + "\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\nMessage-ID: <" + number
                        + "@elsewhere.example>\r\nSubject: " + subject + "\r\nMIME-Version: 1.0\r\n"
                        + "Content-Type: application/octet-stream; name=film.bin\r\n"
                        + "Content-Transfer-Encoding: base64\r\n\r\n"
                        + Base64.getMimeEncoder().encodeToString(file) + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] random(int seed, int bytes) {
        byte[] file = new byte[bytes];
        new Random(seed).nextBytes(file);
        return file;
    }

    @Test
    void mailsOf64MegabytesThatComeAtOnceArriveOnceEachAndSmallOnesDoNotWait() throws Exception {
        try (var sink = new HashingSink();
                var gateway = new GatewayProcess(
                        folder,
                        ACME,
                        "veilgate.smtp.domains[plain.example].plain=relay",
                        "veilgate.deliver.retry.first=1s",
                        "veilgate.deliver.retry.longest=2s",
                        "veilgate.deliver.smart-host.host=127.0.0.1",
                        "veilgate.deliver.smart-host.port=" + sink.port());
                ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
            gateway.javaOption("-Xmx640m");
            gateway.start();
            var mails = new TestMail(folder, ACME);
            List<byte[]> large = new ArrayList<>();
            for (int i = 0; i < SEALED; i++) {
                byte[] plain = mail(i, "owls", random(i, FILE_BYTES));
                large.add(mails.seal(new String(plain, StandardCharsets.ISO_8859_1), "owls"));
            }
            large.add(mail(SEALED, "logs", random(SEALED, 2 * FILE_BYTES - FILE_BYTES / 15)));
            Map<String, String> expected = new ConcurrentHashMap<>();
            List<Future<Integer>> sent = new ArrayList<>();
            for (int i = 0; i < MAILS; i++) {
                byte[] message = large.get(i % large.size());
                assertThat(message.length).isBetween(62_000_000, 68_000_000);
                String recipient = "user" + i + (i % large.size() < SEALED ? "@example.org" : "@plain.example");
                if (i % large.size() == SEALED) {
                    expected.put(recipient, digest(message));
                }
                expected.putIfAbsent(recipient, "sealed " + i % large.size());
                String client = "127.0." + (i + 1) + ".1";
                sent.add(senders.submit(untilTaken(gateway.smtpPort, client, recipient, message)));
            }
            var small = new AtomicInteger();
            var done = new AtomicBoolean();
            byte[] word = mail(99, "word", new byte[100]);
            Future<List<String>> smallReplies = senders.submit(() -> {
                List<String> replies = new ArrayList<>();
                while (!done.get()) {
                    String recipient = "small" + small.incrementAndGet() + "@plain.example";
                    expected.put(recipient, digest(word));
                    replies.add(send(gateway.smtpPort, "127.0.0.1", recipient, word));
                    LockSupport.parkNanos(200_000_000);
                }
                return replies;
            });
            int attempts = 0;
            try {
                for (Future<Integer> each : sent) {
                    attempts += each.get();
                }
                await().atMost(PATIENCE)
                        .until(() -> sink.mails.stream()
                                        .filter(taken -> taken.bytes() > 1 << 20)
                                        .count()
                                >= MAILS);
            } finally {
                done.set(true);
            }
            List<String> replies = smallReplies.get();
            await().atMost(PATIENCE).until(() -> sink.mails.size() >= MAILS + replies.size());
            assertThat(replies).hasSizeGreaterThan(3).allMatch(reply -> reply.startsWith("250"));
            requireOnceEach(sink.mails, expected);
            assertThat(Files.readString(gateway.log())).doesNotContain("OutOfMemoryError");
            System.out.printf(
                    "LargeMailMemoryTest: %d mails in %d attempts, %d small ones, %s, %s of the processor%n",
                    MAILS, attempts, replies.size(), gateway.peakMemory(), gateway.processorTime());
        }
    }

    /** The body of a sealed mail is written anew: the same for all recipients of one. */
    private static void requireOnceEach(List<HashingSink.Taken> taken, Map<String, String> expected) {
        Map<String, String> digests = new HashMap<>();
        for (HashingSink.Taken mail : taken) {
            for (String recipient : mail.recipients()) {
                assertThat(digests.put(recipient, mail.digest()))
                        .as("%s got it twice", recipient)
                        .isNull();
            }
        }
        assertThat(digests.keySet()).isEqualTo(expected.keySet());
        Map<String, String> ofSealed = new HashMap<>();
        expected.forEach((recipient, what) -> {
            String digest = digests.get(recipient);
            if (what.startsWith("sealed")) {
                assertThat(ofSealed.computeIfAbsent(what, first -> digest)).isEqualTo(digest);
            } else {
                assertThat(digest).as(recipient).isEqualTo(what);
            }
        });
        assertThat(ofSealed.values()).doesNotHaveDuplicates();
    }

    private static String digest(byte[] message) {
        var body = new HashingSink.Body();
        body.take(ByteBuffer.wrap(message));
        return body.digest();
    }

    /** A mail server's queue: what is put off is tried again; the number of attempts. */
    private static Callable<Integer> untilTaken(int port, String client, String recipient, byte[] message) {
        return () -> {
            for (int attempt = 1; ; attempt++) {
                String reply;
                try {
                    reply = send(port, client, recipient, message);
                } catch (IOException e) {
                    reply = "451 " + e.getMessage();
                }
                if (reply.startsWith("250")) {
                    return attempt;
                }
                if (!reply.startsWith("4")) {
                    throw new AssertionError(reply);
                }
                LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
            }
        };
    }

    /** The reply to the end of the message, or to what was refused before. */
    private static String send(int port, String client, String recipient, byte[] message) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port, InetAddress.getByName(client), 0)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = socket.getOutputStream();
            String reply = reply(in);
            for (String command : List.of(
                    "EHLO client.example",
                    "MAIL FROM:<bob@elsewhere.example> SIZE=" + message.length,
                    "RCPT TO:<" + recipient + ">",
                    "DATA")) {
                if (!reply.startsWith("2")) {
                    return reply;
                }
                out.write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
                reply = reply(in);
            }
            if (!reply.startsWith("354")) {
                return reply;
            }
            out.write(message); // no line of it begins with a dot
            out.write(".\r\n".getBytes(StandardCharsets.US_ASCII));
            return reply(in);
        }
    }

    private static String reply(BufferedReader in) throws IOException {
        String line;
        do {
            line = in.readLine();
            if (line == null) {
                throw new EOFException("the gateway hung up");
            }
        } while (line.startsWith("-", 3));
        return line;
    }
}
