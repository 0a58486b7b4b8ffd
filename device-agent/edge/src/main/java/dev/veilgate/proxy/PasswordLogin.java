package dev.veilgate.proxy;

import dev.veilgate.service.LineLog;
import dev.veilgate.settings.ProxySettings;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Locale;
import org.apache.james.core.MaybeSender;
import org.apache.james.core.Username;
import org.apache.james.protocols.api.OidcSASLConfiguration;
import org.apache.james.protocols.api.ProtocolSession.AttachmentKey;
import org.apache.james.protocols.api.ProtocolSession.State;
import org.apache.james.protocols.smtp.SMTPSession;
import org.apache.james.protocols.smtp.hook.AuthHook;
import org.apache.james.protocols.smtp.hook.HookResult;
import org.apache.james.protocols.smtp.hook.HookReturnCode;
import org.apache.james.protocols.smtp.hook.MailHook;

/** AUTH PLAIN and LOGIN against the password file; no mail without it, and where there is TLS no password without that. */
final class PasswordLogin implements AuthHook, MailHook {
    private static final int MAX_FAILED_OF_CONNECTION = 3;
    private static final AttachmentKey<Integer> FAILED = AttachmentKey.of("veilgate-failed-logins", Integer.class);

    private final PasswordFile passwords;
    private final LoginAttempts attempts;
    private final ProxySettings settings;
    private final MailSubmission submission;
    private final LineLog log;

    PasswordLogin(
            PasswordFile passwords,
            LoginAttempts attempts,
            ProxySettings settings,
            MailSubmission submission,
            LineLog log) {
        this.passwords = passwords;
        this.attempts = attempts;
        this.settings = settings;
        this.submission = submission;
        this.log = log;
    }

    @Override
    public HookResult doAuth(SMTPSession session, Username user, String password) {
        if (settings.certificate() != null && !session.isTLSStarted()) {
            return RecipientKeys.deny(HookReturnCode.deny(), "538", "5.7.11 STARTTLS first");
        }
        try {
            if (passwords.isRemembered(user.asString(), password)) {
                return loggedIn(session, user);
            }
            InetAddress client = session.getRemoteAddress().getAddress();
            if (!attempts.begin(client)) {
                submission.metrics().failedLogins.increment();
                return RecipientKeys.deny(
                        HookReturnCode.disconnected(HookReturnCode.Action.DENYSOFT),
                        "421",
                        "4.7.0 Too many logins; try again later");
            }
            return matches(user, password, client) ? loggedIn(session, user) : failed(session);
        } catch (IOException e) {
            log.warn("the password file cannot be read: " + e.getMessage());
            return RecipientKeys.deny(HookReturnCode.denySoft(), "454", "4.7.0 Authentication is not possible now");
        }
    }

    private boolean matches(Username user, String password, InetAddress client) throws IOException {
        boolean matched = false;
        try {
            matched = passwords.matches(user.asString(), password);
            return matched;
        } finally {
            attempts.end(client, matched);
        }
    }

    private static HookResult loggedIn(SMTPSession session, Username user) {
        session.setUsername(user);
        ConnectionGuard.of(session).loggedIn();
        return HookResult.OK;
    }

    private HookResult failed(SMTPSession session) {
        submission.metrics().failedLogins.increment();
        int failed = session.getAttachment(FAILED, State.Connection).orElse(0) + 1;
        session.setAttachment(FAILED, failed, State.Connection);
        return failed < MAX_FAILED_OF_CONNECTION
                ? RecipientKeys.deny(HookReturnCode.deny(), "535", "5.7.8 Authentication failed")
                : RecipientKeys.deny(
                        HookReturnCode.disconnected(HookReturnCode.Action.DENY), "421", "4.7.0 Too many failed logins");
    }

    @Override
    public HookResult doSasl(SMTPSession session, OidcSASLConfiguration configuration, String initialResponse) {
        return HookResult.DECLINED;
    }

    @Override
    public HookResult doMail(SMTPSession session, MaybeSender sender) {
        Username user = session.getUsername();
        if (user == null) {
            return RecipientKeys.deny(HookReturnCode.deny(), "530", "5.7.0 Authentication required");
        }
        try {
            return mayUse(
                            user.asString().toLowerCase(Locale.ROOT),
                            sender.asString("").toLowerCase(Locale.ROOT))
                    ? HookResult.DECLINED
                    : RecipientKeys.deny(
                            HookReturnCode.deny(), "553", "5.7.1 Who logged in may not use this sender address");
        } catch (IOException e) {
            return RecipientKeys.deny(
                    HookReturnCode.denySoft(), "451", "4.7.5 No usable public bundle; tell your administrator");
        }
    }

    private boolean mayUse(String user, String sender) throws IOException {
        if (sender.isEmpty()) {
            return true;
        }
        String domain = sender.substring(sender.lastIndexOf('@') + 1);
        return switch (settings.reversePath()) {
            case ANY -> true;
            case LOGIN -> sender.equals(user);
            case DOMAIN -> user.contains("@") ? user.endsWith("@" + domain) : submission.namesRecipientsOf(domain);
        };
    }
}
