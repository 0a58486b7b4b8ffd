package dev.veilgate.console.command;

import dev.veilgate.console.ConsoleApplication;
import dev.veilgate.console.settings.ConsoleSettings;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "run",
        header = "Run the console until it is stopped",
        description = {
            "",
            "Settings come from the file, from the environment (VEILGATE_DATA_DIR for veilgate.data-dir) and from KEY=VALUE, the later over the",
            "earlier. SIGTERM stops it: searches end, keys are erased from memory, and it exits with 0.",
        })
final class RunCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger("console");

    /** No exit status: the application runs on in its own threads. */
    static final int RUNNING = -1;

    @Option(names = "--config", paramLabel = "FILE", description = "Settings in YAML.")
    private @Nullable Path config;

    @Parameters(paramLabel = "KEY=VALUE", description = "Single settings, such as server.port=8443.")
    private List<String> settings = new ArrayList<>();

    @Override
    public Integer call() {
        List<String> arguments = new ArrayList<>();
        if (config != null) {
            if (!Files.isReadable(config)) {
                throw new IllegalArgumentException(config + " cannot be read");
            }
            arguments.add("--spring.config.additional-location="
                    + config.toAbsolutePath().toUri());
        }
        settings.forEach(setting -> arguments.add("--" + setting));
        SpringApplication application = new SpringApplication(ConsoleApplication.class);
        application.setLogStartupInfo(false);
        ConfigurableApplicationContext context = application.run(arguments.toArray(String[]::new));
        double seconds = ManagementFactory.getRuntimeMXBean().getUptime() / 1000.0;
        LOG.info(
                "ready after {} s at {}",
                seconds,
                context.getBean(ConsoleSettings.class).url());
        return RUNNING;
    }
}
