package dev.veilgate.gateway.command;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Entry of the command. */
@Command(
        name = "veilgate gateway",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 100,
        sortOptions = false,
        subcommands = {RunCommand.class, AccessCommand.class},
        header = "Take, store, route and search sealed mail and logs without being able to read them",
        description = {
            "",
            "The gateway holds no secret key of a tenant: it needs the tenant's public bundle, which veilgate keys bundle writes.",
        },
        footer = {
            "",
            "  veilgate gateway access token auditor --tenant acme --right search",
            "  veilgate gateway run --config gateway.yaml",
            "",
            "docs/operations.md says how to run it, docs/settings-gateway.md what can be set.",
        })
public final class Main implements Runnable {
    static final int OK = 0;
    static final int NO = 1;
    static final int USAGE = 2;
    static final int FAILED = 4;

    @Spec
    private @Nullable CommandSpec spec;

    private Main() {}

    /** Runs the command and exits with its status. */
    public static void main(String... arguments) {
        int status = new CommandLine(new Main())
                .setExecutionExceptionHandler((e, line, parsed) -> {
                    if (System.getenv("VEILGATE_DEBUG") != null) {
                        e.printStackTrace(line.getErr());
                    }
                    line.getErr().println(line.getCommandSpec().qualifiedName() + ": " + reason(e));
                    return FAILED;
                })
                .execute(arguments);
        if (status != RunCommand.RUNNING) {
            System.exit(status);
        }
    }

    /** Frameworks wrap what went wrong many times. */
    private static String reason(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = String.valueOf(root.getMessage());
        return root instanceof RuntimeException && !(root instanceof IllegalArgumentException)
                ? root.getClass().getSimpleName() + ": " + message
                : message;
    }

    @Override
    public void run() {
        CommandSpec own = Objects.requireNonNull(spec);
        throw new ParameterException(own.commandLine(), "which command? See veilgate gateway --help");
    }
}
