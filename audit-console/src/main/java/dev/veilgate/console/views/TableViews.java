package dev.veilgate.console.views;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** The columns that each user has chosen for the records and for the mails of a scope. Nobody else sees them. */
@RestController
@RequestMapping("/api/table-views")
class TableViews {
    /** Scopes for which a user's choice is kept; of more, those that were changed last. */
    static final int MAX = 200;

    private static final int MAX_COLUMNS = 40;
    private static final int MAX_ID = 300;
    private static final int MAX_SCOPE = 255;
    private static final int MIN_WIDTH = 60;
    private static final int MAX_WIDTH = 1200;
    private static final Set<Integer> LINES = Set.of(1, 3, 8);

    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final JsonMapper json;
    private final Clock clock;

    TableViews(JdbcClient jdbc, TransactionTemplate transactions, JsonMapper json, Clock clock) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.json = json;
        this.clock = clock;
    }

    /**
     * A column.
     *
     * @param id    {@code time}, {@code text} and such, or {@code field:} and the name of a field
     * @param width in pixels; its own if absent
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Column(String id, @Nullable Integer width) {}

    /**
     * A view.
     *
     * @param sort  id of a column, behind a minus sign the greatest first; empty for the order of discovery
     * @param lines that a row has room for
     */
    record View(List<Column> columns, String sort, int lines) {}

    /** A view of the records or mails of a scope. */
    record TableView(String scope, boolean mail, View view) {}

    @GetMapping
    List<TableView> list(User user) {
        user.require(Role.AUDITOR);
        return jdbc.sql("SELECT scope, mail, shown FROM table_view WHERE owner = ? ORDER BY scope, mail")
                .param(user.id())
                .query((row, n) -> new TableView(
                        row.getString(1), row.getBoolean(2), json.readValue(row.getString(3), View.class)))
                .list();
    }

    @PutMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void keep(User user, @RequestBody TableView wanted) {
        user.require(Role.AUDITOR);
        check(wanted);
        transactions.executeWithoutResult(status -> {
            jdbc.sql("DELETE FROM table_view WHERE owner = ? AND scope = ? AND mail = ?")
                    .params(user.id(), wanted.scope(), wanted.mail())
                    .update();
            jdbc.sql("INSERT INTO table_view (owner, scope, mail, changed, shown) VALUES (?, ?, ?, ?, ?)")
                    .param(user.id())
                    .param(wanted.scope())
                    .param(wanted.mail())
                    .param(OffsetDateTime.now(clock))
                    .param(json.writeValueAsString(wanted.view()))
                    .update();
            forgetOldest(user.id(), wanted);
        });
    }

    private void forgetOldest(String owner, TableView kept) {
        jdbc.sql("SELECT scope, mail FROM table_view WHERE owner = ?"
                        + " ORDER BY scope = ? AND mail = ? DESC, changed DESC, scope, mail OFFSET ?")
                .params(owner, kept.scope(), kept.mail(), MAX)
                .query((row, n) -> new TableView(row.getString(1), row.getBoolean(2), kept.view()))
                .list()
                .forEach(old -> jdbc.sql("DELETE FROM table_view WHERE owner = ? AND scope = ? AND mail = ?")
                        .params(owner, old.scope(), old.mail())
                        .update());
    }

    @SuppressWarnings("ConstantValue") // a body may leave out anything
    private static void check(TableView wanted) {
        View view = wanted.view();
        if (wanted.scope() == null
                || wanted.scope().isEmpty()
                || wanted.scope().length() > MAX_SCOPE
                || view == null
                || view.columns() == null
                || view.columns().isEmpty()
                || view.columns().size() > MAX_COLUMNS
                || !view.columns().stream().allMatch(TableViews::isColumn)
                || isRepeated(view.columns())
                || view.sort() == null
                || view.sort().length() > MAX_ID + 1
                || !LINES.contains(view.lines())) {
            throw ProblemException.malformed("a view has a scope, 1 to " + MAX_COLUMNS + " different columns of "
                    + MIN_WIDTH + " to " + MAX_WIDTH + " pixels, a sort, and lines 1, 3 or 8");
        }
    }

    @SuppressWarnings("ConstantValue")
    private static boolean isColumn(Column column) {
        return column != null
                && column.id() != null
                && !column.id().isEmpty()
                && column.id().length() <= MAX_ID
                && (column.width() == null || column.width() >= MIN_WIDTH && column.width() <= MAX_WIDTH);
    }

    private static boolean isRepeated(List<Column> columns) {
        return columns.stream().map(Column::id).collect(Collectors.toSet()).size() < columns.size();
    }
}
