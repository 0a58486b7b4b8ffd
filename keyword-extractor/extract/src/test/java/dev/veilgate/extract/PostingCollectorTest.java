package dev.veilgate.extract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.Posting;
import java.util.List;
import org.junit.jupiter.api.Test;

class PostingCollectorTest {
    private final Keyword disk = Keyword.text("word", "disk");
    private final Keyword full = Keyword.text("word", "full");

    @Test
    void collectsEachKeywordOnceAndStartsAgain() {
        PostingCollector collector = new PostingCollector();
        collector.add(0, List.of(disk, full, disk));
        collector.add(255, List.of(Keyword.text("word", "disk")));
        collector.add(64, disk);
        assertThat(collector.size()).isEqualTo(2);
        assertThat(collector.finish()).containsExactly(Posting.of(disk, 0, 64, 255), Posting.of(full, 0));
        collector.add(1, full);
        assertThat(collector.finish()).containsExactly(Posting.of(full, 1));
        assertThat(collector.finish()).isEmpty();
    }

    @Test
    void refusesOrdinalsOutOfRange() {
        PostingCollector collector = new PostingCollector();
        assertThatThrownBy(() -> collector.add(256, disk)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> collector.add(-1, disk)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Words of one hash, of which a sender can make as many as it likes. */
    @Test
    void collidingWordsAreNoSlowPath() {
        PostingCollector collector = new PostingCollector();
        for (int i = 0; i < 1 << 16; i++) {
            StringBuilder word = new StringBuilder();
            for (int bit = 0; bit < 16; bit++) {
                word.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            collector.add(i & 255, Keyword.text("word", word.toString()));
        }
        assertThat(collector.finish()).hasSize(1 << 16);
    }
}
