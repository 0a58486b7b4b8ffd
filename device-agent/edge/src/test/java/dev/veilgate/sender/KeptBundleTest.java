package dev.veilgate.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.files.LockFile;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.testing.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A bundle that is fetched: only of the pinned authority, never an older one, and there when the console is not. */
class KeptBundleTest {
    private static final Duration VALID = Duration.ofDays(30);
    private static final TenantKeys KEYS = keys("acme");
    private static final TenantKeys OTHERS = keys("acme");

    @TempDir
    Path folder;

    private final List<String> said = Collections.synchronizedList(new ArrayList<>());
    private BundleServer server;
    private Path kept;

    private static TenantKeys keys(String tenant) {
        Instant yesterday = Instant.now().minus(Duration.ofDays(1));
        return TenantKeys.generate(
                tenant, EpochPolicy.MONTHLY, ExtractorProfile.defaults().encode(), new SecureRandom(), yesterday);
    }

    private static byte[] next() {
        return KEYS.nextBundle(Instant.now(), VALID);
    }

    @BeforeEach
    void start() throws IOException {
        server = new BundleServer(FreePort.choose(), null); // it may go and come back
        server.bundle = next();
        kept = folder.resolve("state/bundle.vgb");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private KeptBundle once(String url, @Nullable Path authorities) throws IOException, CommandFailure {
        return KeptBundle.once(
                BundleLocation.parse(url),
                kept,
                authorities,
                KEYS.authority().fingerprint(),
                Clock.systemUTC(),
                said::add);
    }

    private KeptBundle once() throws IOException, CommandFailure {
        return once(server.url(), null);
    }

    private KeptBundle following() throws IOException, CommandFailure {
        return KeptBundle.following(
                BundleLocation.parse(server.url()),
                kept,
                new KeptBundle.Looking(Duration.ofMillis(50), null),
                KEYS.authority().fingerprint(),
                Clock.systemUTC(),
                said::add);
    }

    private void refuses(int code, String... says) {
        assertThatThrownBy(this::once).asInstanceOf(type(CommandFailure.class)).satisfies(failure -> {
            assertThat(failure.exitCode()).isEqualTo(code);
            assertThat(failure).hasMessageContainingAll(says);
        });
        assertThat(kept).doesNotExist();
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + 120_000_000_000L;
        while (!condition.call()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Test
    void isFetchedAndKept() throws Exception {
        try (KeptBundle bundle = once()) {
            assertThat(bundle.file()).isEqualTo(kept).hasBinaryContent(server.bundle);
            assertThat(bundle.problem()).isEmpty();
        }
    }

    @Test
    void anotherAuthoritysIsNotKept() {
        server.bundle = OTHERS.nextBundle(Instant.now(), VALID);
        refuses(ExitCode.REFUSED, "of another authority");
    }

    @Test
    void whatWasAlteredOrIsNoBundleIsNotKept() {
        server.bundle[server.bundle.length - 1] ^= 1;
        refuses(ExitCode.REFUSED, "altered");
        server.bundle = "<html>log in</html>".getBytes(StandardCharsets.UTF_8);
        refuses(ExitCode.REFUSED, "bundle");
    }

    @Test
    void anExpiredOneIsNotKept() {
        server.bundle = KEYS.nextBundle(Instant.now().minus(Duration.ofHours(2)), Duration.ofHours(1));
        refuses(ExitCode.REFUSED, "expired");
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 304, 404, 500})
    void anotherAnswerIsSaidAndNotFollowed(int status) {
        server.status = status;
        refuses(ExitCode.IO, "answered " + status + " instead of a bundle", "no bundle was kept before");
        assertThat(server.asked).hasValue(1);
    }

    @Test
    void lockedKeysAreSaid() {
        server.status = 423;
        refuses(ExitCode.IO, "the console's keys are locked");
    }

    @Test
    void tooManyBytesAreNotRead() {
        server.bundle = new byte[PublicBundle.MAX_BYTES + 1];
        refuses(ExitCode.IO, server.url());
    }

    @Test
    void whatWasKeptIsThereWhenTheConsoleIsNot() throws Exception {
        byte[] first = server.bundle;
        once().close();
        server.close();
        try (KeptBundle bundle = once()) {
            assertThat(bundle.file()).hasBinaryContent(first);
            assertThat(bundle.problem()).isEmpty();
        }
        assertThat(said).last().asString().contains("nobody answers there", "stays in use");
        Files.delete(kept);
        refuses(ExitCode.IO, "nobody answers there", "no bundle was kept before");
    }

    @Test
    void anOlderOneIsRefusedAlsoAfterARestart() throws Exception {
        byte[] old = server.bundle;
        byte[] fresh = server.bundle = next();
        once().close();
        server.bundle = old;
        try (KeptBundle bundle = once()) {
            assertThat(bundle.file()).hasBinaryContent(fresh);
            assertThat(bundle.problem()).contains("is refused", "was seen before");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aNewOneIsTakenAndAnOlderOneIsNot(boolean tags) throws Exception {
        server.tags = tags;
        byte[] old = server.bundle;
        try (KeptBundle bundle = following()) {
            await("some looks", () -> server.asked.get() > 3);
            assertThat(server.unchanged.get() > 0).isEqualTo(tags);
            byte[] fresh = server.bundle = next();
            await("the new one", () -> Arrays.equals(Files.readAllBytes(kept), fresh));
            server.bundle = old;
            await("the refusal", () -> bundle.problem().contains("was seen before"));
            assertThat(kept).hasBinaryContent(fresh);
            server.bundle = fresh;
            await("no problem", () -> bundle.problem().isEmpty());
        }
        await(
                "the end of its thread",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .map(Thread::getName)
                        .noneMatch("bundle"::equals));
    }

    @Test
    void goesOnWhenTheConsoleComesBack() throws Exception {
        try (KeptBundle bundle = following()) {
            int port = server.port();
            server.close();
            await("its absence", () -> List.copyOf(said).toString().contains("stays in use"));
            assertThat(bundle.problem()).isEmpty();
            byte[] fresh = next();
            server = new BundleServer(port, null);
            server.bundle = fresh;
            await("the new one", () -> Arrays.equals(Files.readAllBytes(kept), fresh));
        }
    }

    private void seldom() throws Exception {
        KeptBundle.seldom(
                        BundleLocation.parse(server.url()),
                        kept,
                        new KeptBundle.Looking(Duration.ofHours(1), null),
                        KEYS.authority().fingerprint(),
                        Clock.systemUTC(),
                        said::add)
                .close();
    }

    @Test
    void oneThatWasLookedAtIsNotLookedAtAgainForAWhile() throws Exception {
        seldom();
        seldom();
        assertThat(server.asked).hasValue(1);
        FileTime before = FileTime.from(Instant.now().minus(Duration.ofHours(2)));
        Files.setLastModifiedTime(kept, before);
        seldom(); // it is the same, and now known to be
        seldom();
        assertThat(server.asked).hasValue(2);
        Files.write(kept, KEYS.nextBundle(Instant.now().minus(Duration.ofHours(2)), Duration.ofHours(1)));
        server.bundle = next();
        seldom(); // it expired
        assertThat(server.asked).hasValue(3);
        assertThat(kept).hasBinaryContent(server.bundle);
    }

    @Test
    void anotherProcessThatWasQuickerIsNotSetBack() throws Exception {
        once().close();
        server.bundle = next();
        byte[] newest = next();
        CompletableFuture<Void> slow;
        try (LockFile _ =
                LockFile.tryLock(kept.resolveSibling("bundle.vgb.lock")).orElseThrow()) {
            slow = CompletableFuture.runAsync(() -> {
                try {
                    once().close();
                } catch (IOException | CommandFailure e) {
                    throw new CompletionException(e);
                }
            });
            await("the fetch", () -> server.asked.get() == 2);
            Files.write(kept, newest);
        }
        slow.join();
        assertThat(kept).hasBinaryContent(newest);
    }

    @Test
    void aDamagedKeptOneIsFetchedAgain() throws Exception {
        once().close();
        Files.writeString(kept, "damaged");
        once().close();
        assertThat(kept).hasBinaryContent(server.bundle);
    }

    @Test
    void aCertificateHasToBeTrusted() throws Exception {
        keytool("-genkeypair", "-keyalg", "EC", "-dname", "CN=localhost", "-ext", "SAN=DNS:localhost");
        keytool("-exportcert", "-rfc", "-file", folder.resolve("ca.pem").toString());
        try (BundleServer secure = new BundleServer(0, tls())) {
            secure.bundle = server.bundle;
            assertThatThrownBy(() -> once(secure.url(), null))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContainingAll("certificate is not trusted", "--bundle-ca");
            once(secure.url(), folder.resolve("ca.pem")).close();
            assertThat(kept).hasBinaryContent(server.bundle);
        }
    }

    private SSLContext tls() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(folder.resolve("keys.p12"))) {
            store.load(in, "secret".toCharArray());
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, "secret".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    private void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of(
                "-alias",
                "one",
                "-storepass",
                "secret",
                "-storetype",
                "PKCS12",
                "-keystore",
                folder.resolve("keys.p12").toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    @Test
    void isAFileAsBefore() throws Exception {
        Path own = Files.write(folder.resolve("own.vgb"), server.bundle);
        try (KeptBundle bundle = once(own.toString(), null)) {
            assertThat(bundle.file()).isEqualTo(own);
        }
        assertThat(kept).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://audit.example.org/bundle",
                "http://127.0.0.1.example.org/bundle",
                "ftp://audit.example.org/bundle",
                "https:///bundle",
                "https://ada:secret@audit.example.org/bundle",
                "https://audit.example.org/bundle?token=x",
                "https://audit.example.org/bundle#x"
            })
    void whatIsNoAddressForABundleIsRefused(String text) {
        assertThatThrownBy(() -> BundleLocation.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("https://audit.example.org/bundle")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://audit.example.org/bundle",
                "http://localhost:8090/bundle",
                "http://127.0.0.1:8090/bundle",
                "http://[::1]:8090/bundle"
            })
    void addressesAreTaken(String text) {
        assertThat(BundleLocation.parse(text)).isInstanceOf(BundleLocation.OfUrl.class);
    }
}
