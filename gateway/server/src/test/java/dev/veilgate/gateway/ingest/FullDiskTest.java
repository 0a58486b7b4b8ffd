package dev.veilgate.gateway.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.veilgate.application.database.ApplicationDatabase;
import dev.veilgate.application.database.ApplicationDatabase.Location;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.testing.SmallDisk;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The embedded database closes itself when its disk is full, and is older when it is open again. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class FullDiskTest {
    private static final int MEGABYTES = 256;
    private static final int ROUNDS = 3;
    private static final int MOST_ROUNDS = 30;

    @Test
    void losesNothingThatWasAcknowledged() throws Exception {
        try (Acknowledged sent = new Acknowledged();
                SmallDisk disk = new SmallDisk(MEGABYTES)) {
            try (HikariDataSource pool = open(disk)) {
                ApplicationDatabase.migrate(pool);
                Database database = new Database(pool);
                try (IngestionLab lab = lab(disk, database)) {
                    sent.start(lab);
                    for (int round = 0; lab.applier.timesBehind() < ROUNDS; round++) {
                        assertThat(round).as("fillings that did no harm").isLessThan(MOST_ROUNDS);
                        await().until(() -> lab.applier.databaseTrouble().isEmpty()); // of the filling before
                        awaitMore(sent);
                        disk.fill();
                        leaveUntilItHurts(lab);
                        disk.free();
                    }
                    awaitMore(sent);
                    sent.stop();
                    lab.settle();
                    await().until(() -> lab.applier.trouble().isEmpty());
                    assertThat(lab.applier.databaseTrouble()).isEmpty();
                    await().until(() -> lab.journal.start() > 0); // it goes as always, but not too far
                    sent.requireAll(lab, database);
                }
            }
            try (HikariDataSource pool = open(disk)) {
                Database database = new Database(pool);
                try (IngestionLab lab = lab(disk, database)) {
                    sent.requireAll(lab, database);
                }
            }
        }
    }

    private static void awaitMore(Acknowledged sent) {
        int before = sent.count();
        await().until(() -> sent.count() > before + 100);
    }

    private static HikariDataSource open(SmallDisk disk) throws Exception {
        return ApplicationDatabase.open(new Location(null, null, null), disk.folder(), "gateway", 5);
    }

    private static IngestionLab lab(SmallDisk disk, Database database) throws Exception {
        return new IngestionLab(
                disk.folder(),
                database,
                Acknowledged.tenant(),
                UnaryOperator.identity(),
                Acknowledged.stages(database),
                1);
    }

    /**
     * Until the database fails and goes on failing, some seconds at most: not each filling closes it. A moment's
     * trouble is none, for the applier notes how far it is after the database does.
     */
    private static void leaveUntilItHurts(IngestionLab lab) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(8);
        int failures = 0;
        while (failures < 20 && System.nanoTime() < end) {
            failures = lab.applier.databaseTrouble().isEmpty() ? 0 : failures + 1;
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }
}
