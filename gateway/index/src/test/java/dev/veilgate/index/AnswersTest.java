package dev.veilgate.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.peks.RecordSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AnswersTest {
    private static final int DOCUMENTS = 300_000;
    private static final int THREADS = 3;

    /** Searches that share a trapdoor put the same answers at the same time; none may read that there is no match. */
    @Test
    void whoeverHasPutAMatchFindsItAgain() throws Exception {
        RecordSet records = RecordSet.of(1);
        Answers answers = new Answers(new AnswerCache(1 << 30), DOCUMENTS);
        CyclicBarrier together = new CyclicBarrier(THREADS);
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<Integer>> missed = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                missed.add(threads.submit(() -> {
                    int none = 0;
                    for (int document = 0; document < DOCUMENTS; document++) {
                        if (document % 1000 == 0) {
                            together.await();
                        }
                        RecordSet known = answers.get(document);
                        if (known == null) {
                            answers.put(document, records);
                            known = answers.get(document);
                        }
                        none += known == null || known.isEmpty() ? 1 : 0;
                    }
                    return none;
                }));
            }
            for (Future<Integer> each : missed) {
                assertThat(each.get()).isZero();
            }
        }
    }
}
