package dev.veilgate.benchmarks;

import com.sun.net.httpserver.HttpServer;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.Channel;
import dev.veilgate.sse.Exchange;
import dev.veilgate.sse.Message;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.SseOwner;
import dev.veilgate.sse.SseScheme;
import dev.veilgate.sse.SseSchemes;
import dev.veilgate.sse.SseServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Both sides of an archive, whose times, bytes and turns are counted apart. With HTTP between them if asked. */
final class SseRun implements AutoCloseable {
    /**
     * The costs of an operation.
     *
     * @param nanos       from begin to end
     * @param ownerNanos  of these at the owner
     * @param serverNanos of these at the server; with HTTP the rest is that of HTTP
     * @param sent        bytes to the server
     * @param received    bytes from it
     * @param turns       messages that had to be waited for
     */
    record Cost(long nanos, long ownerNanos, long serverNanos, long sent, long received, int turns) {}

    final SseOwner owner;
    private final CellStore ownerCells;
    private final CellStore serverCells;
    private final SseServer server;
    private final Channel channel;
    private @Nullable HttpServer http;
    private long serverNanos;
    private long waitedNanos;
    private long sent;
    private long received;
    private int turns;

    SseRun(String scheme, Map<String, Long> parameters, CellStore ownerCells, CellStore serverCells, boolean overHttp)
            throws IOException {
        SseScheme of = SseSchemes.of(scheme);
        Parameters set = Parameters.of(of, parameters);
        SecureRandom random = new SecureRandom();
        this.ownerCells = ownerCells;
        this.serverCells = serverCells;
        owner = of.owner(ArchiveKey.random(random), ownerCells, set, random);
        server = of.server(serverCells, set);
        channel = overHttp ? http() : this::answers;
    }

    private List<Message> answers(List<Message> messages) throws IOException {
        long start = System.nanoTime();
        List<Message> answers = new ArrayList<>();
        for (Message message : messages) {
            try {
                server.answer(message, answers::add);
            } catch (MalformedEncodingException e) {
                throw new IOException(e);
            }
        }
        serverNanos += System.nanoTime() - start;
        return answers;
    }

    private Channel http() throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        this.http = http;
        http.createContext("/", exchange -> {
            byte[] answer = framed(answers(unframed(exchange.getRequestBody().readAllBytes())));
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        http.start();
        URI uri = URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/");
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        return messages -> {
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .POST(HttpRequest.BodyPublishers.ofByteArray(framed(messages)))
                    .build();
            try {
                return unframed(client.send(request, BodyHandlers.ofByteArray()).body());
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        };
    }

    private static byte[] framed(List<Message> messages) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (Message message : messages) {
            out.writeInt((int) message.length());
            out.write(message.toBytes());
        }
        return bytes.toByteArray();
    }

    private static List<Message> unframed(byte[] bytes) throws IOException {
        List<Message> messages = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            while (in.available() > 0) {
                messages.add(Message.of(in.readNBytes(in.readInt())));
            }
        }
        return messages;
    }

    /** An operation that is made when it is begun. */
    @FunctionalInterface
    interface Operation<R> {
        Exchange<R> of(SseOwner owner) throws IOException;
    }

    /** Carries an operation out. */
    <R> R run(Operation<R> operation) throws IOException {
        return counting().run(operation.of(owner));
    }

    private Channel counting() {
        return messages -> {
            turns++;
            messages.forEach(message -> sent += message.length());
            long start = System.nanoTime();
            List<Message> answers = channel.send(messages);
            waitedNanos += System.nanoTime() - start;
            answers.forEach(answer -> received += answer.length());
            return answers;
        };
    }

    /** Carries an operation out, and says what it cost. */
    <R> Cost cost(Operation<R> operation) {
        serverNanos = 0;
        waitedNanos = 0;
        sent = 0;
        received = 0;
        turns = 0;
        try {
            long start = System.nanoTime();
            Sample.sink = run(operation);
            long nanos = System.nanoTime() - start;
            return new Cost(nanos, nanos - waitedNanos, serverNanos, sent, received, turns);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        owner.close();
        ownerCells.close();
        serverCells.close();
        if (http != null) {
            http.stop(0);
        }
    }
}
