package dev.veilgate.console.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.veilgate.console.http.DownloadName;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.indexes.IndexFindings;
import dev.veilgate.console.indexes.IndexState;
import dev.veilgate.console.indexes.ReadMail;
import dev.veilgate.console.search.Surroundings.Nearby;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.log.LineParts;
import dev.veilgate.reading.EventTime;
import dev.veilgate.reading.HitCheck;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** One row, with all that is known of it. */
@RestController
@RequestMapping("/api/searches/{id}/rows/{row}")
class RecordController {
    private static final int MAX_KEYWORDS = 500;
    private static final int MAX_TEXT = 1 << 20;
    private static final int MAX_AROUND = 100;

    private final Searches searches;
    private final FoundContent content;
    private final Surroundings surroundings;
    private final IndexFindings findings;

    RecordController(Searches searches, FoundContent content, Surroundings surroundings, IndexFindings findings) {
        this.searches = searches;
        this.content = content;
        this.surroundings = surroundings;
        this.findings = findings;
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record RecordDetail(
            Row row,
            @Nullable String scope,
            @Nullable String epoch,
            List<String> policy,
            List<String> wraps,
            List<RecordTerms.Field> fields,
            List<RecordTerms.Searchable> keywords,
            String text,
            boolean truncated,
            @Nullable MailView mail,
            @Nullable IndexState index) {
        @Override
        public String toString() {
            return "RecordDetail[hidden]";
        }
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record NearbyRecord(
            UUID envelope,
            int ordinal,
            Instant time,
            @Nullable String text,
            boolean isHit,
            @Nullable String why) {
        @Override
        public String toString() {
            return "NearbyRecord[hidden]";
        }
    }

    @GetMapping
    RecordDetail detail(User user, @PathVariable UUID id, @PathVariable long row) throws Exception {
        SearchJob job = find(user, id);
        Row found = job.row(row);
        return switch (found.kind()) {
            case Row.MAIL -> mail(job, found);
            case Row.RECORD -> record(job, found);
            default -> unreadable(job, found);
        };
    }

    private RecordDetail unreadable(SearchJob job, Row row) {
        Envelope envelope = content.envelope(content.which(job, row));
        return detail(row, envelope, List.of(), List.of(), "", null, null);
    }

    private RecordDetail record(SearchJob job, Row row) throws Exception {
        FoundContent.Found found = content.record(job, row);
        ExtractorProfile profile = job.reading().profiles().ofEnvelope(found.envelope());
        // as it was found, whatever format its sender says
        HitCheck.Checked checked = new HitCheck(
                        job.intent().readings(), job.intent().filter())
                .check(found.envelope(), found.bytes(), found.origin());
        RecordTerms terms = RecordTerms.ofRecord(checked.extraction().keywords(), found.origin(), profile);
        boolean isOwnTime = row.timeSource().equals(EventTime.Source.OWN.label());
        return detail(
                row,
                found.envelope(),
                terms.fields(isOwnTime ? row.time().toString() : null, row.sender(), found.origin()),
                terms.searchable(MAX_KEYWORDS),
                new String(LineParts.line(found.bytes()), StandardCharsets.UTF_8),
                null,
                index(job, row, found));
    }

    private @Nullable IndexState index(SearchJob job, Row row, FoundContent.Found found) {
        Integer ordinal = row.ordinal();
        String scope = job.intent().text().scope();
        return ordinal == null
                ? null
                : findings.ofRecord(found.envelope(), scope, ordinal, found.bytes(), found.origin(), found.format());
    }

    private RecordDetail mail(SearchJob job, Row row) throws Exception {
        FoundContent.FoundMail mail = content.mail(job, row);
        MailView view = MailView.of(mail.message());
        ExtractorProfile profile = job.reading().profiles().ofEnvelope(mail.envelope());
        ReadMail read = ReadMail.of(profile, mail.message());
        List<RecordTerms.Searchable> searchable =
                RecordTerms.ofMail(read.all().keywords(), profile).searchable(MAX_KEYWORDS);
        IndexState index = findings.ofMail(mail.envelope(), job.intent().text().scope(), mail.message(), read);
        return detail(row, mail.envelope(), List.of(), searchable, view.text(), view, index);
    }

    private static RecordDetail detail(
            Row row,
            Envelope envelope,
            List<RecordTerms.Field> fields,
            List<RecordTerms.Searchable> keywords,
            String text,
            @Nullable MailView mail,
            @Nullable IndexState index) {
        boolean isLong = text.length() > MAX_TEXT;
        boolean isCut = isLong || mail != null && mail.truncated();
        return new RecordDetail(
                row.shown(),
                envelope.index().isEmpty() ? null : envelope.index().getFirst().scope(),
                envelope.index().isEmpty() ? null : envelope.index().getFirst().epoch(),
                envelope.readers().stream().map(Object::toString).toList(),
                envelope.wrapAlgorithms(),
                fields,
                keywords,
                isLong ? text.substring(0, MAX_TEXT) : text,
                isCut,
                mail,
                index);
    }

    @GetMapping("/surrounding")
    List<NearbyRecord> surrounding(
            User user,
            @PathVariable UUID id,
            @PathVariable long row,
            @RequestParam(defaultValue = "10") int before,
            @RequestParam(defaultValue = "10") int after)
            throws Exception {
        if (before < 0 || after < 0 || before > MAX_AROUND || after > MAX_AROUND) {
            throw ProblemException.malformed("before and after must be 0 to " + MAX_AROUND);
        }
        SearchJob job = find(user, id);
        Row found = job.row(row);
        List<Nearby> around = surroundings.of(job, found, before, after);
        Set<SearchJob.Place> hits = job.foundNear(row);
        List<NearbyRecord> nearby = new ArrayList<>();
        for (Nearby one : around) {
            byte[] bytes = one.bytes();
            UUID envelope = one.envelope().id();
            String text = bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
            nearby.add(new NearbyRecord(
                    envelope,
                    one.ordinal(),
                    one.time().at(),
                    text != null && text.length() > Row.SHOWN ? text.substring(0, Row.SHOWN) : text,
                    hits.contains(new SearchJob.Place(envelope, one.ordinal())),
                    one.why()));
        }
        return nearby;
    }

    @GetMapping("/raw")
    ResponseEntity<byte[]> raw(User user, @PathVariable UUID id, @PathVariable long row) throws Exception {
        SearchJob job = find(user, id);
        Row found = job.row(row);
        return switch (found.kind()) {
            case Row.MAIL ->
                download(found.envelope() + ".eml", content.mail(job, found).message());
            case Row.RECORD ->
                download(
                        found.envelope() + "-" + found.ordinal() + ".txt",
                        content.record(job, found).bytes());
            default -> throw ProblemException.notFound("what is behind a row that cannot be read");
        };
    }

    @GetMapping("/attachments/{number}")
    ResponseEntity<byte[]> attachment(
            User user, @PathVariable UUID id, @PathVariable long row, @PathVariable int number) throws Exception {
        SearchJob job = find(user, id);
        Row found = job.row(row);
        MailView.File file = found.kind().equals(Row.MAIL)
                ? MailView.attachment(content.mail(job, found).message(), number)
                : null;
        if (file == null) {
            throw ProblemException.notFound("the attachment");
        }
        return download(file.name(), file.bytes());
    }

    /** Never shown by the browser itself, whatever it is. */
    static ResponseEntity<byte[]> download(String name, byte[] bytes) throws IOException {
        return ResponseEntity.ok()
                .contentType(MediaType.APPLICATION_OCTET_STREAM)
                .header(HttpHeaders.CONTENT_DISPOSITION, DownloadName.attachment(name))
                .body(bytes);
    }

    private SearchJob find(User user, UUID id) {
        user.require(Role.AUDITOR);
        return searches.find(user, id);
    }
}
