package dev.veilgate.cli;

import dev.veilgate.agent.AgentCommand;
import dev.veilgate.client.GatewayException;
import dev.veilgate.demo.DemoCommand;
import dev.veilgate.edge.IdentityCommand;
import dev.veilgate.program.CompletionCommand;
import dev.veilgate.program.Program;
import dev.veilgate.proxy.MailCommand;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Entry of {@code veilgate}, the one command that has all: those of the edge, and those of the authority. */
@Command(
        name = "veilgate",
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
public final class Main extends Program {
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
              VEILGATE_NATIVE_LIBOQS  liboqs.so, which native/install-liboqs makes, to compute ML-KEM, ML-DSA and FrodoKEM with
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
        COMMANDS.put("archive", ArchiveCommand.class);
        COMMANDS.put("release", ReleaseCommand.class);
        COMMANDS.put("help", CommandLine.HelpCommand.class);
        COMMANDS.put("completion", CompletionCommand.class);
    }

    private Main() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ENGLISH); // numbers are said in one way everywhere, and programs read them
        new Main().runAsProcess(arguments);
    }

    /** Runs the command; the exit code. */
    public static int run(Terminal terminal, String... arguments) {
        return new Main().execute(terminal, arguments);
    }

    /** The whole tree of commands, for those who ask about it. */
    static CommandLine tree(Terminal terminal) {
        return new Main().commandLine(terminal);
    }

    @Override
    protected Map<String, Class<?>> commands() {
        return COMMANDS;
    }

    /** Users of mail are enrolled where the authority's keys are, which the edge does not have. */
    @Override
    protected void extend(CommandLine tree) {
        CommandLine mail = tree.getSubcommands().get("mail");
        if (mail != null) {
            mail.addSubcommand("enrol", MailEnrolCommand.class);
            mail.addSubcommand("enrolled", MailEnrolledCommand.class);
            mail.addSubcommand("withdraw", KeysChange.WithdrawRecipient.class);
        }
    }

    @Override
    protected String surroundings() {
        return SURROUNDINGS;
    }

    @Override
    protected @Nullable CommandFailure failure(Exception e) {
        return e instanceof GatewayException g
                ? new CommandFailure(exitCode(g.status()), Objects.requireNonNull(g.getMessage()), g)
                : null;
    }

    private static int exitCode(int status) {
        return status == 401 ? ExitCode.KEY : status / 100 == 4 && status != 429 ? ExitCode.REFUSED : ExitCode.IO;
    }
}
