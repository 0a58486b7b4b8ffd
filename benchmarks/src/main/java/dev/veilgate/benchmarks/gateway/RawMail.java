package dev.veilgate.benchmarks.gateway;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Real mails, and a mail program that sends them byte for byte. */
public final class RawMail implements AutoCloseable {
    private static final int SAMPLES = 60;

    private final Socket socket;
    private final BufferedReader in;
    private final OutputStream out;

    /** In clear. */
    public RawMail(int port) throws IOException {
        this(new Socket("127.0.0.1", port));
    }

    /** @param socket connected, with TLS or without */
    public RawMail(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
        out = socket.getOutputStream();
        expect("220");
        say("EHLO client.example", "250");
    }

    /** Whether something does at this port. */
    public static boolean listens(int port) {
        try (Socket probe = new Socket("127.0.0.1", port)) {
            return probe.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** Those of the folder that -Dveilgate.data names, else samples; with CR LF. */
    public static List<byte[]> all() throws IOException {
        String data = System.getProperty("veilgate.data");
        List<byte[]> mails = new ArrayList<>();
        if (data == null) {
            for (int i = 0; i < SAMPLES; i++) {
                mails.add(
                        "From: a@example.org\\r\\nSubject: pump %d of hall %d\\r\\nMessage-ID: <%d@x>\\r\\n\\r\\n.dot\\r\\nbody owl%d\\r\\n"
                                .replace("\\r\\n", "\r\n")
                                .formatted(i, i % 7, i, i)
                                .getBytes(StandardCharsets.ISO_8859_1));
            }
            return mails;
        }
        try (Stream<Path> files = Files.list(Path.of(data, "mail"))) {
            for (Path file : files.filter(f -> f.getFileName().toString().matches("[0-9]{5}\\..*"))
                    .sorted()
                    .toList()) {
                mails.add(Files.readString(file, StandardCharsets.ISO_8859_1)
                        .replaceFirst("\\AFrom [^\n]*\n", "")
                        .replaceAll("\r?\n", "\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        return mails;
    }

    /** As it goes over the wire, with its end. */
    public static byte[] stuffed(byte[] mail) {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        boolean lineStart = true;
        for (byte b : mail) {
            if (lineStart && b == '.') {
                wire.write('.');
            }
            wire.write(b);
            lineStart = b == '\n';
        }
        wire.writeBytes((lineStart ? ".\r\n" : "\r\n.\r\n").getBytes(StandardCharsets.US_ASCII));
        return wire.toByteArray();
    }

    /** Sends one; the server has it when this returns. */
    public void send(String from, String to, byte[] mail) throws IOException {
        say("MAIL FROM:<" + from + ">", "250");
        say("RCPT TO:<" + to + ">", "250");
        say("DATA", "354");
        out.write(stuffed(mail));
        out.flush();
        expect("250");
    }

    private void say(String command, String reply) throws IOException {
        out.write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
        expect(reply);
    }

    private void expect(String code) throws IOException {
        String line = in.readLine();
        while (line != null && line.length() > 3 && line.charAt(3) == '-') {
            line = in.readLine();
        }
        if (line == null || !line.startsWith(code)) {
            throw new IOException("expected " + code + ", got " + line);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
