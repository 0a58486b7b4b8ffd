package dev.veilgate.benchmarks.gateway;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The mail server behind the gateway. Keeps every message by sender and recipient of its envelope. */
public final class MailSink implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Map<String, byte[]> mails = new ConcurrentHashMap<>();
    private volatile int repeated;

    /** Listens on a free port of 127.0.0.1. */
    public MailSink() throws IOException {
        Thread.ofVirtual().start(this::accept);
    }

    /** Where it listens. */
    public int port() {
        return server.getLocalPort();
    }

    /** By {@code sender>recipient}. */
    public Map<String, byte[]> mails() {
        return mails;
    }

    /** Mails that came a second time to the same recipient. */
    public int repeated() {
        return repeated;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket;
                InputStream in = new BufferedInputStream(socket.getInputStream());
                OutputStream out = socket.getOutputStream()) {
            say(out, "220 sink");
            String sender = "";
            String recipient = "";
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                String command = line.toUpperCase(Locale.ROOT);
                if (command.startsWith("MAIL")) {
                    sender = address(line);
                } else if (command.startsWith("RCPT")) {
                    recipient = address(line);
                } else if (command.startsWith("DATA")) {
                    say(out, "354 go on");
                    keep(sender + ">" + recipient, data(in));
                }
                say(
                        out,
                        command.startsWith("QUIT")
                                ? "221 bye"
                                : command.startsWith("EHLO") ? "250-sink\r\n250 8BITMIME" : "250 ok");
            }
        } catch (IOException e) {
            // the client is gone
        }
    }

    private synchronized void keep(String key, byte[] mail) {
        if (mails.put(key, mail) != null) {
            repeated++;
        }
    }

    private static String address(String line) {
        return line.substring(line.indexOf('<') + 1, line.indexOf('>'));
    }

    private static void say(OutputStream out, String text) throws IOException {
        out.write((text + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /** Empty at the end. */
    private static String line(InputStream in) throws IOException {
        return new String(bytes(in), StandardCharsets.ISO_8859_1).strip();
    }

    private static byte[] bytes(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b >= 0; b = in.read()) {
            line.write(b);
            if (b == '\n') {
                break;
            }
        }
        return line.toByteArray();
    }

    private static byte[] data(InputStream in) throws IOException {
        ByteArrayOutputStream mail = new ByteArrayOutputStream();
        while (true) {
            byte[] line = bytes(in);
            if (line.length == 0) {
                throw new IOException("cut off");
            }
            boolean dot = line[0] == '.';
            if (dot && line.length == 3) {
                return mail.toByteArray();
            }
            mail.write(line, dot ? 1 : 0, line.length - (dot ? 1 : 0));
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
