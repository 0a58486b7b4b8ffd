package dev.veilgate.proxy;

import dev.veilgate.settings.RelaySettings;
import dev.veilgate.transport.TlsContext;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.net.MalformedServerReplyException;
import org.apache.commons.net.smtp.AuthenticatingSMTPClient;
import org.apache.commons.net.smtp.SMTPReply;

/** A connection to the relay: mails go over it one after the other. Not for several threads. */
final class RelaySession implements AutoCloseable {
    /** Recipients of one transaction: every server takes as many (RFC 5321, section 4.5.3.1.8), and some no more. */
    static final int MAX_RECIPIENTS = 100;

    private static final int TOO_LARGE = 552;
    private static final int TOO_MANY_RECIPIENTS = 452;
    private static final int CLOSING = 421;

    private final AuthenticatingSMTPClient client;
    private final boolean size;
    private final long maxBytes;
    private boolean broken;

    /** What the relay said of a recipient: the code of its reply, without the text, which may name people. */
    record Answer(int code) {
        boolean delivered() {
            return SMTPReply.isPositiveCompletion(code);
        }

        boolean refused() {
            return code >= 500 && code < 600;
        }
    }

    private RelaySession(AuthenticatingSMTPClient client) {
        this.client = client;
        Optional<String> announced = extension(client, "SIZE");
        this.size = announced.isPresent();
        this.maxBytes = announced.map(RelaySession::bytes).orElse(0L);
    }

    /**
     * Connects, protects the connection as the settings say, and logs in.
     *
     * @throws IOException if one of it fails; the message holds the server's code and no password
     */
    static RelaySession connect(RelaySettings settings, String ourName) throws IOException {
        boolean implicit = settings.tls() == RelaySettings.Tls.IMPLICIT;
        var client = new AuthenticatingSMTPClient(implicit, TlsContext.client(settings.authorities()));
        client.setEndpointCheckingEnabled(true);
        int millis = Math.toIntExact(settings.timeout().toMillis());
        client.setConnectTimeout(millis);
        client.setDefaultTimeout(millis);
        boolean ready = false;
        try {
            client.connect(settings.host(), settings.port());
            client.setTcpNoDelay(true); // a message ends with a write of its own, which would wait for a delayed ACK
            check(SMTPReply.isPositiveCompletion(client.getReplyCode()), client, "does not serve");
            check(client.elogin(ourName), client, "refuses EHLO");
            if (settings.tls() == RelaySettings.Tls.STARTTLS) {
                check(client.execTLS(), client, "refuses STARTTLS");
                check(client.elogin(ourName), client, "refuses EHLO");
            }
            var session = new RelaySession(client); // while the reply to EHLO is the last one
            if (settings.user() != null && settings.passwordFile() != null) {
                logIn(client, settings.user(), settings.passwordFile());
            }
            ready = true;
            return session;
        } catch (GeneralSecurityException e) {
            throw new IOException("the SMTP server's login failed", e);
        } finally {
            if (!ready) {
                disconnect(client);
            }
        }
    }

    /** What is said of an extension in the reply to EHLO, behind its name; empty if it is not offered. */
    private static Optional<String> extension(AuthenticatingSMTPClient client, String name) {
        for (String line : client.getReplyStrings()) {
            String text = line.length() > 4 ? line.substring(4).strip() : "";
            boolean alone = text.length() == name.length() || text.startsWith(" ", name.length());
            if (alone && text.regionMatches(true, 0, name, 0, name.length())) {
                return Optional.of(text.substring(name.length()).strip());
            }
        }
        return Optional.empty();
    }

    private static long bytes(String digits) {
        try {
            return Math.max(0, Long.parseLong(digits));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** Most bytes of a mail that the server announced; 0 if it announced no limit. */
    long maxBytes() {
        return maxBytes;
    }

    private static void logIn(AuthenticatingSMTPClient client, String user, Path passwordFile)
            throws IOException, GeneralSecurityException {
        List<String> lines = Files.readAllLines(passwordFile);
        if (lines.isEmpty() || lines.getFirst().isEmpty()) {
            throw new IOException("the password file of the SMTP server is empty");
        }
        boolean in = client.auth(AuthenticatingSMTPClient.AUTH_METHOD.PLAIN, user, lines.getFirst())
                || client.getReplyCode() == 504
                        && client.auth(AuthenticatingSMTPClient.AUTH_METHOD.LOGIN, user, lines.getFirst());
        check(in, client, "refuses the user or the password");
    }

    private static void check(boolean good, AuthenticatingSMTPClient client, String what) throws IOException {
        if (!good) {
            throw new IOException("the SMTP server " + what + " (" + client.getReplyCode() + ")");
        }
    }

    /**
     * Sends one mail, to many recipients in several transactions, one at once after the other.
     *
     * @param sender     empty for none, as for reports
     * @param recipients at least one
     * @param mail       a file of lines of ASCII, ending in CR LF
     * @return what became of each recipient
     * @throws IOException if the file cannot be read, or the connection broke in the first transaction: nothing is known of any recipient
     */
    Map<String, Answer> send(String sender, List<String> recipients, Path mail) throws IOException {
        long bytes = Files.size(mail);
        var answers = new LinkedHashMap<String, Answer>();
        if (maxBytes > 0 && bytes > maxBytes) {
            return all(recipients, answers, TOO_LARGE);
        }
        var left = new ArrayDeque<>(recipients);
        while (!left.isEmpty() && !broken) {
            var some = new ArrayList<String>();
            while (!left.isEmpty() && some.size() < MAX_RECIPIENTS) {
                some.add(left.remove());
            }
            Map<String, Answer> got = one(sender, some, mail, bytes, !answers.isEmpty());
            boolean progress = got.values().stream().anyMatch(Answer::delivered);
            got.forEach((recipient, answer) -> {
                if (progress && answer.code() == TOO_MANY_RECIPIENTS) {
                    left.add(recipient); // RFC 5321, section 4.5.3.1.10: in a transaction of their own
                } else {
                    answers.put(recipient, answer);
                }
            });
        }
        return all(List.copyOf(left), answers, CLOSING);
    }

    /** One transaction; a connection that breaks in a later one does not take back what the earlier ones did. */
    private Map<String, Answer> one(String sender, List<String> recipients, Path mail, long bytes, boolean later)
            throws IOException {
        boolean done = false;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(mail), 64 << 10)) {
            Map<String, Answer> answers = transaction(sender, recipients, in, bytes);
            done = true;
            return answers;
        } catch (IOException e) {
            if (later) {
                return all(recipients, new LinkedHashMap<>(), CLOSING);
            }
            throw e;
        } finally {
            broken |= !done;
        }
    }

    /** Whether the server closed it with a reply (421), and not without a word. */
    boolean isSentAway() {
        return client.getReplyCode() == CLOSING;
    }

    /** Whether another mail can go over it. */
    boolean isUsable() {
        return !broken;
    }

    private Map<String, Answer> transaction(String sender, List<String> recipients, InputStream mail, long bytes)
            throws IOException {
        var answers = new LinkedHashMap<String, Answer>();
        int code = seen(client.mail("<" + sender + ">" + (size ? " SIZE=" + bytes : "")));
        if (!SMTPReply.isPositiveCompletion(code)) {
            return reset(all(recipients, answers, code));
        }
        boolean accepted = false;
        for (String recipient : recipients) {
            int reply = seen(client.rcpt("<" + recipient + ">"));
            answers.put(recipient, new Answer(reply));
            accepted |= SMTPReply.isPositiveCompletion(reply);
        }
        if (!accepted) {
            return reset(answers);
        }
        Writer writer = client.sendMessageData();
        if (writer == null) {
            return reset(all(accepted(answers), answers, seen(client.getReplyCode())));
        }
        new InputStreamReader(mail, StandardCharsets.US_ASCII).transferTo(writer);
        writer.close();
        client.completePendingCommand();
        return all(accepted(answers), answers, seen(client.getReplyCode()));
    }

    private int seen(int code) {
        broken |= code == CLOSING;
        return code;
    }

    private Map<String, Answer> reset(Map<String, Answer> answers) throws IOException {
        if (!broken) {
            client.rset();
        }
        return answers;
    }

    private static List<String> accepted(Map<String, Answer> answers) {
        return answers.entrySet().stream()
                .filter(e -> e.getValue().delivered())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Why a connection failed, for a log: of a reply that is none, not the text, which may name people. */
    static String reason(IOException e) {
        if (e instanceof MalformedServerReplyException) {
            return "the SMTP server's answer is not SMTP";
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private static Map<String, Answer> all(List<String> recipients, Map<String, Answer> answers, int code) {
        recipients.forEach(r -> answers.put(r, new Answer(code)));
        return answers;
    }

    private static void disconnect(AuthenticatingSMTPClient client) {
        try {
            client.disconnect();
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
