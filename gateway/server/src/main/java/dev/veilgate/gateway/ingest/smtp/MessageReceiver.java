package dev.veilgate.gateway.ingest.smtp;

import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.ingest.Ingestion;
import dev.veilgate.gateway.ingest.Receipt;
import dev.veilgate.gateway.ingest.RefusedException;
import dev.veilgate.gateway.ingest.Submission;
import dev.veilgate.gateway.memory.HeapTurns;
import dev.veilgate.transport.smtp.NoMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.apache.james.core.MailAddress;
import org.apache.james.protocols.api.ProtocolSession.State;
import org.apache.james.protocols.api.Response;
import org.apache.james.protocols.api.handler.LineHandler;
import org.apache.james.protocols.smtp.SMTPSession;
import org.apache.james.protocols.smtp.core.DataCmdHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.unit.DataSize;

/** DATA: gathers the message, hands it over, and answers when it is durable or refused. */
@SuppressWarnings("unchecked") // a method of James' is raw
final class MessageReceiver extends DataCmdHandler {
    private static final Logger LOG = LoggerFactory.getLogger(MessageReceiver.class);

    private final Ingestion ingestion;
    private final MessageMemory memory;
    private final int maxBytes;
    private final String ourName;
    private final Clock clock;
    private final MeterRegistry meters;
    private final ReentrantLock joining = new ReentrantLock();

    MessageReceiver(
            Ingestion ingestion,
            MessageMemory memory,
            SmtpSettings settings,
            String ourName,
            Clock clock,
            MeterRegistry meters) {
        super(new NoMetrics());
        this.ingestion = ingestion;
        this.memory = memory;
        this.maxBytes = Math.toIntExact(settings.maxMessage().toBytes());
        this.ourName = ourName;
        this.clock = clock;
        this.meters = meters;
    }

    @Override
    protected Response doDATA(SMTPSession session, @Nullable String argument) {
        Connection connection = Connection.of(session);
        byte[] received = ReceivedField.of(session, ourName, clock.instant());
        connection.begin(new IncomingMessage(
                received, maxBytes, connection.declaredBytes, memory.of(connection.address()), () -> {
                    noMemory();
                    connection.hangUp("421 4.3.1 Too much mail at the moment; try again later");
                }));
        // The framer has the message take what comes; this is called when it ended.
        session.pushLineHandler((LineHandler<SMTPSession>) (same, line) -> {
            same.popLineHandler();
            end(same, connection);
            return null;
        });
        return Replies.of("354", "End with a dot on a line alone");
    }

    private void end(SMTPSession session, Connection connection) {
        IncomingMessage message = connection.message();
        connection.endMessage();
        if (message == null) {
            throw new IllegalStateException("the end of no message");
        }
        String reversePath = session.getAttachment(SMTPSession.SENDER, State.Transaction)
                .map(sender -> sender.asString(""))
                .orElse("");
        List<String> recipients =
                session.getAttachment(SMTPSession.RCPT_LIST, State.Transaction).orElse(List.of()).stream()
                        .map(MailAddress::asString)
                        .toList();
        session.resetState();
        if (message.fault() != IncomingMessage.Fault.NONE) {
            connection.answer(CompletableFuture.completedFuture(reply(message.fault())));
            return;
        }
        Optional<Principal> principal = connection.principal();
        Optional<InetAddress> client = Optional.of(connection.address());
        Function<byte[], Submission> mail =
                bytes -> new Submission.OfMail(principal, client, reversePath, recipients, bytes);
        CompletableFuture<Receipt> durable = message.size() > HeapTurns.LARGE_BYTES
                ? submitLarge(message, mail)
                : submit(mail.apply(message.takeBytes()));
        connection.answer(durable.handle((receipt, error) -> {
            message.forget();
            return reply(session.getSessionID(), error);
        }));
    }

    private CompletableFuture<Receipt> submit(Submission mail) {
        try {
            return ingestion.submit(mail);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** In a thread of its own: a large mail may wait for its turn, and the connection's thread has others to serve. */
    private CompletableFuture<Receipt> submitLarge(IncomingMessage message, Function<byte[], Submission> mail) {
        CompletableFuture<Receipt> durable = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("large-mail").start(() -> {
            try {
                submit(mail.apply(inOnePiece(message))).whenComplete((receipt, failure) -> {
                    if (failure == null) {
                        durable.complete(receipt);
                    } else {
                        durable.completeExceptionally(failure);
                    }
                });
            } catch (Throwable e) { // else the client would never be answered
                durable.completeExceptionally(e);
            }
        });
        return durable;
    }

    /** Messages are put together one at a time: until its pieces are gone a message is there twice. */
    private byte[] inOnePiece(IncomingMessage message) {
        joining.lock();
        try {
            return message.takeBytes();
        } finally {
            joining.unlock();
        }
    }

    /** To a message for which there is no memory now. */
    Response noMemory() {
        return reply(IncomingMessage.Fault.NO_MEMORY);
    }

    private Response reply(IncomingMessage.Fault fault) {
        count(fault.name());
        return switch (fault) {
            case BARE_END -> Replies.of("550", "5.6.0 Lines must end in CR LF, and a CR or LF stood alone");
            case LONG_LINE -> Replies.of("554", "5.6.0 A line is longer than 998 bytes");
            case TOO_LARGE -> Replies.tooLarge(DataSize.ofBytes(maxBytes));
            case NO_MEMORY -> Replies.of("452", "4.3.1 Too much mail at the moment; try again later");
            case NONE -> throw new IllegalArgumentException();
        };
    }

    private Response reply(String id, @Nullable Throwable error) {
        Throwable cause = error instanceof CompletionException ? error.getCause() : error;
        if (cause == null) {
            count("taken");
            return Replies.of("250", "2.6.0 Kept");
        }
        if (cause instanceof RefusedException refused) {
            count(refused.refusal().name());
            LOG.info("smtp {}: a message was refused: {}", id, refused.refusal());
            return Replies.refused(refused);
        }
        count("bug");
        LOG.warn(
                "smtp {}: a message was put off after a bug: {}",
                id,
                cause.getClass().getName());
        return Replies.of("451", "4.3.0 Not possible at the moment; try again later");
    }

    private void count(String outcome) {
        meters.counter("veilgate.smtp.messages", "outcome", outcome.toLowerCase(Locale.ROOT))
                .increment();
    }
}
