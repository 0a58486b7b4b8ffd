package dev.veilgate.application.command;

import dev.veilgate.transport.supervision.BoundedStop;
import dev.veilgate.transport.supervision.ServiceExit;
import dev.veilgate.transport.supervision.Supervisor;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.FileSystemUtils;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Runs an application until it is stopped. Settings come from a file, the environment and the command line, the later
 * over the earlier. SIGTERM and SIGINT stop it within ten seconds ({@link BoundedStop}).
 */
public abstract class RunApplication implements Callable<Integer> {
    /** No exit status: the application runs on in its own threads. */
    static final int RUNNING = -1;

    private static final Logger LOG = LoggerFactory.getLogger("stop");

    private final Class<?> application;
    private final String kept;

    @Option(names = "--config", paramLabel = "FILE", description = "Settings in YAML.")
    private @Nullable Path config;

    /** For the launcher's make-archive. */
    @Option(
            names = "--rehearse",
            hidden = true,
            description = "Start with settings of its own, ask once whether all is well, and end.")
    private boolean rehearse;

    @Parameters(paramLabel = "KEY=VALUE", description = "Single settings, such as server.port=8443.")
    private List<String> settings = new ArrayList<>();

    /**
     * @param application the one of Spring
     * @param kept        a sentence: where the data are that a stop does not wait for
     */
    protected RunApplication(Class<?> application, String kept) {
        this.application = application;
        this.kept = kept;
    }

    /**
     * Settings with which the application starts and answers beside any other one, connected to nothing.
     *
     * @param folder which is empty, and is deleted behind it
     */
    protected abstract List<String> rehearsal(Path folder) throws IOException;

    /** Tells that it is ready. */
    protected abstract void ready(double seconds, ConfigurableApplicationContext context);

    @Override
    public final Integer call() throws IOException, InterruptedException, StartFailure {
        if (rehearse) {
            rehearse();
            return ApplicationCommand.OK;
        }
        List<String> arguments = new ArrayList<>();
        if (config != null) {
            if (!Files.isReadable(config)) {
                throw new StartFailure(
                        ServiceExit.CONFIG,
                        "there is no settings file " + config + ", or it may not be read by who runs this",
                        null);
            }
            arguments.add("--spring.config.additional-location="
                    + config.toAbsolutePath().toUri());
        }
        settings.forEach(setting -> arguments.add("--" + setting));
        SpringApplication spring = spring();
        Supervisor supervisor = Supervisor.ofProcess(LOG::warn);
        supervisor.starting();
        ShutdownHook hook = new ShutdownHook(supervisor, LOG::info, kept);
        spring.addInitializers(hook::stops);
        ConfigurableApplicationContext context;
        try {
            context = spring.run(arguments.toArray(String[]::new));
        } catch (RuntimeException | Error e) {
            hook.remove();
            StartFailure failure = StartFailure.of(e, config);
            supervisor.failed(String.valueOf(failure.getMessage()));
            throw failure;
        }
        hook.started();
        supervisor.ready();
        ready(ManagementFactory.getRuntimeMXBean().getUptime() / 1000.0, context);
        return RUNNING;
    }

    private SpringApplication spring() {
        SpringApplication spring = new SpringApplication(application);
        spring.setLogStartupInfo(false);
        spring.addInitializers(EarlyLiveness::register);
        spring.setRegisterShutdownHook(false); // it has no limit, and says nothing
        spring.setDefaultProperties(Map.of("logging.register-shutdown-hook", false)); // the log is written to the end
        return spring;
    }

    private void rehearse() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("veilgate-rehearsal");
        try {
            List<String> arguments = new ArrayList<>(List.of("--server.port=0"));
            rehearsal(folder).forEach(setting -> arguments.add("--" + setting));
            try (ConfigurableApplicationContext context = spring().run(arguments.toArray(String[]::new));
                    HttpClient http = HttpClient.newHttpClient()) {
                String port = context.getEnvironment().getProperty("local.server.port");
                URI health = URI.create("http://127.0.0.1:" + port + "/actuator/health");
                http.send(HttpRequest.newBuilder(health).build(), HttpResponse.BodyHandlers.discarding());
            }
        } finally {
            FileSystemUtils.deleteRecursively(folder);
        }
    }
}
