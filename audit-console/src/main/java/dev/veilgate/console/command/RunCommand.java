package dev.veilgate.console.command;

import dev.veilgate.application.command.RunApplication;
import dev.veilgate.console.ConsoleApplication;
import dev.veilgate.console.settings.ConsoleSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine.Command;

@Command(
        name = "run",
        header = "Run the console until it is stopped",
        description = {
            "",
            "Settings come from the file, from the environment (VEILGATE_DATA_DIR for veilgate.data-dir) and from KEY=VALUE, the later over the",
            "earlier. SIGTERM stops it: searches end, keys are erased from memory, and it exits with 143.",
        })
final class RunCommand extends RunApplication {
    private static final Logger LOG = LoggerFactory.getLogger("console");

    RunCommand() {
        super(ConsoleApplication.class);
    }

    @Override
    protected void ready(double seconds, ConfigurableApplicationContext context) {
        LOG.info(
                "ready after {} s at {}",
                seconds,
                context.getBean(ConsoleSettings.class).url());
    }
}
