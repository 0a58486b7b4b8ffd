package dev.veilgate.gateway.command;

import dev.veilgate.application.command.ApplicationCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** Entry of the command. */
@Command(
        name = "veilgate-gateway",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 100,
        sortOptions = false,
        subcommands = {RunCommand.class, AccessCommand.class},
        header = "Take, store, route and search sealed mail and logs without being able to read them",
        description = {
            "",
            "The gateway holds no secret key of a tenant: it needs the tenant's public bundle, which veilgate keys bundle writes.",
        },
        footer = {
            "",
            "  ${ROOT-COMMAND-NAME} access token auditor --tenant acme --right search",
            "  ${ROOT-COMMAND-NAME} run --config gateway.yaml",
            "",
            "docs/operations.md says how to run it, docs/settings-gateway.md what can be set.",
        })
public final class Main extends ApplicationCommand {
    private Main() {}

    /** Runs the command and exits with its status. */
    public static void main(String... arguments) {
        execute(new Main(), arguments);
    }
}
