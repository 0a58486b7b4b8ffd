package dev.veilgate.console.database;

import com.zaxxer.hikari.HikariDataSource;
import dev.veilgate.application.database.ApplicationDatabase;
import dev.veilgate.application.database.ApplicationDatabase.Location;
import dev.veilgate.console.settings.ConsoleSettings;
import java.io.IOException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {
    private static final int CONNECTIONS = 8;

    @Bean(destroyMethod = "close")
    HikariDataSource dataSource(DatabaseSettings settings, ConsoleSettings console) throws IOException {
        Location location = new Location(settings.url(), settings.user(), settings.passwordFile());
        return ApplicationDatabase.open(location, console.dataDir(), "console", CONNECTIONS);
    }

    /** Through which everything reads and writes; the tables are made first. */
    @Bean
    JdbcClient jdbcClient(HikariDataSource source) {
        ApplicationDatabase.migrate(source);
        return JdbcClient.create(source);
    }

    @Bean
    TransactionTemplate transactions(HikariDataSource source) {
        return new TransactionTemplate(new DataSourceTransactionManager(source));
    }
}
