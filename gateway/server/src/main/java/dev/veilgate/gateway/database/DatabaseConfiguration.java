package dev.veilgate.gateway.database;

import com.zaxxer.hikari.HikariDataSource;
import dev.veilgate.application.database.ApplicationDatabase;
import dev.veilgate.application.database.ApplicationDatabase.Location;
import dev.veilgate.gateway.settings.GatewaySettings;
import java.io.IOException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {
    @Bean(destroyMethod = "close")
    HikariDataSource dataSource(DatabaseSettings settings, GatewaySettings gateway) throws IOException {
        Location location = new Location(settings.url(), settings.user(), settings.passwordFile());
        return ApplicationDatabase.open(
                location, gateway.dataDir(), "gateway", settings.connections(), settings.socketTimeout());
    }

    @Bean
    Database database(HikariDataSource source) {
        ApplicationDatabase.migrate(source);
        return new Database(source);
    }
}
