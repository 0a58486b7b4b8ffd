package dev.veilgate.benchmarks.gateway;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** Publishes envelopes by MQTT 5 with QoS 1 over one connection, a window of them before the first is acknowledged. */
public final class MqttEnvelopes implements EnvelopeConnection {
    private static final int CONNECT = 0x10;
    private static final int CONNACK = 0x20;
    private static final int PUBLISH_QOS_1 = 0x32;
    private static final int PUBACK = 0x40;
    private static final int CLEAN_START_USER_PASSWORD = 0xC2;

    private final SocketChannel socket;
    private final DataInputStream in;
    private final String topic;
    private final int window;
    private int packet;

    /**
     * Connects and logs in.
     *
     * @param window most that are not acknowledged
     */
    public MqttEnvelopes(int port, String tenant, String device, String password, int window) throws IOException {
        socket = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        in = new DataInputStream(new BufferedInputStream(socket.socket().getInputStream()));
        topic = "veilgate/v1/" + tenant + "/" + device;
        this.window = window;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream connect = new DataOutputStream(bytes);
        connect.writeUTF("MQTT");
        connect.writeByte(5);
        connect.writeByte(CLEAN_START_USER_PASSWORD);
        connect.writeShort(0); // no keep-alive
        connect.writeByte(0); // no properties
        connect.writeUTF(device);
        connect.writeUTF(device);
        connect.writeUTF(password);
        write(CONNECT, bytes.toByteArray(), 0);
        byte[] answer = read(CONNACK);
        if (answer[1] != 0) {
            throw new IOException("refused: " + (answer[1] & 0xFF));
        }
    }

    @Override
    public long send(EnvelopeFile file, int most) throws IOException {
        long lines = 0;
        int open = 0;
        for (int i = 0; i < most && file.next(); i++) {
            if (open == window) {
                requireAcknowledged();
                open--;
            }
            publish(file);
            open++;
            lines += file.lines();
        }
        for (; open > 0; open--) {
            requireAcknowledged();
        }
        return lines;
    }

    private void publish(EnvelopeFile file) throws IOException {
        packet = packet % 0xFFFF + 1;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream head = new DataOutputStream(bytes);
        head.writeUTF(topic);
        head.writeShort(packet);
        head.writeByte(0); // no properties
        write(PUBLISH_QOS_1, bytes.toByteArray(), file.length());
        file.transferTo(socket);
    }

    /** Those of one connection come in order. */
    private void requireAcknowledged() throws IOException {
        byte[] answer = read(PUBACK);
        int reason = answer.length > 2 ? answer[2] & 0xFF : 0;
        if (reason != 0) {
            throw new IOException("refused: " + reason + " " + new String(answer, StandardCharsets.UTF_8));
        }
    }

    private byte[] read(int type) throws IOException {
        int first = in.readUnsignedByte();
        int length = 0;
        int shift = 0;
        int digit;
        do {
            digit = in.readUnsignedByte();
            length |= (digit & 0x7F) << shift;
            shift += 7;
        } while (digit >= 0x80);
        byte[] body = in.readNBytes(length);
        if (first != type) {
            throw new IOException("expected packet " + type + ", got " + first);
        }
        return body;
    }

    /** Packet type, length of all of it, and its beginning; {@code rest} bytes follow. */
    private void write(int type, byte[] beginning, int rest) throws IOException {
        ByteBuffer out = ByteBuffer.allocate(5 + beginning.length).put((byte) type);
        int length = beginning.length + rest;
        do {
            out.put((byte) (length < 0x80 ? length : length & 0x7F | 0x80));
            length >>>= 7;
        } while (length > 0);
        out.put(beginning).flip();
        while (out.hasRemaining()) {
            socket.write(out);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
