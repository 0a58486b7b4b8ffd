package dev.veilgate.gateway.database;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class DatabaseTest {
    /** It would refuse names of senders that were acknowledged. */
    @Test
    void refusesPostgresThatDoesNotTakeEveryText() throws Exception {
        try (PostgresServer server = new PostgresServer()) {
            String url = server.newDatabase("encoding 'LATIN1' template template0");
            assertThatThrownBy(() -> new Database(new DriverManagerDataSource(url, server.user(), "")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("LATIN1");
        }
    }
}
