package dev.veilgate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.agent.follow.Lane;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.sender.IdentityFile;
import dev.veilgate.sender.KeptBundle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines that waited for a bundle while one epoch ended and the next began. */
class EngineSealerTest {
    private static final EpochPolicy EPOCHS = EpochPolicy.MONTHLY;
    private static final Instant END =
            EPOCHS.at(Instant.now().plus(Duration.ofDays(35))).from();
    private static final Instant SEALED = END.plus(Duration.ofHours(2));

    @TempDir
    private Path folder;

    /** Names of the epochs of the blocks. */
    private List<String> epochs(Instant bundleMade, Instant read) throws Exception {
        TestTenant.Sender files =
                TestTenant.files(Files.createTempDirectory(folder, "sender"), bundleMade, Duration.ofDays(60));
        Clock clock = Clock.fixed(SEALED, ZoneOffset.UTC);
        byte[] line = "ERROR the press overheated".getBytes(StandardCharsets.UTF_8);
        var content = new BatchSealer.Content(
                new Lane("plant", "text/plain", "auto"),
                "text/plain",
                List.of(line),
                read,
                read,
                List.of(),
                0,
                List.of(),
                false);
        try (SigningKey identity = IdentityFile.read(files.identity());
                EngineSealer sealer = new EngineSealer(
                        new BundleFile(KeptBundle.ofFile(files.bundle()), files.authority(), 0), identity, clock)) {
            Envelope sealed =
                    Envelope.decode(sealer.seal(content, ChainPosition.first()).bytes());
            return sealed.index().stream().map(IndexBlock::epoch).distinct().toList();
        }
    }

    @Test
    void areSealedForTheEpochOfTheSealing() throws Exception {
        String present = EPOCHS.at(SEALED).name();
        assertThat(epochs(END.minus(Duration.ofDays(1)), END.minus(Duration.ofHours(3))))
                .containsExactly(present);
        assertThat(epochs(END.plus(Duration.ofHours(1)), END.minus(Duration.ofHours(3))))
                .as("a bundle that has the former epoch no more")
                .containsExactly(present);
    }

    @Test
    void areSealedForTheirOwnEpochIfTheyWaitedLongerThanSearchesOfTheirTimeReach() throws Exception {
        Instant read = SEALED.minus(Duration.ofDays(30)).minusSeconds(1);
        assertThat(epochs(read, read)).containsExactly(EPOCHS.at(read).name());
    }
}
