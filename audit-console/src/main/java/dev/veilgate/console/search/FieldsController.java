package dev.veilgate.console.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.rows.FieldCounts;
import dev.veilgate.extract.ExtractorProfile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The fields of what a search found: how many rows have them, and which values most often. */
@RestController
@RequestMapping("/api/searches/{id}/fields")
class FieldsController {
    private static final int MAX_TOP = 100;

    private final Searches searches;
    private final Custody custody;

    FieldsController(Searches searches, Custody custody) {
        this.searches = searches;
        this.custody = custody;
    }

    /**
     * The fields of the rows that are counted.
     *
     * @param counted rows that are in memory, which are the first
     * @param total   rows that there are
     */
    record Fields(long counted, long total, List<Field> fields) {
        @Override
        public String toString() {
            return "Fields[hidden]";
        }
    }

    /**
     * A field.
     *
     * @param column   by which rows are sorted and values are asked for
     * @param isFact   whether all rows have it, by its own name, such as the sender
     * @param rows     that have it
     * @param distinct different values
     */
    record Field(String column, String name, boolean isFact, long rows, long distinct) {
        @Override
        public String toString() {
            return "Field[hidden]";
        }
    }

    /**
     * The values of a field that most rows have.
     *
     * @param counted rows that were looked at
     * @param rows    of these, that have the field
     * @param numbers if all values are numbers
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Values(
            String column,
            String name,
            long counted,
            long rows,
            long distinct,
            FieldCounts.@Nullable Numbers numbers,
            List<Value> values) {
        @Override
        public String toString() {
            return "Values[hidden]";
        }
    }

    /**
     * A value.
     *
     * @param term   of a query that finds the rows that have it; absent if there is none
     * @param filter what beside the query narrows to it, such as the sender
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Value(
            String value,
            long rows,
            @Nullable String term,
            @Nullable String filter) {
        @Override
        public String toString() {
            return "Value[hidden]";
        }
    }

    @GetMapping
    Fields fields(User user, @PathVariable UUID id) {
        SearchJob job = find(user, id);
        RowTable table = job.table();
        int total = job.spool().rows();
        int counted = table.known(total);
        List<Field> fields = new ArrayList<>();
        for (String column : table.columns()) {
            FieldCounts counts = table.counts(column, counted).orElseThrow();
            if (counts.rows() > 0) {
                fields.add(new Field(
                        column, counts.name(), !column.startsWith("field-"), counts.rows(), counts.distinct()));
            }
        }
        fields.sort(Comparator.comparing(Field::isFact)
                .thenComparingLong(Field::rows)
                .reversed()
                .thenComparing(Field::name));
        return new Fields(counted, total, fields);
    }

    @GetMapping("/{column}")
    Values values(
            User user, @PathVariable UUID id, @PathVariable String column, @RequestParam(defaultValue = "10") int top) {
        SearchJob job = find(user, id);
        if (top < 1 || top > MAX_TOP) {
            throw ProblemException.malformed("top must be 1 to " + MAX_TOP);
        }
        RowTable table = job.table();
        int counted = table.known(job.spool().rows());
        FieldCounts counts =
                table.counts(column, counted).orElseThrow(() -> ProblemException.notFound("a field of that number"));
        List<Value> values = counts.top(top).stream()
                .map(count -> value(job, column, counts.name(), count))
                .toList();
        return new Values(
                column,
                counts.name(),
                counted,
                counts.rows(),
                counts.distinct(),
                counts.numbers().orElse(null),
                values);
    }

    private static Value value(SearchJob job, String column, String name, FieldCounts.Count count) {
        if (column.equals(RecordTerms.SENDER)) {
            return new Value(count.value(), count.rows(), null, RecordTerms.SENDER);
        }
        ExtractorProfile profile = job.reading().profiles().latest();
        boolean isMail = job.intent().text().mail();
        return new Value(count.value(), count.rows(), RecordTerms.ofValue(name, count.value(), profile, isMail), null);
    }

    private SearchJob find(User user, UUID id) {
        user.require(Role.AUDITOR);
        if (custody.isLocked()) {
            throw ProblemException.locked();
        }
        return searches.find(user, id);
    }
}
