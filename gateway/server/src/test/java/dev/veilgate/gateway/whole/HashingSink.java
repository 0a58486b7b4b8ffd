package dev.veilgate.gateway.whole;

import dev.veilgate.transport.smtp.DataReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/** A mail server that keeps of what it gets the recipients and a digest, so that it needs no memory for large mails. */
final class HashingSink implements AutoCloseable {
    private static final int PIECE_BYTES = 64 << 10;
    private static final Pattern ADDRESS = Pattern.compile("<([^>]*)>");

    /**
     * A mail that was taken.
     *
     * @param digest SHA-256 of what stands behind the header, in hexadecimal digits
     */
    record Taken(List<String> recipients, String digest, long bytes) {}

    final List<Taken> mails = new CopyOnWriteArrayList<>();
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

    HashingSink() throws IOException {
        Thread.ofVirtual().start(this::listen);
    }

    int port() {
        return server.getLocalPort();
    }

    private void listen() {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            new Session(socket.getInputStream(), socket.getOutputStream()).run();
        } catch (IOException e) {
            // whoever sends notices
        }
    }

    /** The part of a mail that a digest is made of: a message without the header, which the gateway may write anew. */
    static final class Body {
        private final MessageDigest sha;
        private int ends;
        private long bytes;

        Body() {
            try {
                sha = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError(e);
            }
        }

        /** Takes the next bytes of the message. */
        void take(ByteBuffer part) {
            bytes += part.remaining();
            while (ends < 2 && part.hasRemaining()) {
                byte b = part.get();
                ends = b == '\n' ? ends + 1 : b == '\r' ? ends : 0;
            }
            sha.update(part);
        }

        String digest() {
            return HexFormat.of().formatHex(sha.digest());
        }
    }

    private final class Session {
        private final InputStream in;
        private final OutputStream out;
        private final ByteBuffer buffer = ByteBuffer.allocate(PIECE_BYTES).limit(0);
        private final List<String> recipients = new ArrayList<>();

        Session(InputStream in, OutputStream out) {
            this.in = in;
            this.out = out;
        }

        void run() throws IOException {
            say("220 sink.example ESMTP");
            while (true) {
                String line = line();
                String verb = line.split("[ :]", 2)[0].toUpperCase(Locale.ROOT);
                switch (verb) {
                    case "RCPT" -> {
                        var address = ADDRESS.matcher(line);
                        recipients.add(address.find() ? address.group(1) : "");
                        say("250 2.1.5 OK");
                    }
                    case "DATA" -> {
                        say("354 go on");
                        data();
                    }
                    case "QUIT" -> {
                        say("221 2.0.0 bye");
                        return;
                    }
                    default -> {
                        recipients.clear(); // EHLO, MAIL, RSET
                        say("250 2.0.0 OK");
                    }
                }
            }
        }

        private void data() throws IOException {
            DataReader reader = new DataReader(DataReader.MAX_LINE_BYTES);
            Body body = new Body();
            while (!reader.take(buffer, body::take)) {
                fill();
            }
            mails.add(new Taken(List.copyOf(recipients), body.digest(), body.bytes));
            recipients.clear();
            say("250 2.6.0 OK");
        }

        private void fill() throws IOException {
            int count = in.read(buffer.array());
            if (count < 0) {
                throw new EOFException();
            }
            buffer.position(0).limit(count);
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            while (true) {
                while (buffer.hasRemaining()) {
                    char c = (char) buffer.get();
                    if (c == '\n') {
                        return line.toString().strip();
                    }
                    line.append(c);
                }
                fill();
            }
        }

        private void say(String reply) throws IOException {
            out.write((reply + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
