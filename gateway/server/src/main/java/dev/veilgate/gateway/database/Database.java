package dev.veilgate.gateway.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Operational state: chains, routes, queues. The same SQL runs on H2 and PostgreSQL. */
public final class Database {
    private final DataSource source;
    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final boolean embedded;

    /** @throws IllegalStateException if the database does not answer, or does not take every text */
    public Database(DataSource source) {
        this.source = source;
        this.jdbc = JdbcClient.create(source);
        this.transactions = new TransactionTemplate(new JdbcTransactionManager(source));
        try (Connection connection = source.getConnection()) {
            this.embedded = connection.getMetaData().getDatabaseProductName().equals("H2");
        } catch (SQLException e) {
            throw new IllegalStateException("the database does not answer", e);
        }
        if (!embedded) {
            requireUtf8();
        }
    }

    /** With another encoding PostgreSQL refuses names that were acknowledged. */
    private void requireUtf8() {
        String encoding = jdbc.sql("SHOW server_encoding").query(String.class).single();
        if (!encoding.equals("UTF8")) {
            throw new IllegalStateException(
                    "the database is encoded in " + encoding + "; make one with ENCODING 'UTF8' TEMPLATE template0");
        }
    }

    /** For queries; within {@link #transactions} part of the transaction. */
    public JdbcClient jdbc() {
        return jdbc;
    }

    /** For transactions, bound to the calling thread. */
    public TransactionTemplate transactions() {
        return transactions;
    }

    /** The pool. */
    public DataSource source() {
        return source;
    }

    /**
     * Makes durable what was committed. H2 writes commits up to half a second later; PostgreSQL did it already. To be called, outside a transaction, before
     * somebody is told that a change will last.
     */
    public void sync() {
        if (!embedded) {
            return;
        }
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CHECKPOINT SYNC");
        } catch (SQLException e) {
            throw new IllegalStateException("the database could not be synchronised", e);
        }
    }
}
