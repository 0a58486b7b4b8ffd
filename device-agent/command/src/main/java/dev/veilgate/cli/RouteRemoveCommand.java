package dev.veilgate.cli;

import dev.veilgate.client.GatewayClient;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Removes a route. */
@Command(
        name = "remove",
        header = "Remove a route",
        footer = {"  veilgate route remove --tenant acme urgent"})
final class RouteRemoveCommand extends GatewayCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Of the route.")
    private String name = "";

    RouteRemoveCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(GatewayClient client) throws Exception {
        client.removeRoute(name);
        return ExitCode.OK;
    }
}
