package dev.veilgate.benchmarks;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.lattice.ntru.NtruParameters;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What sealed logs weigh on the wire against their own bytes: each log of {@link EdgeLog} in batches of 256 lines, as the agent seals it, every log by a device
 * of its own. Writes {@code wire-size.csv} into the folder that it is given. Beside the envelopes with lines an agent sends changes of the template catalogue
 * and heartbeats, which are not counted here.
 */
public final class WireSize {
    /** The set for which the payload is taken apart; its layout is in docs/spec/ntru-peks.md, section 6. */
    private static final String PARAMETERS = NtruParameters.N2048_Q29.id();

    private static final int A_BYTES = 2048 * 29 / 8;
    private static final int PAYLOAD_HEADER_BYTES = 5;
    private static final int CELL_MULTIPLE = 16;
    private static final int GCM_TAG_BYTES = 16;

    /**
     * A log, or all of them.
     *
     * @param log      its name
     * @param raw      bytes of the file
     * @param batches  envelopes
     * @param keywords different ones, counted once a batch
     * @param sealed   bytes of the envelopes: the sum of the rest
     * @param records  encrypted lines with their tags; their heads in CBOR are in fixed
     * @param a        the polynomial A of each block
     * @param slots    bits, tags and fields of each keyword, with padding
     * @param cells    places of frequent keywords, with padding
     * @param fixed    header, wrapped key, signature, headers of blocks, encoding
     */
    public record Row(
            String log,
            long raw,
            int batches,
            long keywords,
            long sealed,
            long records,
            long a,
            long slots,
            long cells,
            long fixed) {
        /** Sealed bytes a raw byte. */
        public double ratio() {
            return (double) sealed / raw;
        }

        private Row plus(Row other) {
            return new Row(
                    log,
                    raw + other.raw,
                    batches + other.batches,
                    keywords + other.keywords,
                    sealed + other.sealed,
                    records + other.records,
                    a + other.a,
                    slots + other.slots,
                    cells + other.cells,
                    fixed + other.fixed);
        }
    }

    private WireSize() {}

    /** @param args the output folder */
    public static void main(String[] args) throws Exception {
        if (args.length != 1) {
            throw new IllegalArgumentException("arguments: OUTPUT-FOLDER");
        }
        List<String> table = table(measure(EdgeLog.readAll(), LogSealing.Sender.generate()));
        Files.write(Files.createDirectories(Path.of(args[0])).resolve("wire-size.csv"), table);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        table.forEach(out::println);
    }

    /** A row a log, and the total. */
    static List<Row> measure(List<EdgeLog> logs, LogSealing.Sender sender) throws Exception {
        List<Row> rows = new ArrayList<>();
        Row total = new Row("total", 0, 0, 0, 0, 0, 0, 0, 0, 0);
        for (EdgeLog log : logs) {
            Row row = measure(log, sender);
            rows.add(row);
            total = total.plus(row);
        }
        rows.add(total);
        return rows;
    }

    private static Row measure(EdgeLog log, LogSealing.Sender sender) throws Exception {
        Row row = new Row(log.name(), log.bytes(), 0, 0, 0, 0, 0, 0, 0, 0);
        try (LogSealing sealing = new LogSealing(sender)) {
            for (List<byte[]> batch : log.batches()) {
                long before = sealing.keywords;
                byte[] sealed = sealing.seal(batch).bytes();
                row = row.plus(parts(Envelope.decode(sealed), batch, sealing.keywords - before));
            }
        }
        return row;
    }

    private static Row parts(Envelope envelope, List<byte[]> batch, long keywords) throws IOException {
        int sealed = envelope.bytes().length;
        long records =
                batch.stream().mapToLong(line -> line.length + GCM_TAG_BYTES).sum();
        long a = 0;
        long slots = 0;
        long cells = 0;
        for (IndexBlock block : envelope.index()) {
            if (!block.parameters().equals(PARAMETERS)) {
                throw new IOException("a block of the set " + block.parameters() + ": only " + PARAMETERS);
            }
            byte[] payload = block.payload();
            int ofCells = Byte.toUnsignedInt(payload[4]) * CELL_MULTIPLE * ((batch.size() + 15) / 16);
            a += A_BYTES;
            cells += ofCells;
            slots += payload.length - PAYLOAD_HEADER_BYTES - A_BYTES - ofCells;
        }
        long fixed = sealed - records - a - slots - cells;
        return new Row("", 0, 1, keywords, sealed, records, a, slots, cells, fixed);
    }

    /** The rows as CSV with a head. */
    static List<String> table(List<Row> rows) {
        List<String> table = new ArrayList<>();
        table.add("log,raw_bytes,sealed_bytes,ratio,batches,keywords_a_batch,bytes_a_keyword,"
                + "records_bytes,a_bytes,slots_bytes,cells_bytes,fixed_bytes");
        for (Row row : rows) {
            long[] bytes = {row.records, row.a, row.slots, row.cells, row.fixed};
            table.add(String.format(
                            Locale.ROOT,
                            "%s,%d,%d,%.3f,%d,%.1f,%.1f",
                            row.log,
                            row.raw,
                            row.sealed,
                            row.ratio(),
                            row.batches,
                            (double) row.keywords / row.batches,
                            (double) (row.a + row.slots + row.cells) / row.keywords)
                    + Arrays.stream(bytes).mapToObj(part -> "," + part).reduce("", String::concat));
        }
        return table;
    }
}
