package dev.veilgate.gateway.ingest.smtp;

import org.apache.james.protocols.api.ProtocolSession;
import org.apache.james.protocols.api.Response;
import org.apache.james.protocols.api.handler.CommandHandler;
import org.apache.james.protocols.api.handler.ProtocolHandler;
import org.apache.james.protocols.api.handler.ProtocolHandlerResultHandler;
import org.apache.james.protocols.smtp.SMTPSession;

/** Closes connections that only make errors, or do not get anywhere. */
final class CommandLimit implements ProtocolHandlerResultHandler<Response, SMTPSession> {
    private final SmtpSettings.Limits limits;

    CommandLimit(SmtpSettings.Limits limits) {
        this.limits = limits;
    }

    @Override
    public Response onResponse(ProtocolSession session, Response response, long time, ProtocolHandler handler) {
        // James asks again for the dispatcher of commands.
        if (!(handler instanceof CommandHandler) || !(session instanceof SMTPSession smtp)) {
            return response;
        }
        Connection connection = Connection.of(smtp);
        if (response.getRetCode().startsWith("5")) {
            connection.errors++;
        }
        if (connection.errors >= limits.errors()) {
            return Replies.last("421", "4.7.0 Too many errors");
        }
        return connection.commandsSinceMessage > limits.commandsWithoutMessage()
                ? Replies.last("421", "4.7.0 Too many commands without a message")
                : response;
    }
}
