package dev.veilgate.gateway.deliver;

import dev.veilgate.gateway.memory.PieceStream;
import dev.veilgate.transport.smtp.SmtpMessage;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.UUID;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A message in the queue, read from the database piece by piece while it is sent, so that it is never in memory as a
 * whole. No connection to the database is held between two pieces. If the mail is taken out of the queue meanwhile, by
 * a gateway that got the lease, reading fails and does not end early.
 */
final class QueuedMessage implements SmtpMessage {
    private final JdbcClient jdbc;
    private final UUID mail;
    private long bytes = -1;

    QueuedMessage(JdbcClient jdbc, UUID mail) {
        this.jdbc = jdbc;
        this.mail = mail;
    }

    @Override
    public long bytes() throws IOException {
        if (bytes < 0) {
            bytes = asked("SELECT SUM(OCTET_LENGTH(bytes)) FROM outbound_piece WHERE mail = ?", Long.class)
                    .orElseThrow(QueuedMessage::gone);
        }
        return bytes;
    }

    @Override
    public InputStream open() throws IOException {
        return new PieceStream(bytes(), this::piece);
    }

    private <T> Optional<T> asked(String sql, Class<T> type, Object... more) throws IOException {
        try {
            return jdbc.sql(sql).param(mail).params(more).query(type).optional();
        } catch (DataAccessException e) {
            throw new IOException("the database does not give the message", e);
        }
    }

    private static IOException gone() {
        return new IOException("the message is not in the queue any more");
    }

    /** The first piece leaves the queue first: whoever has asked for the length before it reads that misses none. */
    private byte[] piece(int ordinal) throws IOException {
        return asked("SELECT bytes FROM outbound_piece WHERE mail = ? AND ordinal = ?", byte[].class, ordinal)
                .orElseThrow(QueuedMessage::gone);
    }
}
