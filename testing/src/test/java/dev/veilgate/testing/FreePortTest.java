package dev.veilgate.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FreePortTest {
    /** More than half of all: chosen without reservations, the second JVM would take hundreds of the same. */
    private static final int MANY = 2_000;

    @Test
    void portsChosenInTwoJvmsDiffer() throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Chooser.class.getName(),
                        Integer.toString(MANY))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var said = other.inputReader()) {
            Set<Integer> theirs = new HashSet<>();
            for (int i = 0; i < MANY; i++) {
                theirs.add(Integer.valueOf(said.readLine()));
            }
            Set<Integer> ours = new HashSet<>();
            for (int i = 0; i < MANY; i++) {
                ours.add(FreePort.choose());
            }
            assertThat(theirs).hasSize(MANY);
            assertThat(ours).hasSize(MANY).doesNotContainAnyElementsOf(theirs);
        } finally {
            other.getOutputStream().close();
            assertThat(other.waitFor(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    @Test
    void aPortThatAServerListensOnIsNotChosen() throws Exception {
        int port = FreePort.choose();
        try (ServerSocket server = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(FreePort.isFree(server.getLocalPort())).isFalse();
        }
        assertThat(FreePort.isFree(port)).isTrue();
    }

    /** Chooses as many ports as its argument says, prints them, and keeps them until its input ends. */
    static final class Chooser {
        public static void main(String[] arguments) throws Exception {
            for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
                System.out.println(FreePort.choose());
            }
            System.in.transferTo(System.err);
        }
    }
}
