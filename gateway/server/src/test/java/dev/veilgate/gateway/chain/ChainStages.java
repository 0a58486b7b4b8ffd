package dev.veilgate.gateway.chain;

import dev.veilgate.application.TestClock;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.ingest.ArrivalStage;
import java.time.Duration;
import tools.jackson.databind.json.JsonMapper;

/** The stage, and what it noted, for tests of other packages. */
public final class ChainStages {
    private ChainStages() {}

    public static ArrivalStage of(Database database) {
        return new ChainStage(database);
    }

    /** As the interface over HTTP answers. */
    public static byte[] senders(Database database, String tenant) {
        SenderLedger ledger = new SenderLedger(database, new ChainSettings(Duration.ZERO), new TestClock());
        return new JsonMapper().writeValueAsBytes(ledger.senders(tenant));
    }
}
