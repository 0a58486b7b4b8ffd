package dev.veilgate.application.command;

import dev.veilgate.transport.supervision.ServiceExit;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A start that failed: a sentence for people, and an exit status by which it is started again or not. */
final class StartFailure extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final Pattern LINE = Pattern.compile("line ([0-9]{1,9}),");

    private final int status;

    /** @param status one of {@link ServiceExit} */
    StartFailure(int status, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    /**
     * Says what frameworks have wrapped many times, by the innermost cause.
     *
     * @param settings the file of settings; null if there is none
     */
    static StartFailure of(Throwable thrown, @Nullable Path settings) {
        Throwable root = thrown;
        while (root.getCause() != null && !isSentence(root)) {
            root = root.getCause();
        }
        String message = String.valueOf(root.getMessage());
        String where = settings == null ? "" : " (settings: " + settings + ")";
        return switch (root) {
            case NoSuchFileException e ->
                config(
                        "there is no file or folder " + e.getFile() + ", which the settings name: put it there, or name"
                                + " another" + where,
                        thrown);
            case AccessDeniedException e ->
                config(e.getFile() + " may not be read or written by the user that runs this" + where, thrown);
            case NotDirectoryException e -> config(e.getFile() + " is no folder" + where, thrown);
            case FileSystemException e ->
                temporary(e.getFile() + ": " + (e.getReason() == null ? "cannot be used" : e.getReason()), thrown);
            case IllegalArgumentException _ -> config(message + where, thrown);
            case IllegalStateException e when isSentence(e) -> temporary(message, thrown);
            case IOException _ -> temporary(message, thrown);
            case Throwable t
            when t.getClass().getName().startsWith("org.yaml.snakeyaml.") ->
                config("the settings are no YAML" + line(message) + where, thrown);
            case Throwable t -> temporary(t.getClass().getSimpleName() + ": " + message, thrown);
        };
    }

    /** The place that a message of the parser names, without the text there, which may be a secret. */
    private static String line(String message) {
        Matcher line = LINE.matcher(message);
        return line.find() ? ", in line " + line.group(1) : "";
    }

    /** Says whether a message is a sentence of our own for people; frameworks wrap it, and it may have a cause. */
    private static boolean isSentence(Throwable e) {
        StackTraceElement[] stack = e.getStackTrace();
        return (e.getClass() == IllegalArgumentException.class || e.getClass() == IllegalStateException.class)
                && stack.length > 0
                && stack[0].getClassName().startsWith("dev.veilgate.");
    }

    private static StartFailure config(String message, Throwable cause) {
        return new StartFailure(ServiceExit.CONFIG, message, cause);
    }

    private static StartFailure temporary(String message, Throwable cause) {
        return new StartFailure(ServiceExit.TEMPORARY, message, cause);
    }

    int status() {
        return status;
    }
}
