package dev.veilgate.cli;

import dev.veilgate.archive.CapabilityText;
import dev.veilgate.sse.Capabilities;
import dev.veilgate.sse.Parameter;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.SseScheme;
import dev.veilgate.sse.SseSchemes;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists schemes. */
@Command(
        name = "schemes",
        header = "List the schemes for archives: what each can do, and what its server learns",
        description = {
            "  Abilities are those with the parameters' defaults. Forward private: the server does not see",
            "  whether what is added later has words that were searched before. Backward private: what a search",
            "  tells about deleted documents; type I tells least.",
        },
        footer = {"  veilgate archive schemes", "  veilgate archive schemes --json | jq -r 'select(.forward).name'"})
final class ArchiveSchemesCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(names = "--json", description = "Print a JSON object a line for each scheme.")
    private boolean json;

    ArchiveSchemesCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        for (SseScheme scheme : SseSchemes.all()) {
            if (json) {
                terminal.out().println(Json.of(facts(scheme)));
            } else {
                print(scheme);
            }
        }
        return ExitCode.OK;
    }

    private void print(SseScheme scheme) {
        Capabilities can = scheme.capabilities(Parameters.standard(scheme));
        terminal.out().println(scheme.id() + ": " + scheme.description());
        line("asks", CapabilityText.asks(can.ask()));
        line("deletes", CapabilityText.deletion(can.deletion()));
        line("forward private", can.forward() ? "yes" : "no");
        line("backward private", CapabilityText.backward(can.backward()));
        line("server knows at rest", CapabilityText.shows(can.atRest()));
        line("a search shows it", CapabilityText.shows(can.atSearch()));
        line("results", CapabilityText.exactness(can.exactness()));
        line(
                "turns",
                "add %d, delete %d, search %d"
                        .formatted(
                                can.turns().add(),
                                can.turns().delete(),
                                can.turns().search()));
        line("devices", CapabilityText.devices(can.devices()));
        line(
                "capacity",
                can.capacity().isPresent()
                        ? "%,d words of documents".formatted(can.capacity().getAsLong())
                        : "no bound");
        if (can.searchesByItself()) {
            line("note", "has to search now and then for its own sake");
        }
        for (Parameter parameter : scheme.parameters()) {
            line(
                    "--set " + parameter.name(),
                    "%s; %d to %d, default %d"
                            .formatted(parameter.help(), parameter.least(), parameter.most(), parameter.standard()));
        }
        terminal.out().println();
    }

    private void line(String what, String text) {
        terminal.out().printf("  %-22s%s%n", what, text);
    }

    private static Map<String, Object> facts(SseScheme scheme) {
        Capabilities can = scheme.capabilities(Parameters.standard(scheme));
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("name", scheme.id());
        facts.put("description", scheme.description());
        facts.put("asks", names(can.ask()));
        facts.put("deletion", name(can.deletion()));
        facts.put("forward", can.forward());
        facts.put("backward", name(can.backward()));
        facts.put("atRest", names(can.atRest()));
        facts.put("atSearch", names(can.atSearch()));
        facts.put("exactness", name(can.exactness()));
        facts.put(
                "turns",
                Map.of(
                        "add", can.turns().add(),
                        "delete", can.turns().delete(),
                        "search", can.turns().search()));
        facts.put("devices", name(can.devices()));
        can.capacity().ifPresent(most -> facts.put("capacity", most));
        facts.put("searchesByItself", can.searchesByItself());
        List<Object> parameters = new ArrayList<>();
        for (Parameter parameter : scheme.parameters()) {
            Map<String, Object> its = new LinkedHashMap<>();
            its.put("name", parameter.name());
            its.put("default", parameter.standard());
            its.put("least", parameter.least());
            its.put("most", parameter.most());
            its.put("help", parameter.help());
            parameters.add(its);
        }
        facts.put("parameters", parameters);
        return facts;
    }

    private static List<String> names(Set<? extends Enum<?>> values) {
        return values.stream().map(ArchiveSchemesCommand::name).sorted().toList();
    }

    private static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
