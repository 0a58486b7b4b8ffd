package dev.veilgate.sse.chlh15;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.Keyword;
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
import dev.veilgate.sse.CellStore.Cells;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Exchange;
import dev.veilgate.sse.Hits;
import dev.veilgate.sse.Parameter;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.RowMessages;
import dev.veilgate.sse.RowOwner;
import dev.veilgate.sse.RowServer;
import dev.veilgate.sse.Sha256;
import dev.veilgate.sse.SingleTurn;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseOwner;
import dev.veilgate.sse.SseScheme;
import dev.veilgate.sse.SseServer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * {@link Chlh15} behind the contract of {@link SseScheme}: a row is the filters of a document's words.
 *
 * <p>Leakage. An addition: the document's id, its number of words, and which of its words answer an earlier question.
 * A search: how many letters it fixes, which of them an earlier search fixed at the same place, and the ids that it
 * finds, false ones among them. Nothing can be deleted.
 */
@Secret
public final class Chlh15Scheme implements SseScheme {
    private static final String ID = "chlh15";

    /** Constructor for the service loader. */
    public Chlh15Scheme() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String description() {
        return "Hu and Han 2015: a filter of letters a word; for first and last letters, with false hits";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of();
    }

    @Override
    public Capabilities capabilities(Parameters parameters) {
        return new Capabilities(
                Set.of(Ask.WORD, Ask.PREFIX, Ask.PATTERN),
                Deletion.NONE,
                false,
                Backward.NONE,
                Set.of(Shows.LENGTH),
                Set.of(Shows.IDS, Shows.VOLUME, Shows.REPETITION, Shows.EQUALITY, Shows.LETTERS),
                Exactness.FALSE_HITS,
                new Turns(1, 0, 1),
                Devices.MANY,
                OptionalLong.empty(),
                false);
    }

    @Override
    public SseOwner owner(ArchiveKey key, CellStore state, Parameters parameters, SecureRandom random) {
        return new Owner(new Chlh15(key, random), capabilities(parameters));
    }

    @Secret
    private static final class Owner extends RowOwner {
        private final Chlh15 scheme;

        Owner(Chlh15 scheme, Capabilities capabilities) {
            super(ID, capabilities);
            this.scheme = scheme;
        }

        @Override
        protected byte[] row(Document document) {
            byte[] row = new byte[document.words().size() * Chlh15.FILTER_BYTES];
            int n = 0;
            for (Keyword word : document.words().keySet()) {
                byte[] filter = scheme.buildIndex(document.id(), n, word);
                System.arraycopy(filter, 0, row, n * Chlh15.FILTER_BYTES, Chlh15.FILTER_BYTES);
                n++;
            }
            return row;
        }

        @Override
        protected Exchange<Hits> ask(SseExpression question) {
            return SingleTurn.of(
                    () -> RowMessages.search(scheme.trapdoor(question)), answer -> Hits.of(Answers.readIds(answer)));
        }
    }

    @Override
    public SseServer server(CellStore store, Parameters parameters) {
        return new Server(store);
    }

    private static final class Server extends RowServer {
        Server(CellStore store) {
            super(store);
        }

        @Override
        protected void check(byte[] row) throws MalformedEncodingException {
            if (row.length % Chlh15.FILTER_BYTES != 0) {
                throw new MalformedEncodingException("row.bytes", "must have " + Chlh15.FILTER_BYTES + " bytes a word");
            }
        }

        @Override
        protected void checkToken(byte[] token) throws MalformedEncodingException {
            if (token.length != Chlh15.TOKEN_BYTES) {
                throw new MalformedEncodingException("token", "must have " + Chlh15.TOKEN_BYTES + " bytes");
            }
        }

        @Override
        protected byte[] search(Cells cells, List<byte[]> tokens) {
            List<DocumentId> found = new ArrayList<>();
            Sha256 h = new Sha256();
            cells.scan(ROWS, new byte[0], (id, filters) -> {
                for (int at = 0; at < filters.length; at += Chlh15.FILTER_BYTES) {
                    if (Chlh15.search(tokens, id, at / Chlh15.FILTER_BYTES, filters, at, h)) {
                        found.add(DocumentId.decode(id));
                        break;
                    }
                }
            });
            return Answers.ids(found);
        }
    }
}
