package dev.veilgate.console.search;

import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.audit.Entries;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.query.Intent;
import dev.veilgate.issuing.InclusionProof;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import tools.jackson.databind.json.JsonMapper;

/**
 * One export of a search that has ended: its rows, and what proves them. Rows go through one by one, so that memory
 * does not grow with them. For one thread, once.
 */
final class Export {
    private static final String README = """
            These are hits of one search in a Veilgate audit console, and a manifest that the authority has signed.
            Get the fingerprint of the authority from somebody whom you trust (not from here), and run:
                veilgate verify --authority FINGERPRINT --export THE-ARCHIVE.zip
            It says who exported what and when, and whether all is there; or what was changed since. manifest.json says the same and how to read
            the files. entry.vgp shows that the export is in the authority's issuing log: veilgate verify --issuing-log entry.vgp.
            """;

    private static final String LEFT_OUT = "left-out.jsonl";
    private static final String NOT_ANY_MORE = "it could be read when it was found, and not any more";
    private static final String DELETED = "the gateway does not have it any more";
    private static final String NO_MAIL = "a record, not a mail";

    /** What is exported. */
    interface Source {
        SearchState state();

        /** Only whose envelopes were searched; none for all. */
        @Nullable
        List<String> senders();

        /** The search as it was understood. */
        Intent intent();

        /** Where it has looked. */
        SearchEvidence evidence();

        /** A whole row as the interface has it. */
        byte[] row(long number) throws IOException;

        /** @throws ProblemException 422 if it cannot be opened any more, 410 if the gateway has deleted it */
        byte[] message(Row row);
    }

    private final Custody custody;
    private final AuditLog log;
    private final JsonMapper json;
    private final Source source;
    private final ExportFormat format;
    private final User user;
    private final SearchState state;
    private final BitSet leftOut = new BitSet();
    /** Of these, what the gateway has deleted since. */
    private final BitSet missing = new BitSet();

    /** @throws ProblemException 409 if it goes on, 400 for mails of a search that is none of mails */
    Export(Custody custody, AuditLog log, JsonMapper json, Source source, ExportFormat format, User user) {
        this.custody = custody;
        this.log = log;
        this.json = json;
        this.source = source;
        this.format = format;
        this.user = user;
        this.state = source.state();
        if (!state.hasEnded()) {
            throw ProblemException.conflict("the search is still running; wait for its end, or stop it");
        }
        if (format == ExportFormat.MBOX && !state.mail()) {
            throw ProblemException.malformed("only a search of mails can be exported as mbox");
        }
    }

    /** Says in the issuing log that rows may leave from now on; the number of that entry. */
    long begin() {
        return log.append(Entries.exportBegun(user.id(), state.id(), format.label()));
    }

    /**
     * Writes the archive.
     *
     * @param begun what {@link #begin} gave
     * @throws Exception whatever goes wrong: what was written then is no whole ZIP
     */
    void write(OutputStream out, long begun, Instant now) throws Exception {
        try (ExportZip zip = new ExportZip(out)) {
            ExportManifest.Listed hits = zip.add(format.file(), this::hits);
            if (!leftOut.isEmpty()) {
                zip.add(LEFT_OUT, this::leftOut);
            }
            long entry = log.append(Entries.export(user.id(), state.id(), format.label(), exported(), hits.sha256()));
            InclusionProof proof = log.prove(entry);
            zip.add("entry.vgp", to -> to.write(proof.encode()));
            zip.add("README.txt", to -> to.write(README.getBytes(StandardCharsets.UTF_8)));
            byte[] manifest = json.writerWithDefaultPrettyPrinter()
                    .writeValueAsBytes(manifest(zip.files(), ExportManifest.Place.of(begun, proof), now));
            byte[] signed = custody.use(
                    keys -> keys.signStatement(ExportManifest.KIND, manifest).encode());
            zip.add(ExportManifest.FILE, to -> to.write(manifest));
            zip.add(ExportManifest.SIGNED, to -> to.write(signed));
            zip.finish();
        }
    }

    private long exported() {
        return state.rows() - leftOut.cardinality();
    }

    private ExportManifest manifest(List<ExportManifest.Listed> files, ExportManifest.Place place, Instant now)
            throws Exception {
        return new ExportManifest(
                ExportManifest.FORMAT,
                ExportManifest.VERSION,
                custody.tenant(),
                user.id(),
                user.name(),
                now,
                ExportManifest.Search.of(state, source.senders()),
                AskedSearch.of(source.intent(), source.evidence()),
                Incompleteness.ofRows(state.incomplete(), leftOut.cardinality(), missing.cardinality()),
                state.recheck(),
                state.rows(),
                exported(),
                leftOut.cardinality(),
                missing.cardinality(),
                format.rules(),
                files,
                place);
    }

    private void hits(OutputStream out) throws IOException {
        if (format == ExportFormat.CSV) {
            out.write(CsvRow.head().getBytes(StandardCharsets.UTF_8));
        }
        for (long number = 0; number < state.rows(); number++) {
            byte[] bytes = source.row(number);
            switch (format) {
                case JSONL -> {
                    out.write(bytes);
                    out.write('\n');
                }
                case CSV -> out.write(CsvRow.of(read(bytes)).getBytes(StandardCharsets.UTF_8));
                case MBOX -> mail(out, Math.toIntExact(number), read(bytes));
            }
        }
    }

    private Row read(byte[] row) {
        return json.readValue(row, Row.class);
    }

    private void mail(OutputStream out, int number, Row row) throws IOException {
        if (!row.kind().equals(Row.MAIL)) {
            leftOut.set(number);
            return;
        }
        byte[] message;
        try {
            message = source.message(row);
        } catch (ProblemException e) {
            if (e.status() != HttpStatus.UNPROCESSABLE_CONTENT && e.status() != HttpStatus.GONE) {
                throw e; // what could be had another time must not be missing
            }
            leftOut.set(number);
            missing.set(number, e.status() == HttpStatus.GONE);
            return;
        }
        Mbox.write(out, row.envelope(), row.time(), message);
    }

    private void leftOut(OutputStream out) throws IOException {
        for (int number = leftOut.nextSetBit(0); number >= 0; number = leftOut.nextSetBit(number + 1)) {
            Row row = read(source.row(number));
            out.write(json.writeValueAsBytes(
                    switch (row.kind()) {
                        case Row.MAIL -> row.because(missing.get(number) ? DELETED : NOT_ANY_MORE);
                        case Row.RECORD -> row.because(NO_MAIL);
                        default -> row;
                    }));
            out.write('\n');
        }
    }
}
