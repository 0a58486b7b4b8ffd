package dev.veilgate.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.gateway.TestTenant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LuceneEnvelopeStoreTest extends EnvelopeStoreContractTest {
    @TempDir
    Path folder;

    private Path at;
    private int opened;
    private FullDisk disk;

    @Override
    EnvelopeStore open() throws IOException {
        at = Files.createDirectories(folder.resolve("store-" + opened++));
        disk = new FullDisk(FSDirectory.open(at));
        return new LuceneEnvelopeStore(disk, Arrivals.SCHEMES, 1 << 20, 2);
    }

    /** Of a process that is killed, the files are left as they are at that moment. */
    @Override
    EnvelopeStore afterCrash(EnvelopeStore killed) throws IOException {
        Path left = at;
        Path copy = Files.createDirectories(folder.resolve("store-" + opened));
        try (var files = Files.list(left)) {
            for (Path file : files.toList()) {
                try {
                    Files.copy(file, copy.resolve(file.getFileName()));
                } catch (NoSuchFileException e) {
                    // merged away meanwhile; no commit names it
                }
            }
        }
        killed.close();
        return open();
    }

    /** Says that the device is full at every write while it is. */
    private static final class FullDisk extends FilterDirectory {
        private volatile boolean full;

        FullDisk(Directory in) {
            super(in);
        }

        @Override
        public IndexOutput createOutput(String name, IOContext context) throws IOException {
            return limited(super.createOutput(name, context));
        }

        @Override
        public IndexOutput createTempOutput(String prefix, String suffix, IOContext context) throws IOException {
            return limited(super.createTempOutput(prefix, suffix, context));
        }

        private IndexOutput limited(IndexOutput out) {
            return new FilterIndexOutput("limited", out.getName(), out) {
                @Override
                public void writeByte(byte b) throws IOException {
                    check();
                    super.writeByte(b);
                }

                @Override
                public void writeBytes(byte[] b, int offset, int length) throws IOException {
                    check();
                    super.writeBytes(b, offset, length);
                }
            };
        }

        private void check() throws IOException {
            if (full) {
                throw new IOException("No space left on device");
            }
        }
    }

    @Test
    void goesOnWhenAFullDiskHasRoomAgainAndLosesNothing() throws Exception {
        TestTenant acme = TestTenant.of("acme");
        Arrival committed = lines(acme, "plant-7", "urgent");
        Arrival visible = lines(acme, "plant-7", "urgent");
        Arrival added = lines(acme, "plant-7", "urgent");
        Arrival refused = lines(acme, "plant-7", "urgent");
        store.add(List.of(committed), 10);
        store.commit();
        store.add(List.of(visible), 20);
        store.refresh();
        store.add(List.of(added), 30);
        disk.full = true;
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(store::commit)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("No space left on device");
        }
        assertThat(((LuceneEnvelopeStore) store).trouble().orElseThrow()).contains("No space left on device");
        assertThatThrownBy(() -> {
                    store.add(List.of(refused), 40);
                    store.commit();
                })
                .isInstanceOf(IOException.class);
        assertThat(search(request(acme, "plant-7", "urgent")).hits).hasSize(2);
        assertThat(store.position()).isEqualTo(10);
        disk.full = false;
        store.add(List.of(refused), 40);
        store.refresh();
        assertThat(((LuceneEnvelopeStore) store).trouble()).isEmpty();
        List<Arrival> all = List.of(committed, visible, added, refused);
        assertThat(search(request(acme, "plant-7", "urgent")).hits)
                .containsOnlyKeys(all.stream().map(a -> a.envelope().id()).toList());
        store.commit();
        assertThat(store.position()).isEqualTo(40);
        store = afterCrash(store);
        assertThat(search(request(acme, "plant-7", "urgent")).hits).hasSize(4);
    }

    @Test
    void theNewestOfAKindIsFoundInBatchesThoughManyArrivedAtOneTime() throws Exception {
        TestTenant acme = TestTenant.of("acme");
        Instant first = Instant.parse("2026-11-01T00:00:00Z");
        List<Arrival> arrivals = new ArrayList<>();
        for (int i = 0; i < 9; i++) { // three at each time
            Arrival sealed = lines(acme, "plant-7", "urgent");
            arrivals.add(Arrivals.of(sealed.envelope().bytes(), first.plusSeconds(i / 3)));
        }
        store.add(arrivals, 1);
        store.commit();
        store.refresh();
        try (DirectoryReader reader = DirectoryReader.open(disk)) {
            IndexSearcher searcher = new IndexSearcher(reader);
            for (int i = 0; i < arrivals.size(); i++) {
                Arrival wanted = arrivals.get(i);
                int[] asked = {0};
                assertThat(NewestEnvelope.find(
                                searcher,
                                Arrivals.SCHEMES,
                                Instant.parse("2027-01-01T00:00:00Z"),
                                envelope -> {
                                    asked[0]++;
                                    return envelope.id()
                                            .equals(wanted.envelope().id());
                                },
                                2))
                        .hasValue(wanted.arrived());
                assertThat(asked[0]).as("each is read once at most").isBetween(1, arrivals.size());
            }
            assertThat(NewestEnvelope.find(searcher, Arrivals.SCHEMES, first.plusSeconds(2), _ -> true, 2))
                    .as("before a time")
                    .hasValue(first.plusSeconds(1));
        }
        assertThat(store.newestArrival()).hasValue(first.plusSeconds(2));
    }

    /** Earlier versions stored a content as one value beside the envelope. */
    @Test
    void contentThatAnEarlierVersionStoredIsReadAndDeleted() throws Exception {
        Arrival old = withContent(2_500_000);
        Arrival fresh = withContent(2_500_001);
        store.close();
        try (IndexWriter writer = new IndexWriter(FSDirectory.open(at), new IndexWriterConfig())) {
            writer.addDocuments(asBefore(old));
            writer.commit();
        }
        store = new LuceneEnvelopeStore(FSDirectory.open(at), Arrivals.SCHEMES, 1 << 20, 2);
        store.add(List.of(fresh), 1);
        store.commit();
        store.refresh();
        for (Arrival arrival : List.of(old, fresh)) {
            assertThat(content(store.find("acme", name(arrival)).orElseThrow())).isEqualTo(arrival.content());
        }
        store.delete("acme", List.of(name(old)));
        assertThat(store.find("acme", name(old))).isEmpty();
    }

    private static List<Document> asBefore(Arrival arrival) {
        List<Document> documents = EnvelopeDocuments.of(arrival, Arrivals.SCHEMES);
        documents.removeIf(each -> each.getField(EnvelopeDocuments.PIECE) != null);
        Document own = documents.getLast();
        own.removeFields(EnvelopeDocuments.CONTENT_BYTES);
        own.add(new BinaryDocValuesField(EnvelopeDocuments.CONTENT, new BytesRef(arrival.content())));
        return documents;
    }

    @Test
    void noDocumentHoldsMoreThanAPieceOfAContent() throws Exception {
        for (Document each : EnvelopeDocuments.of(withContent(3_500_001), Arrivals.SCHEMES)) {
            for (IndexableField field : each.getFields()) {
                BytesRef value = field.binaryValue();
                assertThat(value == null ? 0 : value.length).isLessThanOrEqualTo(StoredContent.PIECE_BYTES);
            }
        }
    }

    @Test
    void aDamagedEnvelopeIsReportedNotReturned() throws Exception {
        TestTenant acme = TestTenant.of("acme");
        List<Arrival> arrivals = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            arrivals.add(lines(acme, "plant-7", "urgent valve", "ok"));
        }
        store.add(arrivals, 1);
        store.commit();
        store.close();
        try (var files = Files.list(at)) {
            Path values = files.filter(file -> file.toString().endsWith(".dvd"))
                    .findFirst()
                    .orElseThrow();
            byte[] bytes = Files.readAllBytes(values);
            for (int i = 2000; i < bytes.length - 200; i += 4000) {
                bytes[i] ^= 1;
            }
            Files.write(values, bytes);
        }
        store = new LuceneEnvelopeStore(FSDirectory.open(at), Arrivals.SCHEMES, 1 << 20, 2);
        assertThatThrownBy(
                        () -> store.find("acme", arrivals.getFirst().envelope().id()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("damaged");
    }
}
