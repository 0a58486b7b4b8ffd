package dev.veilgate.pq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.Security;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The platform's libraries and liboqs against each other. */
class PostQuantumTest {
    private static final Path LIBRARY = TestLiboqs.LIBRARY;

    private static PostQuantumProvider liboqs;

    @TempDir
    private Path folder;

    @BeforeAll
    static void load() throws UnfitLibraryException {
        liboqs = TestLiboqs.load();
    }

    static Stream<Arguments> kems() {
        PostQuantumProvider platform = PostQuantum.platform();
        return Stream.of(
                Arguments.of(platform.mlKem768(), liboqs.mlKem768(), 2000),
                Arguments.of(platform.frodoKem976(), liboqs.frodoKem976(), 40));
    }

    @ParameterizedTest
    @MethodSource("kems")
    void bothGiveTheSameBytesForTheSameSeedAndCoins(Kem platform, Kem library, int rounds) {
        Random random = new Random(39);
        for (int round = 0; round < rounds; round++) {
            byte[] seed = bytes(random, platform.parameters().seedBytes());
            byte[] coins = bytes(random, platform.parameters().coinsBytes());
            try (DecapsulationKey one = platform.key(seed);
                    DecapsulationKey two = library.key(seed)) {
                assertThat(two.publicKey())
                        .isEqualTo(one.publicKey())
                        .hasSize(platform.parameters().publicKeyBytes());
                EncapsulatedSecret here = platform.encapsulate(one.publicKey(), coins);
                EncapsulatedSecret there = library.encapsulate(one.publicKey(), coins);
                assertThat(there.ciphertext())
                        .isEqualTo(here.ciphertext())
                        .hasSize(library.parameters().ciphertextBytes());
                assertThat(there.secret())
                        .isEqualTo(here.secret())
                        .hasSize(library.parameters().secretBytes());
                assertThat(one.decapsulate(there.ciphertext())).isEqualTo(here.secret());
                assertThat(two.decapsulate(here.ciphertext())).isEqualTo(here.secret());
                byte[] changed = here.ciphertext();
                changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
                assertThat(two.decapsulate(changed))
                        .isEqualTo(one.decapsulate(changed))
                        .isNotEqualTo(here.secret());
            }
        }
    }

    @Test
    void eachVerifiesWhatTheOtherSigned() {
        SignatureScheme platform = PostQuantum.platform().mlDsa65();
        SignatureScheme library = liboqs.mlDsa65();
        Random random = new Random(39);
        SecureRandom mixed = new SecureRandom();
        for (int round = 0; round < 500; round++) {
            byte[] seed = bytes(random, 32);
            byte[] message = bytes(random, random.nextInt(1000));
            try (SignatureSecretKey one = platform.key(seed);
                    SignatureSecretKey two = library.key(seed)) {
                assertThat(two.publicKey()).isEqualTo(one.publicKey());
                SignaturePublicKey oneVerifies = platform.publicKey(one.publicKey());
                SignaturePublicKey twoVerifies = library.publicKey(one.publicKey());
                for (byte[] signature : List.of(one.sign(message, mixed), two.sign(message, mixed))) {
                    assertThat(oneVerifies.verify(message, signature)).isTrue();
                    assertThat(twoVerifies.verify(message, signature)).isTrue();
                    signature[random.nextInt(signature.length)] ^= (byte) (1 << random.nextInt(8));
                    assertThat(twoVerifies.verify(message, signature)).isFalse();
                    assertThat(oneVerifies.verify(message, signature)).isFalse();
                }
            }
        }
    }

    @Test
    void signaturesOfBothAreTheSameForTheSameRandomBytes() {
        byte[] seed = bytes(new Random(1), 32);
        byte[] message = {1, 2, 3};
        try (SignatureSecretKey one = PostQuantum.platform().mlDsa65().key(seed);
                SignatureSecretKey two = liboqs.mlDsa65().key(seed)) {
            assertThat(two.sign(message, new GivenBytes(new byte[32])))
                    .isEqualTo(one.sign(message, new GivenBytes(new byte[32])));
        }
    }

    @Test
    void signaturesOfOtherLengthsAreFalse() {
        try (SignatureSecretKey key = liboqs.mlDsa65().key(new byte[32])) {
            SignaturePublicKey verifier = liboqs.mlDsa65().publicKey(key.publicKey());
            assertThat(verifier.verify(new byte[1], new byte[0])).isFalse();
            assertThat(verifier.verify(new byte[1], new byte[3308])).isFalse();
            assertThat(verifier.verify(new byte[1], new byte[3310])).isFalse();
            assertThat(verifier.verify(new byte[0], new byte[3309])).isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("kems")
    void wrongLengthsAreRefused(Kem platform, Kem library) {
        for (Kem kem : List.of(platform, library)) {
            assertThatThrownBy(() -> kem.key(new byte[kem.parameters().seedBytes() - 1]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("bytes, not");
            assertThatThrownBy(
                            () -> kem.checkPublicKey(new byte[kem.parameters().publicKeyBytes() + 1]))
                    .isInstanceOf(IllegalArgumentException.class);
            try (DecapsulationKey key = kem.key(new byte[kem.parameters().seedBytes()])) {
                assertThatThrownBy(() -> kem.encapsulate(
                                key.publicKey(), new byte[kem.parameters().coinsBytes() + 1]))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(
                                () -> key.decapsulate(new byte[kem.parameters().ciphertextBytes() - 1]))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void publicKeysOfMlKemThatAreNotReducedAreRefused() {
        byte[] publicKey = new byte[1184];
        publicKey[0] = (byte) 0x01;
        publicKey[1] = (byte) 0x0d; // 3329
        byte[] last = new byte[1184];
        last[1150] = (byte) 0xf0;
        last[1151] = (byte) 0xff; // 4095
        for (Kem kem : List.of(PostQuantum.platform().mlKem768(), liboqs.mlKem768())) {
            for (byte[] unreduced : List.of(publicKey, last)) {
                assertThatThrownBy(() -> kem.checkPublicKey(unreduced)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> kem.encapsulate(unreduced, new byte[32]))
                        .isInstanceOf(IllegalArgumentException.class);
            }
            assertThat(kem.encapsulate(new byte[1184], new byte[32]).ciphertext())
                    .as("the next call has its own coins")
                    .isEqualTo(PostQuantum.platform()
                            .mlKem768()
                            .encapsulate(new byte[1184], new byte[32])
                            .ciphertext());
        }
    }

    /** Coins belong to a call, not to the library: calls of several threads at once give what each alone gives. */
    @Test
    void threadsDoNotTakeEachOthersCoins() {
        Kem kem = liboqs.mlKem768();
        byte[] publicKey;
        try (DecapsulationKey key = kem.key(new byte[64])) {
            publicKey = key.publicKey();
        }
        List<Boolean> same = IntStream.range(0, 4000)
                .parallel()
                .mapToObj(i -> {
                    byte[] coins = bytes(new Random(i), 32);
                    return MessageDigest.isEqual(
                            kem.encapsulate(publicKey, coins).secret(),
                            PostQuantum.platform()
                                    .mlKem768()
                                    .encapsulate(publicKey, coins)
                                    .secret());
                })
                .distinct()
                .toList();
        assertThat(same).containsExactly(true);
    }

    @ParameterizedTest
    @MethodSource("kems")
    void closedKeysDecapsulateNothing(Kem platform, Kem library) {
        for (Kem kem : List.of(platform, library)) {
            DecapsulationKey key = kem.key(bytes(new Random(2), kem.parameters().seedBytes()));
            byte[] ciphertext = kem.encapsulate(
                            key.publicKey(), new byte[kem.parameters().coinsBytes()])
                    .ciphertext();
            assertThat(key.decapsulate(ciphertext)).hasSize(kem.parameters().secretBytes());
            key.close();
            key.close();
            assertThatThrownBy(() -> key.decapsulate(ciphertext)).isInstanceOf(IllegalStateException.class);
            assertThat(key).hasToString(kem.parameters().name() + "[hidden]");
        }
    }

    @Test
    void closedKeysSignNothing() {
        for (SignatureScheme scheme : List.of(PostQuantum.platform().mlDsa65(), liboqs.mlDsa65())) {
            SignatureSecretKey key = scheme.key(bytes(new Random(2), 32));
            key.close();
            key.close();
            assertThatThrownBy(() -> key.sign(new byte[1], new SecureRandom()))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(key).hasToString("ML-DSA-65[hidden]");
        }
    }

    /** Erased bytes are a key too, one that everybody has: what it decapsulates must not come out. */
    @ParameterizedTest
    @MethodSource("kems")
    void whatAKeyComputesWhileItIsClosedIsRightOrRefused(Kem platform, Kem library) throws Exception {
        for (Kem kem : List.of(platform, library)) {
            for (int round = 0; round < 20; round++) {
                DecapsulationKey key =
                        kem.key(bytes(new Random(round), kem.parameters().seedBytes()));
                EncapsulatedSecret honest = kem.encapsulate(
                        key.publicKey(), new byte[kem.parameters().coinsBytes()]);
                CountDownLatch computing = new CountDownLatch(1);
                Thread closer = Thread.ofPlatform().start(() -> {
                    try {
                        computing.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    key.close();
                });
                boolean closed = false;
                long end = System.nanoTime() + 10_000_000_000L;
                while (!closed) {
                    assertThat(System.nanoTime())
                            .as("calls after it was closed")
                            .isLessThan(end);
                    try {
                        byte[] secret = key.decapsulate(honest.ciphertext());
                        assertThat(secret).isEqualTo(honest.secret());
                        computing.countDown();
                    } catch (IllegalStateException e) {
                        closed = true;
                    }
                }
                closer.join();
            }
        }
    }

    @Test
    void keysOfARuntimeWithAnotherEncodingAreTheSame() {
        byte[] seed = bytes(new Random(3), 64);
        assertThat(PlatformMlKem768.expand(seed, new byte[2400]))
                .as("keys of this runtime are taken")
                .isTrue();
        byte[] expected;
        try (DecapsulationKey key = PostQuantum.platform().mlKem768().key(seed)) {
            expected = key.publicKey();
        }
        Security.insertProviderAt(new BouncyCastleProvider(), 1);
        try {
            assertThat(PlatformMlKem768.expand(seed, new byte[2400])).isFalse();
            try (DecapsulationKey key = PostQuantum.platform().mlKem768().key(seed)) {
                assertThat(key.publicKey()).isEqualTo(expected);
            }
        } finally {
            Security.removeProvider(BouncyCastleProvider.PROVIDER_NAME);
        }
    }

    /** Nobody checks keys before liboqs does. */
    @Test
    void aLibraryThatTakesUnreducedKeysIsRefused() {
        Kem careless = new Kem() {
            private final Kem kem = PostQuantum.platform().mlKem768();

            @Override
            public KemParameters parameters() {
                return kem.parameters();
            }

            @Override
            public DecapsulationKey key(byte[] seed) {
                return kem.key(seed);
            }

            @Override
            public void checkPublicKey(byte[] publicKey) {
                kem.checkPublicKey(publicKey);
            }

            @Override
            public EncapsulatedSecret encapsulate(byte[] publicKey, byte[] coins) {
                try {
                    return kem.encapsulate(publicKey, coins);
                } catch (IllegalArgumentException e) {
                    return new EncapsulatedSecret(new byte[32], new byte[1088]);
                }
            }
        };
        PostQuantumProvider library = new PostQuantumProvider() {
            @Override
            public String name() {
                return "native";
            }

            @Override
            public String description() {
                return "careless";
            }

            @Override
            public Kem mlKem768() {
                return careless;
            }

            @Override
            public Kem frodoKem976() {
                return liboqs.frodoKem976();
            }

            @Override
            public SignatureScheme mlDsa65() {
                return liboqs.mlDsa65();
            }

            @Override
            public SignatureScheme slhDsaSha2128f() {
                return liboqs.slhDsaSha2128f();
            }
        };
        Path file = Path.of("careless.so");
        assertThatThrownBy(() -> Agreement.check(file, library, PostQuantum.platform()))
                .isInstanceOf(UnfitLibraryException.class)
                .hasMessage("careless.so, careless: ML-KEM-768 takes public keys whose numbers are not reduced");
    }

    @Test
    void whatIsNoLibraryIsRefused() throws Exception {
        assertThatThrownBy(() -> Liboqs.load(folder.resolve("absent.so")))
                .isInstanceOf(UnfitLibraryException.class)
                .hasMessageContaining("there is no file");
        Path text = Files.writeString(folder.resolve("text.so"), "not a library");
        assertThatThrownBy(() -> Liboqs.load(text))
                .isInstanceOf(UnfitLibraryException.class)
                .hasMessageContaining("cannot be loaded");
        Path other = Stream.of(
                        "/lib/x86_64-linux-gnu/libz.so.1", "/lib/aarch64-linux-gnu/libz.so.1", "/usr/lib/libz.so.1")
                .map(Path::of)
                .filter(Files::exists)
                .findFirst()
                .orElseThrow();
        assertThatThrownBy(() -> Liboqs.load(other))
                .isInstanceOf(UnfitLibraryException.class)
                .hasMessageContaining("is no liboqs");
    }

    @Test
    void aVersionThatDoesNotEndIsRefused() throws Exception {
        byte[] version = new byte[64];
        Arrays.fill(version, (byte) '1');
        assertThatThrownBy(() -> Liboqs.text(MemorySegment.ofArray(version)))
                .isInstanceOf(UnfitLibraryException.class)
                .hasMessage("it is no liboqs: its version does not end");
        version[6] = 0;
        assertThat(Liboqs.text(MemorySegment.ofArray(version))).isEqualTo("111111");
    }

    @Test
    void aFileThatWasChangedSinceItWasInstalledIsRefused() throws Exception {
        byte[] library = Files.readAllBytes(LIBRARY);
        Path copy = Files.write(folder.resolve("liboqs.so"), library);
        Files.writeString(
                folder.resolve("liboqs.so.sha256"),
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(library)) + "  liboqs.so\n");
        assertThat(Liboqs.load(copy).description()).contains("liboqs 0.13.0");
        library[library.length / 2] ^= 1;
        Files.write(Files.createDirectory(folder.resolve("changed")).resolve("liboqs.so"), library);
        Files.copy(folder.resolve("liboqs.so.sha256"), folder.resolve("changed/liboqs.so.sha256"));
        assertThatThrownBy(() -> Liboqs.load(folder.resolve("changed/liboqs.so")))
                .isInstanceOf(UnfitLibraryException.class)
                .hasMessageContaining("is not the file that was installed");
    }

    @Test
    void neitherALibraryNorASumOfAnySizeNeedsMemory() throws Exception {
        Path library = Files.copy(LIBRARY, folder.resolve("liboqs.so"));
        Path sum = folder.resolve("liboqs.so.sha256");
        makeHuge(sum);
        assertThatThrownBy(() -> Liboqs.load(library))
                .isInstanceOf(UnfitLibraryException.class)
                .hasMessageContaining("is not the file that was installed");
        Files.writeString(sum, "0".repeat(64));
        makeHuge(library);
        assertThatThrownBy(() -> Liboqs.load(library))
                .isInstanceOf(UnfitLibraryException.class)
                .hasMessageContaining("is not the file that was installed");
    }

    @Test
    void aSumThatIsNoFileIsRefusedAndNotWaitedFor() throws Exception {
        Path library = Files.copy(LIBRARY, folder.resolve("liboqs.so"));
        Path sum = folder.resolve("liboqs.so.sha256");
        assertThat(new ProcessBuilder("mkfifo", sum.toString()).start().waitFor())
                .isZero();
        assertTimeoutPreemptively(
                Duration.ofMinutes(1),
                () -> assertThatThrownBy(() -> Liboqs.load(library))
                        .isInstanceOf(UnfitLibraryException.class)
                        .hasMessage(sum + " is no file; it must hold the SHA-256 of " + library));
    }

    /** More than a Java array holds; on disk it takes nothing. */
    private static void makeHuge(Path file) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(3L << 30);
        }
    }

    private static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
