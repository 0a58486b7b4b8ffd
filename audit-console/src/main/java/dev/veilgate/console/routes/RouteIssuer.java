package dev.veilgate.console.routes;

import dev.veilgate.authority.PendingRequest;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.client.JsonObject;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.custody.Slice;
import dev.veilgate.console.gateway.Gateway;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.query.Intent;
import dev.veilgate.console.query.Intent.Purpose;
import dev.veilgate.console.query.QueryReader;
import dev.veilgate.console.query.QueryTerms;
import dev.veilgate.console.query.QueryText;
import dev.veilgate.console.rules.Decision;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.extract.MalformedQueryException;
import dev.veilgate.issuing.DetailName;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.query.SearchRequest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Makes the trapdoors of a route and gives them to the gateway; both are in the issuing log before. */
@Component
final class RouteIssuer {
    /** What was sealed in the last epoch and comes after it. */
    private static final Duration STRAGGLERS = Duration.ofDays(1);

    private final QueryReader reader;
    private final Custody custody;
    private final AuditLog log;
    private final Gateway gateway;
    private final InstalledRoutes installed;
    private final JsonMapper json;

    RouteIssuer(
            QueryReader reader,
            Custody custody,
            AuditLog log,
            Gateway gateway,
            InstalledRoutes installed,
            JsonMapper json) {
        this.reader = reader;
        this.custody = custody;
        this.log = log;
        this.gateway = gateway;
        this.installed = installed;
        this.json = json;
    }

    /** What it asks for: whatever arrives in the next epochs, so that the search's times do not count. */
    Intent read(User user, NewRoute route) throws Exception {
        QueryText text = route.checkedQuery();
        QueryText timeless =
                new QueryText(text.query(), text.scope(), text.mail(), null, null, text.senders(), text.signed());
        try {
            return reader.read(user, timeless, Purpose.ROUTE, route.epochCount() - 1);
        } catch (MalformedQueryException e) {
            throw ProblemException.malformed("query: " + e.getMessage());
        }
    }

    /**
     * Whether a route of this name is there, which another may have installed: what takes its place ends it.
     *
     * @throws ProblemException 409 if it is and the user, who is no operator, could not remove it either
     */
    boolean replaces(User user, String name) {
        boolean isThere = gateway.ask(client -> {
            boolean found = false;
            for (JsonObject route : client.routes()) {
                found |= route.text("name").equals(name);
            }
            return found;
        });
        if (isThere && !user.is(Role.OPERATOR)) {
            throw ProblemException.conflict(
                    "a route of this name is installed, and only an operator may replace it; choose another name");
        }
        return isThere;
    }

    /**
     * Installs; one after the other, so that two of a name do not both find it free.
     *
     * @param decision that allowed it
     * @throws ProblemException as {@link #replaces}
     */
    synchronized Route install(User user, NewRoute route, Intent intent, Decision decision) throws Exception {
        String name = route.checkedName();
        String action = replaces(user, name) ? "replaced" : "installed";
        String scope = intent.text().scope();
        Begun begun = custody.use(keys -> begin(keys, user, intent));
        Optional<SearchRequest> issued = Optional.empty();
        while (issued.isEmpty()) {
            issued = custody.issue((keys, store) -> {
                begun.require(keys);
                List<LogDraft> entries = slice(begun.pending(), store, user, decision);
                if (!begun.pending().isComplete()) {
                    if (!entries.isEmpty()) {
                        log.append(entries);
                    }
                    return Optional.empty();
                }
                SearchRequest made = begun.pending().request().with(intent.filter());
                return Optional.of(logged(user, route, action, intent, decision, keys, made, entries));
            });
        }
        SearchRequest request = issued.get();
        List<Integer> rules = intent.readings().rules();
        String body = json.writeValueAsString(
                Map.of("search", request.encode(), "action", route.actionJson(), "rules", rules));
        Optional<QueryTerms> understood = Optional.of(
                        QueryTerms.withWarnings(intent.readings().shown()))
                .filter(_ -> !decision.hideKeywords()); // what the log has sealed, no list shows
        Route.Known known = new Route.Known(scope, intent.epochs(), Optional.of(route.because(null)), understood);
        Route made = gateway.ask(client -> Route.of(client.putRoute(name, body), Optional.of(known), true));
        installed.remember(name, known);
        return made;
    }

    /** Trapdoors of a route that are being made, with the keys that were open when that began. */
    private record Begun(TenantKeys keys, PendingRequest pending) {
        void require(TenantKeys now) {
            if (now != keys) {
                throw ProblemException.conflict("the keys were locked while the route was made; try again");
            }
        }

        @Override
        public String toString() {
            return "Begun[hidden]";
        }
    }

    private static Begun begin(TenantKeys keys, User user, Intent intent) throws MalformedEncodingException {
        try {
            PendingRequest pending = keys.pendingFor(
                    user.attributes(),
                    intent.text().scope(),
                    intent.epochs(),
                    intent.query().terms(),
                    intent.query().expression());
            return new Begun(keys, pending);
        } catch (IllegalArgumentException e) {
            throw ProblemException.malformed(String.valueOf(e.getMessage()));
        }
    }

    /** Makes some more trapdoors, and the entries that tell of them. */
    private List<LogDraft> slice(PendingRequest pending, TrapdoorStore store, User user, Decision decision)
            throws IOException, MalformedEncodingException {
        List<LogDraft> entries = new ArrayList<>();
        Slice slice = new Slice();
        while (!pending.isComplete() && slice.step()) {
            pending.next(store)
                    .map(issued ->
                            Entries.trapdoor(log, user.id(), decision.logNumber(), issued, decision.hideKeywords()))
                    .ifPresent(entries::add);
        }
        return entries;
    }

    /** With a grant that holds as long as the route finds anything. */
    private SearchRequest logged(
            User user,
            NewRoute route,
            String action,
            Intent intent,
            Decision decision,
            TenantKeys keys,
            SearchRequest issued,
            List<LogDraft> entries) {
        long allowed = decision.logNumber();
        Instant expires = keys.epochs().named(intent.epochs().getLast()).to().plus(STRAGGLERS);
        entries.add(Entries.change(EntryKind.ROUTE_CHANGE, user.id(), action, route.checkedName())
                .with("about", Entries.cut(route.about(), 1000))
                .with(DetailName.REQUEST, Long.toString(allowed)));
        entries.add(Entries.grant(user.id(), allowed, issued, expires));
        long granted = log.append(entries) + entries.size() - 1;
        return keys.granted(issued, Entries.GRANT_HOLDER, expires, granted);
    }
}
