package dev.veilgate.console.command;

import dev.veilgate.application.command.ApplicationCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** Entry of the command. */
@Command(
        name = "veilgate-console",
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
            "  ${ROOT-COMMAND-NAME} run --config console.yaml",
            "",
            "docs/console.md says how to run it, and what auditors, approvers and keepers do.",
        })
public final class Main extends ApplicationCommand {
    private Main() {}

    /** Runs the command and exits with its status. */
    public static void main(String... arguments) {
        execute(new Main(), arguments);
    }
}
