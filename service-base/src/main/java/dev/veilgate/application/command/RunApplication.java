package dev.veilgate.application.command;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs an application until it is stopped. Settings come from a file, the environment and the command line, the later over the earlier. */
public abstract class RunApplication implements Callable<Integer> {
    /** No exit status: the application runs on in its own threads. */
    static final int RUNNING = -1;

    private final Class<?> application;

    @Option(names = "--config", paramLabel = "FILE", description = "Settings in YAML.")
    private @Nullable Path config;

    @Parameters(paramLabel = "KEY=VALUE", description = "Single settings, such as server.port=8443.")
    private List<String> settings = new ArrayList<>();

    /** @param application the one of Spring */
    protected RunApplication(Class<?> application) {
        this.application = application;
    }

    /** Tells that it is ready. */
    protected abstract void ready(double seconds, ConfigurableApplicationContext context);

    @Override
    public final Integer call() {
        List<String> arguments = new ArrayList<>();
        if (config != null) {
            if (!Files.isReadable(config)) {
                throw new IllegalArgumentException(config + " cannot be read");
            }
            arguments.add("--spring.config.additional-location="
                    + config.toAbsolutePath().toUri());
        }
        settings.forEach(setting -> arguments.add("--" + setting));
        SpringApplication spring = new SpringApplication(application);
        spring.setLogStartupInfo(false);
        spring.addInitializers(EarlyLiveness::register);
        ConfigurableApplicationContext context = spring.run(arguments.toArray(String[]::new));
        ready(ManagementFactory.getRuntimeMXBean().getUptime() / 1000.0, context);
        return RUNNING;
    }
}
