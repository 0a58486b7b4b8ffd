package dev.veilgate.cli;

import dev.veilgate.agent.AgentCommand;
import dev.veilgate.demo.DemoCommand;
import dev.veilgate.proxy.MailCommand;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Entry of the command. Everything that differs between a process and a test is in the {@link Terminal}. */
@Command(
        name = "veilgate",
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
            "70:a bug in Veilgate; please report it with what --debug says"
        },
        header = "Seal logs and mail so that they can be searched without being read",
        description = {
            "  Edge: agent and mail seal what passes; they need the public bundle and their own identity.",
            "  Authority: keys, trapdoor, search, route add and open hold the tenant's secret keys; they stay on your premises.",
            "  Anybody: test and verify need no secret; route list and senders need a token of the gateway.",
        },
        footer = {
            "  veilgate quickstart demo && . demo/env",
            "  journalctl -o short | veilgate seal -o demo/journal.vge",
            "  veilgate search 'password root' demo/journal.vge",
            "  veilgate help seal",
        })
public final class Main implements Runnable {
    /** All commands, in the order of the help. To read the annotations of all of them takes longer than most of them work. */
    private static final Map<String, Class<?>> COMMANDS = new LinkedHashMap<>();

    private static final String SURROUNDINGS = """

            ENVIRONMENT
              VEILGATE_KEYS        the key folder
              VEILGATE_PASSPHRASE  its passphrase
              VEILGATE_BUNDLE      the public bundle
              VEILGATE_AUTHORITY   the fingerprint of the authority that must have signed it
              VEILGATE_IDENTITY    the identity that seal signs with
              VEILGATE_SIGNER_PASSPHRASE  the passphrase of the PKCS #12 file of keys mail-signer import and export
              VEILGATE_SCOPE       the scope to seal for and to search in
              VEILGATE_GATEWAY     the gateway that search, route and senders ask
              VEILGATE_TOKEN       the bearer token that it knows us by
              VEILGATE_TOKEN_FILE  a file of which the first line is that token
              VEILGATE_TENANT      the tenant, for route list and senders without the key folder
              VEILGATE_JAVA_OPTS   options for Java, such as -Xmx2g
              JAVA_HOME            which Java, 25 or later

            FILES
              keys/                the key folder unless said otherwise: keys.vgk, keys.vgk.previous, trapdoors/
              NAME.identity        a sender's signing key, readable by its owner only
              NAME.identity.state  its place in its chain and the last bundle's serial
              *.vgb, *.vge, *.search  public bundles; envelopes, one behind the other; search requests
            """;

    static {
        COMMANDS.put("demo", DemoCommand.class);
        COMMANDS.put("quickstart", QuickstartCommand.class);
        COMMANDS.put("agent", AgentCommand.class);
        COMMANDS.put("mail", MailCommand.class);
        COMMANDS.put("keys", KeysCommand.class);
        COMMANDS.put("identity", IdentityCommand.class);
        COMMANDS.put("seal", SealCommand.class);
        COMMANDS.put("open", OpenCommand.class);
        COMMANDS.put("trapdoor", TrapdoorCommand.class);
        COMMANDS.put("test", TestCommand.class);
        COMMANDS.put("search", SearchCommand.class);
        COMMANDS.put("route", RouteCommand.class);
        COMMANDS.put("senders", SendersCommand.class);
        COMMANDS.put("verify", VerifyCommand.class);
        COMMANDS.put("templates", TemplatesCommand.class);
        COMMANDS.put("help", CommandLine.HelpCommand.class);
        COMMANDS.put("completion", CompletionCommand.class);
    }

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--debug",
            scope = ScopeType.INHERIT,
            description = "After an error, also print where in the program it happened.")
    private boolean debug;

    private Main() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        Terminal terminal = Terminal.ofProcess();
        int code = run(terminal, arguments);
        if (terminal.out().checkError() && code == ExitCode.OK) { // flushes; a reader that went away is no success
            code = ExitCode.IO;
        }
        System.exit(code);
    }

    /** Runs the command; the exit code. */
    public static int run(Terminal terminal, String... arguments) {
        Main main = new Main();
        CommandLine line = commandLine(main, terminal, named(arguments));
        int code = line.execute(arguments);
        terminal.out().flush();
        terminal.err().flush();
        return code;
    }

    /** The whole tree of commands. */
    static CommandLine commandLine(Terminal terminal) {
        return commandLine(new Main(), terminal, COMMANDS.keySet());
    }

    /** The one command that is called; all of them for whoever asks about them or is mistaken. */
    private static Set<String> named(String[] arguments) {
        for (String argument : arguments) {
            if (!argument.startsWith("-")) {
                boolean alone = COMMANDS.containsKey(argument) && !argument.equals("help");
                return alone ? Set.of(argument) : COMMANDS.keySet();
            }
        }
        return COMMANDS.keySet();
    }

    private static CommandLine commandLine(Main main, Terminal terminal, Set<String> names) {
        Failures failures = new Failures(terminal, () -> main.debug);
        CommandLine line = new CommandLine(main, new CommandFactory(terminal));
        COMMANDS.forEach((name, command) -> {
            if (names.contains(name)) {
                line.addSubcommand(name, command);
            }
        });
        CommandLine help = line.getSubcommands().get("help");
        if (help != null) { // picocli's own has a heading of its own
            String heading = line.getCommandSpec().usageMessage().synopsisHeading();
            help.getCommandSpec().usageMessage().synopsisHeading(heading);
        }
        nameSection(line);
        List<String> sections = new ArrayList<>(line.getHelpSectionKeys());
        sections.add(sections.indexOf(UsageMessageSpec.SECTION_KEY_FOOTER_HEADING), "surroundings");
        line.setHelpSectionKeys(sections);
        line.getHelpSectionMap().put("surroundings", page -> page.commandSpec().parent() == null ? SURROUNDINGS : "");
        return line.setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExpandAtFiles(false) // a query may begin with @
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
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
        line.getSubcommands().values().forEach(Main::nameSection);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say which command; veilgate --help lists them");
    }
}
