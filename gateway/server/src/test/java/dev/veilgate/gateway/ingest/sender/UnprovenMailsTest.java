package dev.veilgate.gateway.ingest.sender;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.application.TestClock;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.database.TestDatabase;
import dev.veilgate.gateway.ingest.sender.UnprovenMails.Kind;
import dev.veilgate.testing.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;

class UnprovenMailsTest {
    private final TestClock clock = new TestClock();

    private static long taken(UnprovenMails mails) {
        return mails.ofLastWeek(Kind.SEALED_TAKEN);
    }

    private static void count(UnprovenMails mails, int times) {
        for (int i = 0; i < times; i++) {
            mails.count(Kind.SEALED_TAKEN);
        }
    }

    private static long rows(Database database) {
        return database.jdbc()
                .sql("SELECT COUNT(*) FROM unproven_sender")
                .query(Long.class)
                .single();
    }

    private void countsOfAWeekAreKept(Database database) {
        UnprovenMails before = new UnprovenMails(database, "one", clock);
        count(before, 3);
        before.count(Kind.PLAIN_REFUSED);
        before.save();
        count(before, 2);
        before.save();
        before.save();
        before.close();
        UnprovenMails after = new UnprovenMails(database, "one", clock);
        assertThat(taken(after)).isEqualTo(5);
        assertThat(after.ofLastWeek(Kind.PLAIN_REFUSED)).isEqualTo(1);
        assertThat(after.ofLastWeek(Kind.PLAIN_TAKEN)).isZero();
        clock.advance(Duration.ofDays(1));
        count(after, 1);
        after.save();
        assertThat(taken(new UnprovenMails(database, "one", clock))).isEqualTo(6);
        clock.advance(Duration.ofDays(6));
        assertThat(taken(after)).isEqualTo(1);
        after.save();
        assertThat(rows(database)).isEqualTo(1);
        clock.advance(Duration.ofDays(1));
        assertThat(taken(after)).isZero();
        after.save();
        assertThat(rows(database)).isZero();
    }

    private void sumsAreOfAllGateways(Database database) {
        UnprovenMails one = new UnprovenMails(database, "one", clock);
        UnprovenMails two = new UnprovenMails(database, "two", clock);
        count(one, 3);
        count(two, 4);
        one.save();
        two.save();
        one.save();
        assertThat(taken(one)).isEqualTo(7);
        assertThat(taken(two)).isEqualTo(7);
        count(two, 1);
        two.save();
        assertThat(taken(two)).isEqualTo(8);
        one.save();
        assertThat(taken(one)).isEqualTo(8);
        assertThat(taken(new UnprovenMails(database, "three", clock))).isEqualTo(8);
    }

    @Test
    void countsOfAWeekAreKept() {
        countsOfAWeekAreKept(TestDatabase.create());
    }

    @Test
    void sumsAreOfAllGateways() {
        sumsAreOfAllGateways(TestDatabase.create());
    }

    @Test
    void postgresCountsAlike() throws Exception {
        try (PostgresServer server = new PostgresServer()) {
            countsOfAWeekAreKept(TestDatabase.create(server));
            sumsAreOfAllGateways(TestDatabase.create(server));
        }
    }

    @Test
    void whatCannotBeWrittenIsWrittenLater() {
        Database database = TestDatabase.create();
        UnprovenMails mails = new UnprovenMails(database, "one", clock);
        count(mails, 2);
        database.jdbc().sql("ALTER TABLE unproven_sender RENAME TO away").update();
        mails.save();
        assertThat(taken(mails)).isEqualTo(2);
        database.jdbc().sql("ALTER TABLE away RENAME TO unproven_sender").update();
        mails.save();
        assertThat(taken(new UnprovenMails(database, "one", clock))).isEqualTo(2);
    }

    /** The first to take a connection gets it when another save is done, or a second is over. */
    private static DataSource holdingFirst(DataSource source, CountDownLatch held, CountDownLatch isOther) {
        AtomicBoolean isFirst = new AtomicBoolean(true);
        return new DelegatingDataSource(source) {
            @Override
            public Connection getConnection() throws SQLException {
                if (isFirst.getAndSet(false)) {
                    held.countDown();
                    try {
                        boolean _ = isOther.await(1, TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                        throw new SQLException(e);
                    }
                }
                return super.getConnection();
            }
        };
    }

    @Test
    void anOlderNumberIsNotWrittenBehindANewerOne() throws Exception {
        Database database = TestDatabase.create();
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch isOther = new CountDownLatch(1);
        CountDownLatch isMade = new CountDownLatch(1);
        UnprovenMails mails = new UnprovenMails(
                new Database(new DelegatingDataSource(database.source()) {
                    private final DataSource holding = holdingFirst(database.source(), held, isOther);

                    @Override
                    public Connection getConnection() throws SQLException {
                        return isMade.getCount() == 0 ? holding.getConnection() : super.getConnection();
                    }
                }),
                "one",
                clock);
        isMade.countDown();
        count(mails, 1);
        Thread scheduled = Thread.ofPlatform().start(mails::save);
        held.await();
        count(mails, 1);
        mails.close();
        isOther.countDown();
        scheduled.join();
        assertThat(taken(new UnprovenMails(database, "one", clock))).isEqualTo(2);
    }
}
