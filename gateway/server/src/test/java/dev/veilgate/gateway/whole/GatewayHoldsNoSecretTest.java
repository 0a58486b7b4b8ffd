package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.authority.TenantSecrets;
import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.query.SearchRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
            Path dump = folder.resolve("data/heap.hprof");
            gateway.dumpHeap(dump);
            assertThat(gateway.stop()).isIn(0, 143);
            assertNothingSecretIn(gateway.data());
            assertThat(Files.readString(gateway.log())).doesNotContain("plaintext", "urgent", "ada@", "bob@");
        }
    }

    private static void assertNothingSecretIn(Path data) throws IOException {
        List<byte[]> secrets = secrets();
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

    /** Pieces of the key file that are not public, and plaintext. */
    private static List<byte[]> secrets() {
        byte[] encoded = TenantSecrets.encoded(ACME.keys());
        String bundle = new String(ACME.bundle(), StandardCharsets.ISO_8859_1);
        List<byte[]> secrets = new ArrayList<>();
        for (int at = 0; at + WINDOW <= encoded.length; at += WINDOW) {
            byte[] piece = Arrays.copyOfRange(encoded, at, at + WINDOW);
            boolean isPublic = bundle.contains(new String(piece, 8, WINDOW - 8, StandardCharsets.ISO_8859_1))
                    || bundle.contains(new String(piece, 0, WINDOW - 8, StandardCharsets.ISO_8859_1));
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
    void theSearchForSecretsFindsThem() {
        List<byte[]> secrets = secrets();
        byte[] secret = secrets.getFirst();
        byte[] file = new byte[1000];
        System.arraycopy(secret, 0, file, 333, secret.length);
        assertThat(firstIn(file, Set.of(head(secret, 0)), secrets)).isEqualTo(333);
    }
}
