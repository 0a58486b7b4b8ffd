package dev.veilgate.console.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.veilgate.authority.SearchReach;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.query.Intent;
import dev.veilgate.console.query.QueryReader;
import dev.veilgate.console.query.QueryText;
import dev.veilgate.console.rules.Authorizer;
import dev.veilgate.console.rules.Decision;
import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.extract.MalformedQueryException;
import dev.veilgate.peks.Keyword;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** What helps to write a query. Issues nothing. */
@RestController
class QueryController {
    private static final int SHOWN = 5;

    private final QueryReader reader;
    private final Authorizer authorizer;
    private final Custody custody;

    QueryController(QueryReader reader, Authorizer authorizer, Custody custody) {
        this.reader = reader;
        this.authorizer = authorizer;
        this.custody = custody;
    }

    /** @param at character of the query, from 0 */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record QueryError(String message, @Nullable Integer at) {
        static QueryError of(MalformedQueryException e, String typed) {
            int before = typed.length() - typed.stripLeading().length(); // was not read
            return new QueryError(
                    String.valueOf(e.getMessage()), e.at().isPresent() ? e.at().getAsInt() + before : null);
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
            @Nullable List<String> terms,
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
            intent = reader.read(text, Intent.Purpose.SEARCH, 0);
        } catch (MalformedQueryException e) {
            return new QueryCheck(
                    List.of(QueryError.of(e, Objects.requireNonNull(text.query()))),
                    null,
                    null,
                    List.of(),
                    0,
                    List.of(),
                    List.of());
        }
        SearchReach reach = authorizer.reach(user, intent);
        int trapdoors = intent.query().terms().stream().mapToInt(List::size).sum()
                * custody.use(keys -> keys.trapdoorsOfKeyword(reach, intent.epochs()));
        return new QueryCheck(
                List.of(),
                terms(intent),
                DecisionView.of(authorizer.decide(user, intent)),
                intent.epochs(),
                trapdoors,
                Leakage.of(intent, trapdoors),
                reach.texts());
    }

    private static List<String> terms(Intent intent) {
        List<String> terms = new ArrayList<>();
        for (List<Keyword> anyOf : intent.query().terms()) {
            String shown = anyOf.stream()
                    .limit(SHOWN)
                    .map(keyword -> keyword.field() + ":" + keyword.value()
                            + (keyword.level() > 0 ? " (of 2^" + keyword.level() + " numbers)" : ""))
                    .collect(Collectors.joining(" or "));
            terms.add(anyOf.size() > SHOWN ? shown + " or " + (anyOf.size() - SHOWN) + " more" : shown);
        }
        return terms;
    }
}
