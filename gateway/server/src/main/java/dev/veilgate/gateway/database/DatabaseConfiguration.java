package dev.veilgate.gateway.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.gateway.settings.GatewaySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.flywaydb.core.Flyway;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {
    private static final int CONNECT_RETRIES = 30;

    @Bean(destroyMethod = "close")
    HikariDataSource dataSource(DatabaseSettings settings, GatewaySettings gateway) throws IOException {
        HikariConfig config = new HikariConfig();
        config.setPoolName("database");
        config.setMaximumPoolSize(settings.connections());
        config.setMinimumIdle(1);
        config.setConnectionTimeout(Duration.ofSeconds(10).toMillis());
        config.setInitializationFailTimeout(-1); // Flyway waits for it
        if (settings.url() == null) {
            Path folder = gateway.dataDir().resolve("database");
            DurableFiles.createFolder(folder);
            config.setJdbcUrl("jdbc:h2:file:" + folder.toAbsolutePath().resolve("gateway")
                    + ";DB_CLOSE_ON_EXIT=FALSE;LOCK_TIMEOUT=20000");
        } else {
            config.setJdbcUrl(settings.url());
            config.setUsername(settings.user());
            if (settings.url().startsWith("jdbc:postgresql:")) {
                config.addDataSourceProperty("logServerErrorDetail", "false"); // it quotes rows, with addresses of mail
            }
            if (settings.passwordFile() != null) {
                config.setPassword(Files.readAllLines(settings.passwordFile()).getFirst());
            }
        }
        return new HikariDataSource(config);
    }

    @Bean
    Database database(HikariDataSource source) {
        migrate(source);
        return new Database(source);
    }

    private static void migrate(HikariDataSource source) {
        Flyway.configure()
                .dataSource(source)
                .locations("classpath:db/migration")
                .connectRetries(CONNECT_RETRIES)
                .connectRetriesInterval(2)
                .load()
                .migrate();
    }
}
