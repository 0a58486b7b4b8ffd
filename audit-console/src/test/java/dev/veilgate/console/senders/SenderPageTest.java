package dev.veilgate.console.senders;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pages of 10,000 senders. */
class SenderPageTest {
    private static final int ALL = 10_000;

    private final List<Sender> senders = new ArrayList<>();

    SenderPageTest() {
        for (int i = 0; i < ALL; i++) {
            Instant heard = i % 10 == 0 ? null : Instant.ofEpochSecond(1_700_000_000L + (i * 7919L) % ALL);
            String state = heard == null ? "unknown" : i % 3 == 0 ? "gaps" : "complete";
            senders.add(new Sender(
                    String.format("Press-%05d", i), true, "SHA256:ab" + i, heard, 1L, state, List.of(), null));
        }
    }

    private SenderPage page(String text, String state, String order, int from, int count) {
        return SenderPage.of(senders, new SenderPage.Wanted(text, state, order, from, count), true);
    }

    @Test
    void pagesHaveEachSenderOnce() {
        Set<String> seen = new HashSet<>();
        for (int from = 0; from < ALL; from += 200) {
            SenderPage page = page("", "", "heard", from, 200);
            assertThat(page.senders()).hasSize(200);
            page.senders().forEach(sender -> seen.add(sender.name()));
        }
        assertThat(seen).hasSize(ALL);
        assertThat(page("", "", "name", ALL, 50).senders()).isEmpty();
        assertThat(page("", "", "name", Integer.MAX_VALUE, 50).senders()).isEmpty();
    }

    @Test
    void theyAreFoundByPartsOfNameAndFingerprintAndByState() {
        assertThat(page(" pRESS-0123 ", "", "name", 0, 50).found()).isEqualTo(10);
        assertThat(page("AB9999", "", "name", 0, 50).senders())
                .extracting(Sender::name)
                .containsExactly("Press-09999");
        SenderPage unknown = page("", "unknown", "name", 0, 50);
        assertThat(unknown.found()).isEqualTo(1_000);
        assertThat(unknown.states()).containsEntry("unknown", 1_000).hasSize(3);
        assertThat(unknown.total()).isEqualTo(ALL);
    }

    @Test
    void thoseThatWereNeverHeardOfAreBeforeThoseThatWereLongAgo() {
        List<Sender> first = page("", "", "heard", 999, 3).senders();
        assertThat(first.get(0).lastSeen()).isNull();
        assertThat(first.get(1).lastSeen()).isBefore(first.get(2).lastSeen());
    }
}
