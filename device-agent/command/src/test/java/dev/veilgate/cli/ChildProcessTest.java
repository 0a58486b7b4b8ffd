package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process of its own: exit status, pipes, and that no secret comes out of it. */
class ChildProcessTest {
    private static final String PASSPHRASE = "correct horse battery";

    @TempDir
    private Path temporary;

    private final List<byte[]> outputs = new ArrayList<>();

    private record Ended(int code, byte[] out, String err) {}

    private Ended run(byte[] input, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(temporary.toFile());
        builder.environment().put("VEILGATE_PASSPHRASE", PASSPHRASE);
        Process process = builder.start();
        // not in the common pool, which has one thread on two cores
        CompletableFuture<byte[]> out =
                CompletableFuture.supplyAsync(() -> read(process.getInputStream()), Thread::startVirtualThread);
        CompletableFuture<byte[]> err =
                CompletableFuture.supplyAsync(() -> read(process.getErrorStream()), Thread::startVirtualThread);
        try (var in = process.getOutputStream()) {
            new ByteArrayInputStream(input).transferTo(in);
        }
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        outputs.add(out.get());
        outputs.add(err.get());
        return new Ended(process.exitValue(), out.get(), new String(err.get(), StandardCharsets.UTF_8));
    }

    private static byte[] read(InputStream in) {
        try (in) {
            return in.readAllBytes();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void pipesExitCodesAndSecrets() throws Exception {
        byte[] none = new byte[0];
        Ended init = run(none, "--debug", "keys", "init", "--tenant", "acme", "--memory", "8");
        assertThat(init.code()).as(init.err()).isZero();
        String authority = new String(init.out(), StandardCharsets.UTF_8).split("authority ")[1].strip();
        Ended identity = run(none, "identity", "init", "id", "--sender", "press-4");
        assertThat(run(identity.out(), "keys", "add-sender", "-").code()).isZero();
        byte[] bundle = run(none, "keys", "bundle").out();
        Files.write(temporary.resolve("b"), bundle);
        byte[] lines = "one overheat\ntwo\n".getBytes(StandardCharsets.UTF_8);
        Ended sealed =
                run(lines, "seal", "--bundle", "b", "--authority", authority, "--identity", "id", "--scope", "plant-7");
        assertThat(sealed.code()).as(sealed.err()).isZero();
        assertThat(run(sealed.out(), "open").out()).isEqualTo(lines);
        assertThat(run(sealed.out(), "search", "--scope", "plant-7", "overheat").out())
                .isEqualTo("one overheat\n".getBytes(StandardCharsets.UTF_8));
        assertThat(run(sealed.out(), "search", "--scope", "plant-7", "cold").code())
                .isEqualTo(1);
        assertThat(run(none, "nonsense").code()).isEqualTo(2);
        assertThat(run(lines, "--debug", "open").code()).isEqualTo(3);
        assertThat(run(none, "open", "absent").code()).isEqualTo(4);
        assertThat(run(none, "keys", "show", "--keys", "absent").code()).isEqualTo(5);
        run(none, "keys", "show", "--json");
        noOutputHolds(PASSPHRASE.getBytes(StandardCharsets.UTF_8));
        byte[] file = Files.readAllBytes(temporary.resolve("id"));
        byte[] seeds = Arrays.copyOfRange(file, file.length - 64, file.length);
        for (int at = 0; at < 64; at += 32) {
            byte[] seed = Arrays.copyOfRange(seeds, at, at + 32);
            noOutputHolds(seed);
            noOutputHolds(HexFormat.of().formatHex(seed).getBytes(StandardCharsets.US_ASCII));
            String base64 = Base64.getEncoder().encodeToString(seed);
            noOutputHolds(base64.substring(4, 36).getBytes(StandardCharsets.US_ASCII));
        }
    }

    private void noOutputHolds(byte[] secret) {
        for (byte[] output : outputs) {
            assertThat(new String(output, StandardCharsets.ISO_8859_1))
                    .doesNotContain(new String(secret, StandardCharsets.ISO_8859_1));
        }
    }
}
