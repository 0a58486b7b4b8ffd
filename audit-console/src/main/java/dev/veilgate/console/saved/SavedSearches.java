package dev.veilgate.console.saved;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.query.QueryReader;
import dev.veilgate.console.query.QueryTerms;
import dev.veilgate.console.query.QueryText;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** Each user's own; nobody else sees them. */
@RestController
@RequestMapping("/api/saved-searches")
class SavedSearches {
    static final int MAX = 200;

    private static final int MAX_NAME = 100;
    private static final int MAX_QUERY = 8192;
    private static final int MAX_SCOPE = 255;

    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final JsonMapper json;
    private final QueryReader reader;
    private final Clock clock;

    SavedSearches(JdbcClient jdbc, TransactionTemplate transactions, JsonMapper json, QueryReader reader, Clock clock) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.json = json;
        this.reader = reader;
        this.clock = clock;
    }

    record NewSavedSearch(@Nullable String name, @Nullable QueryText query) {}

    /**
     * A search that was kept.
     *
     * @param understood how its query was read when it was saved; absent if it could not be read, or not then
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record SavedSearch(
            UUID id, String name, QueryText query, @Nullable QueryTerms understood, Instant created) {}

    @GetMapping
    List<SavedSearch> list(User user) {
        user.require(Role.values());
        return jdbc.sql("SELECT id, name, query, created, understood FROM saved_search WHERE owner = ? ORDER BY name")
                .param(user.id())
                .query((row, n) -> new SavedSearch(
                        row.getObject(1, UUID.class),
                        row.getString(2),
                        json.readValue(row.getString(3), QueryText.class),
                        understood(row.getString(5)),
                        row.getObject(4, OffsetDateTime.class).toInstant()))
                .list();
    }

    private @Nullable QueryTerms understood(@Nullable String stored) {
        return stored == null ? null : json.readValue(stored, QueryTerms.class);
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    SavedSearch save(User user, @RequestBody NewSavedSearch wanted) {
        user.require(Role.values());
        QueryText query = query(wanted);
        SavedSearch search = new SavedSearch(
                UUID.randomUUID(),
                name(wanted),
                query,
                reader.shown(user, query).orElse(null),
                clock.instant().truncatedTo(ChronoUnit.MILLIS));
        transactions.executeWithoutResult(status -> {
            jdbc.sql("DELETE FROM saved_search WHERE owner = ? AND name = ?")
                    .params(user.id(), search.name())
                    .update();
            int held = jdbc.sql("SELECT COUNT(*) FROM saved_search WHERE owner = ?")
                    .param(user.id())
                    .query(Integer.class)
                    .single();
            if (held >= MAX) {
                throw ProblemException.conflict(
                        "you have " + MAX + " saved searches, the most there may be; forget some");
            }
            jdbc.sql("INSERT INTO saved_search (id, owner, name, created, query, understood)"
                            + " VALUES (?, ?, ?, ?, ?, ?)")
                    .param(search.id())
                    .param(user.id())
                    .param(search.name())
                    .param(OffsetDateTime.ofInstant(search.created(), ZoneOffset.UTC))
                    .param(json.writeValueAsString(search.query()))
                    .param(search.understood() == null ? null : json.writeValueAsString(search.understood()))
                    .update();
        });
        return search;
    }

    private static String name(NewSavedSearch wanted) {
        String name = wanted.name() == null ? "" : wanted.name().strip();
        if (name.isEmpty() || name.length() > MAX_NAME) {
            throw ProblemException.malformed("a saved search has a name of 1 to " + MAX_NAME + " characters");
        }
        return name;
    }

    /** Whether it can be read is found out when it is run: fields and scopes change. */
    @SuppressWarnings("ConstantValue") // a body may leave out anything
    private static QueryText query(NewSavedSearch wanted) {
        QueryText query = wanted.query();
        if (query == null
                || query.query() == null
                || query.query().isBlank()
                || query.query().length() > MAX_QUERY
                || query.scope() == null
                || query.scope().isEmpty()
                || query.scope().length() > MAX_SCOPE) {
            throw ProblemException.malformed("query needs a query of 1 to " + MAX_QUERY + " characters, and a scope");
        }
        if (!query.hasKnownSigners()) {
            throw ProblemException.malformed("signed is sender, another, tenant, stranger or nobody");
        }
        return query;
    }

    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void forget(User user, @PathVariable UUID id) {
        user.require(Role.values());
        int forgotten = jdbc.sql("DELETE FROM saved_search WHERE owner = ? AND id = ?")
                .params(user.id(), id)
                .update();
        if (forgotten == 0) {
            throw ProblemException.notFound("the saved search");
        }
    }
}
