package dev.veilgate.gateway.deliver;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.apache.commons.net.smtp.AuthenticatingSMTPClient;
import org.apache.commons.net.smtp.SMTPReply;

/** A connection to a next hop; mails go over it one after the other. Not for several threads. */
final class HopConnection implements AutoCloseable {
    /** The server closes the connection. */
    private static final int CLOSING = 421;

    /** So many mails over one connection: some servers cut it after a hundred. */
    private static final int MAX_MAILS = 100;

    private final Client client;
    private final boolean eightBitMime;
    private final boolean size;
    private int mails;
    private boolean broken;

    private HopConnection(Client client, boolean eightBitMime, boolean size) {
        this.client = client;
        this.eightBitMime = eightBitMime;
        this.size = size;
    }

    /** Gives access to the stream, so that a message goes out byte for byte, and knows the name that the certificate must have. */
    private static final class Client extends AuthenticatingSMTPClient {
        private final String host;

        Client(boolean implicit, SSLContext context, String host) {
            super(implicit, context);
            this.host = host;
        }

        @Override
        protected void _connectAction_() throws IOException {
            _hostname_ = host;
            _socket_.setSoTimeout(getDefaultTimeout()); // also for the handshake of implicit TLS
            _socket_.setTcpNoDelay(true); // the end of a message is a write of its own and would wait for a delayed ACK
            super._connectAction_();
        }

        void abort() throws IOException {
            _socket_.close();
        }

        OutputStream output() {
            return _output_;
        }

        Reply reply() {
            String[] lines = getReplyStrings();
            if (lines == null || lines.length == 0) {
                return new Reply(421, "4.4.2 no answer");
            }
            var text = new StringBuilder(lines[0]);
            for (int i = 1; i < lines.length; i++) {
                text.append(' ').append(lines[i].length() > 4 ? lines[i].substring(4) : "");
            }
            return Reply.parse(text.toString());
        }
    }

    /** A server that does not take us; what it said is for reports. */
    static final class RefusedByHopException extends IOException {
        private static final long serialVersionUID = 1L;

        RefusedByHopException(String what, Reply reply) {
            super("the next hop " + what + " (" + reply.code() + ")");
        }
    }

    /**
     * Connects, protects the connection as the settings say, and logs in.
     *
     * @param host    of the hop, or of one of its mail servers
     * @param context verifies nothing if the policy is opportunistic
     * @throws IOException if one of it fails; the message holds the server's code, no password and no text of the server's
     */
    static HopConnection open(
            DeliverSettings.Relay relay,
            String host,
            SSLContext context,
            String ourName,
            Duration connect,
            Duration timeout)
            throws IOException {
        boolean secure = relay.tls() != DeliverSettings.Tls.NONE;
        try {
            return open(relay, host, secure, context, ourName, connect, timeout);
        } catch (SSLException e) {
            if (relay.tls() != DeliverSettings.Tls.OPPORTUNISTIC) {
                throw new IOException(
                        "no TLS with the next hop (" + e.getClass().getSimpleName() + ")", e);
            }
            return open(relay, host, false, context, ourName, connect, timeout);
        }
    }

    private static HopConnection open(
            DeliverSettings.Relay relay,
            String host,
            boolean secure,
            SSLContext context,
            String ourName,
            Duration connect,
            Duration timeout)
            throws IOException {
        IOException last = null;
        for (InetAddress address : InetAddress.getAllByName(host)) {
            var client = new Client(relay.tls() == DeliverSettings.Tls.IMPLICIT, context, host);
            boolean ready = false;
            try {
                client.setEndpointCheckingEnabled(relay.tls().isVerified());
                client.setConnectTimeout(Math.toIntExact(connect.toMillis()));
                client.setDefaultTimeout(Math.toIntExact(timeout.toMillis()));
                client.connect(address, relay.port());
                greet(client, relay, secure, ourName);
                boolean eightBitMime = offers(client, "8BITMIME");
                boolean size = offers(client, "SIZE");
                if (relay.passwordFile() != null) {
                    logIn(client, relay);
                }
                ready = true;
                return new HopConnection(client, eightBitMime, size);
            } catch (SSLException e) {
                throw e;
            } catch (IOException e) {
                last = e;
            } finally {
                if (!ready) {
                    disconnect(client);
                }
            }
        }
        throw last == null ? new IOException("the next hop has no address") : last;
    }

    private static void greet(Client client, DeliverSettings.Relay relay, boolean secure, String ourName)
            throws IOException {
        check(SMTPReply.isPositiveCompletion(client.getReplyCode()), client, "does not serve");
        check(client.elogin(ourName), client, "refuses EHLO");
        if (secure && relay.tls() != DeliverSettings.Tls.IMPLICIT) {
            boolean offered = offers(client, "STARTTLS");
            if (!offered && relay.tls() == DeliverSettings.Tls.REQUIRED) {
                throw new IOException("the next hop offers no STARTTLS");
            }
            if (offered) {
                check(client.execTLS(), client, "refuses STARTTLS");
                check(client.elogin(ourName), client, "refuses EHLO");
            }
        }
    }

    private static void logIn(Client client, DeliverSettings.Relay relay) throws IOException {
        List<String> lines = Files.readAllLines(relay.passwordFile());
        if (lines.isEmpty() || lines.getFirst().isEmpty()) {
            throw new IOException("the password file of the next hop is empty");
        }
        try {
            boolean in = client.auth(AuthenticatingSMTPClient.AUTH_METHOD.PLAIN, relay.user(), lines.getFirst())
                    || client.getReplyCode() == 504
                            && client.auth(AuthenticatingSMTPClient.AUTH_METHOD.LOGIN, relay.user(), lines.getFirst());
            check(in, client, "refuses user or password");
        } catch (GeneralSecurityException e) {
            throw new IOException("no login at the next hop", e);
        }
    }

    private static void check(boolean good, Client client, String what) throws IOException {
        if (!good) {
            throw new RefusedByHopException(what, client.reply());
        }
    }

    private static boolean offers(Client client, String extension) {
        for (String line : client.getReplyStrings()) {
            String[] words = line.length() > 4
                    ? line.substring(4).toUpperCase(Locale.ROOT).split(" ")
                    : new String[] {""};
            if (words[0].equals(extension)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the server closed it with a reply (421), and not without a word. */
    boolean isSentAway() {
        return client.getReplyCode() == CLOSING;
    }

    /** Whether another mail can go over it. */
    boolean isUsable() {
        return !broken && mails < MAX_MAILS;
    }

    /**
     * Sends one mail.
     *
     * @return what became of each recipient
     * @throws IOException if the connection broke: nothing is known of any recipient
     */
    Map<String, Reply> send(OutboundMail mail) throws IOException {
        boolean done = false;
        mails++;
        try {
            Map<String, Reply> answers = transaction(mail);
            done = true;
            return answers;
        } finally {
            broken |= !done;
        }
    }

    private Map<String, Reply> transaction(OutboundMail mail) throws IOException {
        var answers = new LinkedHashMap<String, Reply>();
        boolean eightBit = isEightBit(mail.message());
        if (eightBit && !eightBitMime) {
            // To encode it anew would break signatures inside; so it goes back.
            return all(mail.recipients(), answers, new Reply(554, "5.6.3 the next server takes no 8-bit mail"));
        }
        client.sendCommand("MAIL FROM:<" + mail.reversePath() + ">" + (eightBit ? " BODY=8BITMIME" : "")
                + (size ? " SIZE=" + mail.message().length : ""));
        if (!answer().isTaken()) {
            return reset(all(mail.recipients(), answers, answer()));
        }
        boolean taken = false;
        for (String recipient : mail.recipients()) {
            client.sendCommand("RCPT TO:<" + recipient + ">");
            answers.put(recipient, answer());
            taken |= answer().isTaken();
        }
        if (!taken) {
            return reset(answers);
        }
        List<String> accepted = mail.recipients().stream()
                .filter(recipient -> answers.get(recipient).isTaken())
                .toList();
        client.sendCommand("DATA");
        if (client.getReplyCode() != 354) {
            Reply refused = answer().code() < 400 ? new Reply(451, "4.5.0 not what DATA is answered with") : answer();
            return reset(all(accepted, answers, refused));
        }
        write(mail.message(), client.output());
        client.getReply();
        return all(accepted, answers, answer());
    }

    private Reply answer() {
        Reply reply = client.reply();
        broken |= reply.code() == CLOSING;
        return reply;
    }

    private Map<String, Reply> reset(Map<String, Reply> answers) throws IOException {
        if (!broken) {
            client.rset();
        }
        return answers;
    }

    private static Map<String, Reply> all(List<String> recipients, Map<String, Reply> answers, Reply reply) {
        recipients.forEach(recipient -> answers.put(recipient, reply));
        return answers;
    }

    private static boolean isEightBit(byte[] message) {
        for (byte b : message) {
            if (b < 0) {
                return true;
            }
        }
        return false;
    }

    /** The message with its dots doubled (RFC 5321, section 4.5.2), and its end. */
    private static void write(byte[] message, OutputStream to) throws IOException {
        var out = new BufferedOutputStream(to, 16 << 10);
        int start = 0;
        for (int i = 0; i < message.length; i++) {
            boolean lineStart = i == 0 || message[i - 1] == '\n';
            if (lineStart && message[i] == '.') {
                out.write(message, start, i - start);
                out.write('.');
                start = i;
            }
        }
        out.write(message, start, message.length - start);
        if (message.length < 2 || message[message.length - 1] != '\n') {
            out.write(new byte[] {'\r', '\n'});
        }
        out.write(new byte[] {'.', '\r', '\n'});
        out.flush();
    }

    private static void disconnect(Client client) {
        try {
            client.disconnect();
        } catch (IOException e) {
            // it is gone anyway
        }
    }

    /** From another thread: ends what hangs. */
    void abort() {
        try {
            client.abort();
        } catch (IOException e) {
            // it is gone anyway
        }
    }

    @Override
    public void close() {
        try {
            if (!broken) {
                client.quit();
            }
        } catch (IOException e) {
            // what was acknowledged was acknowledged
        } finally {
            disconnect(client);
        }
    }
}
