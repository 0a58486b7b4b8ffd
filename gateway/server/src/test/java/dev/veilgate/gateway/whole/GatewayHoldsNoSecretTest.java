package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.abe.AttributeBlindedKey;
import dev.veilgate.abe.Label;
import dev.veilgate.authority.TenantSecrets;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.envelope.TransformAnswer;
import dev.veilgate.envelope.TransformRequest;
import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.query.SearchRequest;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looks for the tenant's secrets and for plaintext in the gateway's memory, settings, files and database, after it took, stored and searched. */
class GatewayHoldsNoSecretTest {
    private static final TestTenant ACME = TestTenant.of(GatewayProcess.TENANT);
    private static final int WINDOW = 24;

    @TempDir
    Path folder;

    @Test
    void neitherInMemoryNorOnDisk() throws Exception {
        try (GatewayProcess gateway = new GatewayProcess(folder, ACME)) {
            gateway.start();
            TestTenant.Sender press = ACME.sender("press-1", Clock.systemUTC());
            assertThat(gateway.submit(press.seal("zirkonium-plaintext leaks", "other")
                                    .bytes())
                            .statusCode())
                    .isEqualTo(201);
            byte[] mail = new TestMail(folder, ACME)
                    .seal(
                            "From: bob@elsewhere.example\r\nSubject: mangan-plaintext\r\n\r\nvanadium-plaintext\r\n",
                            "urgent");
            Mail.send(gateway.smtpPort, "bob@elsewhere.example", TestMail.ADDRESS, mail);
            SearchRequest search = ACME.search("zirkonium-plaintext", folder.resolve("trapdoors"));
            await().until(() -> !gateway.search(search).isEmpty());
            List<byte[]> ofReader = transformForAReader(gateway, press);
            Path dump = folder.resolve("data/heap.hprof");
            gateway.dumpHeap(dump);
            assertThat(gateway.stop()).isIn(0, 143);
            assertNothingSecretIn(gateway.data(), ofReader);
            assertThat(Files.readString(gateway.log())).doesNotContain("plaintext", "urgent", "ada@", "bob@");
        }
    }

    /** The gateway does a reader's pairings; what of the reader's key it must not have: its elements, and what they are blinded with. */
    private static List<byte[]> transformForAReader(GatewayProcess gateway, TestTenant.Sender press) throws Exception {
        SealedEnvelope sealed = press.sealForReaders("role:auditor", "niobium-plaintext");
        assertThat(gateway.submit(sealed.bytes()).statusCode()).isEqualTo(201);
        ReaderKey reader = ACME.keys()
                .issueReaderKeys(
                        "ada",
                        Label.attributes("role:auditor"),
                        List.of(ACME.epoch(Clock.systemUTC())),
                        new SecureRandom())
                .getLast();
        AttributeBlindedKey blinded = reader.blind(new SecureRandom());
        TransformRequest request =
                TransformRequest.of(blinded.transformKey(), List.of(new TransformRequest.Place(sealed.id(), 0)));
        HttpResponse<byte[]> answer = gateway.send(gateway.request("/transforms")
                .header("Content-Type", TransformRequest.MEDIA_TYPE)
                .POST(HttpRequest.BodyPublishers.ofByteArray(request.encode())));
        assertThat(TransformAnswer.decode(answer.body()).getFirst()).isInstanceOf(TransformAnswer.Transformed.class);
        byte[] key = reader.encode();
        byte[] z = blinded.retrievalKey().encode();
        return List.of(
                Arrays.copyOfRange(key, key.length - WINDOW, key.length),
                Arrays.copyOfRange(key, key.length - 2 * WINDOW, key.length - WINDOW),
                Arrays.copyOfRange(z, z.length - WINDOW, z.length),
                "niobium-plaintext".getBytes(StandardCharsets.UTF_8));
    }

    private static void assertNothingSecretIn(Path data, List<byte[]> more) throws IOException {
        List<byte[]> secrets = secrets();
        secrets.addAll(more);
        assertThat(secrets).as("there are secrets to look for").hasSizeGreaterThan(50);
        Set<Long> heads = new HashSet<>();
        secrets.forEach(secret -> heads.add(head(secret, 0)));
        List<Path> files;
        try (Stream<Path> walk = Files.walk(data)) {
            files = walk.filter(Files::isRegularFile).toList();
        }
        assertThat(files).hasSizeGreaterThan(5);
        for (Path file : files) {
            assertThat(firstIn(Files.readAllBytes(file), heads, secrets))
                    .as("%s", file)
                    .isEqualTo(-1);
        }
    }

    /** What everybody may have: the bundle, and the senders as the key file and the registry write them. */
    private static String open() throws IOException {
        CborWriter senders = new CborWriter(1 << 14);
        ACME.keys().senders().forEach(sender -> senders.bytes(sender.encode()));
        return new String(ACME.bundle(), StandardCharsets.ISO_8859_1)
                + new String(senders.toByteArray(), StandardCharsets.ISO_8859_1);
    }

    /** Pieces of the key file that are not public, and plaintext. */
    private static List<byte[]> secrets() throws IOException {
        byte[] encoded = TenantSecrets.encoded(ACME.keys());
        String known = open();
        List<byte[]> secrets = new ArrayList<>();
        for (int at = 0; at + WINDOW <= encoded.length; at += WINDOW) {
            byte[] piece = Arrays.copyOfRange(encoded, at, at + WINDOW);
            boolean isPublic = known.contains(new String(piece, 8, WINDOW - 8, StandardCharsets.ISO_8859_1))
                    || known.contains(new String(piece, 0, WINDOW - 8, StandardCharsets.ISO_8859_1));
            long distinct = new String(piece, StandardCharsets.ISO_8859_1)
                    .chars()
                    .distinct()
                    .count();
            if (!isPublic && distinct > 8) {
                secrets.add(piece);
            }
        }
        for (String text : List.of("zirkonium-plaintext", "mangan-plaintext", "vanadium-plaintext")) {
            secrets.add(text.getBytes(StandardCharsets.UTF_8));
        }
        return secrets;
    }

    private static int firstIn(byte[] bytes, Set<Long> heads, List<byte[]> secrets) {
        for (int i = 0; i + 8 <= bytes.length; i++) {
            int at = i;
            if (heads.contains(head(bytes, i))
                    && secrets.stream()
                            .anyMatch(secret -> Arrays.equals(
                                    bytes, at, Math.min(at + secret.length, bytes.length), secret, 0, secret.length))) {
                return i;
            }
        }
        return -1;
    }

    private static long head(byte[] bytes, int at) {
        long head = 0;
        for (int i = 0; i < 8; i++) {
            head = head << 8 | bytes[at + i] & 0xff;
        }
        return head;
    }

    @Test
    void theSearchForSecretsFindsThem() throws IOException {
        List<byte[]> secrets = secrets();
        byte[] secret = secrets.getFirst();
        byte[] file = new byte[1000];
        System.arraycopy(secret, 0, file, 333, secret.length);
        assertThat(firstIn(file, Set.of(head(secret, 0)), secrets)).isEqualTo(333);
    }
}
