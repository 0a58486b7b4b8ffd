package dev.veilgate.gateway.command;

import dev.veilgate.application.command.RunApplication;
import dev.veilgate.gateway.GatewayApplication;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
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
            "earlier. SIGTERM stops it within ten seconds: nothing new is taken, what was taken is stored, or is in the",
            "journal for the next start, and it exits with 143.",
        })
final class RunCommand extends RunApplication {
    private static final Logger LOG = LoggerFactory.getLogger("gateway");

    RunCommand() {
        super(
                GatewayApplication.class,
                "What was acknowledged is in the journal or the database, and is dealt with at the next start.");
    }

    @Override
    protected List<String> rehearsal(Path folder) throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return List.of(
                    "veilgate.data-dir=" + folder.resolve("data"),
                    "veilgate.mqtt.embedded.listen=127.0.0.1:" + free.getLocalPort());
        }
    }

    @Override
    protected void ready(double seconds, ConfigurableApplicationContext context) {
        LOG.info(
                "ready after {} s, http on port {}",
                seconds,
                context.getEnvironment().getProperty("local.server.port"));
    }
}
