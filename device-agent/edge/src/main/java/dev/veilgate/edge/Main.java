package dev.veilgate.edge;

import dev.veilgate.agent.AgentCommand;
import dev.veilgate.program.CompletionCommand;
import dev.veilgate.program.Program;
import dev.veilgate.proxy.MailCommand;
import dev.veilgate.terminal.Terminal;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * Entry of {@code veilgate-edge}, which is installed where messages are sealed: the log agent, the mail proxy
 * where its libraries are installed, and no command of the authority.
 */
@Command(
        name = "veilgate-edge",
        header = "Seal logs and mail where they arise, so that they can be searched without being read",
        description = {
            "  Seals what passes with the authority's public bundle, and signs it with an identity of its own.",
            "  It holds no secret key of the tenant, and has no command that needs one: veilgate has those.",
        },
        footer = {
            "  veilgate-edge identity init press-4.identity --sender press-4 > press-4.pub",
            "  veilgate-edge agent check --config /etc/veilgate/veilgate.yaml",
            "  veilgate-edge help agent run",
        })
public final class Main extends Program {
    private static final String SURROUNDINGS = """

            ENVIRONMENT
              VEILGATE_NATIVE_LIBOQS  liboqs.so, which native/install-liboqs makes, to compute ML-KEM and ML-DSA with
              VEILGATE_JAVA_OPTS   options for Java, such as -Xmx2g
              JAVA_HOME            which Java, 25 or later

            FILES
              /etc/veilgate/veilgate.yaml  the settings of the services
              NAME.identity        a sender's signing key, readable by its owner only
              *.vgb                public bundles
            """;

    private Main() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        new Main().runAsProcess(arguments);
    }

    /** Runs the command; the exit code. */
    public static int run(Terminal terminal, String... arguments) {
        return new Main().execute(terminal, arguments);
    }

    @Override
    protected Map<String, Class<?>> commands() {
        Map<String, Class<?>> commands = new LinkedHashMap<>();
        commands.put("agent", AgentCommand.class);
        commands.put("mail", MailLibraries.areInstalled() ? MailCommand.class : AbsentMailCommand.class);
        commands.put("identity", IdentityCommand.class);
        commands.put("help", CommandLine.HelpCommand.class);
        commands.put("completion", CompletionCommand.class);
        return commands;
    }

    @Override
    protected String surroundings() {
        return SURROUNDINGS;
    }
}
