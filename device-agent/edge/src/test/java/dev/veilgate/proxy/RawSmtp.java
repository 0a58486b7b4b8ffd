package dev.veilgate.proxy;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A client that sends the bytes it is told to. */
final class RawSmtp implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    RawSmtp(int port) throws IOException {
        this(port, "127.0.0.1");
    }

    /** From another address of this machine. */
    RawSmtp(int port, String from) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(from), 0);
        socket.setSoTimeout(600_000);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        out = new java.io.BufferedOutputStream(socket.getOutputStream(), 64 << 10);
        reply();
        say("EHLO test");
    }

    /** Waits longer for replies than usual. */
    RawSmtp patiently() throws IOException {
        socket.setSoTimeout(600_000);
        return this;
    }

    /** A command and the last line of its reply. */
    String say(String command) throws IOException {
        raw((command + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        return reply();
    }

    void raw(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    void begin(String sender, List<String> recipients) throws IOException {
        say("MAIL FROM:<" + sender + ">");
        for (String recipient : recipients) {
            say("RCPT TO:<" + recipient + ">");
        }
    }

    /** A whole transaction; the reply to the end of data, or to what was refused before. */
    String send(String sender, List<String> recipients, byte[] mail) throws IOException {
        begin(sender, recipients);
        String ready = say("DATA");
        if (!ready.startsWith("354")) {
            say("RSET");
            return ready;
        }
        out.write(stuffed(mail));
        return say(".");
    }

    static byte[] stuffed(byte[] mail) {
        var bytes = new ByteArrayOutputStream(mail.length + 100);
        boolean start = true;
        for (byte b : mail) {
            if (start && b == '.') {
                bytes.write('.');
            }
            bytes.write(b);
            start = b == '\n';
        }
        if (!start) {
            bytes.writeBytes(new byte[] {'\r', '\n'});
        }
        return bytes.toByteArray();
    }

    /** A command and all lines of its reply. */
    List<String> lines(String command) throws IOException {
        raw((command + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        var lines = new ArrayList<String>();
        do {
            lines.add(line());
        } while (lines.getLast().length() > 3 && lines.getLast().charAt(3) == '-');
        return lines;
    }

    String reply() throws IOException {
        while (true) {
            String text = line();
            if (text.length() < 4 || text.charAt(3) != '-') {
                return text;
            }
        }
    }

    private String line() throws IOException {
        var line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("the server hung up");
            }
            line.write(b);
        }
        return line.toString(StandardCharsets.ISO_8859_1).strip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
