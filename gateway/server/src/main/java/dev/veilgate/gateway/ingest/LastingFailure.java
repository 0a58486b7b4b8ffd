package dev.veilgate.gateway.ingest;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Set;
import org.springframework.core.NestedRuntimeException;

/**
 * Whether applying an entry failed for a reason that is the entry's own and does not pass: a value that the database does not take, or a bug that it meets. Disks,
 * locks, connections, and whatever is not known for sure, pass: an entry that waits too long does less harm than one that is set aside for nothing.
 */
final class LastingFailure {
    /** SQLSTATE's classes: a value that is not taken, a constraint, a limit of the program (PostgreSQL: too long for an index). */
    private static final Set<String> LASTING_CLASSES = Set.of("22", "23", "54");

    private LastingFailure() {}

    static boolean is(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof IOException) {
                return false;
            }
            if (each instanceof SQLException sql) {
                return LASTING_CLASSES.contains(
                        state(sql).substring(0, Math.min(2, state(sql).length())));
            }
        }
        boolean isBug = !(failure instanceof Error) || failure instanceof StackOverflowError;
        return isBug && !(failure instanceof NestedRuntimeException); // Spring's: of a database or a transaction
    }

    /** Whether the database is what failed. */
    static boolean isOfDatabase(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SQLException || each instanceof NestedRuntimeException) {
                return true;
            }
        }
        return false;
    }

    private static String state(SQLException e) {
        String state = e.getSQLState();
        return state == null ? "" : state;
    }

    /** What it was and where, without the messages: a database quotes in them what it was given. */
    static String describe(Throwable failure) {
        StringBuilder out = new StringBuilder();
        Throwable root = failure;
        for (Throwable each = failure; each != null; each = each.getCause()) {
            out.append(each == failure ? "" : ", ").append(each.getClass().getSimpleName());
            out.append(each instanceof SQLException sql ? " " + state(sql) : "");
            root = each;
        }
        for (StackTraceElement frame : root.getStackTrace()) {
            if (frame.getClassName().startsWith("dev.veilgate.")) {
                return out.append(" at ").append(frame).toString();
            }
        }
        return out.toString();
    }
}
