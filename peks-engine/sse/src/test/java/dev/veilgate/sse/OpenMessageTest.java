package dev.veilgate.sse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class OpenMessageTest {
    private final MemoryCells cells = new MemoryCells();

    private void save(OpenMessage message) throws RefusedException {
        cells.<Done, RefusedException>transact(in -> {
            message.save(in);
            return Done.DONE;
        });
    }

    /** A search of Aura with a large filter, and its end where nearly all that is found is found by its tag. */
    @Test
    void messagesAreSavedThatNoCellHasRoomFor() throws Exception {
        byte[] message = new byte[CellStore.MAX_VALUE_BYTES + 1];
        new SplittableRandom(1).nextBytes(message);
        save(new OpenMessage(new byte[] {1, 2}, message));
        OpenMessage read = cells.transact(OpenMessage::read).orElseThrow();
        assertThat(read.search()).containsExactly(1, 2);
        assertThat(Arrays.equals(read.message(), message)).isTrue();
        save(OpenMessage.of(new byte[] {3}));
        assertThat(cells.transact(OpenMessage::read).orElseThrow().message()).containsExactly(3);
        cells.<Done, RuntimeException>transact(in -> {
            OpenMessage.clear(in);
            return Done.DONE;
        });
        assertThat(cells.transact(OpenMessage::read)).isEmpty();
        assertThat(cells.<Long, RuntimeException>transact(in -> in.count("open")))
                .isZero();
    }
}
