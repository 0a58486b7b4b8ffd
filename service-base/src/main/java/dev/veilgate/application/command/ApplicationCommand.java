package dev.veilgate.application.command;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Entry of the command of an application, which says with {@code @Command} what it is called and which commands it has. */
@Command(
        scope = ScopeType.INHERIT,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:done",
            "1:done, and the answer is no",
            "2:the command line is wrong",
            "4:it failed; a line on standard error says why",
            "75:run: it could not start for a reason that may pass, such as a port in use",
            "78:run: the settings forbid a start, until somebody changes what the line says",
            "143:run: it was told to end"
        })
public abstract class ApplicationCommand implements Runnable {
    /** It was done. */
    public static final int OK = 0;
    /** It was done, and the answer is no. */
    public static final int NO = 1;
    /** The command line is wrong; picocli's own. */
    public static final int USAGE = CommandLine.ExitCode.USAGE;
    /** Something went wrong. */
    public static final int FAILED = 4;

    @Spec
    private @Nullable CommandSpec spec;

    /** Runs the command and exits with its status, or leaves the application to its own threads. */
    protected static void execute(ApplicationCommand command, String... arguments) {
        CommandLine whole = new CommandLine(command).setExecutionExceptionHandler((e, line, parsed) -> {
            if (System.getenv("VEILGATE_DEBUG") != null) {
                e.printStackTrace(line.getErr());
            }
            if (e instanceof StartFailure failure) {
                line.getErr().println(line.getCommandSpec().qualifiedName() + ": " + failure.getMessage());
                return failure.status();
            }
            line.getErr().println(line.getCommandSpec().qualifiedName() + ": " + reason(e));
            return FAILED;
        });
        called().ifPresent(whole::setCommandName);
        int status = whole.execute(arguments);
        if (status != RunApplication.RUNNING) {
            System.exit(status);
        }
    }

    /** Name under which the command was called, if it is not the installed one: a script in a checkout says it. */
    static Optional<String> called() {
        return Optional.ofNullable(System.getenv("VEILGATE_COMMAND"));
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
    public final void run() {
        CommandSpec own = Objects.requireNonNull(spec);
        throw new ParameterException(own.commandLine(), "which command? See " + own.qualifiedName() + " --help");
    }
}
