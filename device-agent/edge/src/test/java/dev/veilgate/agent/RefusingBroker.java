package dev.veilgate.agent;

import dev.veilgate.envelope.ChainVerifier;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.SenderPublicKey;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** As much of MQTT 5 as an agent needs, with acknowledgements that say why an envelope is refused, as the gateway's do; other brokers cannot be told to. */
final class RefusingBroker implements AutoCloseable {
    private static final int CONNECT = 1;
    private static final int PUBLISH = 3;
    private static final int PING = 12;
    private static final int REASON_STRING = 0x1F;

    /** An answer other than success. */
    record Refusal(int code, String reason) {}

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Map<Long, Envelope> taken = new TreeMap<>();
    private volatile Function<Envelope, Optional<Refusal>> rule;

    RefusingBroker(Function<Envelope, Optional<Refusal>> rule) throws IOException {
        this.rule = rule;
        Thread.ofPlatform().daemon().name("broker").start(this::accept);
    }

    String url() {
        return "mqtt://127.0.0.1:" + server.getLocalPort();
    }

    void rule(Function<Envelope, Optional<Refusal>> next) {
        rule = next;
    }

    private void accept() {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                serve(socket);
            } catch (IOException e) {
                // the agent left, or the test is over
            }
        }
    }

    private void serve(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        while (true) {
            int header = in.read();
            if (header < 0) {
                throw new EOFException();
            }
            ByteBuffer body = ByteBuffer.wrap(in.readNBytes(length(in)));
            byte[] answer = switch (header >> 4) {
                case CONNECT -> new byte[] {0x20, 3, 0, 0, 0};
                case PUBLISH -> published(body);
                case PING -> new byte[] {(byte) 0xD0, 0};
                default -> new byte[0];
            };
            socket.getOutputStream().write(answer);
            socket.getOutputStream().flush();
        }
    }

    private static int length(DataInputStream in) throws IOException {
        int length = 0;
        for (int shift = 0; ; shift += 7) {
            int digit = in.readUnsignedByte();
            length |= (digit & 0x7F) << shift;
            if (digit < 0x80) {
                return length;
            }
        }
    }

    private byte[] published(ByteBuffer body) throws IOException {
        body.position(body.position() + 2 + body.getShort(body.position())); // topic
        short id = body.getShort();
        int properties = body.get(); // shorter than 128 bytes
        body.position(body.position() + properties);
        byte[] payload = new byte[body.remaining()];
        body.get(payload);
        Optional<Refusal> refusal = taken(payload);
        byte[] reason = refusal.map(Refusal::reason).orElse("").getBytes(StandardCharsets.UTF_8);
        ByteBuffer answer = ByteBuffer.allocate(2 + 2 + 1 + 1 + 3 + reason.length);
        answer.put((byte) 0x40).put((byte) (answer.capacity() - 2)).putShort(id);
        answer.put(refusal.map(Refusal::code).orElse(0).byteValue());
        answer.put((byte) (3 + reason.length)).put((byte) REASON_STRING);
        answer.putShort((short) reason.length).put(reason);
        return answer.array();
    }

    private synchronized Optional<Refusal> taken(byte[] payload) throws IOException {
        try {
            Envelope envelope = Envelope.decode(payload);
            Optional<Refusal> refusal = rule.apply(envelope);
            if (refusal.isEmpty()) {
                taken.put(envelope.sequence(), envelope);
            }
            return refusal;
        } catch (dev.veilgate.encoding.MalformedEncodingException e) {
            throw new IOException(e);
        }
    }

    /** Lines in what was taken, in the order of the chain. */
    synchronized List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Envelope envelope : taken.values()) {
            if (envelope.mediaType().equals("text/plain")) {
                try {
                    TestTenant.open(envelope).forEach(r -> lines.add(new String(r, StandardCharsets.ISO_8859_1)));
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
        }
        return lines;
    }

    synchronized List<Envelope> envelopes() {
        return List.copyOf(taken.values());
    }

    synchronized List<ChainVerifier.Finding> findings(SenderPublicKey sender) {
        ChainVerifier verifier = TestTenant.verifier(sender);
        taken.forEach((sequence, envelope) -> verifier.add("envelope-" + sequence, envelope.bytes()));
        return verifier.findings(Instant.now());
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
