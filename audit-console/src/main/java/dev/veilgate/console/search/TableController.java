package dev.veilgate.console.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.rows.LineBrief;
import dev.veilgate.console.rows.RowColumns;
import dev.veilgate.console.rows.SortedRows;
import dev.veilgate.extract.log.LogExtractor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The rows of a search as a table: sorted, in pages, with columns of fields; what is marked in it. */
@RestController
@RequestMapping("/api/searches/{id}")
class TableController {
    private static final int MAX_PAGE = 500;
    private static final int MAX_COLUMNS = 50;

    private final Searches searches;
    private final Custody custody;

    TableController(Searches searches, Custody custody) {
        this.searches = searches;
        this.custody = custody;
    }

    /**
     * A page of rows.
     *
     * @param total rows that there are by now
     * @param sorted rows that the order is of: the first ones
     */
    record Rows(long from, long total, long sorted, List<TableRow> rows) {}

    /**
     * A row of a page.
     *
     * @param brief  its text without what other columns say; absent if that is the text
     * @param values of the fields that were asked for, by their numbers
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record TableRow(
            @JsonUnwrapped Row row,
            @Nullable String brief,
            @Nullable Map<String, List<String>> values) {
        @Override
        public String toString() {
            return "TableRow[hidden]";
        }
    }

    /**
     * Columns and marks.
     *
     * @param fields that records have which were found so far, by their numbers
     * @param known  rows whose fields are in memory; others have none
     */
    record Table(List<String> fields, long known, List<FoundMarks.Mark> marks) {
        @Override
        public String toString() {
            return "Table[hidden]";
        }
    }

    /** @param place of the row in the order */
    record Place(long place) {}

    @GetMapping("/rows")
    Rows rows(
            User user,
            @PathVariable UUID id,
            @RequestParam(defaultValue = "0") long from,
            @RequestParam(defaultValue = "100") int count,
            @RequestParam(required = false) @Nullable String sort,
            @RequestParam(required = false) @Nullable Long upTo,
            @RequestParam(defaultValue = "") List<Integer> fields)
            throws Exception {
        SearchJob job = find(user, id);
        if (from < 0 || count < 1 || count > MAX_PAGE) {
            throw ProblemException.malformed("from must not be negative, count must be 1 to " + MAX_PAGE);
        }
        if (fields.size() > MAX_COLUMNS) {
            throw ProblemException.malformed("fields has " + MAX_COLUMNS + " numbers at most");
        }
        int total = job.spool().rows();
        int sorted = sorted(upTo, total);
        IntUnaryOperator order = order(job, sort, sorted);
        if (sorted == 0) {
            return new Rows(from, total, 0, List.of());
        }
        LogExtractor extractor = job.extractor();
        List<TableRow> page = new ArrayList<>();
        for (long place = from; place < Math.min(from + count, sorted); place++) {
            int number = order.applyAsInt((int) place);
            page.add(row(job, number, fields, extractor));
        }
        return new Rows(from, total, sorted, page);
    }

    private static int sorted(@Nullable Long upTo, int total) {
        if (upTo != null && upTo < 0) {
            throw ProblemException.malformed("upTo must not be negative");
        }
        return upTo == null ? total : (int) Math.min(upTo, total);
    }

    /** From a place in the order to the row's number. */
    private static IntUnaryOperator order(SearchJob job, @Nullable String sort, int rows) throws Exception {
        if (sort == null || sort.isEmpty()) {
            return place -> place;
        }
        boolean isDescending = sort.startsWith("-");
        SortedRows.By by = new SortedRows.By(isDescending ? sort.substring(1) : sort, isDescending);
        int[] order = job.table().sorted(by, rows);
        if (order == null) {
            throw ProblemException.malformed("sort is a column, or a minus sign and a column");
        }
        return place -> order[place];
    }

    private static TableRow row(SearchJob job, int number, List<Integer> fields, LogExtractor extractor)
            throws Exception {
        Row whole = job.row(number);
        Row shown = whole.shown();
        String text = whole.text();
        String brief = null;
        if (text != null && whole.kind().equals(Row.RECORD)) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            brief = LineBrief.of(bytes, extractor.extract(bytes), whole.sender());
        }
        RowColumns columns = job.table().fields();
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (int field : fields) {
            List<String> own = columns.values(field, number);
            if (!own.isEmpty()) {
                values.put(Integer.toString(field), own);
            }
        }
        return new TableRow(
                shown, brief == null || brief.equals(shown.text()) ? null : brief, fields.isEmpty() ? null : values);
    }

    @GetMapping("/rows/{row}/place")
    Place place(
            User user,
            @PathVariable UUID id,
            @PathVariable long row,
            @RequestParam(required = false) @Nullable String sort,
            @RequestParam(required = false) @Nullable Long upTo)
            throws Exception {
        SearchJob job = find(user, id);
        int sorted = sorted(upTo, job.spool().rows());
        IntUnaryOperator order = order(job, sort, sorted);
        return IntStream.range(0, sorted)
                .filter(place -> order.applyAsInt(place) == row)
                .mapToObj(Place::new)
                .findFirst()
                .orElseThrow(() -> ProblemException.notFound("the row"));
    }

    @GetMapping("/table")
    Table table(User user, @PathVariable UUID id) {
        SearchJob job = find(user, id);
        RowColumns fields = job.table().fields();
        List<String> names = IntStream.range(0, fields.fields())
                .mapToObj(number -> fields.name(number).orElse(""))
                .toList();
        return new Table(names, fields.known(), FoundMarks.of(job.intent().query()));
    }

    private SearchJob find(User user, UUID id) {
        user.require(Role.AUDITOR);
        if (custody.isLocked()) {
            throw ProblemException.locked();
        }
        return searches.find(user, id);
    }
}
