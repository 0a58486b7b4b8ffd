package dev.veilgate.proxy;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** A mail server that keeps what it gets, written on plain sockets; answers can be replaced. */
final class CaptureServer implements AutoCloseable {
    /** What came in one transaction. */
    record Mail(String sender, List<String> recipients, byte[] bytes) {
        String text() {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }

    final List<Mail> mails = new CopyOnWriteArrayList<>();
    private final ServerSocket socket;
    /** From a command, or "." for the end of data, to a reply other than the usual one; or null. */
    volatile UnaryOperator<String> answers = command -> null;

    CaptureServer() throws IOException {
        this(0);
    }

    CaptureServer(int port) throws IOException {
        socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        Thread.ofVirtual().start(() -> {
            while (!socket.isClosed()) {
                try {
                    Socket client = socket.accept();
                    Thread.ofVirtual().start(() -> serve(client));
                } catch (IOException e) {
                    return;
                }
            }
        });
    }

    int port() {
        return socket.getLocalPort();
    }

    /** Waits until so many mails came. */
    List<Mail> await(int count) throws InterruptedException {
        Instant end = Instant.now().plus(Duration.ofMinutes(2));
        while (mails.size() < count) {
            if (Instant.now().isAfter(end)) {
                throw new AssertionError(mails.size() + " of " + count + " mails came");
            }
            Thread.sleep(5); // the condition is looked at again
        }
        return mails;
    }

    private void serve(Socket client) {
        try (client;
                InputStream in = new BufferedInputStream(client.getInputStream());
                OutputStream out = client.getOutputStream()) {
            reply(out, "220 capture");
            String sender = "";
            var recipients = new ArrayList<String>();
            for (String line = line(in); line != null; line = line(in)) {
                String other = answers.apply(line);
                String upper = line.toUpperCase(java.util.Locale.ROOT);
                if (other != null) {
                    reply(out, other);
                } else if (upper.startsWith("MAIL FROM:")) {
                    sender = line.substring(10).replaceAll("[<>]", "").strip();
                    recipients.clear();
                    reply(out, "250 ok");
                } else if (upper.startsWith("RCPT TO:")) {
                    recipients.add(line.substring(8).replaceAll("[<>]", "").strip());
                    reply(out, "250 ok");
                } else if (upper.equals("DATA")) {
                    reply(out, "354 go");
                    byte[] bytes = data(in);
                    String end = answers.apply(".");
                    if (end == null) {
                        mails.add(new Mail(sender, List.copyOf(recipients), bytes));
                    }
                    reply(out, end == null ? "250 kept" : end);
                } else if (upper.equals("QUIT")) {
                    reply(out, "221 bye");
                    return;
                } else {
                    reply(out, "250 ok");
                }
            }
        } catch (IOException e) {
            // the client went away
        }
    }

    private static byte[] data(InputStream in) throws IOException {
        var bytes = new ByteArrayOutputStream();
        for (String line = line(in); !".".equals(line); line = line(in)) {
            if (line == null) {
                throw new IOException("cut off"); // and so not kept
            }
            String unstuffed = line.startsWith(".") ? line.substring(1) : line;
            bytes.write((unstuffed + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        }
        return bytes.toByteArray();
    }

    private static String line(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        for (int b = in.read(); b >= 0; b = in.read()) {
            if (b == '\n') {
                String text = line.toString(StandardCharsets.ISO_8859_1);
                return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
            }
            line.write(b);
        }
        return null;
    }

    private static void reply(OutputStream out, String text) throws IOException {
        out.write((text + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
