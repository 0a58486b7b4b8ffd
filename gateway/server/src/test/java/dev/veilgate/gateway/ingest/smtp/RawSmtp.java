package dev.veilgate.gateway.ingest.smtp;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** A client that sends the bytes it is told to, whatever the protocol says. */
final class RawSmtp implements AutoCloseable {
    private Socket socket;
    private InputStream in;
    private OutputStream out;
    final String greeting;

    RawSmtp(int port) throws IOException {
        this(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    /** From another address of this machine. */
    RawSmtp(int port, String from) throws IOException {
        this(new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(from), 0));
    }

    static RawSmtp tls(int port) throws IOException {
        return new RawSmtp(trusting().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port));
    }

    private RawSmtp(Socket connected) throws IOException {
        use(connected);
        greeting = reply();
    }

    private void use(Socket connected) throws IOException {
        socket = connected;
        socket.setSoTimeout(600_000);
        socket.setTcpNoDelay(true);
        in = new BufferedInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    /** A command and all lines of its reply. */
    String say(String command) throws IOException {
        raw(command + "\r\n");
        return reply();
    }

    void raw(String bytes) throws IOException {
        raw(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    void raw(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    void startTls() throws IOException {
        if (!say("STARTTLS").startsWith("220")) {
            throw new IOException("no STARTTLS");
        }
        upgrade();
    }

    void upgrade() throws IOException {
        var secure =
                (SSLSocket) trusting().getSocketFactory().createSocket(socket, "localhost", socket.getPort(), true);
        secure.startHandshake();
        use(secure);
    }

    X509Certificate certificate() throws IOException {
        return (X509Certificate) ((SSLSocket) socket).getSession().getPeerCertificates()[0];
    }

    /** A whole transaction with a message that is dot-stuffed already; the reply to its end, or to what was refused before. */
    String send(String sender, List<String> recipients, String stuffed) throws IOException {
        String reply = say("MAIL FROM:<" + sender + ">");
        for (String recipient : recipients) {
            reply = reply.startsWith("2") ? say("RCPT TO:<" + recipient + ">") : reply;
        }
        if (!reply.startsWith("2")) {
            return reply;
        }
        reply = say("DATA");
        return reply.startsWith("3") ? say(stuffed + "\r\n.") : reply;
    }

    /** All lines of a reply, without the last CR LF. */
    String reply() throws IOException {
        var text = new StringBuilder();
        while (true) {
            var line = new ByteArrayOutputStream();
            for (int b = in.read(); b != '\n'; b = in.read()) {
                if (b < 0) {
                    throw new EOFException("the server hung up after " + text + line);
                }
                line.write(b);
            }
            String each = line.toString(StandardCharsets.ISO_8859_1).strip();
            text.append(each);
            if (each.length() < 4 || each.charAt(3) != '-') {
                return text.toString();
            }
            text.append('\n');
        }
    }

    /** Whether the server closes the connection without another word. */
    boolean isHungUp() throws IOException {
        try {
            return in.read() < 0;
        } catch (java.net.SocketException e) {
            return true; // reset, since it had not read all
        }
    }

    /** All certificates: whom the client trusts is not what is tested. */
    static SSLContext trusting() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Everybody()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Everybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
