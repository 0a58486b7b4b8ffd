package dev.veilgate.archive.store;

import dev.veilgate.sse.CellLimits;
import dev.veilgate.sse.CellStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Cells in a table of a database, one table an archive: (name of the cells' table, key, value). PostgreSQL and H2; the
 * driver is the caller's. A transaction is one of the database. It begins by locking a row, so that one at a time has
 * the archive, of however many processes.
 *
 * <p>If the connection breaks while a transaction is committed, {@link #transact} throws and it is not known whether
 * its changes were made. Whoever repeats the work, as a scheme's messages may be, is right in either case.
 */
public final class JdbcCells implements CellStore {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,47}");
    private static final int ROWS_AT_A_TIME = 500;

    /** The table of cells that the row of the lock is in; names of others are not empty. */
    private static final String LOCK = "";

    private final DataSource source;
    private final SqlDialect dialect;
    private final String name;

    private JdbcCells(DataSource source, SqlDialect dialect, String name) {
        this.source = source;
        this.dialect = dialect;
        this.name = name;
    }

    /**
     * Opens an archive's table, which is made if it is not there.
     *
     * @param source of connections to a database of a kind that {@link SqlDialect} has; the caller closes it
     * @param name   of the table: small letters, digits and underscores, 1 to 48
     * @throws IllegalArgumentException if the name is another
     * @throws IOException if the database fails or is of another kind
     */
    public static JdbcCells open(DataSource source, String name) throws IOException {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a table's name has 1 to 48 small letters, digits and underscores");
        }
        try (Connection connection = source.getConnection()) {
            String product = connection.getMetaData().getDatabaseProductName();
            SqlDialect dialect = SqlDialect.of(product)
                    .orElseThrow(() -> new IOException("cells are kept in PostgreSQL or H2, not in " + product));
            connection.setAutoCommit(true);
            try (Statement statement = connection.createStatement()) {
                statement.execute(dialect.create(name));
            }
            try (PreparedStatement lock = connection.prepareStatement(dialect.putIfAbsent(name))) {
                lock.setString(1, LOCK);
                lock.setBytes(2, new byte[0]);
                lock.setBytes(3, new byte[0]);
                lock.executeUpdate();
            }
            return new JdbcCells(source, dialect, name);
        } catch (SQLException e) {
            throw named(e);
        }
    }

    private static IOException named(SQLException e) {
        return new IOException("the archive's database failed, SQL state " + e.getSQLState(), e);
    }

    private static UncheckedIOException failure(SQLException e) {
        return new UncheckedIOException(named(e));
    }

    @Override
    public synchronized <R extends @Nullable Object, E extends Exception> R transact(Work<R, E> work) throws E {
        try (Connection connection = source.getConnection()) {
            boolean former = connection.getAutoCommit();
            connection.setAutoCommit(false);
            boolean done = false;
            try {
                lock(connection);
                R result = work.with(new Transaction(connection));
                connection.commit();
                done = true;
                return result;
            } finally {
                if (!done) {
                    connection.rollback();
                }
                connection.setAutoCommit(former);
            }
        } catch (SQLException e) {
            throw failure(e);
        }
    }

    private void lock(Connection connection) throws SQLException {
        String sql = "select content from " + name + " where cells = ? for update";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, LOCK);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    throw new UncheckedIOException(new IOException("the archive's table has lost the row of its lock"));
                }
            }
        }
    }

    /** Does nothing: connections are the caller's. */
    @Override
    public void close() {}

    /** A transaction of the database. */
    private final class Transaction implements Cells {
        private final Connection connection;

        Transaction(Connection connection) {
            this.connection = connection;
        }

        private PreparedStatement prepare(String sql, String table, byte[]... keys) throws SQLException {
            if (table.isEmpty()) {
                throw new IllegalArgumentException("a table of cells has a name");
            }
            PreparedStatement statement = connection.prepareStatement(sql);
            statement.setString(1, table);
            for (int i = 0; i < keys.length; i++) {
                statement.setBytes(2 + i, keys[i]);
            }
            return statement;
        }

        @Override
        public byte @Nullable [] get(String table, byte[] key) {
            String sql = "select content from " + name + " where cells = ? and id = ?";
            try (PreparedStatement statement = prepare(sql, table, key);
                    ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getBytes(1) : null;
            } catch (SQLException e) {
                throw failure(e);
            }
        }

        @Override
        public void put(String table, byte[] key, byte[] value) {
            CellLimits.check(key, value);
            update(dialect.put(name), table, key, value);
        }

        @Override
        public void remove(String table, byte[] key) {
            update("delete from " + name + " where cells = ? and id = ?", table, key);
        }

        private void update(String sql, String table, byte[]... values) {
            try (PreparedStatement statement = prepare(sql, table, values)) {
                statement.executeUpdate();
            } catch (SQLException e) {
                throw failure(e);
            }
        }

        @Override
        public <E extends Exception> void scan(String table, byte[] prefix, Visitor<E> visitor) throws E {
            byte[] end = CellLimits.after(prefix);
            String sql = "select id, content from " + name + " where cells = ? and id >= ?"
                    + (end == null ? "" : " and id < ?") + " order by id";
            try (PreparedStatement statement =
                    end == null ? prepare(sql, table, prefix) : prepare(sql, table, prefix, end)) {
                statement.setFetchSize(ROWS_AT_A_TIME);
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        visitor.visit(rows.getBytes(1), rows.getBytes(2));
                    }
                }
            } catch (SQLException e) {
                throw failure(e);
            }
        }

        @Override
        public long count(String table) {
            String sql = "select count(*) from " + name + " where cells = ?";
            try (PreparedStatement statement = prepare(sql, table);
                    ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            } catch (SQLException e) {
                throw failure(e);
            }
        }
    }
}
