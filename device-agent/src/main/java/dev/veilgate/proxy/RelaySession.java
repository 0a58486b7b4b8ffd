package dev.veilgate.proxy;

import dev.veilgate.client.TrustedAuthorities;
import dev.veilgate.settings.RelaySettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.apache.commons.net.MalformedServerReplyException;
import org.apache.commons.net.smtp.AuthenticatingSMTPClient;
import org.apache.commons.net.smtp.SMTPReply;
import org.jspecify.annotations.Nullable;

/** A connection to the relay: mails go over it one after the other. Not for several threads. */
final class RelaySession implements AutoCloseable {
    private final AuthenticatingSMTPClient client;
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
    }

    /**
     * Connects, protects the connection as the settings say, and logs in.
     *
     * @throws IOException if one of it fails; the message holds the server's code and no password
     */
    static RelaySession connect(RelaySettings settings, String ourName) throws IOException {
        boolean implicit = settings.tls() == RelaySettings.Tls.IMPLICIT;
        var client = new AuthenticatingSMTPClient(implicit, context(settings.authorities()));
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
            if (settings.user() != null && settings.passwordFile() != null) {
                logIn(client, settings.user(), settings.passwordFile());
            }
            ready = true;
            return new RelaySession(client);
        } catch (GeneralSecurityException e) {
            throw new IOException("the SMTP server's login failed", e);
        } finally {
            if (!ready) {
                disconnect(client);
            }
        }
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
     * Sends one mail.
     *
     * @param sender     empty for none, as for reports
     * @param recipients at least one
     * @param mail       lines of ASCII, ending in CR LF
     * @return what became of each recipient
     * @throws IOException if the connection broke: nothing is known of any recipient
     */
    Map<String, Answer> send(String sender, List<String> recipients, InputStream mail) throws IOException {
        boolean done = false;
        try {
            Map<String, Answer> answers = transaction(sender, recipients, mail);
            done = true;
            return answers;
        } finally {
            broken |= !done;
        }
    }

    private Map<String, Answer> transaction(String sender, List<String> recipients, InputStream mail)
            throws IOException {
        var answers = new LinkedHashMap<String, Answer>();
        int code = client.mail("<" + sender + ">");
        if (!SMTPReply.isPositiveCompletion(code)) {
            return reset(all(recipients, answers, code));
        }
        boolean accepted = false;
        for (String recipient : recipients) {
            int reply = client.rcpt("<" + recipient + ">");
            answers.put(recipient, new Answer(reply));
            accepted |= SMTPReply.isPositiveCompletion(reply);
        }
        if (!accepted) {
            return reset(answers);
        }
        Writer writer = client.sendMessageData();
        if (writer == null) {
            return reset(all(accepted(answers), answers, client.getReplyCode()));
        }
        new InputStreamReader(mail, StandardCharsets.US_ASCII).transferTo(writer);
        writer.close();
        client.completePendingCommand();
        return all(accepted(answers), answers, client.getReplyCode());
    }

    private Map<String, Answer> reset(Map<String, Answer> answers) throws IOException {
        client.rset();
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

    private static SSLContext context(@Nullable Path authorities) throws IOException {
        try {
            return authorities == null ? SSLContext.getDefault() : TrustedAuthorities.context(authorities);
        } catch (GeneralSecurityException e) {
            throw new IOException("this Java runtime has no TLS", e);
        }
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
