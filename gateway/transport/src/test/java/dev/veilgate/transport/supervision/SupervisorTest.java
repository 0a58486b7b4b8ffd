package dev.veilgate.transport.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Messages of a service as a program in Python, which has sockets of this kind, hears them. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SupervisorTest {
    private static final String LISTEN = """
            import socket, sys
            s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            name = sys.argv[1]
            s.bind("\\0" + name[1:] if name[0] == "@" else name)
            print("listens", flush=True)
            if len(sys.argv) > 2:
                sys.stdin.readline()
            while True:
                print(s.recv(65536).decode().replace("\\n", "|"), flush=True)
            """;

    @TempDir
    private Path folder;

    private final List<String> said = new ArrayList<>();
    private Process listener;

    private BufferedReader listen(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("python3", "-c", LISTEN));
        command.addAll(List.of(arguments));
        listener = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader heard = listener.inputReader();
        assertThat(heard.readLine()).isEqualTo("listens");
        return heard;
    }

    @AfterEach
    void end() {
        if (listener != null) {
            listener.destroyForcibly();
        }
    }

    @Test
    void tellsThatItStartsIsReadyAndStops() throws Exception {
        String name = folder.resolve("notify").toString();
        BufferedReader heard = listen(name);
        Supervisor supervisor = Supervisor.of(name, said::add);
        supervisor.starting();
        assertThat(heard.readLine()).matches("EXTEND_TIMEOUT_USEC=120000000\\|STATUS=starts, with \\d+ s .*");
        supervisor.ready();
        assertThat(heard.readLine()).isEqualTo("READY=1|STATUS=ready");
        supervisor.stopping(Duration.ofSeconds(8));
        assertThat(heard.readLine()).isEqualTo("STOPPING=1|STATUS=stops|EXTEND_TIMEOUT_USEC=16000000");
        assertThat(said).isEmpty();
    }

    @Test
    void findsASocketWithoutAPath() throws Exception {
        String name = "@veilgate-test-" + ProcessHandle.current().pid();
        BufferedReader heard = listen(name);
        Supervisor.of(name, said::add).ready();
        assertThat(heard.readLine()).startsWith("READY=1");
    }

    /** systemd is behind, as while a machine starts: a message that is not taken now must not be the last. */
    @Test
    void isHeardAgainByWhoDidNotListenForATime() throws Exception {
        String name = folder.resolve("notify").toString();
        BufferedReader heard = listen(name, "later");
        Supervisor supervisor = Supervisor.of(name, said::add);
        for (int i = 0; i < 2_000 && said.isEmpty(); i++) {
            supervisor.failed("message " + i);
        }
        assertThat(said).singleElement().asString().contains("systemd is not told");
        Thread later = Thread.ofPlatform().start(() -> {
            try (var in = listener.outputWriter()) {
                Thread.sleep(500); // while it is ready already
                in.write("go on\n");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        supervisor.ready();
        later.join();
        supervisor.stopping(Duration.ofSeconds(8));
        assertThat(heard.lines().takeWhile(line -> !line.startsWith("STOPPING=1")))
                .contains("READY=1|STATUS=ready");
        assertThat(said).hasSize(1);
    }

    @Test
    void saysOnceThatNobodyListensAndGoesOn() {
        Supervisor supervisor = Supervisor.of(folder.resolve("nobody").toString(), said::add);
        supervisor.ready();
        supervisor.stopping(Duration.ofSeconds(8));
        assertThat(said)
                .containsExactly("systemd is not told how this service is: nobody takes messages at NOTIFY_SOCKET");
    }

    @Test
    void refusesNamesThatNoSocketHas() {
        for (String wrong : List.of("relative", "/" + "x".repeat(107), "@", "vsock:2:9999")) {
            said.clear();
            Supervisor.of(wrong, said::add).ready();
            assertThat(said).as(wrong).singleElement().asString().contains("NOTIFY_SOCKET is neither");
        }
    }

    @Test
    void saysNothingWhereNobodyAsks() {
        Supervisor.of(null, said::add).ready();
        Supervisor.of("", said::add).starting();
        assertThat(said).isEmpty();
    }
}
