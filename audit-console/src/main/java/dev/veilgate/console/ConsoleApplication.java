package dev.veilgate.console;

import dev.veilgate.application.connection.ConnectionRules;
import dev.veilgate.application.connection.HttpConnections;
import dev.veilgate.application.tls.HybridWebServer;
import dev.veilgate.console.settings.HttpSettings;
import java.time.Clock;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** The console: authorises searches, issues trapdoors and attribute keys, opens what was found for those who may read it. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = {DataSourceAutoConfiguration.class, FlywayAutoConfiguration.class})
@ComponentScan
@ConfigurationPropertiesScan
public class ConsoleApplication {
    /** The only clock. */
    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    /** TLS of the HTTP server, hybrid where the client is. */
    @Bean
    HybridWebServer hybridWebServer() {
        return new HybridWebServer();
    }

    /** Limits of connections to each HTTP port. */
    @Bean
    ConnectionRules connectionRules(HttpSettings settings) {
        return settings.rules();
    }

    /** Connections that are open at the HTTP ports. */
    @Bean
    HttpConnections httpConnections(ConnectionRules rules) {
        return new HttpConnections(rules);
    }

    /** For small periodic work. */
    @Bean
    TaskScheduler taskScheduler() {
        ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
        scheduler.setPoolSize(1);
        scheduler.setThreadNamePrefix("schedule-");
        return scheduler;
    }
}
