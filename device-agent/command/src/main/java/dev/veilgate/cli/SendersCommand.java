package dev.veilgate.cli;

import dev.veilgate.client.GatewayClient;
import dev.veilgate.client.JsonObject;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What has arrived from whom, and what has not. */
@Command(
        name = "senders",
        header = "List the senders that a gateway knows, and what is missing of their chains",
        description = {
            "  GAPS are numbers that have not arrived, FORKS numbers that were signed twice, SILENT since when a sender is quiet that had",
            "  promised its next envelope. The exit status is 1 if there is any of these. The gateway can hide an envelope but not forge",
            "  one: veilgate verify checks the chains of envelopes that are at hand.",
            "  RULES are those of keywords by which a sender sealed last, as the headers of its envelopes say; the last line may be of",
            "  all mail that no sender of the tenant signed. Once no line says 1, veilgate keys rules --alone-from can give rules 1 up.",
        },
        footer = {"  veilgate senders --tenant acme", "  veilgate senders --tenant acme --json"})
final class SendersCommand extends GatewayCommand {
    private static final int GAPS_SHOWN = 4;

    @Option(
            names = "--json",
            description = "Print a JSON object a line for each sender, as the gateway gave it, with its rules.")
    private boolean json;

    SendersCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(GatewayClient client) throws Exception {
        Optional<SeenRules> rules = SeenRules.ask(client);
        List<List<String>> rows = new ArrayList<>(List.of(row(
                List.of("SENDER", "ENVELOPES", "HIGHEST", "GAPS", "FORKS", "SEALED", "ARRIVED", "SILENT"),
                rules,
                "RULES")));
        boolean whole = true;
        for (JsonObject sender : client.senders()) {
            String name = sender.text("sender");
            List<JsonObject> gaps = sender.list("gaps");
            String silent = sender.optionalText("silentSince").orElse("-");
            whole &= gaps.isEmpty() && sender.number("forks") == 0 && silent.equals("-");
            if (json) {
                printJson(sender.fields(), name, rules);
                continue;
            }
            rows.add(row(
                    List.of(
                            name,
                            String.valueOf(sender.number("envelopes")),
                            String.valueOf(sender.number("highestSequence")),
                            text(gaps),
                            String.valueOf(sender.number("forks")),
                            sender.text("lastSealed"),
                            sender.text("lastArrived"),
                            silent),
                    rules,
                    text(rules, name)));
        }
        Optional<Instant> unsigned = rules.flatMap(seen -> seen.lastSealed(SeenRules.UNSIGNED));
        if (unsigned.isPresent() && json) {
            printJson(Map.of("sender", SeenRules.UNSIGNED, "lastSealed", unsigned.get()), SeenRules.UNSIGNED, rules);
        } else if (unsigned.isPresent()) {
            rows.add(row(
                    List.of(
                            SeenRules.UNSIGNED_SHOWN,
                            "-",
                            "-",
                            "-",
                            "-",
                            unsigned.get().toString(),
                            "-",
                            "-"),
                    rules,
                    text(rules, SeenRules.UNSIGNED)));
        }
        if (!json) {
            Table.print(terminal.out(), rows);
        }
        return whole ? ExitCode.OK : ExitCode.NO_MATCH;
    }

    private void printJson(Map<String, Object> told, String sender, Optional<SeenRules> rules) {
        Map<String, Object> fields = new LinkedHashMap<>(told);
        rules.flatMap(seen -> seen.lastOf(sender)).ifPresent(last -> fields.put("lastRules", last));
        terminal.out().println(Json.of(fields));
    }

    /** Gateways of before do not say the rules of senders. */
    private static List<String> row(List<String> cells, Optional<SeenRules> rules, String last) {
        List<String> row = new ArrayList<>(cells);
        rules.ifPresent(_ -> row.add(last));
        return row;
    }

    private static String text(Optional<SeenRules> rules, String sender) {
        return rules.flatMap(seen -> seen.lastOf(sender)).map(String::valueOf).orElse("-");
    }

    private static String text(List<JsonObject> gaps) throws IOException {
        List<String> parts = new ArrayList<>();
        for (JsonObject gap : gaps.subList(0, Math.min(gaps.size(), GAPS_SHOWN))) {
            long from = gap.number("from");
            long to = gap.number("to");
            parts.add(from == to ? String.valueOf(from) : from + "-" + to);
        }
        if (gaps.size() > GAPS_SHOWN) {
            parts.add((gaps.size() - GAPS_SHOWN) + " more");
        }
        return parts.isEmpty() ? "-" : String.join(",", parts);
    }
}
