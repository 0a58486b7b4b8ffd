package dev.veilgate.console.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.veilgate.authority.SearchReach;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.query.Intent;
import dev.veilgate.console.query.QueryReader;
import dev.veilgate.console.query.QueryTerms;
import dev.veilgate.console.query.QueryText;
import dev.veilgate.console.rules.Authorizer;
import dev.veilgate.console.rules.Decision;
import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.extract.MalformedQueryException;
import dev.veilgate.extract.ReadQuery;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** What helps to write a query. Issues nothing. */
@RestController
class QueryController {
    private final QueryReader reader;
    private final Authorizer authorizer;
    private final Custody custody;
    private final Searches searches;

    QueryController(QueryReader reader, Authorizer authorizer, Custody custody, Searches searches) {
        this.reader = reader;
        this.authorizer = authorizer;
        this.custody = custody;
        this.searches = searches;
    }

    /**
     * What is wrong with a query, or may be.
     *
     * @param at          character of the query, from 0
     * @param suggestions whole queries that may have been meant, the likeliest first
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record QueryError(String message, @Nullable Integer at, List<String> suggestions) {
        static QueryError of(MalformedQueryException e, String typed) {
            return new QueryError(
                    String.valueOf(e.getMessage()),
                    e.at().isPresent() ? e.at().getAsInt() + before(typed) : null,
                    e.suggestions());
        }

        static QueryError of(ReadQuery.Warning warning, String typed) {
            return new QueryError(warning.message(), warning.at() + before(typed), warning.instead());
        }

        /** White space that was not read. */
        private static int before(String typed) {
            return typed.length() - typed.stripLeading().length();
        }

        @Override
        public String toString() {
            return "QueryError[hidden]";
        }
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record DecisionView(
            String outcome,
            String reason,
            @Nullable String rule,
            @Nullable String approval) {
        static DecisionView of(Decision decision) {
            return new DecisionView(
                    decision.outcome().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                    decision.reason(),
                    decision.rule().orElse(null),
                    decision.approval().map(Object::toString).orElse(null));
        }
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record QueryCheck(
            List<QueryError> errors,
            List<QueryError> warnings,
            @Nullable List<QueryTerms.Term> terms,
            List<String> notes,
            @Nullable DecisionView decision,
            List<String> epochs,
            int trapdoors,
            List<String> leakage,
            List<String> notSearched) {
        @Override
        public String toString() {
            return "QueryCheck[hidden]";
        }
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Scope(String name, String kind, @Nullable String owner) {}

    @GetMapping("/api/fields")
    List<FieldCatalogue.Field> fields() {
        return FieldCatalogue.ALL;
    }

    /** Those that are registered, and then mailboxes; of which some rule may let the user search. Pages begin with the first, and mail takes more to be searched. */
    @GetMapping("/api/scopes")
    List<Scope> scopes(User user) throws Exception {
        user.require(Role.AUDITOR, Role.OPERATOR);
        return custody.use(QueryController::scopes).stream()
                .filter(scope -> authorizer.maySearchIn(user, scope.name()))
                .sorted(Comparator.comparing(Scope::kind))
                .toList();
    }

    private static List<Scope> scopes(TenantKeys keys) {
        Map<String, Scope> scopes = new TreeMap<>();
        for (Recipient recipient : keys.recipients()) {
            scopes.put(recipient.scope(), new Scope(recipient.scope(), "mailbox", recipient.address()));
        }
        keys.scopes().forEach(name -> scopes.putIfAbsent(name, new Scope(name, "logs", null)));
        return scopes.values().stream()
                .sorted(Comparator.comparing(Scope::kind).thenComparing(Scope::name)) // logs first
                .toList();
    }

    @PostMapping("/api/queries/check")
    QueryCheck check(User user, @RequestBody QueryText text) throws Exception {
        user.require(Role.AUDITOR, Role.OPERATOR);
        Intent intent;
        try {
            intent = reader.read(user, text, Intent.Purpose.SEARCH, 0);
        } catch (MalformedQueryException e) {
            return new QueryCheck(
                    List.of(QueryError.of(e, Objects.requireNonNull(text.query()))),
                    List.of(),
                    null,
                    List.of(),
                    null,
                    List.of(),
                    0,
                    List.of(),
                    List.of());
        }
        SearchReach reach = authorizer.reach(user, intent);
        int trapdoors = intent.query().terms().stream().mapToInt(List::size).sum()
                * custody.use(keys -> keys.trapdoorsOfKeyword(reach, intent.epochs()));
        Set<String> seen = searches.fieldsSeen(user, Objects.requireNonNull(text.scope()));
        ReadQuery read = reader.understood(user, text.query(), text.mail(), seen);
        QueryTerms understood = QueryTerms.of(read);
        return new QueryCheck(
                List.of(),
                read.warnings().stream()
                        .map(warning -> QueryError.of(warning, text.query()))
                        .toList(),
                understood.terms(),
                understood.notes(),
                DecisionView.of(authorizer.decide(user, intent)),
                intent.epochs(),
                trapdoors,
                Leakage.of(intent, trapdoors),
                reach.texts());
    }
}
