package dev.veilgate.program;

import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * A program of several commands; its subclasses name them. Everything that differs between a process and a test is
 * in the {@link Terminal}.
 */
@Command(
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 100,
        usageHelpAutoWidth = true,
        sortOptions = false,
        sortSynopsis = false,
        headerHeading = "NAME%n",
        synopsisHeading = "%nSYNOPSIS%n  ",
        descriptionHeading = "%nDESCRIPTION%n",
        parameterListHeading = "%nARGUMENTS%n",
        optionListHeading = "%nOPTIONS%n",
        commandListHeading = "%nCOMMANDS%n",
        exitCodeListHeading = "%nEXIT STATUS%n",
        footerHeading = "%nEXAMPLES%n",
        exitCodeOnUsageHelp = ExitCode.OK,
        exitCodeOnVersionHelp = ExitCode.OK,
        exitCodeOnInvalidInput = ExitCode.USAGE,
        exitCodeOnExecutionException = ExitCode.BUG,
        exitCodeList = {
            "0:done",
            "1:done, and the answer is no: nothing matches, a chain has a finding",
            "2:the command line or the settings are wrong",
            "3:input refused: damaged, forged, expired, or not for this key",
            "4:a file, the disk or the network failed",
            "5:no key, wrong passphrase, or a key file that is damaged or not private",
            "75:agent run, mail proxy: it ended for a reason that may pass, and may be started again",
            "78:agent run, mail proxy: the settings forbid a start, or name a file that is not there",
            "70:a bug in Veilgate; please report it with what --debug says"
        })
public abstract class Program implements Runnable {
    /** Commands that are about all commands. */
    private static final Set<String> ABOUT_ALL = Set.of("help", "completion");

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--debug",
            scope = ScopeType.INHERIT,
            description = "After an error, also print where in the program it happened.")
    private boolean debug;

    /**
     * All commands by name, in the order of the help. To read the annotations of all of them takes longer than
     * most of them work.
     */
    protected abstract Map<String, Class<?>> commands();

    /** The sections of the help about variables of the environment and files. */
    protected abstract String surroundings();

    /** Adds commands to a command of the tree that another program has without them. */
    protected void extend(CommandLine tree) {}

    /** Names a failure of a library that only this program has; null if it is none of them. */
    protected @Nullable CommandFailure failure(Exception e) {
        return null;
    }

    /** Runs the command and ends the process with its exit code. */
    protected final void runAsProcess(String[] arguments) {
        Terminal terminal = Terminal.ofProcess();
        int code = execute(terminal, arguments);
        if (terminal.out().checkError() && code == ExitCode.OK) { // flushes; a reader that went away is no success
            code = ExitCode.IO;
        }
        System.exit(code);
    }

    /** Runs the command; the exit code. */
    protected final int execute(Terminal terminal, String[] arguments) {
        int code = commandLine(terminal, named(arguments)).execute(arguments);
        terminal.out().flush();
        terminal.err().flush();
        return code;
    }

    /** The whole tree of commands. */
    protected final CommandLine commandLine(Terminal terminal) {
        return commandLine(terminal, commands().keySet());
    }

    /** The one command that is called; all of them for whoever asks about them or is mistaken. */
    private Set<String> named(String[] arguments) {
        Set<String> all = commands().keySet();
        for (String argument : arguments) {
            if (!argument.startsWith("-")) {
                boolean alone = all.contains(argument) && !ABOUT_ALL.contains(argument);
                return alone ? Set.of(argument) : all;
            }
        }
        return all;
    }

    private CommandLine commandLine(Terminal terminal, Set<String> names) {
        Failures failures = new Failures(terminal, () -> debug, this::failure);
        CommandLine line = new CommandLine(this, new CommandFactory(terminal));
        commands().forEach((name, command) -> {
            if (names.contains(name)) {
                line.addSubcommand(name, command);
            }
        });
        extend(line);
        CommandLine help = line.getSubcommands().get("help");
        if (help != null) { // picocli's own has a heading of its own
            String heading = line.getCommandSpec().usageMessage().synopsisHeading();
            help.getCommandSpec().usageMessage().synopsisHeading(heading);
        }
        nameSection(line);
        List<String> sections = new ArrayList<>(line.getHelpSectionKeys());
        sections.add(sections.indexOf(UsageMessageSpec.SECTION_KEY_FOOTER_HEADING), "surroundings");
        line.setHelpSectionKeys(sections);
        line.getHelpSectionMap().put("surroundings", page -> page.commandSpec().parent() == null ? surroundings() : "");
        return line.setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExpandAtFiles(false) // a query may begin with @
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setExecutionStrategy(parsed -> run(terminal, parsed))
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
    }

    /** Runs the command, with the library that the environment names, or shows the help that is asked for. */
    private static int run(Terminal terminal, ParseResult parsed) {
        Integer help = CommandLine.executeHelpRequest(parsed);
        if (help != null) {
            return help;
        }
        try {
            NativeLibrary.use(NativeLibrary.VARIABLE, terminal.variable(NativeLibrary.VARIABLE));
        } catch (CommandFailure e) {
            throw new ExecutionException(parsed.commandSpec().commandLine(), String.valueOf(e.getMessage()), e);
        }
        return new RunLast().execute(parsed);
    }

    /** As in a man page: the command's whole name, and what it does. */
    private static void nameSection(CommandLine line) {
        line.getHelpSectionMap()
                .put(
                        UsageMessageSpec.SECTION_KEY_HEADER,
                        help -> "  %s - %s%n"
                                .formatted(
                                        help.commandSpec().qualifiedName(),
                                        String.join(
                                                " ",
                                                help.commandSpec()
                                                        .usageMessage()
                                                        .header())));
        line.getSubcommands().values().forEach(Program::nameSection);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say which command; " + spec.name() + " --help lists them");
    }
}
