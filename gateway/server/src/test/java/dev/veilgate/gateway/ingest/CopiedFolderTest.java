package dev.veilgate.gateway.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.database.TestDatabase;
import dev.veilgate.gateway.deliver.OutboundQueues;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two gateways on copies of one data folder have one position in the database that they share, which is neither's. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class CopiedFolderTest {
    @TempDir
    Path folder;

    private final Database database = TestDatabase.create();

    private IngestionLab open(String copy) throws Exception {
        return new IngestionLab(
                folder.resolve(copy),
                database,
                Acknowledged.tenant(),
                UnaryOperator.identity(),
                List.of(new MailStage(
                        database, OutboundQueues.of(database), (tenant, id) -> Optional.empty(), Clock.systemUTC())));
    }

    private static void mail(IngestionLab lab, String from) {
        lab.mail(from, List.of("ada@example.org"), "Subject: x\r\n\r\nx\r\n".getBytes(StandardCharsets.US_ASCII))
                .join();
    }

    private List<String> queued() {
        return database.jdbc()
                .sql("SELECT reverse_path FROM outbound_mail")
                .query(String.class)
                .list();
    }

    /** The positions are the same, as if the second one's commit had only seemed to fail. */
    @Test
    void saysSoInsteadOfPassingOverWhatItTook() throws Exception {
        try (IngestionLab other = open("other")) {
            try (IngestionLab one = open("one")) {
                mail(one, "a@example.org");
                one.settle();
                mail(other, "b@example.org");
                await().until(() -> other.applier.trouble().isPresent());
                assertThat(queued()).containsExactly("a@example.org");
                assertThat(other.applier.backlogBytes()).isPositive();
                assertThat(other.applier.databaseTrouble()).isPresent();
                assertThat(other.setAside.count()).isZero();
                assertThat(one.applier.trouble()).isEmpty();
            }
            // nothing of it is lost: it goes on where its own position is put back
            database.jdbc().sql("UPDATE journal_position SET position = 0").update();
            other.settle();
            assertThat(queued()).containsExactlyInAnyOrder("a@example.org", "b@example.org");
        }
    }
}
