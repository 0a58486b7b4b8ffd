package dev.veilgate.console.search;

import dev.veilgate.client.SearchEvent;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.query.Intent;
import dev.veilgate.console.query.QueryText;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.MalformedQueryException;
import dev.veilgate.extract.QueryReadings;
import dev.veilgate.peks.KeyId;
import dev.veilgate.query.BlockTarget;
import dev.veilgate.query.Filter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import tools.jackson.databind.json.JsonMapper;

/** A search that has ended, of three log records or four mails. */
final class ExportSample implements Export.Source {
    static final UUID SEARCH = UUID.fromString("0198f4a2-0000-7000-8000-0000000000aa");
    static final Instant TIME = Instant.parse("2026-11-22T08:00:00Z");

    final List<Row> rows = new ArrayList<>();
    String state = SearchJob.COMPLETE;

    @Nullable
    String problem;

    SearchState.@Nullable Others others;
    SearchEvent.@Nullable NotAsked notAsked = new SearchEvent.NotAsked(List.of(), 0);
    List<UUID> unchecked = List.of();

    @Nullable
    RecheckState recheck;

    long unreadable = 1;
    long envelopes = 70;
    int uncheckedMails;
    List<String> earlier = List.of();
    List<String> notSearched = List.of();
    Filter filter = Filter.NONE;
    int failsAt = -1;
    ProblemException unopened = new ProblemException(HttpStatus.UNPROCESSABLE_CONTENT, "unreadable", "no key");
    private final JsonMapper json;
    private final boolean mail;

    ExportSample(JsonMapper json) {
        this(json, false);
        rows.add(row(Row.RECORD, "x".repeat(5000), null));
        rows.add(row(Row.RECORD, "=HYPERLINK(\"http://evil\")", null));
        rows.add(unreadable());
    }

    private ExportSample(JsonMapper json, boolean mail) {
        this.json = json;
        this.mail = mail;
    }

    static ExportSample ofMails(JsonMapper json) {
        ExportSample sample = new ExportSample(json, true);
        sample.rows.add(sample.row(Row.MAIL, "a", null));
        sample.rows.add(sample.row(Row.MAIL, "b", null));
        sample.rows.add(sample.unreadable());
        sample.rows.add(sample.row(Row.RECORD, "c", null));
        return sample;
    }

    void keepRows(int count) {
        rows.subList(count, rows.size()).clear();
    }

    private Row unreadable() {
        return row(Row.UNREADABLE, "1 record", List.of("role:auditor", "plant:7"))
                .because("it was sealed for readers with other attributes");
    }

    private Row row(String kind, String text, @Nullable List<String> missing) {
        int number = rows.size();
        return new Row(
                number,
                kind,
                new UUID(0x0198f4a200007000L, 0x8000000000000000L + number),
                kind.equals(Row.RECORD) ? 0 : null,
                TIME,
                "own",
                "press-4",
                true,
                number + 1,
                null,
                null,
                text,
                null,
                null,
                null,
                missing,
                kind.equals(Row.MAIL) ? "sender" : null,
                kind.equals(Row.MAIL) ? "ada@demo.example" : null,
                null);
    }

    @Override
    public SearchState state() {
        SearchState stands = new SearchState(
                SEARCH,
                "level:error",
                "plant-7",
                mail,
                null,
                null,
                null,
                null,
                state,
                problem,
                Instant.parse("2026-11-22T09:00:00Z"),
                2000,
                5L,
                10L,
                envelopes,
                70,
                9,
                0,
                35,
                null,
                5,
                rows.size(),
                unreadable,
                uncheckedMails,
                2,
                others,
                0,
                0,
                3,
                1,
                List.of(),
                notSearched,
                null,
                recheck);
        return stands.because(Incompleteness.of(stands, intent(), evidence()));
    }

    @Override
    public @Nullable List<String> senders() {
        return null;
    }

    @Override
    public Intent intent() {
        ExtractorProfile profile = ExtractorProfile.defaults();
        try {
            return new Intent(
                    new QueryText("levl:error OR disk", "plant-7", mail, null, null, null, null),
                    QueryReadings.of(KeywordQuery.read("levl:error OR disk", profile), profile),
                    filter,
                    List.of("2026-11"),
                    Intent.Purpose.SEARCH);
        } catch (MalformedQueryException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public SearchEvidence evidence() {
        return new SearchEvidence(
                List.of(new BlockTarget(
                        "ntru-peks", "standard", KeyId.of(new byte[KeyId.BYTES]), "plant-7", "2026-11")),
                Optional.ofNullable(notAsked),
                unchecked,
                earlier);
    }

    @Override
    public byte[] row(long number) throws IOException {
        if (number == failsAt) {
            throw new IOException("a row of the spool was altered");
        }
        return json.writeValueAsBytes(rows.get(Math.toIntExact(number)));
    }

    @Override
    public byte[] message(Row row) {
        if (row.row() == 0) {
            return "Subject: a\r\n\r\nFrom me\r\n".getBytes(StandardCharsets.US_ASCII);
        }
        throw unopened;
    }

    /** The files of an archive, in their order. */
    record Unzipped(Map<String, byte[]> files) {
        static Unzipped of(byte[] zip) throws IOException {
            Map<String, byte[]> files = new LinkedHashMap<>();
            try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip))) {
                for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                    files.put(entry.getName(), in.readAllBytes());
                }
            }
            return new Unzipped(files);
        }

        /** Whether programs take it for one: whether it has a directory at its end. */
        static boolean isArchive(byte[] zip) throws IOException {
            Path file = Files.createTempFile("export", ".zip");
            try {
                Files.write(file, zip);
                new ZipFile(file.toFile()).close();
                return true;
            } catch (ZipException e) {
                return false;
            } finally {
                Files.delete(file);
            }
        }

        List<String> names() {
            return List.copyOf(files.keySet());
        }

        byte[] bytes(String name) {
            return Objects.requireNonNull(files.get(name), name);
        }

        String text(String name) {
            return new String(bytes(name), StandardCharsets.UTF_8);
        }
    }

    static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
