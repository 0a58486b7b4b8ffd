package dev.veilgate.cli;

import dev.veilgate.client.GatewayClient;
import dev.veilgate.client.JsonObject;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
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
        List<JsonObject> routes = client.routes();
        boolean saysRules = routes.stream().anyMatch(route -> route.fields().containsKey("rules"));
        List<List<String>> rows =
                new ArrayList<>(List.of(row(List.of("NAME", "ACTION", "TARGET", "ENDS"), saysRules, "RULES")));
        List<String> former = new ArrayList<>();
        for (JsonObject route : routes) {
            boolean isFormer = RouteRules.isFormer(route);
            if (isFormer) {
                former.add(Printable.of(route.text("name")));
            }
            if (json) {
                terminal.out().println(Json.of(route.fields()));
                continue;
            }
            JsonObject action = route.object("action");
            rows.add(row(
                    List.of(
                            route.text("name"),
                            action.text("type"),
                            action.text("target"),
                            route.optionalText("lastEpochEnds").orElse("-")),
                    saysRules,
                    RouteRules.text(route) + (isFormer ? " (former)" : "")));
        }
        if (!json) {
            Table.print(terminal.out(), rows);
        }
        if (!former.isEmpty()) {
            terminal.err()
                    .println("warning: issued by former rules of keywords alone, so that they miss what senders seal by"
                            + " later ones: "
                            + String.join(", ", former)
                            + ". veilgate route renew issues again what a command issued while the key folder had an"
                            + " issuing log; the page of routes in the console what the console issued; others have"
                            + " to be added again with their query");
        }
        return ExitCode.OK;
    }

    /** Gateways of before do not say the rules of routes. */
    private static List<String> row(List<String> cells, boolean saysRules, String rules) {
        List<String> row = new ArrayList<>(cells);
        if (saysRules) {
            row.add(rules);
        }
        return row;
    }
}
