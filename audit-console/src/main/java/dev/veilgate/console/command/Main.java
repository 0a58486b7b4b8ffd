package dev.veilgate.console.command;

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
        name = "veilgate console",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 100,
        sortOptions = false,
        subcommands = RunCommand.class,
        header = "Search, read and administer in the browser; the place of the secret keys",
        description = {"", "The console needs a key folder, which veilgate keys init makes, and a gateway."},
        footer = {
            "",
            "  veilgate console run --config console.yaml",
            "",
            "docs/console.md says how to run it, and what auditors, approvers and keepers do.",
        })
public final class Main implements Runnable {
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
        throw new ParameterException(own.commandLine(), "which command? See veilgate console --help");
    }
}
