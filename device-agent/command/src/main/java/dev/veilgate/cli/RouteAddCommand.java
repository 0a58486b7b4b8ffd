package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.client.GatewayClient;
import dev.veilgate.client.JsonObject;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Installs a route. */
@Command(
        name = "add",
        header = "Install a route, or replace the one of its name",
        description = {
            "  Issues the query's trapdoors, for the present epoch and the next unless --epoch says otherwise, and gives them to the gateway.",
            "  For a webhook the gateway makes a secret, which is printed once: each call is signed with it.",
            "  With --reader-key a reader whose file has searcher's keys makes the trapdoors, for the epochs that they are for.",
        },
        footer = {"  veilgate route add urgent --scope mailbox-ada --mail --forward pager@example.org 'subject:urgent'"
        })
final class RouteAddCommand extends AuthorityCommand {
    /** What is done with what matches. */
    private static final class Action {
        @Option(names = "--forward", paramLabel = "ADDRESS", description = "Send the sealed mail there, too.")
        private @Nullable String forward;

        @Option(names = "--topic", paramLabel = "TOPIC", description = "Publish the envelope to a topic.")
        private @Nullable String topic;

        @Option(names = "--webhook", paramLabel = "URL", description = "Call this with the envelope's id, signed.")
        private @Nullable String webhook;

        Map<String, Object> json() {
            if (forward != null) {
                return Map.of("type", "forward", "target", forward);
            }
            return topic != null
                    ? Map.of("type", "topic", "target", topic)
                    : Map.of("type", "webhook", "target", String.valueOf(webhook));
        }
    }

    @Parameters(index = "0", paramLabel = "NAME", description = "Of the route.")
    private String name = "";

    @Parameters(index = "1", paramLabel = "QUERY", description = QueryOptions.DESCRIPTION)
    private String query = "";

    @ArgGroup(multiplicity = "1")
    private Action action = new Action();

    @Mixin
    private QueryOptions options = new QueryOptions();

    @Mixin
    private GatewayOptions gateway = new GatewayOptions();

    @Mixin
    private ReaderKeyOptions reader = new ReaderKeyOptions();

    @Mixin
    private BundleOptions bundle = new BundleOptions();

    RouteAddCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.READ);
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        try (GatewayClient client = gateway.connect(terminal, folder.keys().tenant())) {
            return install(
                    client,
                    options.issue(
                            terminal,
                            folder,
                            options.parse(terminal, folder, query, QueryOptions.Purpose.ROUTE)
                                    .asked(),
                            QueryOptions.Purpose.ROUTE));
        }
    }

    @Override
    boolean needsKeyFolder() {
        return !reader.isGiven();
    }

    @Override
    int runAsReader() throws Exception {
        try (Searcher searcher = Searcher.of(terminal, reader, bundle)) {
            SearchRequest request = options.issue(
                    terminal,
                    searcher,
                    options.parse(terminal, searcher, query, QueryOptions.Purpose.ROUTE)
                            .asked(),
                    QueryOptions.Purpose.ROUTE);
            try (GatewayClient client =
                    gateway.connect(terminal, searcher.bundle().tenant())) {
                return install(client, request);
            }
        }
    }

    private int install(GatewayClient client, SearchRequest request) throws Exception {
        String search = Base64.getEncoder().encodeToString(request.encode());
        JsonObject installed = client.putRoute(name, Json.of(Map.of("search", search, "action", action.json())));
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
        return ExitCode.OK;
    }
}
