package dev.veilgate.proxy;

import org.apache.james.protocols.api.ProtocolSession;
import org.apache.james.protocols.api.Response;
import org.apache.james.protocols.api.handler.CommandHandler;
import org.apache.james.protocols.api.handler.ProtocolHandler;
import org.apache.james.protocols.api.handler.ProtocolHandlerResultHandler;
import org.apache.james.protocols.smtp.SMTPResponse;
import org.apache.james.protocols.smtp.SMTPSession;

/** Tells the {@link ConnectionGuard} of each command, and closes where it says so. */
final class CommandGuard implements ProtocolHandlerResultHandler<Response, SMTPSession> {
    @Override
    public Response onResponse(ProtocolSession session, Response response, long time, ProtocolHandler handler) {
        // James asks again for the dispatcher of commands.
        if (!(handler instanceof CommandHandler) || !(session instanceof SMTPSession smtp)) {
            return response;
        }
        String close = ConnectionGuard.of(smtp).command(response.getRetCode());
        if (close == null) {
            return response;
        }
        var last = new SMTPResponse("421", close);
        last.setEndSession(true);
        return last;
    }
}
