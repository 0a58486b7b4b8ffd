package dev.veilgate.gateway.retention;

import java.util.List;
import java.util.UUID;

/** What became of checking again, by the rules of this version, what earlier versions took and stored. */
public interface StoredChecks {
    /** How far it is. */
    enum State {
        /** Not begun, or interrupted; it begins when the gateway is ready. */
        WAITING,
        RUNNING,
        /** All that is stored was checked by this version's rules. */
        DONE
    }

    State state();

    /** Envelopes that were checked since the start. */
    long checked();

    /** Envelopes that were there when it began. */
    long of();

    /** Envelopes of a tenant that were taken out of the store, since a block of theirs is forged; their files are in the folder {@code forged}. */
    List<UUID> setAside(String tenant);
}
