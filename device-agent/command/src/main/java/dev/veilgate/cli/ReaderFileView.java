package dev.veilgate.cli;

import dev.veilgate.authority.ReaderKeyFile;
import dev.veilgate.authority.SearcherKey;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.terminal.Printable;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a reader's file holds, nothing of it secret. */
final class ReaderFileView {
    private final List<ReaderKey> keys;
    private final List<SearcherKey> searchers;

    /** @param content its keys stay the caller's to close */
    ReaderFileView(ReaderKeyFile.Content content) {
        this.keys = content.readers();
        this.searchers = content.searchers();
    }

    Map<String, Object> facts() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("tenant", keys.getFirst().tenant());
        facts.put("holder", keys.getFirst().holder());
        List<Object> all = new ArrayList<>();
        for (ReaderKey key : keys) {
            Map<String, Object> fact = new LinkedHashMap<>();
            fact.put("id", key.policyKey().id().toString());
            fact.put("scheme", key.policyKey().schemeId());
            fact.put("label", key.label().toString());
            fact.put("epochs", List.copyOf(key.label().epochs()));
            fact.put("canDelegate", key.canDelegate());
            all.add(fact);
        }
        facts.put("keys", all);
        List<Object> searching = new ArrayList<>();
        for (SearcherKey key : searchers) {
            Map<String, Object> fact = new LinkedHashMap<>();
            fact.put("indexKey", key.index().id().toString());
            fact.put("policy", key.index().policy().toString());
            fact.put("epochs", key.epoch().isEmpty() ? List.of() : List.of(key.epoch()));
            searching.add(fact);
        }
        facts.put("searcherKeys", searching);
        return facts;
    }

    void print(PrintStream out) {
        out.printf("tenant       %s%n", Printable.of(keys.getFirst().tenant()));
        out.printf("reader       %s%n", Printable.of(keys.getFirst().holder()));
        out.println("keys");
        for (ReaderKey key : keys) {
            out.printf(
                    "  %s  %-10s  %s%s%n",
                    key.policyKey().id(),
                    key.policyKey().schemeId(),
                    Printable.of(key.label().toString()),
                    key.canDelegate() ? "  can be delegated" : "");
        }
        if (!searchers.isEmpty()) {
            out.println("searches");
        }
        for (SearcherKey key : searchers) {
            out.printf(
                    "  %s  %s  %s%n",
                    key.index().id(),
                    key.epoch().isEmpty() ? "in all epochs" : Printable.of(key.epoch()),
                    Printable.of(key.index().policy().toString()));
        }
    }
}
