package dev.veilgate.cli;

import dev.veilgate.abe.Label;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.EnvelopeDraft;
import dev.veilgate.envelope.EnvelopeSealer;
import dev.veilgate.envelope.IndexRules;
import dev.veilgate.envelope.Origin;
import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.IndexProfiles;
import dev.veilgate.extract.PostingCollector;
import dev.veilgate.extract.SourceKeyword;
import dev.veilgate.extract.log.Extraction;
import dev.veilgate.extract.log.LineParts;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.extract.template.TemplateCatalogue;
import dev.veilgate.extract.template.TemplateMiner;
import dev.veilgate.extract.template.TemplateSettings;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import dev.veilgate.reading.EventTime;
import dev.veilgate.sender.LineMedia;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lines of a stream to envelopes, in batches. */
final class LineSealer {
    /** Takes what was sealed, and is told where the chain goes on. */
    @FunctionalInterface
    interface Sink {
        void envelope(SealedEnvelope envelope) throws Exception;
    }

    private static final int BATCH_BYTES = 1 << 20;
    private static final int MAX_LINE_BYTES = 4 << 20;

    private final EnvelopeSealer sealer;
    private final ExtractorProfile profile;
    private final IndexRules rules;
    private final String scope;
    private final String epoch;
    private final List<Label> readers;
    private final int batch;
    private final Clock clock;
    private final LogFormat format;
    private final LogExtractor extractor;
    private final @Nullable TemplateMiner miner;
    /** Puts together what was cut; null where each line is read alone. */
    private final @Nullable LineParts parts;

    private final List<byte[]> taken = new ArrayList<>();
    private final Sink sink;
    private final PostingCollector collector = new PostingCollector();
    private String origin = "";
    private ChainPosition position;
    private List<byte[]> records = new ArrayList<>();
    private List<List<Keyword>> keywords = new ArrayList<>();
    private List<Instant> times = new ArrayList<>();
    private int bytes;
    private long longLines;
    private long lines;
    private long limited;

    LineSealer(
            EnvelopeSealer sealer,
            IndexProfiles.Used used,
            LogFormat format,
            String scope,
            String epoch,
            List<Label> readers,
            int batch,
            ChainPosition position,
            Clock clock,
            Sink sink) {
        this.sealer = sealer;
        this.profile = used.profile();
        this.rules = used.rules();
        this.scope = scope;
        this.epoch = epoch;
        this.readers = List.copyOf(readers);
        this.batch = batch;
        this.position = position;
        this.clock = clock;
        this.sink = sink;
        this.format = format;
        this.extractor = LogExtractor.of(profile, format);
        int mostJoined = LogExtractor.mostJoinedBytes(profile, format);
        this.parts = mostJoined == 0 ? null : new LineParts(Math.min(mostJoined, MAX_LINE_BYTES));
        this.miner = profile.templates() ? new TemplateMiner(TemplateSettings.DEFAULT, clock) : null;
    }

    /**
     * Seals every line of a stream; the next stream begins a new envelope. Lines that a container's runtime cut are put
     * together where the rules read them as one.
     *
     * @param name where the lines come from
     */
    void seal(String name, InputStream in) throws Exception {
        origin = Origin.fitting(name);
        LineCutter cutter = new LineCutter(in, MAX_LINE_BYTES);
        long part = 0;
        for (LineCutter.Piece piece = cutter.next(); piece != null; piece = cutter.next()) {
            if (piece.whole()) {
                addLine(piece.bytes());
                continue;
            }
            addWaiting();
            flush(LineMedia.LINE);
            part++;
            longLines += part == 1 ? 1 : 0;
            lines++;
            add(piece.bytes());
            flush(LineMedia.part(longLines, part, piece.lineFeed()));
            part = piece.lineFeed() ? 0 : part;
        }
        addWaiting();
        flush(LineMedia.LINE);
    }

    private void addLine(byte[] line) throws Exception {
        if (parts == null) {
            lines++;
            addOfMany(line);
            return;
        }
        parts.line(line, 0, line.length, this::take);
        addTaken();
    }

    private void addWaiting() throws Exception {
        if (parts != null) {
            parts.end(this::take);
            addTaken();
        }
    }

    private void take(byte[] buffer, int from, int to, int count) {
        taken.add(Arrays.copyOfRange(buffer, from, to));
        lines += count;
    }

    private void addTaken() throws Exception {
        for (byte[] record : taken) {
            addOfMany(record);
        }
        taken.clear();
    }

    private void addOfMany(byte[] record) throws Exception {
        add(record);
        if (records.size() >= batch || bytes >= BATCH_BYTES) {
            flush(LineMedia.LINE);
        }
    }

    private void add(byte[] record) {
        Extraction extraction = extractor.extract(record);
        List<Keyword> found = extraction.keywords();
        Instant now = clock.instant();
        Instant time = EventTime.ofRecord(extraction.time(now), now).at();
        if (miner != null) {
            String template = miner.learn(record, extraction.messageFrom(), extraction.messageTo(), time.toEpochMilli())
                    .value();
            found = new ArrayList<>(found);
            found.add(Keyword.text("template", template));
        }
        records.add(record);
        keywords.add(found);
        times.add(time);
        bytes += record.length;
        limited += extraction.limited() ? 1 : 0;
    }

    private void flush(String mediaType) throws Exception {
        if (!records.isEmpty()) {
            seal(mediaType, 0, records.size());
        }
        records = new ArrayList<>();
        keywords = new ArrayList<>();
        times = new ArrayList<>();
        bytes = 0;
    }

    /** Seals a part of the batch; if that has too many keywords for one envelope, its halves. */
    private void seal(String mediaType, int from, int to) throws Exception {
        Set<Keyword> sources = SourceKeyword.ofRecord(origin, profile);
        for (int i = from; i < to; i++) {
            collector.add(i - from, keywords.get(i));
            for (Keyword source : sources) {
                collector.add(i - from, source);
            }
        }
        List<Posting> postings = collector.finish();
        SealedEnvelope sealed;
        try {
            EnvelopeDraft draft = draft(
                    mediaType,
                    records.subList(from, to),
                    times.subList(from, to),
                    postings,
                    List.of(new Origin(origin, to - from)));
            sealed = sealer.seal(draft.indexedBy(rules).readAs(format.label()), position);
        } catch (IllegalArgumentException e) {
            if (to - from < 2) {
                throw e;
            }
            int middle = (from + to) >>> 1;
            seal(mediaType, from, middle);
            seal(mediaType, middle, to);
            return;
        }
        emit(sealed);
    }

    private EnvelopeDraft draft(
            String mediaType, List<byte[]> some, List<Instant> when, List<Posting> postings, List<Origin> origins) {
        Instant first = when.stream().min(Instant::compareTo).orElseGet(clock::instant);
        Instant last = when.stream().max(Instant::compareTo).orElseGet(clock::instant);
        return new EnvelopeDraft(
                        scope, epoch, first, last, mediaType, List.copyOf(some), postings, List.of(), 0, origins)
                .forReaders(readers);
    }

    private void emit(SealedEnvelope sealed) throws Exception {
        position = sealed.next();
        sink.envelope(sealed);
    }

    /** Seals the catalogue of the templates, if there are any. */
    void sealCatalogue() throws Exception {
        if (miner == null) {
            return;
        }
        TemplateCatalogue catalogue = miner.changesSince(0);
        if (!catalogue.isEmpty()) {
            Instant now = clock.instant();
            emit(sealer.seal(
                    draft(
                            TemplateCatalogue.MEDIA_TYPE,
                            List.of(catalogue.encode()),
                            List.of(now),
                            List.of(),
                            List.of()),
                    position));
        }
    }

    /** Lines so far. */
    long lines() {
        return lines;
    }

    /** Records of which not everything could be made searchable. */
    long limited() {
        return limited;
    }

    /** Where the chain goes on. */
    ChainPosition position() {
        return position;
    }

    /** Cuts a stream at line feeds, and lines that are too long into pieces. */
    static final class LineCutter {
        /**
         * @param whole a line with its line feed taken off; otherwise a piece, with or without a line feed behind it
         */
        record Piece(byte[] bytes, boolean whole, boolean lineFeed) {}

        private final InputStream in;
        private final byte[] buffer;
        private int from;
        private int to;
        private boolean end;
        private boolean inside;

        LineCutter(InputStream in, int maxBytes) {
            this.in = in;
            this.buffer = new byte[maxBytes];
        }

        @Nullable
        Piece next() throws IOException {
            int scanned = from;
            while (true) {
                for (; scanned < to; scanned++) {
                    if (buffer[scanned] == '\n') {
                        Piece piece = new Piece(Arrays.copyOfRange(buffer, from, scanned), !inside, true);
                        from = scanned + 1;
                        inside = false;
                        return piece;
                    }
                }
                if (end || from == 0 && to == buffer.length) {
                    return rest();
                }
                System.arraycopy(buffer, from, buffer, 0, to - from);
                to -= from;
                scanned -= from;
                from = 0;
                int read = in.read(buffer, to, Math.min(buffer.length - to, 1 << 16));
                end = read < 0;
                to += Math.max(0, read);
            }
        }

        /** What has no line feed: the end of the stream, or a line that goes on. */
        private @Nullable Piece rest() {
            if (from == to && end) {
                return null;
            }
            Piece piece = new Piece(Arrays.copyOfRange(buffer, from, to), false, false);
            from = 0;
            to = 0;
            inside = !end;
            return piece;
        }
    }
}
