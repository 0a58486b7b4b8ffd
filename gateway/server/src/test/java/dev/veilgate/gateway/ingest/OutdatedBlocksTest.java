package dev.veilgate.gateway.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.peks.IndexSchemes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.unit.DataSize;

class OutdatedBlocksTest {
    private static final Instant START = Instant.parse("2026-12-01T00:00:00Z");
    private static final String FILE = "index-form-3-since";

    @TempDir
    private Path folder;

    private OutdatedBlocks at(Instant now, Duration taken) throws IOException {
        return OutdatedBlocks.of(folder, taken, IndexSchemes.load(), Clock.fixed(now, ZoneOffset.UTC));
    }

    @Test
    void countsFromTheFirstStart() throws Exception {
        assertThat(at(START, Duration.ofDays(30)).areTaken(START)).isTrue();
        Instant later = START.plus(Duration.ofDays(29));
        assertThat(at(later, Duration.ofDays(30)).until()).isEqualTo(START.plus(Duration.ofDays(30)));
        assertThat(at(later, Duration.ofDays(29)).areTaken(later)).isFalse();
        assertThat(at(later, Duration.ZERO).areTaken(START)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yesterday", "2026-12-01", "+1000000000-12-31T23:59:59Z"})
    void doesNotStartWithoutATimeThatItCanCountFrom(String text) throws Exception {
        Files.writeString(folder.resolve(FILE), text);
        assertThatThrownBy(() -> at(START, Duration.ofDays(30)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(FILE);
    }

    @Test
    void doesNotStartWithAFolderInPlaceOfTheTime() throws Exception {
        Files.createDirectory(folder.resolve(FILE));
        assertThatThrownBy(() -> at(START, Duration.ofDays(30))).isInstanceOf(IOException.class);
    }

    /** A time that no calendar has would fail at each arrival instead. */
    @Test
    void isForAHundredYearsAtMost() {
        assertThat(settings(Duration.ofDays(36_500)).outdatedFor()).isEqualTo(Duration.ofDays(36_500));
        for (Duration wrong : new Duration[] {Duration.ofDays(36_501), Duration.ofDays(400_000_000_000L)}) {
            assertThatThrownBy(() -> settings(wrong)).hasMessageContaining("outdated-for");
        }
        assertThatThrownBy(() -> settings(Duration.ofSeconds(-1))).hasMessageContaining("outdated-for");
    }

    private static IngestSettings settings(Duration outdatedFor) {
        return new IngestSettings(
                DataSize.ofMegabytes(1),
                4,
                Duration.ofHours(1),
                10,
                DataSize.ofGigabytes(1),
                DataSize.ofMegabytes(1),
                DataSize.ofGigabytes(1),
                DataSize.ofMegabytes(1),
                Duration.ofMinutes(5),
                outdatedFor);
    }
}
