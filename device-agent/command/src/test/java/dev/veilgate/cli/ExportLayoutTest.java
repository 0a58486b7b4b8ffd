package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.terminal.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing can be put into an export's ZIP beside its files, whether programs that unpack it see it or not. */
class ExportLayoutTest {
    @TempDir
    private static Path keys;

    private static Site site;
    private static Map<String, byte[]> files;

    @TempDir
    private Path temporary;

    private CommandRun run;

    @BeforeAll
    static void makeExport() throws Exception {
        site = new Site(keys);
        files = ExportSample.make(site, site.keys, sample -> {});
    }

    @BeforeEach
    void haveTheFingerprintAlone() {
        run = new CommandRun();
        run.environment.put("VEILGATE_AUTHORITY", site.authority);
    }

    private Result verify(byte[] zip) throws IOException {
        return run.run("verify", "--export", Files.write(temporary.resolve("export.zip"), zip));
    }

    private void finds(byte[] zip, String finding) throws IOException {
        Result result = verify(zip);
        assertThat(result.code()).as(result.out() + result.err()).isEqualTo(ExitCode.NO_MATCH);
        assertThat(result.out().replace(temporary.resolve("export.zip") + " ", ""))
                .startsWith("layout ")
                .contains(finding)
                .doesNotContain("export of");
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    /** Changes entries or the whole while they are written. */
    private interface Change {
        void of(ZipOutputStream zip, ZipEntry entry) throws IOException;
    }

    private static byte[] written(Change change) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                ZipEntry entry = new ZipEntry(file.getKey());
                entry.setSize(file.getValue().length);
                change.of(zip, entry);
                zip.putNextEntry(entry);
                zip.write(file.getValue());
                zip.closeEntry();
            }
        }
        return out.toByteArray();
    }

    @Test
    void anExportAsItIsWrittenHasNoFinding() throws Exception {
        Result result = verify(written((zip, entry) -> {}));
        assertThat(result.code()).as(result.out() + result.err()).isZero();
    }

    @Test
    void bytesBehindTheEndAreFound() throws Exception {
        byte[] zip = ExportSample.zip(files);
        finds(joined(zip, new byte[1]), "layout - 1 byte stands behind the end");
        finds(joined(zip, new byte[60_000]), "layout - 60000 bytes stand behind the end");
        for (int much : new int[] {65_536, 100_000, 300_000}) {
            finds(joined(zip, new byte[much]), "layout - " + much + " bytes stand behind the end");
        }
    }

    @Test
    void aFileWithoutAnEndIsNoArchiveWhateverItIsCalled() throws Exception {
        byte[] zip = ExportSample.zip(files);
        byte[] cut = Arrays.copyOf(zip, zip.length - 22);
        for (byte[] none : List.of(cut, joined(cut, new byte[100_000]), new byte[100_000], new byte[0])) {
            Result result = verify(none);
            assertThat(result.code()).as(result.out()).isEqualTo(ExitCode.REFUSED);
            assertThat(result.err()).contains("no whole ZIP archive");
        }
    }

    @Test
    void bytesBeforeTheFirstFileAreFound() throws Exception {
        finds(joined(new byte[] {1, 2, 3}, ExportSample.zip(files)), "layout - 3 bytes stand before the first file");
    }

    @Test
    void commentsAreFound() throws Exception {
        finds(written((zip, entry) -> zip.setComment("signed by nobody")), "layout - the archive has a comment");
        finds(written((zip, entry) -> entry.setComment("0 rows")), "layout hits.jsonl has a comment");
    }

    @Test
    void extraFieldsAndOtherWaysOfWritingAreFound() throws Exception {
        byte[] extra = {0x7f, 0x7f, 2, 0, 'h', 'i'};
        finds(written((zip, entry) -> entry.setExtra(extra)), "layout hits.jsonl its header is not as the console");
        finds(
                written((zip, entry) -> {
                    CRC32 sum = new CRC32();
                    sum.update(files.get(entry.getName()));
                    entry.setCrc(sum.getValue());
                    entry.setCompressedSize(entry.getSize());
                    entry.setMethod(ZipEntry.STORED);
                }),
                "layout hits.jsonl is not deflated");
    }

    @Test
    void anotherOrderIsFound() throws Exception {
        List<String> names = new ArrayList<>(files.keySet());
        Map<String, byte[]> other = new LinkedHashMap<>();
        names.reversed().forEach(name -> other.put(name, files.get(name)));
        finds(ExportSample.zip(other), "layout - the files stand in another order than hits.jsonl, README.txt");
    }

    /** The directory, with its places made right again, leads past what was put between. */
    @Test
    void bytesBetweenFilesAreFound() throws Exception {
        byte[] zip = ExportSample.zip(files);
        int second = indexOf(zip, 0x04034b50, 4);
        int directory = indexOf(zip, 0x02014b50, 0);
        int end = indexOf(zip, 0x06054b50, 0);
        byte[] hidden = "a note".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer moved = ByteBuffer.wrap(
                        joined(Arrays.copyOf(zip, second), hidden, Arrays.copyOfRange(zip, second, zip.length)))
                .order(ByteOrder.LITTLE_ENDIAN);
        int entry = directory + hidden.length;
        while (entry < end + hidden.length) {
            int place = moved.getInt(entry + 42);
            moved.putInt(entry + 42, place < second ? place : place + hidden.length);
            entry += 46 + moved.getShort(entry + 28);
        }
        moved.putInt(end + hidden.length + 16, directory + hidden.length);
        finds(moved.array(), "layout README.txt its header is not as the console writes it, at byte " + second);
    }

    /** The deflated bytes of a file may end before their place does. */
    @Test
    void bytesBehindADeflatedFileAreFound() throws Exception {
        byte[] zip = ExportSample.zip(files);
        int descriptor = indexOf(zip, 0x08074b50, 0);
        int directory = indexOf(zip, 0x02014b50, 0);
        byte[] hidden = {1, 2, 3, 4};
        ByteBuffer moved = ByteBuffer.wrap(
                        joined(Arrays.copyOf(zip, descriptor), hidden, Arrays.copyOfRange(zip, descriptor, zip.length)))
                .order(ByteOrder.LITTLE_ENDIAN);
        int entry = directory + hidden.length;
        for (int at : new int[] {descriptor + hidden.length + 8, entry + 20}) {
            moved.putInt(at, moved.getInt(at) + hidden.length);
        }
        int end = indexOf(zip, 0x06054b50, 0) + hidden.length;
        moved.putInt(end + 16, entry);
        for (entry += 46 + moved.getShort(entry + 28); entry < end; entry += 46 + moved.getShort(entry + 28)) {
            moved.putInt(entry + 42, moved.getInt(entry + 42) + hidden.length);
        }
        Result result = verify(moved.array());
        assertThat(result.code()).as(result.out() + result.err()).isIn(ExitCode.NO_MATCH, ExitCode.REFUSED);
        assertThat(result.out()).doesNotContain("export of");
    }

    private static int indexOf(byte[] zip, int signature, int from) {
        ByteBuffer bytes = ByteBuffer.wrap(zip).order(ByteOrder.LITTLE_ENDIAN);
        int at = from;
        while (bytes.getInt(at) != signature) {
            at++;
        }
        return at;
    }
}
