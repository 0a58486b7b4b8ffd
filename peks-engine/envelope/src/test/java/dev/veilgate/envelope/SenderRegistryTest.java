package dev.veilgate.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.pq.SignatureParameters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a registry of senders gives to whoever verifies envelopes. */
class SenderRegistryTest {
    static final SigningKey AUTHORITY = SigningKey.generate("acme", new SecureRandom());
    static final String PINNED = AUTHORITY.publicKey().fingerprint();

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("acme.senders");
    }

    /** A key that nobody can sign with: only its bytes matter here. */
    static SenderPublicKey key(String name) {
        byte[] seed = Hashes.sha256(ByteWriter.utf8(name));
        byte[] mlDsa65 = new byte[SignatureParameters.ML_DSA_65.publicKeyBytes()];
        Arrays.setAll(new Byte[mlDsa65.length], i -> mlDsa65[i] = (byte) (seed[i % 32] + i));
        return new SenderPublicKey(name, seed, mlDsa65);
    }

    static SenderRegistryHead write(Path file, long serial, SigningKey authority, String... names) throws IOException {
        List<SenderPublicKey> keys =
                Stream.of(names).map(SenderRegistryTest::key).toList();
        return SenderRegistryWriter.write(file.getParent(), file.getFileName().toString(), serial, authority, out -> {
            for (SenderPublicKey key : keys) {
                out.add(key);
            }
        });
    }

    static SenderRegistry.Expected expected() {
        return new SenderRegistry.Expected(PINNED, "acme", 0);
    }

    @Test
    void findsEachSenderAndNobodyElse() throws Exception {
        String[] names =
                IntStream.range(0, 500).mapToObj("press-%04d"::formatted).toArray(String[]::new);
        SenderRegistryHead head = write(file(), 7, AUTHORITY, names);
        try (SenderRegistry registry = SenderRegistry.open(file(), expected())) {
            assertThat(registry.head()).isEqualTo(head);
            assertThat(head.serial()).isEqualTo(7);
            assertThat(head.count()).isEqualTo(500);
            for (String name : names) {
                assertThat(registry.keysOf(name)).containsExactly(key(name));
            }
            for (String other : List.of("", "press-", "press-00000", "press-0500", "Press-0001")) {
                assertThat(registry.keysOf(other)).isEmpty();
            }
        }
    }

    @Test
    void sortsNamesByTheirBytes() throws Exception {
        write(
                file(),
                1,
                AUTHORITY,
                "a",
                "z",
                "\uff5a",
                "\ud83d\ude80"); // UTF-16 would have the last two the other way round
        try (SenderRegistry registry = SenderRegistry.open(file(), expected())) {
            assertThat(registry.keysOf("\ud83d\ude80")).hasSize(1);
            assertThat(registry.keysOf("\uff5a")).hasSize(1);
        }
        assertThatIllegalArgumentException().isThrownBy(() -> write(file(), 2, AUTHORITY, "\ud83d\ude80", "\uff5a"));
        assertThatIllegalArgumentException().isThrownBy(() -> write(file(), 2, AUTHORITY, "a", "a"));
        try (SenderRegistry registry = SenderRegistry.open(file(), expected())) {
            assertThat(registry.head().serial())
                    .as("what failed left the old one")
                    .isEqualTo(1);
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).as("and nothing aside").containsExactly(file());
        }
    }

    @Test
    void holdsNobodyIfNobodyIsRegistered() throws Exception {
        write(file(), 1, AUTHORITY);
        try (SenderRegistry registry = SenderRegistry.open(file(), expected())) {
            assertThat(registry.head().count()).isZero();
            assertThat(registry.keysOf("press-4")).isEmpty();
        }
    }

    @Test
    void verifiesEnvelopesOfItsSenders() throws Exception {
        SenderPublicKey sender = Samples.SENDER.publicKey();
        SenderRegistryWriter.write(folder, "acme.senders", 1, AUTHORITY, out -> out.add(sender));
        Envelope signed;
        Envelope forged;
        try (EnvelopeSealer sealer = Samples.sealerWithoutIndex(Samples.SENDER, new SecureRandom());
                SigningKey stranger = SigningKey.generate("press-4", new SecureRandom());
                EnvelopeSealer other = Samples.sealerWithoutIndex(stranger, new SecureRandom())) {
            signed = Envelope.decode(
                    sealer.seal(Samples.draft(0), ChainPosition.first()).bytes());
            forged = Envelope.decode(
                    other.seal(Samples.draft(0), ChainPosition.first()).bytes());
        }
        try (SenderRegistry registry = SenderRegistry.open(file(), expected())) {
            EnvelopeVerifier verifier = new EnvelopeVerifier(registry);
            for (int i = 0; i < 2; i++) { // a second time from what is ready
                assertThat(verifier.signed(signed)).isTrue();
                assertThat(verifier.signed(forged)).isFalse();
            }
            assertThat(registry.signed(signed)).isTrue();
            assertThat(registry.signed(forged)).isFalse();
        }
    }

    @Test
    void anEntryThatIsChangedAfterwardsIsAnError() throws Exception {
        SenderRegistryHead head = write(file(), 1, AUTHORITY, "press-1", "press-2");
        long size = Files.size(file());
        try (SenderRegistry registry = SenderRegistry.open(file(), expected())) {
            byte[] bytes = Files.readAllBytes(file());
            for (int back : new int[] {1, 1000, 1980, 1994, 1996}) { // key, Ed25519 key, name, length
                byte[] changed = bytes.clone();
                changed[(int) size - back] ^= 1;
                Files.write(file(), changed);
                assertThatThrownBy(() -> registry.keysOf("press-2"))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("changed after it was verified");
                assertThat(registry.keysOf("press-1")).hasSize(1);
            }
            Files.write(file(), Arrays.copyOf(bytes, (int) size - 10));
            assertThatThrownBy(() -> registry.keysOf("press-2")).isInstanceOf(IOException.class);
            Files.write(file(), new byte[0]);
            assertThatThrownBy(() -> registry.keysOf("press-1")).isInstanceOf(IOException.class);
            assertThat(registry.keysOf("press-3")).as("never was one").isEmpty();
        }
        assertThat(head.count()).isEqualTo(2);
    }

    @Test
    void aCopyStaysWhatItWas() throws Exception {
        write(file(), 1, AUTHORITY, "press-1", "press-2");
        Path own = Files.createDirectory(folder.resolve("own"));
        try (SenderRegistry registry = SenderRegistry.copied(file(), own, expected())) {
            try (Stream<Path> files = Files.list(own)) {
                assertThat(files).as("nobody else finds the copy").isEmpty();
            }
            Files.write(file(), new byte[100]);
            assertThat(registry.keysOf("press-2")).containsExactly(key("press-2"));
            Files.delete(file());
            assertThat(registry.keysOf("press-1")).containsExactly(key("press-1"));
        }
    }

    @Test
    void anotherFileOfTheNameDoesNotConcernWhoHasItOpen() throws Exception {
        write(file(), 1, AUTHORITY, "press-1");
        try (SenderRegistry registry = SenderRegistry.open(file(), expected())) {
            write(folder.resolve("next"), 2, AUTHORITY, "press-2");
            Files.move(folder.resolve("next"), file(), StandardCopyOption.REPLACE_EXISTING);
            assertThat(registry.keysOf("press-1")).hasSize(1);
            assertThat(registry.keysOf("press-2")).isEmpty();
        }
    }

    /** Senders of a name's first 40 bits of SHA-256: made by trying, so that this takes no time here. */
    @Test
    void namesThatLookAlikeInTheIndexAreToldApart() {
        SenderIndex index = new SenderIndex(3);
        byte[] digest = Hashes.sha256(new byte[0]);
        index.add("press-1", 10, digest);
        index.add("press-1", 20, digest);
        index.add("press-2", 30, digest);
        index.sort();
        assertThat(index.candidates("press-1")).containsExactly(0, 1);
        assertThat(index.candidates("press-2")).containsExactly(2);
        assertThat(index.candidates("press-3")).isEmpty();
        assertThat(index.isDigest(1, digest)).isTrue();
        digest[15] ^= 1;
        assertThat(index.isDigest(1, digest)).isFalse();
    }

    @Test
    void liesBesideTheBundle() {
        assertThat(SenderRegistry.beside(Path.of("/etc/veilgate/acme.vgb"))).hasToString("/etc/veilgate/acme.senders");
        assertThat(SenderRegistry.beside(Path.of("acme.v2.vgb"))).hasToString("acme.v2.senders");
        assertThat(SenderRegistry.beside(Path.of("bundle"))).hasToString("bundle.senders");
        assertThat(SenderRegistry.beside(Path.of(".vgb"))).hasToString(".vgb.senders");
    }

    /** The page's example. A digest that changes is a new format, which takes a new version number. */
    @Test
    void theFormatIsThatOfThePage() throws Exception {
        List<SenderPublicKey> keys =
                List.of(fixed("press-4", 2).publicKey(), fixed("press-5", 5).publicKey());
        SigningKey authority = fixed("acme", 7);
        SenderRegistryHead head = SenderRegistryWriter.write(folder, "acme.senders", 3, authority, out -> {
            for (SenderPublicKey key : keys) {
                out.add(key);
            }
        });
        byte[] file = Files.readAllBytes(file());
        int headBytes = head.sign(authority).length;
        byte[] statement = new ByteWriter(64)
                .shortString("acme")
                .int64(3)
                .int64(2)
                .bytes(head.digest())
                .toByteArray();
        HexFormat hex = HexFormat.of();
        String values = """
                fingerprint of the authority    %s
                fingerprint of press-4          %s
                fingerprint of press-5          %s
                digest                          %s
                SHA-256 of the statement        %s
                SHA-256 of the entries          %s
                bytes of the head               %d
                """.formatted(
                        authority.publicKey().fingerprint(),
                        keys.get(0).fingerprint(),
                        keys.get(1).fingerprint(),
                        hex.formatHex(head.digest()),
                        hex.formatHex(Hashes.sha256(statement)),
                        hex.formatHex(Hashes.sha256(Arrays.copyOfRange(file, headBytes, file.length))),
                        headBytes);
        assertThat(Files.readString(page()).contains(values)).as(values).isTrue();
        SenderRegistry.open(
                        file(),
                        new SenderRegistry.Expected(authority.publicKey().fingerprint(), "acme", 3))
                .close();
    }

    private static SigningKey fixed(String name, int seed) throws Exception {
        byte[] ed25519 = new byte[32];
        byte[] mlDsa65 = new byte[32];
        Arrays.fill(ed25519, (byte) seed);
        Arrays.fill(mlDsa65, (byte) (seed + 1));
        return SigningKey.decode(new ByteWriter(80)
                .uint8(1)
                .shortString(name)
                .bytes(ed25519)
                .bytes(mlDsa65)
                .toByteArray());
    }

    private static Path page() {
        Path folder = Path.of("").toAbsolutePath();
        while (Files.notExists(folder.resolve("docs/wire-format.md"))) {
            folder = folder.getParent();
        }
        return folder.resolve("docs/wire-format.md");
    }
}
