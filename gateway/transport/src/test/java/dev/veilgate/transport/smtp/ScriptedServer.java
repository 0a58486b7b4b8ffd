package dev.veilgate.transport.smtp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** A mail server on plain sockets that keeps what it hears; answers can be replaced. */
final class ScriptedServer implements AutoCloseable {
    /** What makes it hang up without a word. */
    static final String HANG_UP = "";

    final List<String> commands = new CopyOnWriteArrayList<>();
    final List<byte[]> messages = new CopyOnWriteArrayList<>();
    /** From a command, "" for the greeting, or "." for the end of data, to a reply other than the usual one; or null. */
    volatile UnaryOperator<@org.jspecify.annotations.Nullable String> answers = command -> null;

    private final ServerSocket listening;

    ScriptedServer() throws IOException {
        listening = new ServerSocket(0, 10, InetAddress.getByName("127.0.0.1"));
        Thread.ofVirtual().start(() -> {
            while (!listening.isClosed()) {
                try (Socket client = listening.accept()) {
                    serve(client);
                } catch (IOException e) {
                    // the next, or the end
                }
            }
        });
    }

    int port() {
        return listening.getLocalPort();
    }

    private void serve(Socket client) throws IOException {
        InputStream in = client.getInputStream();
        answer(client, "", "220 here");
        for (String line = line(in); line != null; line = line(in)) {
            commands.add(line);
            String usual = line.startsWith("EHLO") ? "250-here\r\n250-8BITMIME\r\n250 SIZE 200000" : "250 2.0.0 good";
            String used = line.equals("DATA") ? "354 go on" : line.equals("QUIT") ? "221 bye" : usual;
            String said = answer(client, line, used);
            if (line.equals("DATA") && said.startsWith("354")) {
                messages.add(message(in));
                said = answer(client, ".", "250 2.0.0 kept");
            }
            if (said.equals(HANG_UP)) {
                return;
            }
        }
    }

    private String answer(Socket client, String command, String usual) throws IOException {
        String instead = answers.apply(command);
        String said = instead == null ? usual : instead;
        if (!said.equals(HANG_UP)) {
            client.getOutputStream().write((said + "\r\n").getBytes(StandardCharsets.US_ASCII));
        }
        return said;
    }

    private static @org.jspecify.annotations.Nullable String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int b = in.read(); b >= 0; b = in.read()) {
            line.append((char) b);
            if (b == '\n') {
                return line.toString().strip();
            }
        }
        return null;
    }

    private static byte[] message(InputStream in) throws IOException {
        var message = new ByteArrayOutputStream();
        var reader = new DataReader(Long.MAX_VALUE);
        byte[] one = new byte[1];
        boolean ended = false;
        while (!ended && in.read(one) == 1) {
            ended = reader.take(ByteBuffer.wrap(one), part -> {
                while (part.hasRemaining()) {
                    message.write(part.get());
                }
            });
        }
        return message.toByteArray();
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
