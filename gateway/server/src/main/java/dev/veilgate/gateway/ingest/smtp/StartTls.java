package dev.veilgate.gateway.ingest.smtp;

import org.apache.james.protocols.api.ProtocolSession.State;
import org.apache.james.protocols.api.Request;
import org.apache.james.protocols.api.Response;
import org.apache.james.protocols.api.StartTlsResponse;
import org.apache.james.protocols.smtp.SMTPSession;
import org.apache.james.protocols.smtp.core.esmtp.StartTlsCmdHandler;

/**
 * STARTTLS (RFC 3207). Whatever came in clear behind the command somebody else may have put there: then the connection is closed. James' own
 * way to find that reads everything that waits again for every command.
 */
final class StartTls extends StartTlsCmdHandler {
    @Override
    public Response onCommand(SMTPSession session, Request request) {
        Connection connection = Connection.of(session);
        if (connection.principal().isPresent()) {
            return Replies.of("503", "5.5.1 Not after AUTH");
        }
        Response response = super.onCommand(session, request);
        if (response instanceof StartTlsResponse) {
            if (connection.framer().waiting() > 0) {
                return Replies.last("554", "5.5.1 Nothing may follow STARTTLS before its reply");
            }
            // What was said before TLS does not count.
            session.removeAttachment(SMTPSession.CURRENT_HELO_MODE, State.Connection);
            session.removeAttachment(SMTPSession.CURRENT_HELO_NAME, State.Connection);
        }
        return response;
    }
}
