package dev.veilgate.sse.vasst16;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.Answers;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.Ask;
import dev.veilgate.sse.Capabilities;
import dev.veilgate.sse.Capabilities.Backward;
import dev.veilgate.sse.Capabilities.Deletion;
import dev.veilgate.sse.Capabilities.Devices;
import dev.veilgate.sse.Capabilities.Exactness;
import dev.veilgate.sse.Capabilities.Shows;
import dev.veilgate.sse.Capabilities.Turns;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Exchange;
import dev.veilgate.sse.Hits;
import dev.veilgate.sse.Parameter;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.RowMessages;
import dev.veilgate.sse.RowOwner;
import dev.veilgate.sse.SingleTurn;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseOwner;
import dev.veilgate.sse.SseScheme;
import dev.veilgate.sse.SseServer;
import dev.veilgate.sse.Terms;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * {@link Vasst16} behind the contract of {@link SseScheme}; with {@code prefixes} it is the study's VASST16-2, which
 * indexes the beginnings of words as words.
 *
 * <p>Leakage. An addition: the document's id, and of each word (and beginning) how often it occurs and in which other
 * documents it is. A search: its words, and with that the ids, and their order. A deletion, which the study has not:
 * the id.
 */
@Secret
public final class Vasst16Scheme implements SseScheme {
    private static final String ID = "vasst16";
    private static final String PREFIXES = "prefixes";
    static final String SECOND_LEVEL = "second-level";

    /** Constructor for the service loader. */
    public Vasst16Scheme() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String description() {
        return "Arora and Tyagi 2016: ranked by term frequencies at the server, which sees these and equal words";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                new Parameter(PREFIXES, 0, 0, 1, "1 to index the beginnings of words too (VASST16-2)"),
                new Parameter(SECOND_LEVEL, 1, 0, 1, "0 to leave out the powers that take the study's time"));
    }

    @Override
    public Capabilities capabilities(Parameters parameters) {
        Set<Ask> ask = EnumSet.of(Ask.WORD, Ask.BEST);
        if (parameters.isOn(PREFIXES)) {
            ask.add(Ask.PREFIX);
        }
        return new Capabilities(
                ask,
                Deletion.BY_ID,
                false,
                Backward.NONE,
                Set.of(Shows.LENGTH, Shows.EQUALITY, Shows.FREQUENCY),
                Set.of(Shows.IDS, Shows.VOLUME, Shows.REPETITION, Shows.EQUALITY, Shows.FREQUENCY),
                Exactness.EXACT,
                new Turns(1, 1, 1),
                Devices.MANY,
                OptionalLong.empty(),
                false);
    }

    @Override
    public SseOwner owner(ArchiveKey key, CellStore state, Parameters parameters, SecureRandom random) {
        return new Owner(
                new Vasst16(key, parameters.isOn(SECOND_LEVEL)),
                Terms.of(parameters.isOn(PREFIXES)),
                capabilities(parameters));
    }

    @Secret
    private static final class Owner extends RowOwner {
        private final Vasst16 scheme;
        private final Terms terms;

        Owner(Vasst16 scheme, Terms terms, Capabilities capabilities) {
            super(ID, capabilities);
            this.scheme = scheme;
            this.terms = terms;
        }

        @Override
        protected byte[] row(Document document) {
            SortedMap<byte[], Integer> entries = new TreeMap<>(Arrays::compareUnsigned);
            for (Map.Entry<byte[], Integer> term : terms.of(document).entrySet()) {
                entries.put(scheme.tag(term.getKey()), term.getValue());
            }
            return Vasst16Server.row(entries);
        }

        @Override
        protected Exchange<Hits> ask(SseExpression question) {
            List<byte[]> terms = question instanceof SseExpression.Best best
                    ? best.words().stream().distinct().map(Terms::word).toList()
                    : List.of(Terms.of(question));
            int most = question instanceof SseExpression.Best best ? best.most() : 0;
            return SingleTurn.of(
                    () -> {
                        List<byte[]> tokens = new ArrayList<>();
                        tokens.add(ByteBuffer.allocate(4).putInt(most).array());
                        terms.forEach(term -> tokens.add(scheme.tag(term)));
                        return RowMessages.search(tokens);
                    },
                    answer -> most == 0 ? Hits.of(Answers.readIds(answer)) : ranked(answer));
        }

        private static Hits ranked(byte[] answer) throws MalformedEncodingException {
            CborReader in = new CborReader("answer", answer);
            int count = in.array("hits", Answers.MAX_IDS);
            List<Hits.Hit> hits = new ArrayList<>(Math.min(count, 1 << 10));
            for (int i = 0; i < count; i++) {
                RowMessages.begin(in, "hit", 2);
                DocumentId id = DocumentId.decode(in.fixedBytes("hit.id", DocumentId.BYTES));
                double score = ByteBuffer.wrap(in.fixedBytes("hit.score", Double.BYTES))
                        .getDouble();
                hits.add(new Hits.Hit(id, score));
            }
            in.end();
            return new Hits(hits, List.of());
        }
    }

    /** The inverse of what the owner reads. */
    static byte[] ranking(List<Hits.Hit> hits) {
        CborWriter out = new CborWriter(1 << 8).array(hits.size());
        hits.forEach(hit -> out.array(2)
                .bytes(hit.id().encode())
                .bytes(ByteBuffer.allocate(Double.BYTES).putDouble(hit.score()).array()));
        return out.toByteArray();
    }

    @Override
    public SseServer server(CellStore store, Parameters parameters) {
        return new Vasst16Server(store, Vasst16.tagBytes(parameters.isOn(SECOND_LEVEL)));
    }
}
