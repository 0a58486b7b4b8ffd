package dev.veilgate.gateway.ingest.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.gateway.broker.Broker;
import dev.veilgate.gateway.broker.Brokers;
import dev.veilgate.testing.FreePort;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;

/** QoS 1 alone is taken: whoever publishes otherwise is never told that it was stored. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class QualityOfServiceTest {
    private static final int CONNACK = 2;
    private static final int PUBACK = 4;
    private static final int PUBREC = 5;
    private static final int DISCONNECT = 14;
    private static final int QOS_NOT_SUPPORTED = 0x9B;
    private static final String NAME = "press-1";

    private static final HeldIngestion INGESTION = new HeldIngestion();

    @TempDir
    private static Path folder;

    private static int port;
    private static Broker broker;

    @BeforeAll
    static void startBroker() {
        port = FreePort.choose();
        broker = Brokers.of(
                EmbeddedBrokerTest.settings(Map.of("embedded.listen", "127.0.0.1:" + port)),
                folder.resolve("mqtt"),
                new Devices(),
                new DefaultSslBundleRegistry(),
                Devices.TOPICS,
                new SimpleMeterRegistry());
        broker.start(new EnvelopeIntake(
                INGESTION, broker, Devices.TOPICS, "veilgate/dead-letter", new SimpleMeterRegistry()));
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void clear() {
        INGESTION.clear();
        INGESTION.answer = text -> HeldIngestion.durable();
    }

    /** A packet that came. */
    private record Packet(int type, byte[] body) {}

    /** A client that asks for what the broker has said that it does not take, as those of MQTT 3.1.1 and careless ones do. */
    private static final class Careless implements AutoCloseable {
        private final Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        private final DataInputStream in = new DataInputStream(socket.getInputStream());
        private final int version;

        /** Goes on in the session of an earlier one of the same version. */
        Careless(int version) throws IOException {
            this.version = version;
            socket.setSoTimeout(20_000);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeUTF("MQTT");
            out.writeByte(version);
            out.writeByte(0xC0); // user name and password; the session is kept
            out.writeShort(60);
            if (version == 5) {
                out.write(new byte[] {5, 0x11, 0, 0, 0x0E, 0x10}); // session expiry: an hour
            }
            for (String each : List.of("careless-" + version, NAME, Devices.password(NAME))) {
                out.writeUTF(each);
            }
            send(0x10, bytes.toByteArray());
            assertThat(next().type).isEqualTo(CONNACK);
        }

        void publish(int qos, int id, boolean again, String text) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeUTF(Device.topic(NAME));
            if (qos > 0) {
                out.writeShort(id);
            }
            if (version == 5) {
                out.writeByte(0);
            }
            out.write(text.getBytes(StandardCharsets.UTF_8));
            send(0x30 | (again ? 8 : 0) | qos << 1, bytes.toByteArray());
        }

        private void send(int head, byte[] body) throws IOException {
            assertThat(body.length).isLessThan(128);
            byte[] packet = new byte[body.length + 2];
            packet[0] = (byte) head;
            packet[1] = (byte) body.length;
            System.arraycopy(body, 0, packet, 2, body.length);
            socket.getOutputStream().write(packet);
        }

        Packet next() throws IOException {
            int head = in.readUnsignedByte();
            byte[] body = new byte[in.readUnsignedByte()];
            in.readFully(body);
            return new Packet(head >> 4, body);
        }

        /** All that comes until the other side closes. */
        List<Packet> rest() throws IOException {
            List<Packet> packets = new ArrayList<>();
            try {
                while (true) {
                    packets.add(next());
                }
            } catch (EOFException | SocketException e) {
                return packets;
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void closesTheConnectionOfWhoeverPublishesWithQos2AndStoresNothing() throws Exception {
        long before = broker.refused(2);
        for (boolean again : new boolean[] {false, true, true, false}) { // HiveMQ answers a repetition without asking
            try (Careless client = new Careless(5)) {
                client.publish(2, 7, again, "twice");
                List<Packet> packets = client.rest();
                assertThat(packets).extracting(Packet::type).containsExactly(DISCONNECT);
                assertThat(packets.getFirst().body[0] & 0xFF).isEqualTo(QOS_NOT_SUPPORTED);
            }
        }
        assertThat(broker.refused(2) - before).isEqualTo(4);
        assertThat(INGESTION.submitted()).doesNotContain("twice");
        try (Careless client = new Careless(5)) {
            client.publish(1, 8, false, "once");
            assertThat(client.next().type).isEqualTo(PUBACK);
        }
        assertThat(INGESTION.submitted()).contains("once");
    }

    @Test
    void soDoesMqtt311WhichKnowsNoReasons() throws Exception {
        for (boolean again : new boolean[] {false, true, true}) {
            try (Careless client = new Careless(4)) {
                client.publish(2, 7, again, "twice");
                assertThat(client.rest()).isEmpty();
            }
        }
        assertThat(INGESTION.submitted()).doesNotContain("twice");
    }

    /** Many at once, among good ones: each that is not stored is not acknowledged. */
    @Test
    void acknowledgesNothingThatIsNotStored() throws Exception {
        for (int round = 0; round < 20; round++) {
            try (Careless client = new Careless(5)) {
                for (int i = 1; i <= 10; i++) {
                    client.publish(i % 2 == 0 ? 2 : 1, i, round > 0, "number " + i);
                }
                assertThat(client.rest()).extracting(Packet::type).doesNotContain(PUBREC);
            } catch (SocketException e) {
                // closed while it still wrote
            }
        }
        for (int i = 2; i <= 10; i += 2) {
            assertThat(INGESTION.submitted()).doesNotContain("number " + i);
        }
    }

    @Test
    void saysNoSuccessToMosquitto() throws Exception {
        for (int i = 0; i < 3; i++) {
            Process process = new ProcessBuilder(
                            "mosquitto_pub",
                            "-V",
                            "mqttv311",
                            "-h",
                            "127.0.0.1",
                            "-p",
                            String.valueOf(port),
                            "-u",
                            NAME,
                            "-P",
                            Devices.password(NAME),
                            "-c",
                            "-i",
                            "mosquitto",
                            "-q",
                            "2",
                            "-t",
                            Device.topic(NAME),
                            "-m",
                            "from mosquitto")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            boolean ended = process.waitFor(10, TimeUnit.SECONDS);
            if (ended) {
                assertThat(process.exitValue()).isNotZero();
            } else {
                process.destroyForcibly().waitFor(); // it tries again for ever
            }
        }
        assertThat(broker.refused(2)).isPositive();
        assertThat(INGESTION.submitted()).doesNotContain("from mosquitto");
    }

    @Test
    void countsWhatComesWithQos0() throws Exception {
        long before = broker.refused(0);
        try (Careless client = new Careless(5)) {
            client.publish(0, 0, false, "never answered");
            client.publish(0, 0, false, "nor this");
            client.publish(1, 9, false, "once");
            assertThat(client.next().type).isEqualTo(PUBACK);
        }
        assertThat(broker.refused(0) - before).isEqualTo(2);
        assertThat(INGESTION.submitted()).contains("once").doesNotContain("never answered", "nor this");
    }
}
