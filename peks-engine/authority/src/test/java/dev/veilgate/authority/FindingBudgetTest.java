package dev.veilgate.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.authority.KeyFolder.Access;
import dev.veilgate.encoding.MalformedEncodingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Findings are counted for ever by sender and by day for all, in a file, until a keeper says that they were seen. */
class FindingBudgetTest {
    private static final Instant NOW = Instant.parse("2026-11-21T23:30:00Z");

    @TempDir
    private Path folder;

    private FindingBudget at(Instant now) throws IOException, MalformedEncodingException {
        return FindingBudget.open(folder, Clock.fixed(now, ZoneOffset.UTC));
    }

    private static void count(FindingBudget budget, String sender, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            budget.count(sender);
        }
    }

    @Test
    void aSenderIsStoppedAfter16FindingsAndNoOther() throws Exception {
        FindingBudget budget = at(NOW);
        count(budget, "press-4", 15);
        assertThat(budget.allows("press-4")).isTrue();
        assertThat(budget.stopped()).isEmpty();
        budget.count("press-4");
        assertThat(budget.allows("press-4")).isFalse();
        assertThat(budget.allows("press-5")).isTrue();
        assertThat(budget.stopped()).containsExactly("press-4");
        assertThatThrownBy(() -> budget.count("press-4")).isInstanceOf(IllegalStateException.class);
        assertThat(budget.findings()).isEqualTo(Map.of("press-4", 16));
    }

    @Test
    void neitherTimeNorARestartGivesASenderFindingsBack() throws Exception {
        count(at(NOW), "press-4", 10);
        count(at(NOW.plus(Duration.ofDays(400))), "press-4", 6);
        assertThat(at(NOW.plus(Duration.ofDays(4000))).allows("press-4")).isFalse();
        at(NOW).allow("press-4");
        FindingBudget allowed = at(NOW);
        assertThat(allowed.allows("press-4")).isTrue();
        assertThat(allowed.findings()).isEmpty();
    }

    @Test
    void everybodyIsStoppedAfter256FindingsInADayUntilAKeeperSaysSo() throws Exception {
        FindingBudget budget = at(NOW);
        for (int sender = 0; sender < 16; sender++) {
            count(budget, "press-" + sender, sender < 15 ? 16 : 15);
        }
        assertThat(budget.allows("other")).isTrue();
        budget.count("last");
        assertThat(budget.allows("other")).isFalse();
        assertThat(budget.isDayUsedUp()).isTrue();
        FindingBudget later = at(NOW.plus(Duration.ofDays(3)));
        assertThat(later.allows("other")).isFalse();
        later.allow("press-3"); // one sender, and not the day
        assertThat(later.allows("press-3")).isFalse();
        later.allowDay();
        assertThat(later.isDayUsedUp()).isFalse();
        assertThat(later.allows("press-3")).isTrue();
        assertThat(later.allows("press-4")).isFalse();
    }

    @Test
    void aDayBeginsAtMidnightAndNotByAClockThatGoesBack() throws Exception {
        for (int sender = 0; sender < 15; sender++) {
            count(at(NOW), "press-" + sender, 16);
        }
        count(at(NOW.minus(Duration.ofDays(1))), "back", 15);
        assertThat(at(NOW).allows("other")).isTrue();
        at(NOW.minus(Duration.ofDays(1))).count("other");
        assertThat(at(NOW).allows("other")).isFalse();
        at(NOW).allowDay();
        for (int sender = 100; sender < 115; sender++) {
            count(at(NOW), "press-" + sender, 16);
        }
        Instant nextDay = NOW.plus(Duration.ofHours(1));
        count(at(nextDay), "next", 16);
        assertThat(at(nextDay).allows("other")).isTrue();
    }

    @Test
    void aDamagedFileIsRefused() throws Exception {
        FindingBudget budget = at(NOW);
        budget.count("press-4");
        Path file = folder.resolve(FindingBudget.FILE);
        byte[] good = Files.readAllBytes(file);
        for (int at : new int[] {0, 9, 11}) { // version, findings of the day, those of the sender
            byte[] changed = good.clone();
            changed[at] = 100;
            Files.write(file, changed);
            assertThatThrownBy(() -> at(NOW)).isInstanceOf(MalformedEncodingException.class);
        }
        Files.write(file, Arrays.copyOf(good, good.length - 1));
        assertThatThrownBy(() -> at(NOW)).isInstanceOf(MalformedEncodingException.class);
    }

    /** A process that only reads the folder would count beside the one that changes it. */
    @Test
    void aFolderThatIsReadHasNone(@TempDir Path temporary) throws Exception {
        Path keys = SealedWord.keys(temporary);
        try (KeyFolder change = SealedWord.open(keys, Access.CHANGE)) {
            change.findingBudget(Clock.systemUTC()).count("press-4");
        }
        try (KeyFolder change = SealedWord.open(keys, Access.CHANGE)) {
            assertThat(change.findingBudget(Clock.systemUTC()).findings()).containsEntry("press-4", 1);
        }
        try (KeyFolder read = SealedWord.open(keys, Access.READ)) {
            assertThatThrownBy(() -> read.findingBudget(Clock.systemUTC())).isInstanceOf(IllegalStateException.class);
        }
    }
}
