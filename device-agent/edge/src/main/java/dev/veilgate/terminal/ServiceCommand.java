package dev.veilgate.terminal;

/** A command that a service manager runs and starts again: exit codes say whether that is of use. */
public interface ServiceCommand {
    /** Whether it runs until it is stopped. */
    boolean isService();

    /**
     * Exit code of a service for that of a command.
     *
     * @param code   one of {@link ExitCode}
     * @param ofSettings whether a file that the settings name is not there or unfit
     */
    static int exitCode(int code, boolean ofSettings) {
        return switch (code) {
            case ExitCode.USAGE, ExitCode.KEY -> ExitCode.CONFIG;
            case ExitCode.REFUSED, ExitCode.IO -> ofSettings ? ExitCode.CONFIG : ExitCode.TEMPORARY;
            default -> code;
        };
    }
}
