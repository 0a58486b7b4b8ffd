package dev.veilgate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeapTrimTest {
    private long used = 10;
    private long live = 10;
    private int collections;

    private final HeapTrim trim = new HeapTrim(
            () -> used,
            () -> {
                collections++;
                used = live;
            },
            20);

    @Test
    void collectsWhenMuchCameAndNotBefore() {
        for (int round = 1; round <= 5; round++) {
            used = 30;
            trim.look();
            assertThat(collections).isEqualTo(round - 1);
            used = 31;
            trim.look();
            assertThat(collections).isEqualTo(round);
            assertThat(used).isEqualTo(10);
        }
    }

    @Test
    void whatIsKeptDoesNotMakeItCollectAgainAndAgain() {
        live = 60;
        used = 61;
        trim.look();
        trim.look();
        used = 80;
        trim.look();
        assertThat(collections).isOne();
    }

    @Test
    void whatTheRuntimeCollectsItselfCounts() {
        used = 25;
        trim.look();
        used = 5; // less than at the start
        trim.look();
        used = 26;
        trim.look();
        assertThat(collections).isOne();
    }
}
