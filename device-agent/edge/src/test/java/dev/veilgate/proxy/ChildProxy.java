package dev.veilgate.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code veilgate mail proxy} as a process of its own, and all that it prints. */
final class ChildProxy implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("listening on 127\\.0\\.0\\.1:(\\d+)");

    final Process process;
    final int port;
    private final StringBuffer output = new StringBuffer();
    private final Thread reader;

    ChildProxy(MailLab lab, int relayPort, Path spool, String heap, String... more) throws IOException {
        this(lab, lab.bundle.toString(), relayPort, spool, heap, false, more);
    }

    /**
     * @param bundle a file or an address
     * @param large whether mails are so large that the second compiler earns what it takes
     */
    ChildProxy(MailLab lab, String bundle, int relayPort, Path spool, String heap, boolean large, String... more)
            throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Xshare:auto",
                "--enable-native-access=ALL-UNNAMED")); // as the launcher says
        if (!large) {
            command.add("-XX:TieredStopAtLevel=1");
        }
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                "dev.veilgate.edge.Main",
                "mail",
                "proxy",
                "--bundle",
                bundle,
                "--authority",
                lab.fingerprint(),
                "--spool",
                spool.toString(),
                "--port",
                "0",
                "--smtp-url",
                "smtp://127.0.0.1:" + relayPort,
                "--signing-key",
                lab.signingKey.toString(),
                "--retry",
                "1 s"));
        command.addAll(List.of(more));
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        port = port(out);
        reader = Thread.ofPlatform().daemon().start(() -> drain(out));
    }

    private int port(BufferedReader out) throws IOException {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            output.append(line).append('\n');
            Matcher listening = LISTENING.matcher(line);
            if (listening.find()) {
                return Integer.parseInt(listening.group(1));
            }
        }
        throw new AssertionError("the proxy did not start: " + output);
    }

    private void drain(BufferedReader out) {
        try {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                output.append(line).append('\n');
            }
        } catch (IOException e) {
            // it ended
        }
    }

    /** What it printed so far. */
    String output() {
        return output.toString();
    }

    /** Ends it by SIGTERM; all that it printed. */
    String stopInGoodOrder() throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(143);
        reader.join();
        return output();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join(); // else it may hold its lock, or make a file, a moment longer
    }
}
