package dev.veilgate.cli;

import dev.veilgate.client.GatewayClient;
import dev.veilgate.client.JsonObject;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists routes. */
@Command(
        name = "list",
        header = "List the routes of a tenant",
        footer = {"  veilgate route list --tenant acme"})
final class RouteListCommand extends GatewayCommand {
    @Option(names = "--json", description = "Print a JSON object a line for each route, as the gateway gave it.")
    private boolean json;

    RouteListCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(GatewayClient client) throws Exception {
        List<List<String>> rows = new ArrayList<>(List.of(List.of("NAME", "ACTION", "TARGET", "ENDS")));
        for (JsonObject route : client.routes()) {
            if (json) {
                terminal.out().println(Json.of(route.fields()));
                continue;
            }
            JsonObject action = route.object("action");
            rows.add(List.of(
                    route.text("name"),
                    action.text("type"),
                    action.text("target"),
                    route.optionalText("lastEpochEnds").orElse("-")));
        }
        if (!json) {
            Table.print(terminal.out(), rows);
        }
        return ExitCode.OK;
    }
}
