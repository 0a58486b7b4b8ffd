package dev.veilgate.application.database;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.h2.api.ErrorCode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens an embedded database again that closed itself. H2 does so when it cannot write (a full disk), and stays closed as long as one of its connections is
 * there, which all say that they are valid. So with the first that fails for this reason the pool lets go of all: the next connection opens the
 * file, in the state that reached the disk.
 */
final class ReopenedDatabase implements SQLExceptionOverride {
    private static final Logger LOG = LoggerFactory.getLogger(ReopenedDatabase.class);

    /** What it says when it is closed, and when it finds that it cannot write or read its file. */
    private static final Set<Integer> CLOSED = Set.of(
            ErrorCode.DATABASE_IS_CLOSED,
            ErrorCode.DATABASE_CALLED_AT_SHUTDOWN,
            ErrorCode.GENERAL_ERROR_1,
            ErrorCode.IO_EXCEPTION_1,
            ErrorCode.IO_EXCEPTION_2,
            ErrorCode.FILE_CORRUPTED_1);

    private static final long SAY_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private volatile @Nullable HikariDataSource pool;
    private final AtomicLong saidAt = new AtomicLong(System.nanoTime() - SAY_AGAIN_NANOS);

    /** To be called before the pool gives out a connection. */
    void watch(HikariDataSource of) {
        pool = of;
    }

    @java.lang.Override
    public SQLExceptionOverride.Override adjudicate(SQLException e) {
        if (!CLOSED.contains(e.getErrorCode())) {
            return SQLExceptionOverride.Override.CONTINUE_EVICT;
        }
        HikariDataSource watched = pool;
        HikariPoolMXBean connections = watched == null ? null : watched.getHikariPoolMXBean();
        if (connections != null) {
            say(e);
            connections.softEvictConnections(); // those in use go when they are given back
        }
        return SQLExceptionOverride.Override.MUST_EVICT;
    }

    /** Once a minute: while the disk is full, each that asks it gets the same. */
    private void say(SQLException e) {
        long before = saidAt.get();
        long now = System.nanoTime();
        if (now - before >= SAY_AGAIN_NANOS && saidAt.compareAndSet(before, now)) {
            LOG.warn("the database cannot be written and closed itself ({}): it is opened again", e.getErrorCode());
        }
    }
}
