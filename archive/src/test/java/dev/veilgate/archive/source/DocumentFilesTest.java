package dev.veilgate.archive.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.archive.NewDocument;
import dev.veilgate.archive.words.DocumentWords;
import dev.veilgate.peks.Keyword;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of each kind become the documents that are in them; what is none of these is named. */
class DocumentFilesTest {
    private static final String MAIL = "From: Ada <ada@example.org>\nDate: Sat, 21 Nov 2026 12:00:00 +0000\n"
            + "Subject: The owl\n\nIt hoots at 42.\n";

    @TempDir
    private Path folder;

    private final List<String> gone = new ArrayList<>();
    private final DocumentWords words = new DocumentWords();
    private final Map<String, SortedMap<Keyword, Integer>> documents = new LinkedHashMap<>();
    private final Map<String, String> digests = new LinkedHashMap<>();
    private final Map<String, Long> places = new LinkedHashMap<>();
    private final Map<String, String> unreadable = new LinkedHashMap<>();
    private final Map<String, String> partly = new LinkedHashMap<>();
    private final Map<String, Long> parts = new TreeMap<>();

    private void read(Path path, FileForm form) throws Exception {
        documents.clear();
        digests.clear();
        places.clear();
        unreadable.clear();
        parts.clear();
        gone.clear();
        try (DocumentFiles files = DocumentFiles.open()) {
            files.read(path, form, new DocumentFiles.Sink() {
                @Override
                public void document(NewDocument document) throws IOException {
                    String name = name(document.name());
                    document.words().read(words.clear());
                    documents.put(name, words.counts().toMap());
                    places.put(name, document.place());
                    digests.put(name, HexFormat.of().formatHex(document.digest()));
                }

                @Override
                public void endOfFile(String file, long number, BooleanSupplier asRead) {
                    assertThat(asRead.getAsBoolean()).isTrue();
                    parts.put(name(file), number);
                }

                @Override
                public void gone(String name, BooleanSupplier asRead) {
                    gone.add(name(name));
                }

                @Override
                public void partlyRead(String name, String why) {
                    partly.put(name(name), why);
                }

                @Override
                public void unreadable(String name, String why) {
                    unreadable.put(name(name), why);
                }
            });
        }
    }

    private String name(String path) {
        return path.startsWith(folder + "/") ? path.substring(folder.toString().length() + 1) : path;
    }

    private Path write(String name, String content) throws Exception {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    private static Keyword word(String field, String value) {
        return Keyword.text(field, value);
    }

    @Test
    void textIsCounted() throws Exception {
        write("a.txt", "Owl, owl!\nThe night. MÜNCHEN 東京都");
        read(folder, FileForm.BY_NAME);
        assertThat(documents.get("a.txt"))
                .containsEntry(word("text", "owl"), 2)
                .containsEntry(word("text", "night"), 1)
                .containsEntry(word("text", "münchen"), 1)
                .containsEntry(word("text", "東京"), 1);
    }

    @Test
    void charactersOfOtherEncodingsAreRead() throws Exception {
        Files.write(folder.resolve("latin"), "Käuzchen".getBytes(StandardCharsets.ISO_8859_1));
        Files.write(folder.resolve("utf16"), "\ufeffKäuzchen".getBytes(StandardCharsets.UTF_16LE));
        Files.write(folder.resolve("utf8"), "\ufeffKäuzchen".getBytes(StandardCharsets.UTF_8));
        read(folder, FileForm.BY_NAME);
        assertThat(documents).containsOnlyKeys("latin", "utf16", "utf8");
        documents.values().forEach(words -> assertThat(words).containsKey(word("text", "käuzchen")));
    }

    @Test
    void officeDocumentsPackedFilesAndPagesAreReadAsAttachmentsAre() throws Exception {
        write("letter.doc", "{\\rtf1\\ansi An owl\\par}");
        write("page.html", "<html><body class=lark>An <b>owl</b></body></html>");
        write("report.pdf", "%PDF-1.7\nnothing of the kind");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(folder.resolve("notes.zip")))) {
            zip.putNextEntry(new ZipEntry("notes.txt"));
            zip.write("An owl".getBytes(StandardCharsets.US_ASCII));
            zip.closeEntry();
        }
        read(folder, FileForm.BY_NAME);
        assertThat(unreadable).isEmpty();
        assertThat(partly.keySet()).containsExactly("report.pdf");
        assertThat(documents.keySet()).containsExactly("letter.doc", "notes.zip", "page.html", "report.pdf");
        documents.forEach((name, words) -> {
            assertThat(words).as(name).containsKey(word("filename", name)).doesNotContainKey(word("text", "lark"));
            assertThat(words.containsKey(word("text", "owl"))).as(name).isEqualTo(!name.equals("report.pdf"));
        });
    }

    @Test
    void mailsAreKnownByPlaceNameAndHead() throws Exception {
        write("maildir/cur/1:2,S", MAIL);
        write("maildir/new/2", "anything\n");
        write("maildir/tmp/3", MAIL);
        write("maildir/dovecot.index", "\0\0");
        write("maildir/.Sent/cur/4", MAIL);
        write("maildir/.Sent/new/5", MAIL);
        write("a.eml", MAIL);
        write("inbox/17.", MAIL);
        write(".hidden", MAIL);
        read(folder, FileForm.BY_NAME);
        assertThat(unreadable).isEmpty();
        assertThat(documents.keySet())
                .containsExactly(
                        "a.eml",
                        "inbox/17.",
                        "maildir/.Sent/cur/4",
                        "maildir/.Sent/new/5",
                        "maildir/cur/1:2,S",
                        "maildir/new/2");
        assertThat(documents.get("inbox/17.").keySet())
                .contains(
                        word("subject", "owl"),
                        word("from", "ada@example.org"),
                        word("date", "2026-11-21"),
                        word("text", "hoots"),
                        word("text", "42"),
                        word("text", "owl"));
    }

    /** Whoever opens and closes a file of an archive takes its lock from it, and would index its key. */
    @Test
    void filesOfArchivesAreNotOpened() throws Exception {
        write("mails/archive.json", "{}");
        write("mails/archive.key", "secret");
        Path store = write("mails/owner.mv", "owner");
        write("notes/archive.json", "{}");
        read(folder, FileForm.BY_NAME);
        assertThat(documents).containsOnlyKeys("notes/archive.json");
        assertThat(unreadable).isEmpty();
        Path link = Files.createSymbolicLink(folder.resolve("link"), store);
        for (Path path : new Path[] {folder.resolve("mails"), store, link}) {
            read(path, FileForm.BY_NAME);
            assertThat(documents).isEmpty();
            assertThat(unreadable.values()).containsExactly("it is an archive, or a file of one");
        }
    }

    @Test
    void messagesOfAnMboxAreApart() throws Exception {
        String from = "From ada@example.org Sat Nov 21 12:00:00 2026\n";
        write("inbox", from + MAIL + "\n" + from + MAIL.replace("owl", "lark") + ">From here on\n>>From quoted\n\n");
        read(folder, FileForm.BY_NAME);
        assertThat(documents.keySet()).containsExactly("inbox#1", "inbox#2");
        assertThat(parts).containsEntry("inbox", 2L);
        assertThat(documents.get("inbox#1")).containsKey(word("subject", "owl"));
        assertThat(documents.get("inbox#2"))
                .containsKey(word("subject", "lark"))
                .containsKey(word("text", "from"))
                .containsKey(word("text", "quoted"));
        write("empty.mbox", "");
        write("no.mbox", "nothing");
        read(folder, FileForm.BY_NAME);
        assertThat(unreadable).containsOnlyKeys("no.mbox#1");
    }

    @Test
    void rowsHaveFieldsOfTheirColumns() throws Exception {
        write("c.csv", "Name,First City\r\nAda,\"New York, NY\"\r\nBob,Lima\r\n");
        read(folder, FileForm.BY_NAME);
        assertThat(documents.keySet()).containsExactly("c.csv#1", "c.csv#2");
        assertThat(documents.get("c.csv#1").keySet())
                .contains(
                        word("name", "ada"),
                        word("first_city", "new"),
                        word("first_city", "york"),
                        word("text", "ada"),
                        word("text", "ny"));
        assertThat(documents.get("c.csv#2").keySet()).doesNotContain(word("name", "ada"));
        assertThat(parts).containsEntry("c.csv", 2L);
    }

    @Test
    void otherDelimitersAndNamesAreReadWhereAsked() throws Exception {
        Path file = write("export.dat", "name;city\nAda;Lima\n");
        read(file, FileForm.TABLE);
        assertThat(documents.get("export.dat#1").keySet()).contains(word("city", "lima"));
        read(file, FileForm.BY_NAME);
        assertThat(documents).containsOnlyKeys("export.dat");
    }

    @Test
    void badRowsAreNamedByTheirNumbers() throws Exception {
        write("a.csv", "name,city\nAda,Lima\nBob\nEve,Oslo\n");
        read(folder, FileForm.BY_NAME);
        assertThat(documents.keySet()).containsExactly("a.csv#1", "a.csv#3");
        assertThat(unreadable).containsEntry("a.csv#2", "it has 1 cells, and there are 2 columns");
        write("a.csv", "name,city\nAda,Lima\n\"Bob\"x,Secret\nEve,Oslo\n");
        read(folder, FileForm.BY_NAME);
        assertThat(documents.keySet()).containsExactly("a.csv#1");
        assertThat(unreadable).containsOnlyKeys("a.csv#2");
        assertThat(unreadable.get("a.csv#2")).contains("quotes").doesNotContain("Bob", "Secret");
        write("a.csv", "");
        read(folder, FileForm.BY_NAME);
        assertThat(unreadable).containsOnlyKeys("a.csv");
    }

    @Test
    void whatIsNeitherIsNamedAndTheOthersAreRead() throws Exception {
        Files.write(folder.resolve("picture.png"), new byte[] {(byte) 0x89, 'P', 'N', 'G', 0, 1, 2});
        write("a.txt", "owl");
        read(folder, FileForm.BY_NAME);
        assertThat(documents).containsOnlyKeys("a.txt");
        assertThat(unreadable).containsEntry("picture.png", "it is neither text, mail nor a table");
        read(folder.resolve("missing"), FileForm.BY_NAME);
        assertThat(unreadable).containsEntry("missing", "no such file or folder");
    }

    @Test
    void digestsChangeWithTheContentOnly() throws Exception {
        write("a.csv", "name,city\nab,c\na,bc\nab,c\n");
        read(folder, FileForm.BY_NAME);
        assertThat(digests.get("a.csv#1")).isEqualTo(digests.get("a.csv#3")).isNotEqualTo(digests.get("a.csv#2"));
        String before = digests.get("a.csv#1");
        write("a.csv", "name,town\nab,c\n");
        read(folder, FileForm.BY_NAME);
        assertThat(digests.get("a.csv#1")).isNotEqualTo(before);
    }

    @Test
    void linesOfLogsAreDocumentsWithTheirNumbersAndPlaces() throws Exception {
        write("app.log", "owl one\n\r\n\nlark two\r\nwren");
        read(folder, FileForm.BY_NAME);
        assertThat(places)
                .containsExactly(Map.entry("app.log#1", 0L), Map.entry("app.log#4", 11L), Map.entry("app.log#5", 21L));
        assertThat(documents.get("app.log#4")).containsOnlyKeys(word("text", "lark"), word("text", "two"));
        assertThat(parts).containsExactly(Map.entry("app.log", 5L));
        assertThat(unreadable).isEmpty();
    }

    @Test
    void aLineHasTheSameDigestWhateverEndsIt() throws Exception {
        write("unix.log", "owl\nlark\n");
        write("windows.log", "owl\r\nlark");
        read(folder, FileForm.BY_NAME);
        assertThat(digests.get("windows.log#1")).isEqualTo(digests.get("unix.log#1"));
        assertThat(digests.get("windows.log#2")).isEqualTo(digests.get("unix.log#2"));
    }

    @Test
    void rotatedLogsAndThoseOfSystemsAreReadByLines() throws Exception {
        for (String name :
                new String[] {"a.LOG", "b.log.1", "c.log-20261101", "d.jsonl", "e.ndjson.2", "syslog", "messages.3"}) {
            write(name, "owl\nlark\n");
        }
        for (String name : new String[] {"catalog", "a.log.gz.txt", "messages.txt", "logs"}) {
            write(name, "owl\nlark\n");
        }
        read(folder, FileForm.BY_NAME);
        assertThat(parts)
                .containsOnlyKeys(
                        "a.LOG", "b.log.1", "c.log-20261101", "d.jsonl", "e.ndjson.2", "syslog", "messages.3");
        assertThat(documents).containsKeys("catalog", "a.log.gz.txt", "messages.txt", "logs");
        read(folder.resolve("catalog"), FileForm.LINES);
        assertThat(documents).containsOnlyKeys("catalog#1", "catalog#2");
    }

    @Test
    void aLineThatIsTooLongIsNamedAndThoseBehindItAreRead() throws Exception {
        String most = "x".repeat(LogLines.MAX_BYTES);
        write("app.log", "owl\n" + most + "\r\n" + most + "y\n" + "z".repeat(3 << 20) + "\nlark\n");
        read(folder, FileForm.BY_NAME);
        assertThat(unreadable)
                .containsExactly(
                        Map.entry("app.log#3", "it has more than 1 MiB"),
                        Map.entry("app.log#4", "it has more than 1 MiB"));
        assertThat(documents).containsOnlyKeys("app.log#1", "app.log#2", "app.log#5");
        assertThat(gone).containsExactly("app.log#3", "app.log#4");
        assertThat(places.get("app.log#5")).isEqualTo(Files.size(folder.resolve("app.log")) - 5);
    }

    @Test
    void bytesOfOtherEncodingsInALogLoseNoLine() throws Exception {
        byte[] latin = "\ufeffowl\nK\u00e4uzchen\n".getBytes(StandardCharsets.UTF_8);
        byte[] zeros = new byte[5000];
        try (OutputStream out = Files.newOutputStream(folder.resolve("app.log"))) {
            out.write(latin);
            out.write("K\u00e4uzchen\n".getBytes(StandardCharsets.ISO_8859_1));
            out.write(zeros);
            out.write("lark\n".getBytes(StandardCharsets.UTF_8));
        }
        Files.write(folder.resolve("utf16.log"), "\ufeffowl\nlark".getBytes(StandardCharsets.UTF_16LE));
        read(folder, FileForm.BY_NAME);
        assertThat(documents).containsOnlyKeys("app.log#1", "app.log#2", "app.log#3", "app.log#4", "utf16.log");
        assertThat(documents.get("app.log#1")).containsOnlyKeys(word("text", "owl"));
        assertThat(documents.get("app.log#2")).containsKey(word("text", "k\u00e4uzchen"));
        assertThat(documents.get("app.log#3")).containsKey(word("text", "k\u00e4uzchen"));
        assertThat(documents.get("app.log#4")).containsOnlyKeys(word("text", "lark"));
        read(folder.resolve("utf16.log"), FileForm.LINES);
        assertThat(unreadable).containsExactly(Map.entry("utf16.log", "lines of UTF-16 are not read"));
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aPipeInAFolderIsNotWaitedFor() throws Exception {
        write("app.log", "owl\n");
        Path pipe = folder.resolve("pipe.log");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        read(folder, FileForm.BY_NAME);
        assertThat(documents).containsOnlyKeys("app.log#1");
        read(pipe, FileForm.BY_NAME);
        assertThat(unreadable).containsExactly(Map.entry("pipe.log", "no such file or folder"));
    }
}
