package dev.veilgate.application.database;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.veilgate.application.database.ApplicationDatabase.Location;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplicationDatabaseTest {
    private static final Location H2 = new Location(null, null, null);

    @TempDir
    private Path folder;

    /** Of an application's own jar; in the tests' resources it would be found by the applications' tests, too. */
    private void migrate(HikariDataSource source) throws IOException {
        Path application = folder.resolve("application");
        Files.createDirectories(application.resolve("db/migration"));
        Files.writeString(
                application.resolve("db/migration/V1__kept.sql"), "CREATE TABLE kept (word VARCHAR(20) PRIMARY KEY);");
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {application.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            ApplicationDatabase.migrate(source);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void withoutAnAddressItIsAFileInTheDataFolderThatKeepsWhatWasWritten() throws IOException, SQLException {
        try (HikariDataSource source = ApplicationDatabase.open(H2, folder, "sample", 3)) {
            migrate(source);
            try (Connection connection = source.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("INSERT INTO kept VALUES ('yes')");
            }
            assertThat(source.getMaximumPoolSize()).isEqualTo(3);
        }
        assertThat(folder.resolve("database/sample.mv.db")).isRegularFile();
        try (HikariDataSource source = ApplicationDatabase.open(H2, folder, "sample", 3)) {
            migrate(source);
            try (Connection connection = source.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet found = statement.executeQuery("SELECT word FROM kept")) {
                assertThat(found.next()).isTrue();
                assertThat(found.getString(1)).isEqualTo("yes");
            }
        }
    }

    /** Of PostgreSQL nothing is asked before it is needed, so it need not run here. */
    @Test
    void postgreSqlGetsTheFirstLineOfThePasswordFileAndDoesNotQuoteRowsInErrors() throws IOException {
        Path password = Files.writeString(folder.resolve("password"), "hush\nsecond line\n");
        Location location = new Location("jdbc:postgresql://127.0.0.1:1/none", "keeper", password);
        try (HikariDataSource source = ApplicationDatabase.open(location, folder, "unused", 2)) {
            assertThat(source.getJdbcUrl()).isEqualTo("jdbc:postgresql://127.0.0.1:1/none");
            assertThat(source.getUsername()).isEqualTo("keeper");
            assertThat(source.getPassword()).isEqualTo("hush");
            assertThat(source.getDataSourceProperties()).containsEntry("logServerErrorDetail", "false");
        }
        assertThat(folder.resolve("database")).doesNotExist();
    }
}
