package dev.veilgate.cli;

import dev.veilgate.authority.AuthorityLog;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.client.GatewayClient;
import dev.veilgate.client.JsonObject;
import dev.veilgate.issuing.HeadPolicy;
import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.IssuingLogException;
import dev.veilgate.issuing.LogEntry;
import dev.veilgate.issuing.LogProblem;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Issues routes again. */
@Command(
        name = "renew",
        header = "Issue routes again, by the present rules of keywords and for the present epochs",
        description = {
            "  A gateway keeps the trapdoors of a route and not its query. The query is in the issuing log of the key",
            "  folder, sealed for the tenant's keys, if veilgate route add wrote it there: if the folder had a log",
            "  (keys log --begin), and no reader's key issued the route. What a console issued is issued again there.",
            "  Others have to be added again with their query.",
            "  Without names, all routes that were issued by former rules alone while senders may use later ones.",
        },
        footer = {"  veilgate route renew", "  veilgate route renew urgent"})
final class RouteRenewCommand extends AuthorityCommand {
    private static final int AT_A_TIME = 1000;

    @Parameters(index = "0..*", arity = "0..*", paramLabel = "NAME", description = "Of routes.")
    private List<String> names = new ArrayList<>();

    @Mixin
    private GatewayOptions gateway = new GatewayOptions();

    RouteRenewCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.READ);
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        try (GatewayClient client = gateway.connect(terminal, folder.keys().tenant())) {
            return renew(folder, client);
        }
    }

    private int renew(KeyFolder folder, GatewayClient client) throws Exception {
        Set<String> installed = new HashSet<>();
        List<String> wanted = new ArrayList<>(names);
        for (JsonObject route : client.routes()) {
            installed.add(route.text("name"));
            if (names.isEmpty() && RouteRules.isFormer(route)) {
                wanted.add(route.text("name"));
            }
        }
        Optional<String> missing =
                wanted.stream().filter(name -> !installed.contains(name)).findFirst();
        if (missing.isPresent()) {
            throw new CommandFailure(
                    ExitCode.REFUSED, "the gateway has no route " + Printable.of(missing.get()) + " to be renewed");
        }
        Map<String, LogEntry> entries = entries(folder, new HashSet<>(wanted));
        RouteInstaller installer = new RouteInstaller(terminal, client);
        boolean isWhole = true;
        for (String name : wanted) {
            LogEntry entry = entries.get(name);
            Optional<IssuedRoute> route = entry == null ? Optional.empty() : IssuedRoute.of(entry, folder);
            if (route.isEmpty()) {
                terminal.err().println("warning: " + Printable.of(name) + why(entry));
                isWhole = false;
            } else {
                IssuedRoute found = route.get();
                found.options()
                        .withoutEndedEpochs(
                                folder.keys().epochs(), terminal.clock().instant());
                installer.install(folder, found, "renewed");
                terminal.err().println("note: " + Printable.of(name) + " is issued again");
            }
        }
        return isWhole ? ExitCode.OK : ExitCode.REFUSED;
    }

    private static String why(@Nullable LogEntry entry) {
        return entry == null
                ? ": its query is not kept here; issue it by hand, with veilgate route add and its query"
                : ": was last changed by " + Printable.of(entry.actor())
                        + ", whose entry in the issuing log has no query; issue it again in the console, or by hand,"
                        + " with veilgate route add and its query";
    }

    /** The last entry on each of them. */
    private Map<String, LogEntry> entries(KeyFolder folder, Set<String> wanted) throws IOException, CommandFailure {
        Map<String, LogEntry> found = new HashMap<>();
        if (wanted.isEmpty() || !CommandLog.isKept(folder)) {
            return found;
        }
        try (IssuingLog log = AuthorityLog.open(folder, HeadPolicy.DEFAULT, terminal.clock(), new SecureRandom())) {
            long before = Long.MAX_VALUE;
            List<LogEntry> some = log.newestFirst(before, AT_A_TIME);
            while (!some.isEmpty() && found.size() < wanted.size()) {
                for (LogEntry entry : some) {
                    wanted.stream()
                            .filter(name -> IssuedRoute.isOf(entry, name))
                            .forEach(name -> found.putIfAbsent(name, entry));
                }
                before = some.getLast().number();
                some = log.newestFirst(before, AT_A_TIME);
            }
            return found;
        } catch (IssuingLogException e) {
            throw new CommandFailure(
                    ExitCode.IO,
                    e.problem() == LogProblem.IN_USE
                            ? "a console or another command has the issuing log open, in which queries of routes are;"
                                    + " lock the console's keys first"
                            : String.valueOf(e.getMessage()),
                    e);
        }
    }
}
