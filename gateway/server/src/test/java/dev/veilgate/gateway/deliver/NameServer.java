package dev.veilgate.gateway.deliver;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Answers queries of MX and TXT over UDP: with what a test says, or that the name does not exist. */
final class NameServer implements AutoCloseable {
    private static final int TXT = 16;

    /** From a domain to its records, each as "10 host". */
    final Map<String, List<String>> records = new ConcurrentHashMap<>();

    /** From a domain to its text. */
    final Map<String, String> texts = new ConcurrentHashMap<>();

    private final DatagramSocket socket;

    NameServer() throws IOException {
        socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::serve);
    }

    String address() {
        return "127.0.0.1:" + socket.getLocalPort();
    }

    private void serve() {
        var packet = new DatagramPacket(new byte[1500], 1500);
        while (!socket.isClosed()) {
            try {
                packet.setLength(1500);
                socket.receive(packet);
                byte[] answer = answer(packet.getData());
                socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
            } catch (IOException e) {
                return;
            }
        }
    }

    private byte[] answer(byte[] query) throws IOException {
        var name = new StringBuilder();
        int at = 12;
        for (; query[at] != 0; at += query[at] + 1) {
            name.append(name.isEmpty() ? "" : ".")
                    .append(new String(query, at + 1, query[at], StandardCharsets.US_ASCII));
        }
        int type = query[at + 2];
        if (type == TXT && texts.containsKey(name.toString())) {
            return text(query, at, texts.get(name.toString()));
        }
        List<String> found = records.get(name.toString());
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.write(query, 0, 2);
        out.writeShort(found == null ? 0x8183 : 0x8180);
        out.writeShort(1);
        out.writeShort(found == null ? 0 : found.size());
        out.writeInt(0);
        out.write(query, 12, at + 5 - 12);
        for (String record : found == null ? List.<String>of() : found) {
            var data = new ByteArrayOutputStream();
            var rdata = new DataOutputStream(data);
            String[] words = record.split(" ");
            rdata.writeShort(Integer.parseInt(words[0]));
            for (String label : words[1].split("\\.")) {
                if (!label.isEmpty()) {
                    rdata.writeByte(label.length());
                    rdata.writeBytes(label);
                }
            }
            rdata.writeByte(0);
            out.writeShort(0xc00c);
            out.writeShort(15);
            out.writeShort(1);
            out.writeInt(60);
            out.writeShort(data.size());
            data.writeTo(out);
        }
        return bytes.toByteArray();
    }

    private static byte[] text(byte[] query, int nameEnd, String text) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.write(query, 0, 2);
        out.writeShort(0x8180);
        out.writeShort(1);
        out.writeShort(1);
        out.writeInt(0);
        out.write(query, 12, nameEnd + 5 - 12);
        out.writeShort(0xc00c);
        out.writeShort(TXT);
        out.writeShort(1);
        out.writeInt(60);
        out.writeShort(text.length() + 1);
        out.writeByte(text.length());
        out.writeBytes(text);
        return bytes.toByteArray();
    }

    @Override
    public void close() {
        socket.close();
    }
}
