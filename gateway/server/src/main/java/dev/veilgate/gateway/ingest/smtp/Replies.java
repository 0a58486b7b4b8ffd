package dev.veilgate.gateway.ingest.smtp;

import dev.veilgate.gateway.ingest.RefusedException;
import dev.veilgate.transport.smtp.MailSize;
import org.apache.james.protocols.api.Response;
import org.apache.james.protocols.smtp.SMTPResponse;
import org.apache.james.protocols.smtp.hook.HookResult;
import org.apache.james.protocols.smtp.hook.HookReturnCode;
import org.springframework.util.unit.DataSize;

/** Replies of SMTP. */
final class Replies {
    static final String STOPPING = "421 4.3.2 This server is stopping; try again later";

    private Replies() {}

    /** To a message that is too long. */
    static Response tooLarge(DataSize most) {
        return of(
                "552",
                "5.3.4 The message is longer than this server takes: " + MailSize.words(most.toBytes())
                        + ", which is a sealed mail with attachments of about "
                        + MailSize.words(MailSize.attachments(most.toBytes(), 3)));
    }

    static Response of(String code, String text) {
        return new SMTPResponse(code, text);
    }

    /** After which the connection is closed. */
    static Response last(String code, String text) {
        var reply = new SMTPResponse(code, text);
        reply.setEndSession(true);
        return reply;
    }

    /** Out of a hook: refused. */
    static HookResult deny(String code, String text) {
        return HookResult.builder()
                .hookReturnCode(code.startsWith("4") ? HookReturnCode.denySoft() : HookReturnCode.deny())
                .smtpReturnCode(code)
                .smtpDescription(text)
                .build();
    }

    /** To a message that was not taken. */
    static Response refused(RefusedException e) {
        return switch (e.refusal()) {
            case MALFORMED -> of("554", "5.6.0 " + e.getMessage());
            case TOO_LARGE -> of("552", "5.3.4 " + e.getMessage());
            case BAD_SIGNATURE -> of("550", "5.7.7 " + e.getMessage());
            case PLAIN_MAIL -> of("550", "5.7.10 " + e.getMessage());
            case OUTDATED, UNKNOWN_TENANT, UNKNOWN_KEY, UNKNOWN_SCOPE, NOT_ALLOWED, UNPROVEN_SENDER, CONFLICT, CLOCK ->
                of("550", "5.7.1 " + e.getMessage());
            case QUOTA -> of("451", "4.7.1 " + e.getMessage());
            case STORAGE_FULL -> of("452", "4.3.1 No room at the moment; try again later");
            case UNAVAILABLE -> of("451", "4.3.0 Not possible at the moment; try again later");
        };
    }
}
