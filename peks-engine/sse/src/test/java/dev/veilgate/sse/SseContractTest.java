package dev.veilgate.sse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Tests that every scheme passes: it finds what a plain model finds, says what it cannot do, and survives crashes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class SseContractTest {
    private static final String[] FIELDS = {"subject", "from"};
    private static final String[] WORDS = {
        "owl", "owls", "owlet", "hoot", "hooting", "root", "ada", "adam", "a", "münchen", "7", "x-ray", "zebra"
    };

    private final TestSeed seed = TestSeed.of(getClass());

    /** The scheme under test. */
    protected abstract SseScheme scheme();

    /** Parameters of the scheme under test. */
    protected Parameters parameters() throws RefusedException {
        return Parameters.of(scheme(), Map.of());
    }

    private Capabilities capabilities() throws RefusedException {
        return scheme().capabilities(parameters());
    }

    private TestArchive archive(String use) throws Exception {
        return new TestArchive(scheme(), parameters(), new ReplayableRandom(seed.coins(use)));
    }

    private static Keyword word(SplittableRandom random) {
        return Keyword.text(FIELDS[random.nextInt(FIELDS.length)], WORDS[random.nextInt(WORDS.length)]);
    }

    private static Document document(long id, SplittableRandom random) {
        TreeMap<Keyword, Integer> words = new TreeMap<>();
        int count = random.nextInt(6);
        for (int i = 0; i < count; i++) {
            words.put(word(random), 1 + random.nextInt(4));
        }
        return new Document(new DocumentId(id), words);
    }

    private SseExpression question(SplittableRandom random) throws RefusedException {
        List<Ask> asks = List.copyOf(new TreeSet<>(capabilities().ask()));
        Ask ask = asks.get(random.nextInt(asks.size()));
        return switch (ask) {
            case WORD -> new SseExpression.Word(word(random));
            case PREFIX -> {
                Keyword whole = word(random);
                String value = whole.value();
                yield new SseExpression.Prefix(
                        Keyword.text(whole.field(), value.substring(0, 1 + random.nextInt(value.length()))));
            }
            case PATTERN -> {
                Keyword whole = word(random);
                String value = whole.value();
                String front = value.substring(0, random.nextInt(value.length() + 1));
                String end = value.substring(front.isEmpty() ? random.nextInt(value.length()) : value.length() - 1);
                yield new SseExpression.Pattern(whole.field(), front, end);
            }
            case ALL_OF ->
                new SseExpression.AllOf(
                        List.of(new SseExpression.Word(word(random)), new SseExpression.Word(word(random))));
            case BEST -> new SseExpression.Best(List.of(word(random), word(random)), 1 + random.nextInt(4));
        };
    }

    /** Compares an answer with that of the plain model. */
    protected void check(SseExpression question, Hits hits, PlainModel model) throws RefusedException {
        assertThat(hits.findings()).isEmpty();
        if (question instanceof SseExpression.Best best) {
            Map<DocumentId, Double> scores = model.scores(best);
            List<Double> expected = scores.values().stream()
                    .sorted((a, b) -> Double.compare(b, a))
                    .limit(best.most())
                    .toList();
            assertThat(hits.documents()).hasSize(expected.size());
            for (int i = 0; i < expected.size(); i++) {
                Hits.Hit hit = hits.documents().get(i);
                assertThat(hit.score()).isEqualTo(expected.get(i), within(1e-9));
                assertThat(hit.score()).isEqualTo(scores.get(hit.id()), within(1e-9));
            }
            return;
        }
        SortedSet<DocumentId> expected = model.search(question);
        switch (capabilities().exactness()) {
            case EXACT -> assertThat(hits.ids()).containsExactlyElementsOf(expected);
            case FALSE_HITS -> assertThat(hits.ids()).containsAll(expected).isSorted();
            case LOSES -> assertThat(expected).containsAll(hits.ids());
        }
    }

    @Test
    void findsWhatAPlainModelFinds() throws Exception {
        SplittableRandom random = seed.random("operations");
        for (int round = 0; round < 3; round++) {
            TestArchive archive = archive("operations " + round);
            PlainModel model = new PlainModel();
            long next = 0;
            for (int i = 0; i < 250; i++) {
                int what = random.nextInt(10);
                if (what < 3 && canAdd(model)) {
                    Document document = document(next++, random);
                    archive.add(document);
                    model.add(document);
                } else if (what < 4 && canDelete() && !model.documents().isEmpty()) {
                    List<Document> all = List.copyOf(model.documents().values());
                    Document document = all.get(random.nextInt(all.size()));
                    archive.delete(document);
                    model.delete(document.id());
                } else if (what < 5) {
                    archive.reopen();
                } else {
                    SseExpression question = question(random);
                    check(question, archive.search(question), model);
                }
            }
        }
    }

    private boolean canDelete() throws RefusedException {
        return capabilities().deletion() != Capabilities.Deletion.NONE;
    }

    /** For a scheme with a bound on what it holds. */
    protected boolean canAdd(PlainModel model) {
        return true;
    }

    @Test
    void addsSeveralDocumentsAtOnce() throws Exception {
        SplittableRandom random = seed.random("batch");
        TestArchive archive = archive("batch");
        PlainModel model = new PlainModel();
        List<Document> batch = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            batch.add(document(i, random));
        }
        archive.channel().run(archive.owner.add(batch));
        batch.forEach(model::add);
        for (int i = 0; i < 40; i++) {
            SseExpression question = question(random);
            check(question, archive.search(question), model);
        }
    }

    @Test
    void findsNothingInAnEmptyArchive() throws Exception {
        SplittableRandom random = seed.random("empty");
        TestArchive archive = archive("empty");
        for (int i = 0; i < 10; i++) {
            assertThat(archive.search(question(random)).documents()).isEmpty();
        }
    }

    @Test
    void idsOfAllBitsAreFound() throws Exception {
        TestArchive archive = archive("ids");
        Keyword owl = Keyword.text("subject", "owl");
        long[] ids = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0x0102030405060708L};
        for (long id : ids) {
            archive.add(Document.of(new DocumentId(id), List.of(owl)));
        }
        if (capabilities().ask().contains(Ask.WORD)) {
            assertThat(archive.search(new SseExpression.Word(owl)).ids()).hasSize(ids.length);
        }
    }

    @Test
    void refusesQuestionsThatItCannotAnswer() throws Exception {
        TestArchive archive = archive("refused");
        Keyword owl = Keyword.text("subject", "owl");
        List<SseExpression> all = List.of(
                new SseExpression.Word(owl),
                new SseExpression.Prefix(owl),
                new SseExpression.Pattern("subject", "o", "l"),
                new SseExpression.AllOf(List.of(new SseExpression.Word(owl))),
                new SseExpression.Best(List.of(owl), 3));
        for (SseExpression question : all) {
            if (!capabilities().ask().contains(question.ask())) {
                assertThatThrownBy(() -> archive.search(question))
                        .isInstanceOf(RefusedException.class)
                        .hasMessageContaining(scheme().id())
                        .hasMessageNotContaining("owl");
            }
        }
        if (!canDelete()) {
            Document document = Document.of(new DocumentId(1), List.of(owl));
            archive.add(document);
            assertThatThrownBy(() -> archive.delete(document)).isInstanceOf(RefusedException.class);
        }
        assertThat(archive.transcript.turns())
                .isLessThanOrEqualTo(capabilities().turns().add());
    }

    @Test
    void takesAsManyTurnsAsItSays() throws Exception {
        TestArchive archive = archive("turns");
        Keyword owl = Keyword.text("subject", "owl");
        Document document = Document.of(new DocumentId(1), List.of(owl, Keyword.text("subject", "owls")));
        checkTurns(
                turnsOf(archive, () -> archive.add(document)),
                capabilities().turns().add(),
                document);
        SseExpression question = capabilities().ask().contains(Ask.WORD)
                ? new SseExpression.Word(owl)
                : new SseExpression.Pattern("subject", "ow", "l");
        assertThat(turnsOf(archive, () -> archive.search(question)))
                .isEqualTo(capabilities().turns().search());
        assertThat(turnsOf(archive, () -> archive.search(question)))
                .isPositive()
                .isLessThanOrEqualTo(capabilities().turns().search());
        if (canDelete()) {
            checkTurns(
                    turnsOf(archive, () -> archive.delete(document)),
                    capabilities().turns().delete(),
                    document);
        }
    }

    private void checkTurns(long taken, int said, Document document) throws RefusedException {
        if (capabilities().turns().perPair()) {
            assertThat(taken).isBetween(1L, (long) said * document.words().size());
        } else {
            assertThat(taken).isEqualTo(said);
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    private static long turnsOf(TestArchive archive, Step step) throws Exception {
        long before = archive.transcript.turns();
        step.run();
        return archive.transcript.turns() - before;
    }

    @Test
    void anotherKeyFindsNothing() throws Exception {
        SplittableRandom random = seed.random("key");
        TestArchive archive = archive("key");
        for (int i = 0; i < 20; i++) {
            archive.add(document(i, random));
        }
        ReplayableRandom coins = new ReplayableRandom(seed.coins("other key"));
        SseOwner other = scheme().owner(ArchiveKey.random(coins), new MemoryCells(), parameters(), coins);
        if (capabilities().exactness() != Capabilities.Exactness.FALSE_HITS) {
            for (int i = 0; i < 10; i++) {
                try {
                    assertThat(archive.channel()
                                    .run(other.search(question(random)))
                                    .documents())
                            .isEmpty();
                } catch (OutdatedStateException e) {
                    assertThat(e).hasMessageContaining("restored");
                }
            }
        }
    }

    /** A message whose answer was lost is sent again: the same state, and the same answer. */
    @Test
    void everyMessageMayArriveTwice() throws Exception {
        SplittableRandom random = seed.random("twice");
        TestArchive archive = archive("twice");
        PlainModel model = new PlainModel();
        Channel twice = messages -> {
            List<Message> first = Channel.to(archive.server).send(messages);
            List<Message> second = Channel.to(archive.server).send(messages);
            assertThat(second.stream().map(SseContractTest::bytes).toList())
                    .usingRecursiveComparison()
                    .isEqualTo(first.stream().map(SseContractTest::bytes).toList());
            return second;
        };
        for (int i = 0; i < 60; i++) {
            if (i % 3 == 0) {
                Document document = document(i, random);
                twice.run(archive.owner.add(List.of(document)));
                model.add(document);
            } else if (i % 10 == 1 && canDelete() && !model.documents().isEmpty()) {
                Document document = model.documents().firstEntry().getValue();
                twice.run(archive.owner.delete(List.of(document)));
                model.delete(document.id());
            } else {
                SseExpression question = question(random);
                check(question, twice.run(archive.owner.search(question)), model);
            }
        }
    }

    /** Counters of yesterday would repeat what was sent under them; a history of yesterday would lose results. */
    @Test
    void anOwnerWhoseStateWasRestoredFromACopyIsRefused() throws Exception {
        Capabilities capabilities = capabilities();
        if (capabilities.devices() != Capabilities.Devices.ONE) {
            return; // an owner without a state of her own
        }
        TestArchive archive = archive("restored");
        Keyword owl = Keyword.text("subject", "owl");
        archive.add(Document.of(new DocumentId(1), List.of(owl)));
        FaultyCells copy = archive.ownerCells.copy();
        archive.add(Document.of(new DocumentId(2), List.of(owl)));
        archive.search(new SseExpression.Word(Keyword.text("subject", "lynx")));
        archive.search(new SseExpression.Word(owl));
        ReplayableRandom coins = new ReplayableRandom(seed.coins("restored"));
        for (boolean search : new boolean[] {true, false}) {
            FaultyCells state = copy.copy();
            SseOwner restored = scheme().owner(archive.key, state, parameters(), coins);
            Exchange<?> operation = search
                    ? restored.search(new SseExpression.Word(owl))
                    : restored.add(List.of(Document.of(new DocumentId(3), List.of(owl))));
            assertThatThrownBy(() -> archive.channel().run(operation)).isInstanceOf(OutdatedStateException.class);
            for (Exchange<?> open :
                    scheme().owner(archive.key, state, parameters(), coins).unfinished()) {
                assertThatThrownBy(() -> archive.channel().run(open)).isInstanceOf(OutdatedStateException.class);
            }
        }
        assertThat(archive.search(new SseExpression.Word(owl)).ids()).hasSize(2);
    }

    private static byte[] bytes(Message message) {
        try {
            return message.toBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills owner or server before and after each of their writes; what was begun is done again. */
    @Test
    void losesNothingWhenKilledBetweenAnyTwoWrites() throws Exception {
        SplittableRandom random = seed.random("killed");
        for (boolean ofOwner : new boolean[] {true, false}) {
            for (boolean withItsChanges : new boolean[] {true, false}) {
                TestArchive archive = archive("killed " + ofOwner + withItsChanges);
                PlainModel model = new PlainModel();
                FaultyCells killed = ofOwner ? archive.ownerCells : archive.serverCells;
                for (int i = 0; i < 80; i++) {
                    Document document = document(i, random);
                    int what = random.nextInt(3);
                    killed.failAfter(random.nextInt(4), withItsChanges);
                    for (int attempt = 0; ; attempt++) {
                        try {
                            step(what, document, archive, model, random);
                            break;
                        } catch (UncheckedIOException e) {
                            assertThat(attempt).isLessThan(3);
                            killed.mend();
                            archive.reopen();
                        }
                    }
                    killed.mend();
                }
            }
        }
    }

    private void step(int what, Document document, TestArchive archive, PlainModel model, SplittableRandom random)
            throws Exception {
        if (what == 0) {
            archive.add(document);
            model.add(document);
        } else if (what == 1 && canDelete() && !model.documents().isEmpty()) {
            Document first = model.documents().firstEntry().getValue();
            archive.delete(first);
            model.delete(first.id());
        } else {
            SseExpression question = question(random);
            check(question, archive.search(question), model);
        }
    }

    /** Messages of an attacker: each is refused, or is a message. */
    @Test
    void serverTakesAnyBytesForWhatTheyAre() throws Exception {
        SplittableRandom random = seed.random("hostile");
        TestArchive archive = archive("hostile");
        for (int i = 0; i < 10; i++) {
            archive.add(document(i, random));
            archive.search(question(random));
        }
        List<byte[]> honest = List.copyOf(archive.transcript.messages());
        int refused = 0;
        for (int i = 0; i < 4000; i++) {
            byte[] bytes = mutated(honest.get(random.nextInt(honest.size())), random);
            try {
                archive.server.answer(Message.of(bytes), _ -> {});
            } catch (MalformedEncodingException e) {
                refused++;
                assertThat(e.getMessage()).isNotBlank();
            }
        }
        assertThat(refused).isGreaterThan(400);
    }

    /** Answers of a server that lies: a result, a finding, or an error that says so, and never anything else. */
    @Test
    void ownerTakesAnyAnswerForWhatItIs() throws Exception {
        SplittableRandom random = seed.random("lies");
        int refused = 0;
        for (int i = 0; i < 200; i++) {
            TestArchive archive = archive("lies " + i);
            archive.add(document(1, random));
            Channel lying = messages -> {
                List<Message> answers = new ArrayList<>();
                for (Message answer : Channel.to(archive.server).send(messages)) {
                    answers.add(Message.of(mutated(answer.toBytes(), random)));
                }
                return answers;
            };
            try {
                lying.run(archive.owner.search(question(random)));
            } catch (SseException e) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(20);
    }

    private static byte[] mutated(byte[] message, SplittableRandom random) {
        byte[] bytes = message.clone();
        switch (random.nextInt(4)) {
            case 0 -> {
                if (bytes.length > 0) {
                    bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                }
            }
            case 1 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
            case 2 -> bytes = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(9));
            default -> {
                bytes = new byte[random.nextInt(64)];
                random.nextBytes(bytes);
            }
        }
        return bytes;
    }

    @Test
    void printsNoWord() throws Exception {
        Keyword secret = Keyword.text("subject", "strigiformes");
        Document document = Document.of(new DocumentId(7), List.of(secret));
        assertThat(document.toString()).doesNotContain("strigi");
        assertThat(new SseExpression.Word(secret).toString()).doesNotContain("strigi");
        TestArchive archive = archive("print");
        assertThat(archive.owner.toString()).doesNotContain("strigi");
    }

    @Test
    void isFoundByItsName() throws Exception {
        assertThat(SseSchemes.of(scheme().id()).id()).isEqualTo(scheme().id());
        assertThat(scheme().id()).matches("[a-z0-9]+");
        assertThat(scheme().description()).isNotBlank();
    }
}
