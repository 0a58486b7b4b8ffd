package dev.veilgate.program;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.RefusedBundleException;
import dev.veilgate.envelope.UnopenableEnvelopeException;
import dev.veilgate.pq.UnfitLibraryException;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.ServiceCommand;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * One line on standard error for whatever went wrong, and the exit code.
 *
 * @param terminal where the line goes
 * @param debug    whether it is also said where in the program it happened
 * @param own      what a failure of libraries that only one program has is called; null if it is none of them
 */
record Failures(Terminal terminal, BooleanSupplier debug, Function<Exception, @Nullable CommandFailure> own)
        implements IParameterExceptionHandler, IExecutionExceptionHandler {

    @Override
    public int handleParseException(ParameterException e, String[] arguments) {
        return exitCode(e.getCommandLine(), sayMisuse(e), e);
    }

    private int sayMisuse(ParameterException e) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        say(name + ": " + firstLine(String.valueOf(e.getMessage())), e);
        if (!UnmatchedArgumentException.printSuggestions(e, command.getErr())) {
            terminal.err().println("Try '" + name + " --help'.");
        }
        return ExitCode.USAGE;
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
        return exitCode(command, sayFailure(e, command), e);
    }

    private static int exitCode(CommandLine command, int code, Exception e) {
        if (command.getCommand() instanceof ServiceCommand service && service.isService()) {
            return ServiceCommand.exitCode(code, isOfSettings(e));
        }
        return code;
    }

    /** Whether a file that the settings name is not there or unfit, whatever is wrapped around that. */
    private static boolean isOfSettings(Throwable e) {
        return e instanceof NoSuchFileException
                || e instanceof UnfitLibraryException
                || e.getCause() != null && isOfSettings(e.getCause());
    }

    private int sayFailure(Exception e, CommandLine command) {
        String name = command.getCommandSpec().qualifiedName();
        CommandFailure known = own.apply(e);
        if (known != null) {
            return fail(name, known.getMessage(), known.exitCode(), e);
        }
        return switch (e) {
            case ParameterException p -> sayMisuse(p);
            case CommandFailure f -> fail(name, f.getMessage(), f.exitCode(), f);
            case MalformedEncodingException m -> fail(name, m.getMessage(), ExitCode.REFUSED, m);
            case RefusedBundleException r -> fail(name, r.getMessage(), ExitCode.REFUSED, r);
            case UnopenableEnvelopeException u -> fail(name, u.getMessage(), ExitCode.REFUSED, u);
            case IOException io -> fail(name, describe(io), ExitCode.IO, io);
            case UncheckedIOException io ->
                fail(name, describe(Objects.requireNonNull(io.getCause())), ExitCode.IO, io);
            // its message may hold what the user typed or a keyword
            default -> fail(name, "a bug: " + e.getClass().getSimpleName() + " (--debug says where)", ExitCode.BUG, e);
        };
    }

    private int fail(String name, @Nullable String message, int code, Exception e) {
        terminal.out().flush(); // what was done before the failure, in order
        if (message == null || !message.isEmpty()) {
            say(name + ": " + message, e);
        }
        return code;
    }

    private void say(String line, Exception e) {
        terminal.err().println(Printable.lines(line)); // a policy, a name, a path: anybody's words
        if (debug.getAsBoolean()) {
            e.printStackTrace(terminal.err());
        }
    }

    /** Java's file exceptions have the path as their whole message. */
    private static String describe(IOException e) {
        String reason = switch (e) {
            case NoSuchFileException _ -> "no such file or folder";
            case AccessDeniedException _ -> "permission denied";
            case FileAlreadyExistsException _ -> "exists already";
            case NotDirectoryException _ -> "not a folder";
            case DirectoryNotEmptyException _ -> "not an empty folder";
            case FileSystemException f -> f.getReason() == null ? "cannot be used" : f.getReason();
            default -> null;
        };
        if (reason == null) {
            return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        }
        return ((FileSystemException) e).getFile() + ": " + reason;
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
