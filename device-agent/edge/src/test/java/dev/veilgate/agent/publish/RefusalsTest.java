package dev.veilgate.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which refusals are for good; times are in nanoseconds. */
class RefusalsTest {
    private static final int OF_ITS_IMPLEMENTATION = 0x83;
    private static final int NOT_AUTHORIZED = 0x87;

    private final Refusals refusals = new Refusals(Duration.ofNanos(100));

    private List<Long> lasting(long now) {
        return refusals.lasting(now).stream().map(RefusedEnvelope::sequence).toList();
    }

    @Test
    void givesUpOneOfContentAfterAWhileAndTheNextAtOnce() {
        refusals.refused(5, OF_ITS_IMPLEMENTATION, "future", 0);
        assertThat(lasting(99)).isEmpty();
        refusals.refused(5, OF_ITS_IMPLEMENTATION, "future", 99);
        assertThat(lasting(100)).containsExactly(5L);
        assertThat(lasting(101)).isEmpty();
        refusals.refused(6, OF_ITS_IMPLEMENTATION, "future", 102);
        assertThat(lasting(103)).containsExactly(6L);
        refusals.taken(7, 104);
        refusals.refused(8, OF_ITS_IMPLEMENTATION, "future", 105);
        assertThat(lasting(106)).isEmpty();
    }

    @Test
    void keepsWhatIsTakenAfterAll() {
        refusals.refused(5, OF_ITS_IMPLEMENTATION, "future", 0);
        refusals.taken(5, 50);
        assertThat(lasting(1000)).isEmpty();
    }

    @Test
    void neverGivesUpWhatMayBeTakenLater() {
        for (int code : new int[] {0x10, 0x80, 0x88, 0x89, 0x97}) {
            refusals.refused(code, code, "later", 0);
        }
        refusals.taken(1000, 1);
        assertThat(lasting(1_000_000)).isEmpty();
    }

    @Test
    void givesUpOneWithoutRightsOnlyIfALaterOneIsTakenBeforeItIsRefusedAgain() {
        refusals.refused(5, NOT_AUTHORIZED, "not registered", 0);
        refusals.taken(4, 1);
        assertThat(lasting(1000)).isEmpty();
        assertThat(refusals.wantsProbe(1000)).isTrue();
        refusals.taken(9, 1001);
        assertThat(lasting(1002)).as("it may be taken by now").isEmpty();
        refusals.refused(5, NOT_AUTHORIZED, "key not in the bundle", 1003);
        assertThat(refusals.lasting(1004)).containsExactly(new RefusedEnvelope(5, "key not in the bundle"));
        assertThat(refusals.wantsProbe(1005)).isFalse();
    }
}
