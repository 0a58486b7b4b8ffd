package dev.veilgate.sse.suise;

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
import dev.veilgate.sse.Terms;
import java.security.SecureRandom;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * SUISE behind the contract of {@link SseScheme}; with {@code prefixes} it is the study's SUISE2, which indexes the
 * beginnings of words as words.
 *
 * <p>Leakage. An addition: the document's id, its number of words (and beginnings), and which of the words that were
 * searched before it has. A search: whether the word was searched before, and the ids that have it. A deletion: the id.
 */
@Secret
public final class SuiseScheme implements SseScheme {
    static final String ID = "suise";
    private static final String PREFIXES = "prefixes";

    /** Constructor for the service loader. */
    public SuiseScheme() {}

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String description() {
        return "Hahn and Kerschbaum 2014: blind words a document, remembered by search; for files on small devices";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(new Parameter(PREFIXES, 0, 0, 1, "1 to index the beginnings of words too (SUISE2)"));
    }

    @Override
    public Capabilities capabilities(Parameters parameters) {
        return new Capabilities(
                parameters.isOn(PREFIXES) ? Set.of(Ask.WORD, Ask.PREFIX, Ask.ALL_OF) : Set.of(Ask.WORD, Ask.ALL_OF),
                Deletion.BY_ID,
                false,
                Backward.NONE,
                Set.of(Shows.LENGTH),
                Set.of(Shows.IDS, Shows.VOLUME, Shows.REPETITION, Shows.EQUALITY),
                Exactness.EXACT,
                new Turns(1, 1, 1),
                Devices.ONE,
                OptionalLong.empty(),
                false);
    }

    @Override
    public SseOwner owner(ArchiveKey key, CellStore state, Parameters parameters, SecureRandom random) {
        return new SuiseOwner(
                new Suise(key, random), state, Terms.of(parameters.isOn(PREFIXES)), capabilities(parameters));
    }

    @Override
    public SseServer server(CellStore store, Parameters parameters) {
        return new SuiseServer(store);
    }
}
