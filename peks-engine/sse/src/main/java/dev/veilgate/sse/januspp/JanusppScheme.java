package dev.veilgate.sse.januspp;

import dev.veilgate.math.ggm.LeafCover;
import dev.veilgate.secret.Secret;
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
import dev.veilgate.sse.Parameter;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.SseOwner;
import dev.veilgate.sse.SseScheme;
import dev.veilgate.sse.SseServer;
import java.security.SecureRandom;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Janus++ behind the contract of {@link SseScheme}.
 *
 * <p>Leakage. An addition: its number of (word, document) pairs. A deletion: the same. A search: whether the word was
 * searched before; when each of its entries was added, and which deletion deleted which of them and when; the ids of
 * the others, and of those that an earlier search found and that are deleted now.
 */
@Secret
public final class JanusppScheme implements SseScheme {
    static final String ID = "januspp";
    private static final String DELETIONS = "deletions";
    private static final String TAG_BITS = "tagbits";
    private static final int EXACT_BITS = 48;

    /** Constructor for the service loader. */
    public JanusppScheme() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String description() {
        return "Sun and others 2018: keys punctured at deleted tags; one turn a search, for few deletions";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                new Parameter(
                        DELETIONS,
                        100,
                        1,
                        1 << LeafCover.MAX_DEPTH - 6,
                        "deletions of a word between two searches; an addition costs as many trees. After as many the"
                                + " next deletion searches the word first"),
                new Parameter(
                        TAG_BITS,
                        64,
                        8,
                        64,
                        "bits of a tag: with few, a deletion deletes other documents too (the paper's tables fit 15)"));
    }

    @Override
    public Capabilities capabilities(Parameters parameters) {
        return new Capabilities(
                Set.of(Ask.WORD),
                Deletion.BY_WORDS,
                true,
                Backward.TYPE_3,
                Set.of(),
                Set.of(Shows.IDS, Shows.VOLUME, Shows.REPETITION),
                parameters.get(TAG_BITS) < EXACT_BITS ? Exactness.LOSES : Exactness.EXACT,
                new Turns(1, 1, 1),
                Devices.ONE,
                OptionalLong.empty(),
                true);
    }

    private static Puncturable scheme(Parameters parameters) {
        return new Puncturable((int) parameters.get(DELETIONS), (int) parameters.get(TAG_BITS));
    }

    @Override
    public SseOwner owner(ArchiveKey key, CellStore state, Parameters parameters, SecureRandom random) {
        return new JanusppOwner(
                scheme(parameters),
                (int) parameters.get(TAG_BITS),
                key.prf(ID + "/word"),
                state,
                capabilities(parameters),
                random);
    }

    @Override
    public SseServer server(CellStore store, Parameters parameters) {
        return new JanusppServer(scheme(parameters), store);
    }
}
