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
 * SD_d: each level has up to three complete parts and one that is being built, into which an update moves one entry of
 * the level below. So each update takes about as long as any other: log N entries and 1.44 log N + 2 turns, for the
 * counters of words in large parts are in oblivious maps at the server.
 *
 * <p>Leakage. An update: how many pairs of a word and a document. A search: which updates were of the word, and so
 * whether it was searched before. Forward private; backward private of type II.
 */
@Secret
public final class SddScheme implements SseScheme {
    static final String ID = "sdd";
    private static final String LEVELS = "levels";
    private static final String OWN_LEVELS = "own-levels";
    private static final int MOST_LEVELS = 20;

    private final LevelKeys.Generations generations;

    /** Constructor for the service loader. */
    public SddScheme() {
        this(Part::generation);
    }

    SddScheme(LevelKeys.Generations generations) {
        this.generations = generations;
    }

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String description() {
        return "Demertzis and others 2020: forward private, small state of the owner, many turns an update";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                new Parameter(LEVELS, 19, 1, MOST_LEVELS, "there is room for 2^(levels+1) - 2 pairs, added or deleted"),
                new Parameter(
                        OWN_LEVELS, 10, 1, MOST_LEVELS, "levels below this one have their counters with the owner"));
    }

    private static SddLevels levels(Parameters parameters) {
        return new SddLevels((int) parameters.get(LEVELS), (int) parameters.get(OWN_LEVELS));
    }

    @Override
    public Capabilities capabilities(Parameters parameters) {
        SddLevels levels = levels(parameters);
        int turns = levels.turns(levels.capacity() - 1);
        return new Capabilities(
                Set.of(Ask.WORD),
                Deletion.BY_WORDS,
                true,
                Backward.TYPE_2,
                Set.of(),
                Set.of(Shows.VOLUME, Shows.REPETITION),
                Exactness.EXACT,
                new Turns(turns, turns, 1, true),
                Devices.ONE,
                OptionalLong.of(levels.capacity()),
                false);
    }

    @Override
    public SseOwner owner(ArchiveKey key, CellStore state, Parameters parameters, SecureRandom random) {
        return new SddOwner(
                levels(parameters),
                capabilities(parameters),
                new LevelKeys(key, ID, generations, random),
                state,
                random);
    }

    @Override
    public SseServer server(CellStore store, Parameters parameters) {
        return new SddServer(store, levels(parameters));
    }
}
