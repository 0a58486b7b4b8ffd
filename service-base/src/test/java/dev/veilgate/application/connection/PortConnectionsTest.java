package dev.veilgate.application.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.veilgate.application.connection.OpenConnection.Phase;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which connection the limit closes, and whom it counts. */
class PortConnectionsTest {
    private static final int LIMIT = 3;
    private static final Duration HEADER = Duration.ofSeconds(20);

    private final List<SocketChannel> channels = new ArrayList<>();
    private final PortConnections port =
            new PortConnections(ConnectionRules.of(LIMIT, HEADER, List.of("198.51.100.0/24", "2001:db8:9::1")));
    private Optional<SocketChannel> closed = Optional.empty();
    private long nanos;

    @AfterEach
    void close() throws Exception {
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }

    private SocketChannel add(InetAddress from) throws Exception {
        SocketChannel channel = SocketChannel.open();
        channels.add(channel);
        closed = port.add(channel, new InetSocketAddress(from, 40_000), nanos++);
        return channel;
    }

    private SocketChannel add(String from) throws Exception {
        return add(InetAddress.ofLiteral(from));
    }

    private OpenConnection get(SocketChannel channel) {
        return Objects.requireNonNull(port.get(channel));
    }

    private void answer(SocketChannel channel) {
        assertThat(get(channel).take()).isTrue();
        get(channel).serve();
        get(channel).giveBack(Phase.IDLE, nanos++);
    }

    private void begin(SocketChannel channel) {
        assertThat(get(channel).take()).isTrue();
        get(channel).serve();
    }

    @Test
    void closesTheOldestWithoutARequestBeforeIdleOnes() throws Exception {
        SocketChannel idle = add("192.0.2.1");
        answer(idle);
        SocketChannel oldest = add("192.0.2.1");
        SocketChannel younger = add("192.0.2.1");
        add("192.0.2.1");
        assertThat(closed).contains(oldest);
        assertThat(get(oldest).take()).as("takes a request").isFalse();
        add("192.0.2.1");
        assertThat(closed).contains(younger);
    }

    @Test
    void closesTheOneThatIsIdleForLongest() throws Exception {
        SocketChannel first = add("192.0.2.1");
        SocketChannel second = add("192.0.2.1");
        SocketChannel third = add("192.0.2.1");
        answer(third);
        answer(first);
        begin(second);
        add("192.0.2.1");
        assertThat(closed).contains(third);
    }

    @Test
    void refusesTheNewOneWhereAllAreInARequest() throws Exception {
        for (int i = 0; i < LIMIT; i++) {
            begin(add("192.0.2.1"));
        }
        SocketChannel refused = add("192.0.2.1");
        assertThat(closed).contains(refused);
        assertThat(port.get(refused)).isNull();
        add("192.0.2.2");
        assertThat(closed).isEmpty();
    }

    @Test
    void countsAllOf64BitsAsOne() throws Exception {
        SocketChannel first = add("2001:db8:1:2::1");
        add("2001:db8:1:2:ffff::2");
        add("2001:db8:1:2::3");
        add("2001:db8:1:3::1");
        assertThat(closed).isEmpty();
        add("2001:db8:1:2::4");
        assertThat(closed).contains(first);
    }

    @Test
    void countsAMappedAddressAsThatOfIpv4() throws Exception {
        byte[] mapped = InetAddress.ofLiteral("::1").getAddress();
        mapped[10] = -1;
        mapped[11] = -1;
        mapped[12] = (byte) 192;
        mapped[13] = 0;
        mapped[14] = 2;
        SocketChannel first = add("192.0.2.1");
        add(InetAddress.getByAddress(mapped));
        add("192.0.2.1");
        add("192.0.2.9");
        assertThat(closed).isEmpty();
        add(InetAddress.ofLiteral("::ffff:192.0.2.1"));
        assertThat(closed).contains(first);
    }

    @Test
    void limitsNeitherThisMachineNorProxies() throws Exception {
        for (String address : new String[] {"127.0.0.1", "127.9.9.9", "::1", "198.51.100.77", "2001:db8:9::1"}) {
            for (int i = 0; i < 3 * LIMIT; i++) {
                add(address);
                assertThat(closed).as(address).isEmpty();
            }
        }
        assertThat(port.clients()).isZero();
        assertThat(port.size()).isEqualTo(15 * LIMIT);
    }

    @Test
    void headerMustBeWholeInTime() throws Exception {
        SocketChannel slow = add("192.0.2.1");
        SocketChannel idle = add("192.0.2.2");
        SocketChannel busy = add("192.0.2.3");
        answer(idle);
        begin(busy);
        for (int i = 0; i < 10; i++) { // its bytes do not begin the time anew
            nanos += HEADER.toNanos() / 11;
            assertThat(get(slow).take()).isTrue();
            get(slow).giveBack(i % 2 == 0 ? Phase.UNFINISHED : Phase.IDLE, nanos);
            assertThat(port.endOverdue(nanos)).isEmpty();
        }
        nanos += HEADER.toNanos();
        assertThat(port.endOverdue(nanos)).containsExactly(slow);
        assertThat(port.endOverdue(nanos)).isEmpty();
        get(idle).take();
        get(idle).giveBack(Phase.UNFINISHED, nanos); // the first bytes of its next header
        assertThat(port.endOverdue(nanos + HEADER.toNanos() - 1)).isEmpty();
        assertThat(port.endOverdue(nanos + HEADER.toNanos())).containsExactly(idle);
    }

    @Test
    void whoHasGoneIsNotCounted() throws Exception {
        SocketChannel first = add("192.0.2.1");
        add("192.0.2.1");
        add("192.0.2.1");
        port.remove(first);
        port.remove(first);
        add("192.0.2.1");
        assertThat(closed).isEmpty();
        channels.forEach(port::remove);
        assertThat(port.clients()).isZero();
        assertThat(port.size()).isZero();
    }

    @Test
    void proxiesAreAddressesOrNetworks() {
        for (String wrong : new String[] {"proxy.example.org", "192.0.2.0/33", "192.0.2", "", "192.0.2.1/x"}) {
            assertThatIllegalArgumentException()
                    .as(wrong)
                    .isThrownBy(() -> ConnectionRules.of(LIMIT, HEADER, List.of(wrong)))
                    .withMessageStartingWith("veilgate.http.proxies");
        }
    }
}
