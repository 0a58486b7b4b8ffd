package dev.veilgate.gateway.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.database.TestDatabase;
import dev.veilgate.testing.PostgresServer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A PostgreSQL that is restored to an older state under a gateway that runs gets again what it lacks. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class RestoredDatabaseTest {
    @TempDir
    Path folder;

    @Test
    void losesNothingThatWasAcknowledged() throws Exception {
        try (Acknowledged sent = new Acknowledged();
                PostgresServer server = new PostgresServer()) {
            Database database = TestDatabase.create(server);
            try (IngestionLab lab = new IngestionLab(
                    folder, database, Acknowledged.tenant(), UnaryOperator.identity(), Acknowledged.stages(database))) {
                sent.start(lab);
                awaitMore(database);
                server.stop();
                Path older = server.copy();
                server.start();
                awaitMore(database);
                server.stop();
                server.restore(older);
                server.start();
                awaitMore(database);
                sent.stop();
                lab.settle();
                assertThat(lab.applier.timesBehind()).isOne();
                sent.requireAll(lab, database);

                server.stop();
                server.restore(older); // now nothing arrives that would ask for it
                server.start();
                await().until(() -> lab.applier.timesBehind() == 2);
                await().until(() -> lab.applier.databaseTrouble().isEmpty());
                sent.requireAll(lab, database);
            }
        }
    }

    /** In the database. */
    private static void awaitMore(Database database) {
        await().ignoreExceptions().until(() -> mails(database) > 0);
        long before = mails(database);
        await().until(() -> mails(database) > before + 50);
    }

    private static long mails(Database database) {
        return database.jdbc()
                .sql("SELECT COUNT(*) FROM outbound_mail")
                .query(Long.class)
                .single();
    }
}
