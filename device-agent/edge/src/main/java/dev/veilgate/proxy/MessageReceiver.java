package dev.veilgate.proxy;

import dev.veilgate.envelope.smime.MalformedMailException;
import dev.veilgate.service.LineLog;
import dev.veilgate.transport.smtp.DataReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.james.core.MailAddress;
import org.apache.james.core.Username;
import org.apache.james.protocols.api.ProtocolSession.AttachmentKey;
import org.apache.james.protocols.api.ProtocolSession.State;
import org.apache.james.protocols.api.Response;
import org.apache.james.protocols.api.handler.DisconnectHandler;
import org.apache.james.protocols.api.handler.LineHandler;
import org.apache.james.protocols.smtp.SMTPResponse;
import org.apache.james.protocols.smtp.SMTPSession;
import org.apache.james.protocols.smtp.core.DataLineFilter;

/**
 * The end of DATA: takes the lines of a message, and answers when it is sealed and on disk. What ends lines and the
 * message, {@link DataReader} says.
 */
final class MessageReceiver implements DataLineFilter, DisconnectHandler<SMTPSession> {
    private static final AttachmentKey<Incoming> INCOMING = AttachmentKey.of("veilgate-incoming", Incoming.class);

    private final MailSubmission submission;
    private final boolean partial;
    private final LineLog log;

    /** @param partial whether a mail goes to its other recipients if some were refused */
    MessageReceiver(MailSubmission submission, boolean partial, LineLog log) {
        this.submission = submission;
        this.partial = partial;
        this.log = log;
    }

    /** A message on its way in. */
    private static final class Incoming {
        final PlainMail mail;
        final long maxBytes;
        final DataReader data = new DataReader(Long.MAX_VALUE); // what is sealed has lines of its own
        boolean tooLarge;
        boolean diskFailed;

        Incoming(PlainMail mail, long maxBytes) {
            this.mail = mail;
            this.maxBytes = maxBytes;
        }

        boolean isGood() {
            return !tooLarge && !diskFailed;
        }
    }

    @Override
    public @org.jspecify.annotations.Nullable Response onLine(
            SMTPSession session, byte[] line, LineHandler<SMTPSession> next) {
        Incoming incoming = session.getAttachment(INCOMING, State.Transaction).orElse(null);
        if (incoming == null) {
            incoming = new Incoming(submission.begin(), submission.maxBytes());
            session.setAttachment(INCOMING, incoming, State.Transaction);
        }
        Incoming message = incoming;
        if (message.data.take(ByteBuffer.wrap(line), part -> append(message, part))) {
            try {
                return finish(session, incoming);
            } finally {
                close(incoming);
                session.popLineHandler();
                ConnectionGuard.of(session).endMessage();
                session.resetState();
                if (!session.isTLSStarted()) {
                    session.startDetectingCommandInjection();
                }
            }
        }
        ConnectionGuard.of(session).message(line.length);
        return null;
    }

    private void append(Incoming incoming, ByteBuffer part) {
        if (!incoming.isGood()) {
            return;
        }
        try {
            if (incoming.mail.size() + part.remaining() > incoming.maxBytes) {
                incoming.tooLarge = true;
                incoming.mail.close();
            } else {
                incoming.mail.write(part.array(), part.arrayOffset() + part.position(), part.remaining());
            }
        } catch (IOException e) {
            log.warn("a message could not be kept: " + e);
            submission.metrics().diskFailed();
            incoming.diskFailed = true;
        }
    }

    private Response finish(SMTPSession session, Incoming incoming) {
        int refused =
                session.getAttachment(RecipientKeys.REFUSED, State.Transaction).orElse(0);
        if (incoming.tooLarge) {
            return refuse("552", SizeLimit.tooLarge(incoming.maxBytes));
        }
        if (incoming.data.fault() == DataReader.Fault.BARE_END) {
            return refuse("550", "5.6.0 Lines must end in CR LF, and a CR or LF stood alone; nothing was sent");
        }
        if (incoming.diskFailed) {
            return refuse("452", "4.3.1 The message could not be kept; try again later");
        }
        if (refused > 0 && !partial) {
            return refuse("554", "5.7.5 no key for " + refused + " of the recipients; nothing was sent");
        }
        return accept(session, incoming);
    }

    private Response accept(SMTPSession session, Incoming incoming) {
        String sender = session.getAttachment(SMTPSession.SENDER, State.Transaction)
                .map(s -> s.asString(""))
                .orElse("");
        List<String> recipients =
                session.getAttachment(SMTPSession.RCPT_LIST, State.Transaction).orElse(List.of()).stream()
                        .map(MailAddress::asString)
                        .toList();
        Username user = session.getUsername();
        try {
            String id = submission.accept(incoming.mail, sender, recipients, user == null ? null : user.asString());
            return new SMTPResponse("250", "2.6.0 sealed and queued as " + id);
        } catch (NoKeyException e) {
            return refuse("554", "5.7.5 a recipient's key went away: " + e.getMessage() + "; nothing was sent");
        } catch (TooLargeSealedException e) {
            return refuse("552", "5.3.4 " + e.getMessage() + "; nothing was sent");
        } catch (MalformedMailException e) {
            return refuse("554", "5.6.0 " + e.getMessage() + "; nothing was sent");
        } catch (BundleUnusableException e) {
            return refuse("451", "4.7.5 No usable public bundle; tell your administrator");
        } catch (IOException e) {
            log.warn("a message could not be kept: " + e);
            submission.metrics().diskFailed();
            return refuse("451", "4.3.0 The message could not be sealed and kept; try again later");
        } catch (RuntimeException e) {
            log.warn("a message could not be sealed, by a bug: " + LineLog.bug(e));
            return refuse("554", "5.6.0 The message could not be sealed; nothing was sent");
        }
    }

    private Response refuse(String code, String text) {
        submission.metrics().refusedMessages.increment();
        return new SMTPResponse(code, text);
    }

    @Override
    public void onDisconnect(SMTPSession session) {
        session.getAttachment(INCOMING, State.Transaction).ifPresent(this::close);
    }

    private void close(Incoming incoming) {
        try {
            incoming.mail.close();
        } catch (IOException e) {
            log.warn("a temporary file could not be closed: " + e);
        }
    }
}
