package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.client.GatewayClient;
import dev.veilgate.client.JsonObject;
import dev.veilgate.extract.QueryReadings;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/** Issues the trapdoors of a route and gives them to a gateway. */
final class RouteInstaller {
    private final Terminal terminal;
    private final GatewayClient client;

    RouteInstaller(Terminal terminal, GatewayClient client) {
        this.terminal = terminal;
        this.client = client;
    }

    /**
     * Issues and installs a route as the authority. What it is stands in the issuing log before it leaves, if one is
     * kept, so that it can be issued again.
     *
     * @param done what is done, in a word, for the log
     */
    void install(KeyFolder folder, IssuedRoute route, String done) throws Exception {
        QueryReadings read = route.options().parse(terminal, folder, route.query(), QueryOptions.Purpose.ROUTE);
        SearchRequest request = route.options().issue(terminal, folder, read.asked(), QueryOptions.Purpose.ROUTE);
        CommandLog.append(terminal, folder, route.entry(terminal, folder, done, read.shown()));
        install(route.name(), route.action(), read, request);
    }

    /** Installs a route that was issued. */
    void install(String name, Map<String, String> action, QueryReadings read, SearchRequest request) throws Exception {
        String search = Base64.getEncoder().encodeToString(request.encode());
        JsonObject installed =
                client.putRoute(name, Json.of(Map.of("search", search, "action", action, "rules", read.rules())));
        Optional<String> secret = installed.optionalText("secret");
        if (secret.isPresent()) {
            terminal.out().println("secret " + Printable.of(secret.get()));
        }
        Optional<String> ends = installed.optionalText("lastEpochEnds");
        if (ends.isPresent()) {
            terminal.err()
                    .println("note: the route finds nothing after " + Printable.of(ends.get())
                            + ", when its last epoch ends; add it again before");
        }
    }
}
