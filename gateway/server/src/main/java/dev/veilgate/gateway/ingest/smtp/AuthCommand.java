package dev.veilgate.gateway.ingest.smtp;

import dev.veilgate.gateway.access.Access;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.james.protocols.api.ProtocolSession.State;
import org.apache.james.protocols.api.Request;
import org.apache.james.protocols.api.Response;
import org.apache.james.protocols.api.handler.CommandHandler;
import org.apache.james.protocols.smtp.SMTPSession;
import org.apache.james.protocols.smtp.core.esmtp.EhloExtension;
import org.jspecify.annotations.Nullable;

/**
 * AUTH PLAIN and LOGIN (RFC 4954, 4616): only where nobody listens, that is under TLS or over loopback. James' own handler would log
 * who failed, and not leave the exchange after an answer that is no base64.
 */
final class AuthCommand implements CommandHandler<SMTPSession>, EhloExtension {
    private static final int MAX_FAILURES = 3;
    private static final Response FAILED = Replies.of("535", "5.7.8 Authentication failed");
    private static final Response GARBLED = Replies.of("501", "5.5.2 Not base64, or not what the mechanism asks for");

    private final Access access;

    AuthCommand(Access access) {
        this.access = access;
    }

    @Override
    public Collection<String> getImplCommands() {
        return List.of("AUTH");
    }

    @Override
    public List<String> getImplementedEsmtpFeatures(SMTPSession session) {
        return isSafe(session) && Connection.of(session).principal().isEmpty()
                ? List.of("AUTH PLAIN LOGIN")
                : List.of();
    }

    private static boolean isSafe(SMTPSession session) {
        return session.isTLSStarted() || Connection.of(session).isLoopback();
    }

    @Override
    public Response onCommand(SMTPSession session, Request request) {
        if (!isSafe(session)) {
            return Replies.of("538", "5.7.11 Only under TLS");
        }
        if (session.getAttachment(SMTPSession.CURRENT_HELO_MODE, State.Connection)
                        .isEmpty()
                || Connection.of(session).principal().isPresent()
                || session.getAttachment(SMTPSession.SENDER, State.Transaction).isPresent()) {
            return Replies.of("503", "5.5.1 Not now");
        }
        String[] words = String.valueOf(request.getArgument()).strip().split(" +");
        if (words.length > 2) {
            return GARBLED;
        }
        String initial = words.length == 2 ? words[1] : null;
        return switch (words[0].toUpperCase(Locale.ROOT)) {
            case "PLAIN" -> ask(session, "", initial, this::plain);
            case "LOGIN" -> ask(session, "VXNlcm5hbWU6", initial, this::loginUser);
            default -> Replies.of("504", "5.5.4 PLAIN or LOGIN");
        };
    }

    /** The next step gets what the client answers to the challenge. */
    private Response ask(
            SMTPSession session,
            String challenge,
            @Nullable String initial,
            BiFunction<SMTPSession, String, Response> next) {
        if (initial != null) {
            return decoded(session, initial.equals("=") ? "" : initial, next);
        }
        session.<SMTPSession>pushLineHandler((same, line) -> {
            same.popLineHandler();
            String text = new String(line, StandardCharsets.US_ASCII).strip();
            return text.equals("*") ? Replies.of("501", "5.7.0 Cancelled") : decoded(same, text, next);
        });
        return Replies.of("334", challenge);
    }

    private static Response decoded(
            SMTPSession session, String base64, BiFunction<SMTPSession, String, Response> next) {
        try {
            return next.apply(session, new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return GARBLED;
        }
    }

    private Response plain(SMTPSession session, String text) {
        String[] parts = text.split("\0", -1);
        if (parts.length != 3) {
            return GARBLED;
        }
        // To act for another user is not possible.
        return parts[0].isEmpty() || parts[0].equals(parts[1]) ? check(session, parts[1], parts[2]) : FAILED;
    }

    private Response loginUser(SMTPSession session, String user) {
        return ask(session, "UGFzc3dvcmQ6", null, (same, password) -> check(same, user, password));
    }

    private Response check(SMTPSession session, String user, String password) {
        Connection connection = Connection.of(session);
        Optional<Principal> who =
                access.mailUser(user, password).filter(found -> found.rights().contains(Right.INGEST));
        if (who.isPresent()) {
            connection.logIn(who.get());
            return Replies.of("235", "2.7.0 Authenticated");
        }
        connection.failedLogins++;
        return connection.failedLogins < MAX_FAILURES ? FAILED : Replies.last("421", "4.7.0 Too many failed logins");
    }
}
