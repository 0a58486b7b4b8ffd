package dev.veilgate.gateway.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.MalformedEncodingException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.transaction.CannotCreateTransactionException;

class LastingFailureTest {
    private static RuntimeException withState(String state) {
        return new UncategorizedSQLException("task", "sql", new SQLException("a reason with content", state));
    }

    /** Too long, out of range, NUL, not in the encoding; constraints; too long for PostgreSQL's index. */
    @ParameterizedTest
    @ValueSource(strings = {"22001", "22008", "22021", "22P05", "23502", "23505", "54000"})
    void valuesThatTheDatabaseDoesNotTakeLast(String state) {
        assertThat(LastingFailure.is(withState(state))).isTrue();
    }

    /** Connection, serialization, deadlock, disk full, too many connections, shutdown, read-only; H2: locked, closed, disk; a schema that is not there. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "08006", "40001", "40P01", "53100", "53300", "57P01", "25006", "HYT00", "90098", "90031", "42P01", ""
            })
    void whatIsNotTheEntrysOwnPasses(String state) {
        assertThat(LastingFailure.is(withState(state))).isFalse();
    }

    @Test
    void bugsLastAndDisksPass() {
        assertThat(LastingFailure.is(new IllegalArgumentException("immense term")))
                .isTrue();
        assertThat(LastingFailure.is(new NullPointerException())).isTrue();
        assertThat(LastingFailure.is(new StackOverflowError())).isTrue();
        assertThat(LastingFailure.is(new MalformedEncodingException("block", "must be whole")))
                .isTrue();
        assertThat(LastingFailure.is(new OutOfMemoryError())).isFalse();
        assertThat(LastingFailure.is(new IOException("no space"))).isFalse();
        assertThat(LastingFailure.is(new UncheckedIOException(new IOException("no space"))))
                .isFalse();
        assertThat(LastingFailure.is(new DataAccessResourceFailureException("away")))
                .isFalse();
        assertThat(LastingFailure.is(new CannotCreateTransactionException("away")))
                .isFalse();
    }

    @Test
    void isDescribedWithoutMessages() {
        Exception failure = new DataIntegrityViolationException(
                "Value too long: 'ada@example.org'", new SQLException("'ada@example.org'", "22001"));
        assertThat(LastingFailure.describe(failure))
                .startsWith("DataIntegrityViolationException, SQLException 22001 at dev.veilgate.")
                .doesNotContain("ada");
    }
}
