package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.smime.HeaderProtection;
import dev.veilgate.envelope.smime.LegacyDisplay;
import dev.veilgate.envelope.smime.MailHeader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The proxy as a process of its own. */
class MailProxyKillTest {
    private static final Pattern MESSAGE_ID = Pattern.compile("\nMessage-ID: <([^>]+)>");
    private static final int ROUNDS = 4;

    @TempDir
    Path folder;

    @Test
    void killedAtAnyMomentItLosesNothingItAcknowledged() throws Exception {
        long seed = System.nanoTime();
        System.out.println("MailProxyKillTest: seed " + seed);
        var random = new Random(seed);
        var lab = new MailLab(Files.createDirectory(folder.resolve("lab")));
        Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        try (var relay = new CaptureServer()) {
            for (int round = 0; round < ROUNDS; round++) {
                try (ChildProxy child = child(lab, relay.port(), 1 << 20, "256m", false)) {
                    String prefix = "r" + round + "-";
                    List<Thread> clients = new ArrayList<>();
                    for (int c = 0; c < 3; c++) {
                        String name = prefix + c + "-";
                        clients.add(Thread.ofPlatform().start(() -> sendUntilItDies(child.port, name, acknowledged)));
                    }
                    int enough = acknowledged.size() + 1 + random.nextInt(15);
                    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(180);
                    while (acknowledged.size() < enough && System.nanoTime() < end) {
                        Thread.sleep(random.nextInt(1, 20)); // a random moment, once some were acknowledged
                    }
                    child.process.destroyForcibly().waitFor();
                    for (Thread client : clients) {
                        client.join();
                    }
                }
            }
            assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(ROUNDS);
            try (ChildProxy last = child(lab, relay.port(), 1 << 20, "256m", false)) {
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(180);
                while (!ids(relay.mails).keySet().containsAll(acknowledged) || queued() > 0) {
                    assertThat(System.nanoTime())
                            .as("all that was acknowledged comes")
                            .isLessThan(end);
                    Thread.sleep(10); // the condition is looked at again
                }
                last.stopInGoodOrder();
            }
            // A relay that was cut off before it could answer gets the same bytes again, which it can tell.
            ids(relay.mails)
                    .values()
                    .forEach(same -> assertThat(
                                    same.stream().map(Arrays::hashCode).distinct())
                            .hasSize(1));
            try (Stream<Path> left = Files.list(folder.resolve("spool/incoming"))) {
                assertThat(left).isEmpty();
            }
            try (Stream<Path> left = Files.walk(folder.resolve("spool"))) {
                assertThat(left.filter(Files::isRegularFile)).noneMatch(file -> holds(file, "the owls are"));
            }
        }
    }

    @Test
    void aHundredMegabytesPassThroughASmallHeap() throws Exception {
        var lab = new MailLab(Files.createDirectory(folder.resolve("lab")));
        long bytes = 100L << 20;
        byte[] line = ("x".repeat(74) + "\r\n").getBytes(StandardCharsets.US_ASCII);
        try (var relay = new CaptureServer();
                ChildProxy child = child(lab, relay.port(), 200 << 20, "128m", true);
                var smtp = new RawSmtp(child.port)) {
            smtp.begin("ada@example.org", List.of("rsa@example.org"));
            smtp.say("DATA");
            String header = "From: ada@example.org\r\nTo: rsa@example.org\r\nSubject: big\r\n\r\n";
            smtp.raw(header.getBytes(StandardCharsets.US_ASCII));
            byte[] block = new byte[line.length * 1000];
            for (int i = 0; i < 1000; i++) {
                System.arraycopy(line, 0, block, i * line.length, line.length);
            }
            long blocks = bytes / block.length;
            for (long i = 0; i < blocks; i++) {
                smtp.raw(block);
            }
            assertThat(smtp.say(".")).startsWith("250 2.6.0");
            Path part = writeFirstPart(relay.await(1).getFirst().bytes());
            Path opened = lab.verified(lab.decrypt(part, "rsa@example.org"));
            try (InputStream in = new BufferedInputStream(Files.newInputStream(opened))) {
                MailHeader inner = MailHeader.read(in).header();
                assertThat(new String(HeaderProtection.restore(inner), StandardCharsets.US_ASCII))
                        .isEqualTo(header);
                InputStream body = LegacyDisplay.takenOut(inner, in);
                for (long i = 0; i < blocks; i++) {
                    assertThat(Arrays.equals(body.readNBytes(block.length), block))
                            .isTrue();
                }
                assertThat(body.read()).isNegative();
            }
        }
    }

    /** Without copies: what is between the first two boundaries. */
    private Path writeFirstPart(byte[] sealed) throws IOException {
        byte[] boundary = "\r\n--veilgate-".getBytes(StandardCharsets.US_ASCII);
        int first = indexOf(sealed, boundary, 0);
        int start = indexOf(sealed, new byte[] {'\r', '\n'}, first + 2) + 2;
        int end = indexOf(sealed, boundary, start);
        Path part = folder.resolve("part.eml");
        try (OutputStream out = Files.newOutputStream(part)) {
            out.write(sealed, start, end - start);
        }
        return part;
    }

    private static int indexOf(byte[] bytes, byte[] wanted, int from) {
        for (int i = from; i <= bytes.length - wanted.length; i++) {
            if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
                return i;
            }
        }
        throw new AssertionError("not found");
    }

    private static void sendUntilItDies(int port, String name, Set<String> acknowledged) {
        try (var smtp = new RawSmtp(port)) {
            for (int i = 0; ; i++) {
                String id = name + i + "@example.org";
                String mail = "From: ada@example.org\r\nTo: rsa@example.org\r\nSubject: x\r\nMessage-ID: <" + id
                        + ">\r\n\r\nthe owls are " + i + "\r\n";
                String answer = smtp.send(
                        "ada@example.org",
                        List.of("rsa@example.org", "ec@example.org"),
                        mail.getBytes(StandardCharsets.US_ASCII));
                assertThat(answer).startsWith("250");
                acknowledged.add(id);
            }
        } catch (IOException e) {
            // killed
        }
    }

    /** The bytes that came under each Message-ID and for each set of recipients. */
    private static HashMap<String, List<byte[]>> ids(List<CaptureServer.Mail> mails) {
        var ids = new HashMap<String, List<byte[]>>();
        for (CaptureServer.Mail mail : mails) {
            Matcher id = MESSAGE_ID.matcher(mail.text());
            assertThat(id.find()).isTrue();
            // Of the two recipients one is not in the header: two copies.
            String key = mail.recipients().contains("rsa@example.org") ? id.group(1) : id.group(1) + " hidden";
            ids.computeIfAbsent(key, k -> new ArrayList<>()).add(mail.bytes());
        }
        return ids;
    }

    private long queued() throws IOException {
        try (Stream<Path> items = Files.list(folder.resolve("spool/queue"))) {
            return items.count();
        }
    }

    private static boolean holds(Path file, String text) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1).contains(text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private ChildProxy child(MailLab lab, int relayPort, long maxSize, String heap, boolean large) throws IOException {
        return new ChildProxy(
                lab,
                lab.bundle.toString(),
                relayPort,
                folder.resolve("spool"),
                heap,
                large,
                "--max-size",
                Long.toString(maxSize));
    }
}
