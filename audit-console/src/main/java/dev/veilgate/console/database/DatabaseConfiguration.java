package dev.veilgate.console.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.veilgate.console.settings.ConsoleSettings;
import dev.veilgate.files.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.flywaydb.core.Flyway;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {
    private static final int CONNECT_RETRIES = 30;

    @Bean(destroyMethod = "close")
    HikariDataSource dataSource(DatabaseSettings settings, ConsoleSettings console) throws IOException {
        HikariConfig config = new HikariConfig();
        config.setPoolName("database");
        config.setMaximumPoolSize(8);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(Duration.ofSeconds(10).toMillis());
        config.setInitializationFailTimeout(-1); // Flyway waits for it
        if (settings.url() == null) {
            Path folder = console.dataDir().resolve("database");
            DurableFiles.createFolder(folder);
            config.setJdbcUrl("jdbc:h2:file:" + folder.toAbsolutePath().resolve("console") + ";DB_CLOSE_ON_EXIT=FALSE");
        } else {
            config.setJdbcUrl(settings.url());
            config.setUsername(settings.user());
            if (settings.passwordFile() != null) {
                config.setPassword(Files.readAllLines(settings.passwordFile()).getFirst());
            }
        }
        return new HikariDataSource(config);
    }

    /** Through which everything reads and writes; the tables are made first. */
    @Bean
    JdbcClient jdbcClient(HikariDataSource source) {
        Flyway.configure()
                .dataSource(source)
                .locations("classpath:db/migration")
                .connectRetries(CONNECT_RETRIES)
                .connectRetriesInterval(2)
                .load()
                .migrate();
        return JdbcClient.create(source);
    }

    @Bean
    TransactionTemplate transactions(HikariDataSource source) {
        return new TransactionTemplate(new DataSourceTransactionManager(source));
    }
}
