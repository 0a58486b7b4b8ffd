package dev.veilgate.application.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.testing.BrokenConnections;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Attacks on an HTTPS port by one address, while another one asks. Linux alone has all of 127.0.0.0/8 by itself. */
@EnabledOnOs(OS.LINUX)
@Timeout(300)
public abstract class ConnectionLimitContract {
    /** Most connections of an address. */
    protected static final int LIMIT = 16;

    /** Most connections that Tomcat takes. */
    protected static final int MOST = 64;

    /** Within which a header must be whole. */
    protected static final Duration HEADER = Duration.ofSeconds(5);

    /** An address without a limit, as it is a proxy that Tomcat trusts. */
    protected static final String PROXY = "127.0.0.9";

    private static final String ATTACKER = "127.0.0.2";
    private static final String OTHER = "127.0.0.3";

    /** Rules under which this machine is limited like any other. */
    protected static ConnectionRules rules() {
        return new ConnectionRules(LIMIT, HEADER, address -> false);
    }

    /** Port that is attacked. */
    protected abstract int port();

    /** Connections that are open there. */
    protected abstract HttpConnections connections();

    /** TLS of a client. */
    protected abstract SSLContext tls();

    private TestClient connect(String from) throws IOException {
        return TestClient.connect(from, port()).secure(tls().getSocketFactory());
    }

    /** How many connections were closed for a reason. */
    protected final double closed(String reason) {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        connections().bindTo(meters);
        return meters.get("veilgate.http.connections.closed")
                .tag("reason", reason)
                .functionCounter()
                .count();
    }

    /** Waits for a condition; the limit of time of the test is that of the wait. */
    protected static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Thread.sleep(20);
        }
    }

    /** Waits until nobody is connected: what is still there of another test would be counted. */
    @BeforeEach
    protected void awaitNobody() throws InterruptedException {
        await(() -> connections().size() == 0);
    }

    @Test
    void brokenConnectionsLeaveNoDescriptors() throws Exception {
        connect(OTHER).close();
        awaitNobody();
        System.gc();
        int before = BrokenConnections.descriptors();
        BrokenConnections.open(InetAddress.getByName(ATTACKER), port(), 10_000);
        assertThat(BrokenConnections.descriptorsBelow(before + 50)).isLessThan(before + 50);
        awaitNobody();
    }

    /** Attack: an address opens as many as the server takes, and keeps them open. */
    @Test
    void addressThatHoldsConnectionsOpenKeepsNobodyOut() throws Exception {
        double before = closed("displaced");
        List<TestClient> held = new ArrayList<>();
        try {
            for (int i = 0; i < MOST + LIMIT; i++) {
                TestClient client = TestClient.connect(ATTACKER, port());
                held.add(client);
                if (i % 2 == 0) {
                    client.send("\26\3\1"); // the beginning of a ClientHello
                }
            }
            try (TestClient other = connect(OTHER)) {
                assertThat(other.status("/none")).isPositive();
            }
            await(() -> closed("displaced") - before >= MOST);
            held.getFirst().requireClosed();
        } finally {
            for (TestClient client : held) {
                client.close();
            }
        }
    }

    /** Others behind the same address are let in, too. */
    @Test
    void sameAddressIsAnsweredWhileItHoldsItsConnectionsIdle() throws Exception {
        List<TestClient> idle = new ArrayList<>();
        try {
            for (int i = 0; i < LIMIT; i++) {
                TestClient client = connect(ATTACKER);
                idle.add(client);
                assertThat(client.status("/none")).isPositive();
            }
            try (TestClient next = connect(ATTACKER)) {
                assertThat(next.status("/none")).isPositive();
            }
            idle.getFirst().requireClosed();
            assertThat(idle.getLast().status("/none")).isPositive();
        } finally {
            for (TestClient client : idle) {
                client.close();
            }
        }
    }

    @Test
    void proxyThatTomcatTrustsIsNotCutOff() throws Exception {
        List<TestClient> all = new ArrayList<>();
        try {
            for (int i = 0; i < 2 * LIMIT; i++) {
                TestClient client = connect(PROXY);
                all.add(client);
                assertThat(client.status("/none")).isPositive();
            }
            for (TestClient client : all) {
                assertThat(client.status("/none")).isPositive();
            }
        } finally {
            for (TestClient client : all) {
                client.close();
            }
        }
    }

    @Test
    void headerThatComesByteByByteEnds() throws Exception {
        double before = closed("timeout");
        try (TestClient slow = connect(ATTACKER)) {
            slow.dripUntilClosed("GET / HTTP/1.1\r\nX: " + "x".repeat(100_000));
        }
        assertThat(closed("timeout")).isGreaterThan(before);
    }

    @Test
    void laterHeaderThatComesByteByByteEnds() throws Exception {
        try (TestClient slow = connect(ATTACKER)) {
            assertThat(slow.status("/none")).isPositive();
            slow.dripUntilClosed("GET / HTTP/1.1\r\nX: " + "x".repeat(100_000));
        }
    }

    @Test
    void handshakeThatComesByteByByteEnds() throws Exception {
        try (TestClient slow = TestClient.connect(ATTACKER, port())) {
            slow.dripUntilClosed("\26\3\1\2\0\1\0\1\177\3\3" + "x".repeat(300));
        }
    }
}
