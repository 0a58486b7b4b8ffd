package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.client.GatewayClient;
import dev.veilgate.extract.QueryReadings;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.util.Map;
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
            "  If the key folder has an issuing log, the query is kept there, sealed for the tenant's keys: veilgate route renew issues it again.",
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

        Map<String, String> json() {
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
            IssuedRoute route = new IssuedRoute(name, options, QueryOptions.Typed.of(terminal, query), action.json());
            new RouteInstaller(terminal, client).install(folder, route, "installed");
            return ExitCode.OK;
        }
    }

    @Override
    boolean needsKeyFolder() {
        return !reader.isGiven();
    }

    @Override
    int runAsReader() throws Exception {
        try (Searcher searcher = Searcher.of(terminal, reader, bundle)) {
            QueryReadings read = options.parse(terminal, searcher, query, QueryOptions.Purpose.ROUTE);
            SearchRequest request = options.issue(terminal, searcher, read.asked(), QueryOptions.Purpose.ROUTE);
            try (GatewayClient client =
                    gateway.connect(terminal, searcher.bundle().tenant())) {
                new RouteInstaller(terminal, client).install(name, action.json(), read, request);
                return ExitCode.OK;
            }
        }
    }
}
