package dev.veilgate.cli;

import dev.veilgate.authority.AuthorityLog;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.envelope.KemPublicKey;
import dev.veilgate.extract.ReadQuery;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.issuing.LogEntry;
import dev.veilgate.terminal.Terminal;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A route that a command issues, as the issuing log keeps it: its query is sealed there for the tenant's keys, since a
 * gateway has trapdoors alone, and nobody else could issue it again.
 *
 * @param options what it asks for beside the query
 * @param action  type and target
 */
record IssuedRoute(String name, QueryOptions options, QueryOptions.Typed query, Map<String, String> action) {
    /** The detail with the query, of entries that commands write. */
    private static final String QUERY = "query";

    private static final String TYPE = "type";
    private static final String TARGET = "target";

    /** Whether an entry is of a route of this name. */
    static boolean isOf(LogEntry entry, String name) {
        return entry.kind() == EntryKind.ROUTE_CHANGE
                && name.equals(entry.details().get("name"));
    }

    /** The route that an entry tells of; empty if it does not say all, as those of a console. */
    static Optional<IssuedRoute> of(LogEntry entry, KeyFolder folder) {
        Optional<SortedMap<String, String>> sealed = AuthorityLog.unseal(folder.keys(), entry);
        String type = entry.details().get(TYPE);
        String target = entry.details().get(TARGET);
        String name = entry.details().get("name");
        if (sealed.isEmpty() || !sealed.get().containsKey(QUERY) || type == null || target == null || name == null) {
            return Optional.empty();
        }
        return Optional.of(new IssuedRoute(
                name,
                QueryOptions.remembered(sealed.get()),
                new QueryOptions.Typed(String.valueOf(sealed.get().get(QUERY)), true),
                Map.of(TYPE, type, TARGET, target)));
    }

    /**
     * The entry on it. A query that is too long for the log is not in it: then nobody can issue the route again by a
     * command.
     *
     * @param read how its query is understood
     */
    LogDraft entry(Terminal terminal, KeyFolder folder, String done, ReadQuery read) throws Exception {
        LogDraft draft = CommandLog.done(EntryKind.ROUTE_CHANGE, done, name);
        for (Map.Entry<String, String> each : action.entrySet()) {
            draft = draft.with(each.getKey(), each.getValue());
        }
        KemPublicKey key = AuthorityLog.sealingKey(folder.keys());
        for (Map.Entry<String, String> each :
                options.toRemember(terminal, QueryOptions.Purpose.ROUTE).entrySet()) {
            draft = draft.sealed(key, each.getKey(), each.getValue());
        }
        return fitting(fitting(draft, key, QUERY, query.text()), key, "understood", read.reading());
    }

    private static LogDraft fitting(LogDraft draft, KemPublicKey key, String name, String text) {
        boolean fits = text.getBytes(StandardCharsets.UTF_8).length <= draft.sealedRoom(name);
        return fits ? draft.sealed(key, name, text) : draft;
    }

    @Override
    public String toString() {
        return "IssuedRoute[" + name + "]";
    }
}
