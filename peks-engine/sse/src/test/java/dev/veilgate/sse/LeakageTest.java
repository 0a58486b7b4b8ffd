package dev.veilgate.sse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A server sees what the leakage of its scheme says, and no more: all that it is told has the shape of what a simulator
 * says that is given the leakage only. For schemes whose messages are numbers, arrays and bytes.
 *
 * @param <L> the leakage of one operation
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class LeakageTest<L> {
    private static final int WORDS = 12;

    private final TestSeed seed = TestSeed.of(getClass());

    /** An operation of an owner. */
    public sealed interface Operation {
        record Add(Document document) implements Operation {}

        record Delete(Document document) implements Operation {}

        record Search(SseExpression question) implements Operation {}
    }

    /** The scheme under test. */
    protected abstract SseScheme scheme();

    /** Parameters of the scheme under test. */
    protected Parameters parameters() throws RefusedException {
        return Parameters.of(scheme(), Map.of());
    }

    /** The leakage of each operation of a history. */
    protected abstract List<L> leakage(List<Operation> history);

    /** All messages and answers, from the leakage alone. */
    protected abstract List<byte[]> simulate(List<L> leakage, SplittableRandom random);

    /**
     * The same of schemes whose messages show coins of the owner, on which their lengths depend: leaves of a path ORAM,
     * an order by pseudorandom labels. The simulator may take these from what the server saw, and nothing else; that
     * they are coins is tested apart.
     */
    protected List<byte[]> simulate(List<L> leakage, List<byte[]> seen, SplittableRandom random) {
        return simulate(leakage, random);
    }

    /** A history of random operations on few words, so that they meet again and again. */
    protected List<Operation> history(SplittableRandom random) throws RefusedException {
        Capabilities capabilities = scheme().capabilities(parameters());
        List<Operation> history = new ArrayList<>();
        Map<DocumentId, Document> live = new HashMap<>();
        for (int i = 0; i < 120; i++) {
            int what = random.nextInt(8);
            if (what < 3) {
                List<Keyword> words = new ArrayList<>();
                int count = random.nextInt(5);
                for (int j = 0; j < count; j++) {
                    words.add(word(random));
                }
                Document document = Document.of(new DocumentId(random.nextLong()), words);
                live.put(document.id(), document);
                history.add(new Operation.Add(document));
            } else if (what < 4 && capabilities.deletion() != Capabilities.Deletion.NONE && !live.isEmpty()) {
                Document document = live.values().iterator().next();
                live.remove(document.id());
                history.add(new Operation.Delete(document));
            } else {
                history.add(new Operation.Search(new SseExpression.Word(word(random))));
            }
        }
        return history;
    }

    /** A word of the histories. */
    protected static Keyword word(SplittableRandom random) {
        return Keyword.text("subject", "word" + random.nextInt(WORDS));
    }

    /** The shape of what a server saw of a history. */
    protected List<String> shape(List<Operation> history, SecureRandom random) throws Exception {
        return shape(messages(history, random));
    }

    /** The shape of messages. */
    protected List<String> shape(List<byte[]> messages) throws IOException {
        Transcript transcript = new Transcript();
        try {
            normal(messages).forEach(transcript::add);
        } catch (MalformedEncodingException e) {
            throw new IOException(e);
        }
        return transcript.shape();
    }

    /** All that a server saw and said in a history. */
    protected List<byte[]> messages(List<Operation> history, SecureRandom random) throws Exception {
        TestArchive archive = new TestArchive(scheme(), parameters(), random);
        for (Operation operation : history) {
            switch (operation) {
                case Operation.Add add -> archive.add(add.document());
                case Operation.Delete delete -> archive.delete(delete.document());
                case Operation.Search search -> archive.search(search.question());
            }
        }
        return archive.transcript.messages();
    }

    /** Messages without what is random in more than its bytes, for a scheme that has such. */
    protected List<byte[]> normal(List<byte[]> messages) throws MalformedEncodingException {
        return messages;
    }

    /** The shape of what a simulator says. */
    protected List<String> simulated(List<Operation> history, String use) throws Exception {
        return simulated(history, List.of(), use);
    }

    /** The shape of what a simulator says that may see the owner's coins. */
    protected List<String> simulated(List<Operation> history, List<byte[]> seen, String use) throws Exception {
        return shape(simulate(leakage(history), seen, seed.random("simulator " + use)));
    }

    @Test
    void messagesHaveTheShapeThatASimulatorGivesThemFromTheLeakage() throws Exception {
        for (int round = 0; round < 5; round++) {
            List<Operation> history = history(seed.random("history " + round));
            List<byte[]> seen = messages(history, new ReplayableRandom(seed.coins("run " + round)));
            assertThat(shape(seen)).containsExactlyElementsOf(simulated(history, seen, "run " + round));
        }
    }
}
