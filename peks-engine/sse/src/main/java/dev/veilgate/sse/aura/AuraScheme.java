package dev.veilgate.sse.aura;

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
 * Aura behind the contract of {@link SseScheme}, with a second turn of each search by which nothing is lost.
 *
 * <p>Leakage. An addition: its number of (word, document) pairs. A deletion: nothing, as no message is sent. A search:
 * whether the word was searched before; when each of its entries was added, and which of these are deleted; the ids of
 * the others, and of those that an earlier search found and that are deleted now.
 */
@Secret
public final class AuraScheme implements SseScheme {
    static final String ID = "aura";
    private static final String HASHES = "hashes";
    private static final String DELETIONS = "deletions";
    private static final String RARITY = "rarity";

    /** Constructor for the service loader. */
    public AuraScheme() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String description() {
        return "Sun and others 2021, repaired: the server drops deleted documents by itself; for large lists of words";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                new Parameter(HASHES, 5, 1, TagFilter.MAX_PLACES, "places of a tag in the filter of deletions"),
                new Parameter(
                        DELETIONS,
                        1_000,
                        1,
                        1_000_000,
                        "deletions of a word between two searches that the filter is made for; more of them make"
                                + " searches larger, and lose nothing"),
                new Parameter(
                        RARITY, 10_000, 2, 1_000_000_000, "one of so many documents that live is asked for once more"));
    }

    @Override
    public Capabilities capabilities(Parameters parameters) {
        return new Capabilities(
                Set.of(Ask.WORD),
                Deletion.BY_WORDS,
                true,
                Backward.TYPE_2,
                Set.of(),
                Set.of(Shows.IDS, Shows.VOLUME, Shows.REPETITION),
                Exactness.EXACT,
                new Turns(1, 0, 2),
                Devices.ONE,
                OptionalLong.empty(),
                false);
    }

    private static TagFilter filter(Parameters parameters) {
        return TagFilter.of((int) parameters.get(HASHES), parameters.get(DELETIONS), parameters.get(RARITY));
    }

    @Override
    public SseOwner owner(ArchiveKey key, CellStore state, Parameters parameters, SecureRandom random) {
        return new AuraOwner(new Aura(filter(parameters)), Aura.words(key), state, capabilities(parameters), random);
    }

    @Override
    public SseServer server(CellStore store, Parameters parameters) {
        return new AuraServer(new AuraEntries(filter(parameters)), store);
    }
}
