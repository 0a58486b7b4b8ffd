package dev.veilgate.sse.codeword;

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
 * {@link Codeword} behind the contract of {@link SseScheme}: the server reads the whole table for a request.
 *
 * <p>Leakage. An addition: the row's id, its number of words, and for each word that was ever searched whether the
 * row has it. A search: whether the word was searched before, and the ids that have it. A deletion, which the study
 * has not: the id.
 */
@Secret
public final class CodewordScheme implements SseScheme {
    private static final String ID = "codeword";

    /** Constructor for the service loader. */
    public CodewordScheme() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String description() {
        return "Silveira and others 2024: codewords a row, all of them read for a search; for small tables";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of();
    }

    @Override
    public Capabilities capabilities(Parameters parameters) {
        return new Capabilities(
                Set.of(Ask.WORD, Ask.ALL_OF),
                Deletion.BY_ID,
                false,
                Backward.NONE,
                Set.of(Shows.LENGTH),
                Set.of(Shows.IDS, Shows.VOLUME, Shows.REPETITION, Shows.EQUALITY),
                Exactness.EXACT,
                new Turns(1, 1, 1),
                Devices.MANY,
                OptionalLong.empty(),
                false);
    }

    @Override
    public SseOwner owner(ArchiveKey key, CellStore state, Parameters parameters, SecureRandom random) {
        return new Owner(new Codeword(key), capabilities(parameters));
    }

    @Secret
    private static final class Owner extends RowOwner {
        private final Codeword codeword;

        Owner(Codeword codeword, Capabilities capabilities) {
            super(ID, capabilities);
            this.codeword = codeword;
        }

        @Override
        protected byte[] row(Document document) {
            return codeword.buildIndex(document.id(), document.words().keySet());
        }

        @Override
        protected Exchange<Hits> ask(SseExpression question) {
            List<SseExpression> parts = question instanceof SseExpression.AllOf all ? all.parts() : List.of(question);
            return SingleTurn.of(
                    () -> RowMessages.search(parts.stream()
                            .map(part -> codeword.trapdoor(((SseExpression.Word) part).word()))
                            .toList()),
                    answer -> Hits.of(Answers.readIds(answer)));
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
            if (row.length % Codeword.CODEWORD_BYTES != 0) {
                throw new MalformedEncodingException(
                        "row.bytes", "must have " + Codeword.CODEWORD_BYTES + " bytes a word");
            }
        }

        @Override
        protected void checkToken(byte[] token) throws MalformedEncodingException {
            if (token.length != Codeword.TRAPDOOR_BYTES) {
                throw new MalformedEncodingException("token", "must have " + Codeword.TRAPDOOR_BYTES + " bytes");
            }
        }

        @Override
        protected byte[] search(Cells cells, List<byte[]> tokens) {
            List<DocumentId> found = new ArrayList<>();
            Sha256 h = new Sha256();
            cells.scan(ROWS, new byte[0], (id, index) -> {
                if (tokens.stream().allMatch(token -> Codeword.search(token, id, index, h))) {
                    found.add(DocumentId.decode(id));
                }
            });
            return Answers.ids(found);
        }
    }
}
