package dev.veilgate.transport.smtp;

import dev.veilgate.transport.TlsContext;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.apache.commons.net.MalformedServerReplyException;
import org.apache.commons.net.smtp.AuthenticatingSMTPClient;
import org.apache.commons.net.smtp.SMTPReply;
import org.jspecify.annotations.Nullable;

/** A connection to a mail server; mails go over it one after the other. Not for several threads, but for {@link #abort}. */
public final class SmtpConnection implements AutoCloseable {
    /** Recipients of one transaction: every server takes as many (RFC 5321, section 4.5.3.1.8), and some no more. */
    public static final int MAX_RECIPIENTS = 100;

    /** So many mails over one connection: some servers cut it after a hundred. */
    private static final int MAX_MAILS = 100;

    /** The server closes the connection. */
    private static final int CLOSING = 421;

    private static final int TOO_MANY_RECIPIENTS = 452;
    private static final int METHOD_UNKNOWN = 504;
    private static final int START_INPUT = 354;
    private static final int BUFFER_BYTES = 64 << 10;

    private final Client client;
    private final boolean eightBitMime;
    private final boolean size;
    private final long maxBytes;
    private int mails;
    private boolean broken;

    /** Made while the reply to EHLO is the last one. */
    private SmtpConnection(Client client) {
        this.client = client;
        Optional<String> announced = extension(client, "SIZE");
        this.eightBitMime = extension(client, "8BITMIME").isPresent();
        this.size = announced.isPresent();
        this.maxBytes = announced.map(SmtpConnection::number).orElse(0L);
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

        SmtpReply reply() {
            String[] lines = getReplyStrings();
            if (lines == null || lines.length == 0) {
                return new SmtpReply(CLOSING, "4.4.2 no answer");
            }
            var text = new StringBuilder(lines[0]);
            for (int i = 1; i < lines.length; i++) {
                text.append(' ').append(lines[i].length() > 4 ? lines[i].substring(4) : "");
            }
            return SmtpReply.parse(text.toString());
        }
    }

    /**
     * Connects to the first of the host's addresses that can be used, protects the connection as the hop says, and logs in. Where TLS is only tried and fails, the same address is
     * spoken to by the TLS of the Java runtime, and then in clear.
     *
     * @param ourName what it greets with
     * @throws IOException if one of it fails at all addresses; the message holds the server's code, no password and no text of the server's
     */
    public static SmtpConnection open(SmtpHop hop, String ourName, SmtpHop.Patience patience) throws IOException {
        return open(hop, List.of(InetAddress.getAllByName(hop.host())), ourName, patience);
    }

    static SmtpConnection open(SmtpHop hop, List<InetAddress> addresses, String ourName, SmtpHop.Patience patience)
            throws IOException {
        IOException last = null;
        for (InetAddress address : addresses) {
            try {
                return open(hop, address, hop.tls() != SmtpTls.NONE, ourName, patience);
            } catch (SSLException e) {
                last = new IOException(
                        "no TLS with the SMTP server (" + e.getClass().getSimpleName() + ")", e);
            } catch (IOException e) {
                last = e;
                continue;
            }
            if (hop.tls() == SmtpTls.OPPORTUNISTIC) {
                SSLContext classical = TlsContext.classical(hop.trust());
                if (classical != hop.trust()) {
                    try {
                        return open(hop.by(classical), address, true, ourName, patience);
                    } catch (IOException e) {
                        last = e;
                    }
                }
                try {
                    return open(hop, address, false, ourName, patience);
                } catch (IOException e) {
                    last = e;
                }
            }
        }
        throw last == null ? new IOException("the SMTP server has no address") : last;
    }

    private static SmtpConnection open(
            SmtpHop hop, InetAddress address, boolean secure, String ourName, SmtpHop.Patience patience)
            throws IOException {
        var client = new Client(hop.tls() == SmtpTls.IMPLICIT, hop.trust(), hop.host());
        boolean ready = false;
        try {
            client.setEndpointCheckingEnabled(hop.tls().isVerified());
            client.setConnectTimeout(Math.toIntExact(patience.connect().toMillis()));
            client.setDefaultTimeout(Math.toIntExact(patience.answer().toMillis()));
            client.connect(address, hop.port());
            greet(client, hop.tls(), secure, ourName);
            var connection = new SmtpConnection(client);
            SmtpHop.Login login = hop.login();
            if (login != null) {
                logIn(client, login);
            }
            ready = true;
            return connection;
        } finally {
            if (!ready) {
                disconnect(client);
            }
        }
    }

    private static void greet(Client client, SmtpTls tls, boolean secure, String ourName) throws IOException {
        check(SMTPReply.isPositiveCompletion(client.getReplyCode()), client, "does not serve");
        check(client.elogin(ourName), client, "refuses EHLO");
        if (!secure || tls == SmtpTls.IMPLICIT) {
            return;
        }
        if (extension(client, "STARTTLS").isPresent()) {
            check(client.execTLS(), client, "refuses STARTTLS");
            check(client.elogin(ourName), client, "refuses EHLO");
        } else if (tls == SmtpTls.REQUIRED) {
            throw new IOException("the SMTP server offers no STARTTLS");
        }
    }

    private static void logIn(Client client, SmtpHop.Login login) throws IOException {
        List<String> lines = Files.readAllLines(login.passwordFile());
        if (lines.isEmpty() || lines.getFirst().isEmpty()) {
            throw new IOException("the password file of the SMTP server is empty");
        }
        try {
            boolean in = client.auth(AuthenticatingSMTPClient.AUTH_METHOD.PLAIN, login.user(), lines.getFirst())
                    || client.getReplyCode() == METHOD_UNKNOWN
                            && client.auth(AuthenticatingSMTPClient.AUTH_METHOD.LOGIN, login.user(), lines.getFirst());
            check(in, client, "refuses the user or the password");
        } catch (GeneralSecurityException e) {
            throw new IOException("the SMTP server's login failed", e);
        }
    }

    private static void check(boolean good, Client client, String what) throws IOException {
        if (!good) {
            throw new IOException(
                    "the SMTP server " + what + " (" + client.reply().code() + ")");
        }
    }

    /** What is said of an extension in the reply to EHLO, behind its name; empty if it is not offered. */
    private static Optional<String> extension(Client client, String name) {
        for (String line : client.getReplyStrings()) {
            String text = line.length() > 4 ? line.substring(4).strip() : "";
            boolean alone = text.length() == name.length() || text.startsWith(" ", name.length());
            if (alone && text.regionMatches(true, 0, name, 0, name.length())) {
                return Optional.of(text.substring(name.length()).strip());
            }
        }
        return Optional.empty();
    }

    private static long number(String digits) {
        try {
            return Math.max(0, Long.parseLong(digits));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** Most bytes of a mail that the server announced; 0 if it announced no limit. */
    public long maxBytes() {
        return maxBytes;
    }

    /** Whether the server closed it with a reply (421), and not without a word. */
    public boolean isSentAway() {
        return client.getReplyCode() == CLOSING;
    }

    /** Whether another mail can go over it. */
    public boolean isUsable() {
        return !broken && mails < MAX_MAILS;
    }

    /**
     * Sends one mail, to many recipients in several transactions, one at once after the other. What the server takes by no means is not sent: it is answered here as the server would.
     *
     * @param reversePath empty for none, as for reports
     * @param recipients  at least one
     * @return what became of each recipient
     * @throws IOException if the message cannot be read, or the connection broke in the first transaction: nothing is known of any recipient
     */
    public Map<String, SmtpReply> send(String reversePath, List<String> recipients, SmtpMessage message)
            throws IOException {
        mails++;
        Map<String, SmtpReply> answers = new LinkedHashMap<>();
        Form form = form(message);
        SmtpReply refusal = refusal(form);
        if (refusal != null) {
            return all(recipients, answers, refusal);
        }
        String mail = "MAIL FROM:<" + reversePath + ">" + (form.eightBit() ? " BODY=8BITMIME" : "")
                + (size ? " SIZE=" + form.bytes() : "");
        var left = new ArrayDeque<>(recipients);
        while (!left.isEmpty() && !broken) {
            List<String> some = new ArrayList<>();
            while (!left.isEmpty() && some.size() < MAX_RECIPIENTS) {
                some.add(left.remove());
            }
            Map<String, SmtpReply> got = transaction(mail, some, message, !answers.isEmpty());
            boolean progress = got.values().stream().anyMatch(SmtpReply::isTaken);
            got.forEach((recipient, answer) -> {
                if (progress && answer.code() == TOO_MANY_RECIPIENTS) {
                    left.add(recipient); // RFC 5321, section 4.5.3.1.10: in a transaction of their own
                } else {
                    answers.put(recipient, answer);
                }
            });
        }
        return all(left, answers, new SmtpReply(CLOSING, "4.4.2 the connection to the next server broke"));
    }

    /** What a server looks at in a message. */
    private record Form(long bytes, boolean eightBit, long longestLine) {}

    private static Form form(SmtpMessage message) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        byte bits = 0;
        long line = 0;
        long longest = 0;
        byte before = 0;
        try (InputStream in = message.open()) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                for (int i = 0; i < count; i++) {
                    byte b = buffer[i];
                    bits |= b;
                    line++;
                    if (b == '\n') {
                        longest = Math.max(longest, before == '\r' ? line - 2 : line - 1);
                        line = 0;
                    }
                    before = b;
                }
            }
        }
        return new Form(message.bytes(), bits < 0, Math.max(longest, line));
    }

    private @Nullable SmtpReply refusal(Form form) {
        if (form.eightBit() && !eightBitMime) {
            // To encode it anew would break signatures inside; so it goes back.
            return new SmtpReply(554, "5.6.3 the next server takes no 8-bit mail");
        }
        if (maxBytes > 0 && form.bytes() > maxBytes) {
            return new SmtpReply(552, "5.3.4 the next server takes mails up to " + maxBytes + " bytes");
        }
        return form.longestLine() > DataReader.MAX_LINE_BYTES
                ? new SmtpReply(554, "5.6.0 a line is longer than " + DataReader.MAX_LINE_BYTES + " bytes")
                : null;
    }

    /** One transaction; a connection that breaks in a later one does not take back what the earlier ones did. */
    private Map<String, SmtpReply> transaction(String mail, List<String> recipients, SmtpMessage message, boolean later)
            throws IOException {
        boolean done = false;
        try {
            Map<String, SmtpReply> answers = transaction(mail, recipients, message);
            done = true;
            return answers;
        } catch (IOException e) {
            if (later) {
                var broke = new SmtpReply(CLOSING, "4.4.2 the connection to the next server broke");
                return all(recipients, new LinkedHashMap<>(), broke);
            }
            throw e;
        } finally {
            broken |= !done;
        }
    }

    private Map<String, SmtpReply> transaction(String mail, List<String> recipients, SmtpMessage message)
            throws IOException {
        Map<String, SmtpReply> answers = new LinkedHashMap<>();
        client.sendCommand(mail);
        if (!answer().isTaken()) {
            return reset(all(recipients, answers, answer()));
        }
        boolean taken = false;
        for (String recipient : recipients) {
            client.sendCommand("RCPT TO:<" + recipient + ">");
            answers.put(recipient, answer());
            taken |= answer().isTaken();
        }
        if (!taken) {
            return reset(answers);
        }
        List<String> accepted = recipients.stream()
                .filter(recipient ->
                        Objects.requireNonNull(answers.get(recipient)).isTaken()) // each has one by now
                .toList();
        client.sendCommand("DATA");
        if (client.getReplyCode() != START_INPUT) {
            SmtpReply refused =
                    answer().code() < 400 ? new SmtpReply(451, "4.5.0 not what DATA is answered with") : answer();
            return reset(all(accepted, answers, refused));
        }
        try (InputStream in = message.open()) {
            write(in, client.output());
        }
        client.getReply();
        return all(accepted, answers, answer());
    }

    private SmtpReply answer() {
        SmtpReply reply = client.reply();
        broken |= reply.code() == CLOSING;
        return reply;
    }

    private Map<String, SmtpReply> reset(Map<String, SmtpReply> answers) throws IOException {
        if (!broken) {
            client.rset();
        }
        return answers;
    }

    private static Map<String, SmtpReply> all(
            Iterable<String> recipients, Map<String, SmtpReply> answers, SmtpReply reply) {
        recipients.forEach(recipient -> answers.put(recipient, reply));
        return answers;
    }

    /** The message with its dots doubled (RFC 5321, section 4.5.2), and its end. */
    private static void write(InputStream message, OutputStream to) throws IOException {
        var out = new BufferedOutputStream(to, BUFFER_BYTES / 4);
        byte[] buffer = new byte[BUFFER_BYTES];
        byte last = '\n';
        for (int count = message.read(buffer); count >= 0; count = message.read(buffer)) {
            int start = 0;
            for (int i = 0; i < count; i++) {
                if (buffer[i] == '.' && last == '\n') {
                    out.write(buffer, start, i - start);
                    out.write('.');
                    start = i;
                }
                last = buffer[i];
            }
            out.write(buffer, start, count - start);
        }
        if (last != '\n') {
            out.write(new byte[] {'\r', '\n'});
        }
        out.write(new byte[] {'.', '\r', '\n'});
        out.flush();
    }

    /** Why a connection failed, for a log: of a reply that is none, not the text, which may name people. */
    public static String reason(IOException e) {
        if (e instanceof MalformedServerReplyException) {
            return "the SMTP server's answer is not SMTP";
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private static void disconnect(Client client) {
        try {
            client.disconnect();
        } catch (IOException e) {
            // it is gone anyway
        }
    }

    /** From another thread: ends what hangs. */
    public void abort() {
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
