package dev.veilgate.agent.spool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.CborWriter;
import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.LossReport;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgentStateTest {
    private static final Instant TIME = Instant.parse("2026-11-23T12:00:00Z");

    @Test
    void comesBackAsItWas() throws Exception {
        List<LossReport> loss = List.of(new LossReport("spool-full", 3, 40, TIME, TIME));
        AgentState state =
                new AgentState(9, new ChainPosition(4, new byte[32]), new byte[] {1, 2}, 8, loss, TIME, 3, 2, 1, 5);
        AgentState read = AgentState.decode(state.encode());
        assertThat(read).usingRecursiveComparison().isEqualTo(state);
    }

    @Test
    void readsAStateOfTheVersionBefore() throws Exception {
        byte[] old = new CborWriter(256)
                .array(11)
                .integer(1)
                .integer(9)
                .integer(4)
                .bytes(new byte[32])
                .bytes(new byte[] {1, 2})
                .array(0)
                .integer(TIME.toEpochMilli())
                .integer(3)
                .integer(2)
                .integer(1)
                .integer(5)
                .toByteArray();
        AgentState state = AgentState.decode(old);
        assertThat(state.base()).isZero();
        assertThat(state.positions()).containsExactly(1, 2);
        assertThat(state.dropped()).isEqualTo(5);
    }
}
