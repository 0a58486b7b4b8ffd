package dev.veilgate.proxy;

import dev.veilgate.service.LineLog;
import java.io.IOException;
import org.apache.james.core.MaybeSender;
import org.apache.james.core.Username;
import org.apache.james.protocols.api.OidcSASLConfiguration;
import org.apache.james.protocols.smtp.SMTPSession;
import org.apache.james.protocols.smtp.hook.AuthHook;
import org.apache.james.protocols.smtp.hook.HookResult;
import org.apache.james.protocols.smtp.hook.HookReturnCode;
import org.apache.james.protocols.smtp.hook.MailHook;

/** AUTH PLAIN and LOGIN against the password file; no mail without it, and where there is TLS no password without that. */
final class PasswordLogin implements AuthHook, MailHook {
    private final PasswordFile passwords;
    private final boolean tls;
    private final LineLog log;

    PasswordLogin(PasswordFile passwords, boolean tls, LineLog log) {
        this.passwords = passwords;
        this.tls = tls;
        this.log = log;
    }

    @Override
    public HookResult doAuth(SMTPSession session, Username user, String password) {
        if (tls && !session.isTLSStarted()) {
            return RecipientKeys.deny(HookReturnCode.deny(), "538", "5.7.11 STARTTLS first");
        }
        try {
            if (!passwords.matches(user.asString(), password)) {
                return RecipientKeys.deny(HookReturnCode.deny(), "535", "5.7.8 Authentication failed");
            }
            session.setUsername(user);
            return HookResult.OK;
        } catch (IOException e) {
            log.warn("the password file cannot be read: " + e.getMessage());
            return RecipientKeys.deny(HookReturnCode.denySoft(), "454", "4.7.0 Authentication is not possible now");
        }
    }

    @Override
    public HookResult doSasl(SMTPSession session, OidcSASLConfiguration configuration, String initialResponse) {
        return HookResult.DECLINED;
    }

    @Override
    public HookResult doMail(SMTPSession session, MaybeSender sender) {
        return session.getUsername() == null
                ? RecipientKeys.deny(HookReturnCode.deny(), "530", "5.7.0 Authentication required")
                : HookResult.DECLINED;
    }
}
