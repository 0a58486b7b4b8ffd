package dev.veilgate.sse.sdd;

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
 * SD_a: levels of 1, 2, 4, ... entries, each full or empty. An update merges the full ones below the first empty one
 * into it, under a fresh key: log N entries an update on average, all of them at once now and then.
 *
 * <p>Leakage. An update: how many pairs of a word and a document. A search: how many entries each level has of the
 * word, and whether it was searched since that level was made. Forward private; backward private of type II.
 */
@Secret
public final class SdaScheme implements SseScheme {
    static final String ID = "sda";
    private static final String LEVELS = "levels";
    private static final int MOST_LEVELS = 21;

    private final LevelKeys.Generations generations;

    /** Constructor for the service loader. */
    public SdaScheme() {
        this(Part::generation);
    }

    SdaScheme(LevelKeys.Generations generations) {
        this.generations = generations;
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String description() {
        return "Demertzis and others 2020, amortised: forward private, an update merges levels now and then";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                new Parameter(LEVELS, 20, 1, MOST_LEVELS, "there is room for 2^levels - 1 pairs, added or deleted"));
    }

    private static int capacity(Parameters parameters) {
        return (1 << parameters.get(LEVELS)) - 1;
    }

    @Override
    public Capabilities capabilities(Parameters parameters) {
        return new Capabilities(
                Set.of(Ask.WORD),
                Deletion.BY_WORDS,
                true,
                Backward.TYPE_2,
                Set.of(),
                Set.of(Shows.VOLUME, Shows.REPETITION),
                Exactness.EXACT,
                new Turns(2, 2, 1),
                Devices.ONE,
                OptionalLong.of(capacity(parameters)),
                false);
    }

    @Override
    public SseOwner owner(ArchiveKey key, CellStore state, Parameters parameters, SecureRandom random) {
        return new SdaOwner(capabilities(parameters), new LevelKeys(key, ID, generations, random), state, random);
    }

    @Override
    public SseServer server(CellStore store, Parameters parameters) {
        return new SdaServer(store, capacity(parameters));
    }
}
