package dev.veilgate.gateway.command;

import dev.veilgate.application.command.RunApplication;
import dev.veilgate.gateway.GatewayApplication;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine.Command;

@Command(
        name = "run",
        header = "Run the gateway until it is stopped",
        description = {
            "",
            "Settings come from the file, from the environment (VEILGATE_DATA_DIR for veilgate.data-dir) and from KEY=VALUE, the later over the",
            "earlier. SIGTERM stops it: nothing new is taken, what was taken is stored, and it exits with 143.",
        })
final class RunCommand extends RunApplication {
    private static final Logger LOG = LoggerFactory.getLogger("gateway");

    RunCommand() {
        super(GatewayApplication.class);
    }

    @Override
    protected void ready(double seconds, ConfigurableApplicationContext context) {
        LOG.info(
                "ready after {} s, http on port {}",
                seconds,
                context.getEnvironment().getProperty("local.server.port"));
    }
}
