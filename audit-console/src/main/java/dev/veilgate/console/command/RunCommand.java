package dev.veilgate.console.command;

import dev.veilgate.application.command.RunApplication;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.console.ConsoleApplication;
import dev.veilgate.console.settings.ConsoleSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
            "earlier. SIGTERM stops it within ten seconds: searches end, keys are erased from memory, and it exits with",
            "143.",
        })
final class RunCommand extends RunApplication {
    private static final Logger LOG = LoggerFactory.getLogger("console");

    RunCommand() {
        super(ConsoleApplication.class, "Searches that ran are lost; what was issued for them is in the log.");
    }

    @Override
    protected List<String> rehearsal(Path folder) throws IOException {
        Path keys = Files.createDirectory(folder.resolve("keys"));
        Files.createFile(keys.resolve(KeyFolder.KEY_FILE)); // is not read: nobody opens these keys
        return List.of("veilgate.data-dir=" + folder.resolve("data"), "veilgate.keys.folder=" + keys);
    }

    @Override
    protected void ready(double seconds, ConfigurableApplicationContext context) {
        LOG.info(
                "ready after {} s at {}",
                seconds,
                context.getBean(ConsoleSettings.class).url());
    }
}
