package dev.veilgate.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.archive.words.DocumentWords;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.Ask;
import dev.veilgate.sse.Capabilities;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.Sha256;
import dev.veilgate.sse.SseScheme;
import dev.veilgate.sse.SseSchemes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Archives of every kind keep, replace, delete and find what a plain model does, or say that they cannot. */
class ArchiveContractTest {
    private static final TestSeed SEED = TestSeed.of(ArchiveContractTest.class);
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Operations of each kind of archive; more by {@code -Dveilgate.operations}. */
    private static final int OPERATIONS = Integer.getInteger("veilgate.operations", 30);

    private static final List<String> WORDS =
            List.of("owl", "owls", "owlet", "lark", "larks", "heron", "7", "10.0.0.1", "m\u00fcnchen", "wren");
    private static final String ONCE = "strix";
    private static final int NAMES = 12;

    @TempDir
    private Path parent;

    private final TreeMap<String, String> model = new TreeMap<>();
    private Set<Ask> asks = Set.of();
    private Capabilities.Exactness exactness = Capabilities.Exactness.EXACT;
    private boolean deletes = true;
    private Path folder;
    private DevicePlaces device;

    static List<String> kinds() {
        return Stream.concat(
                        Stream.of(SegmentFolder.SCHEME),
                        SseSchemes.all().stream().map(SseScheme::id))
                .toList();
    }

    private void create(String kind) throws IOException {
        folder = parent.resolve("archive");
        device = new DevicePlaces(parent.resolve("keys"), parent.resolve("states"));
        if (kind.equals(SegmentFolder.SCHEME)) {
            asks = EnumSet.allOf(Ask.class);
            SegmentFolder.create(folder, device, RANDOM);
        } else {
            SseScheme scheme = SseSchemes.of(kind);
            Parameters parameters = Parameters.standard(scheme);
            Capabilities can = scheme.capabilities(parameters);
            asks = can.ask();
            exactness = can.exactness();
            deletes = can.deletion() != Capabilities.Deletion.NONE;
            ArchiveFolder.create(folder, scheme, parameters, RANDOM);
        }
    }

    private static byte[] digest(String text) {
        return new Sha256().add(text.getBytes(StandardCharsets.UTF_8)).finish();
    }

    private static NewDocument document(String name, String text) {
        return new NewDocument(name, digest(text), 0, text.length(), words -> words.text(text));
    }

    private static String text(SplittableRandom random) {
        return Stream.generate(() -> WORDS.get(random.nextInt(WORDS.size())))
                .limit(random.nextInt(5))
                .collect(Collectors.joining(" "));
    }

    private static String name(SplittableRandom random) {
        return "/home/ada/" + random.nextInt(NAMES);
    }

    /** Adds as a command does: what is there as it is, is passed over. */
    private void add(Archive archive, TreeMap<String, String> texts) throws IOException {
        List<NewDocument> all = new ArrayList<>();
        texts.forEach((name, text) -> all.add(document(name, text)));
        boolean[] same = archive.same(all);
        List<ReadDocument> other = new ArrayList<>();
        int replaced = 0;
        for (int i = 0; i < same.length; i++) {
            String name = all.get(i).name();
            assertThat(same[i]).as(name).isEqualTo(texts.get(name).equals(model.get(name)));
            if (!same[i]) {
                replaced += model.containsKey(name) ? 1 : 0;
                other.add(ReadDocument.of(all.get(i), new DocumentWords()));
            }
        }
        if (other.isEmpty()) {
            return;
        }
        if (replaced > 0 && !deletes) {
            assertThatThrownBy(() -> archive.add(other)).isInstanceOf(RefusedException.class);
            return;
        }
        assertThat(archive.add(other)).isEqualTo(new Archive.Added(other.size(), replaced, 0));
        model.putAll(texts);
    }

    private void addRandom(Archive archive, SplittableRandom random) throws IOException {
        TreeMap<String, String> texts = new TreeMap<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            texts.put(name(random), text(random));
        }
        add(archive, texts);
    }

    private void delete(Archive archive, SplittableRandom random) throws IOException {
        Set<String> names = new TreeSet<>(List.of(name(random), name(random), "none"));
        long there = names.stream().filter(model::containsKey).count();
        if (there > 0 && !deletes) {
            assertThatThrownBy(() -> archive.deleteNamed(names)).isInstanceOf(RefusedException.class);
            return;
        }
        assertThat(archive.deleteNamed(names)).isEqualTo((int) there);
        model.keySet().removeAll(names);
    }

    /** A file of which each line is a document, and that has more or fewer lines each time. */
    private void addParts(Archive archive, SplittableRandom random) throws IOException {
        int lines = random.nextInt(8);
        TreeMap<String, String> texts = new TreeMap<>();
        for (int i = 1; i <= lines; i++) {
            texts.put(Archive.partName("/var/log/a", i), WORDS.get(i));
        }
        add(archive, texts);
        List<String> gone = model.keySet().stream()
                .filter(name -> name.startsWith("/var/log/a#") && !texts.containsKey(name))
                .toList();
        if (deletes || gone.isEmpty()) {
            assertThat(archive.deletePartsAbove("/var/log/a", lines, () -> true))
                    .isEqualTo(gone.size());
            model.keySet().removeAll(gone);
        } else {
            assertThatThrownBy(() -> archive.deletePartsAbove("/var/log/a", lines, () -> true))
                    .isInstanceOf(RefusedException.class);
        }
    }

    private Set<String> holding(Predicate<List<String>> words) {
        return model.entrySet().stream()
                .filter(each -> words.test(Arrays.asList(each.getValue().split(" "))))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void asks(Archive archive, Ask kind, String query, Predicate<List<String>> holds) throws IOException {
        if (!asks.contains(kind)) {
            assertThatThrownBy(() -> archive.search(query, NAMES, kind == Ask.BEST))
                    .isInstanceOf(RefusedException.class);
            return;
        }
        Answer answer = archive.search(query, Integer.MAX_VALUE, kind == Ask.BEST);
        assertThat(answer.findings()).isEmpty();
        List<String> found = answer.documents().stream().map(Answer.Found::name).toList();
        Set<String> expected = holding(holds);
        assertThat(answer.count()).isEqualTo(found.size());
        assertThat(found).doesNotHaveDuplicates();
        switch (exactness) {
            case EXACT -> assertThat(found).as(query).containsExactlyInAnyOrderElementsOf(expected);
            case FALSE_HITS -> assertThat(found).as(query).containsAll(expected).isSubsetOf(model.keySet());
            case LOSES -> assertThat(expected).as(query).containsAll(found);
        }
        if (kind == Ask.BEST) {
            List<Double> scores =
                    answer.documents().stream().map(Answer.Found::score).toList();
            assertThat(scores).isSortedAccordingTo((a, b) -> Double.compare(b, a));
        }
    }

    private void askRandom(Archive archive, SplittableRandom random) throws IOException {
        String one = WORDS.get(random.nextInt(WORDS.size()));
        String other = WORDS.get(random.nextInt(WORDS.size()));
        asks(archive, Ask.WORD, one, words -> words.contains(one));
        asks(archive, Ask.ALL_OF, one + " " + ONCE, words -> words.contains(one) && words.contains(ONCE));
        boolean segments = archive instanceof SegmentFolder; // of schemes it is any of them
        asks(
                archive,
                Ask.BEST,
                one + " " + other,
                words -> segments
                        ? words.contains(one) && words.contains(other)
                        : words.contains(one) || words.contains(other));
        if (!one.equals(other)) {
            asks(archive, Ask.ALL_OF, one + " " + other, words -> words.contains(one) && words.contains(other));
        }
        asks(archive, asks.contains(Ask.PREFIX) ? Ask.PREFIX : Ask.PATTERN, "lar*", has("lar.*"));
        asks(archive, Ask.PATTERN, "o*t", has("o.*t"));
        if (segments) {
            String query = "(" + one + " OR " + other + ") NOT l*";
            asks(
                    archive,
                    Ask.WORD,
                    query,
                    words -> (words.contains(one) || words.contains(other))
                            && !has("l.*").test(words));
            asks(archive, Ask.WORD, "NOT " + one, words -> !words.contains(one));
            asks(archive, Ask.PATTERN, "?ar*", has(".ar.*"));
        }
    }

    private static Predicate<List<String>> has(String regex) {
        return words -> words.stream().anyMatch(word -> word.matches(regex));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyArchiveKeepsAndFindsWhatAPlainModelDoes(String kind) throws Exception {
        SplittableRandom random = SEED.random(kind);
        create(kind);
        Archive archive = Archive.open(folder, device, RANDOM);
        try {
            assertThat(archive.schemeName()).isEqualTo(kind);
            askRandom(archive, random); // of no documents
            add(archive, new TreeMap<>(Map.of("/once", ONCE + " owl")));
            for (int i = 0; i < OPERATIONS; i++) {
                switch (random.nextInt(8)) {
                    case 0, 1 -> addRandom(archive, random);
                    case 2 -> addParts(archive, random);
                    case 3 -> delete(archive, random);
                    case 4 -> archive.maintain();
                    case 5 -> {
                        archive.close();
                        archive = Archive.open(folder, device, RANDOM);
                        assertThat(archive.resumed().isAny()).isFalse();
                    }
                    default -> askRandom(archive, random);
                }
            }
            asks(archive, Ask.WORD, ONCE, words -> words.contains(ONCE));
            asks(archive, Ask.WORD, "nowhere", _ -> false);
            List<String> names = new ArrayList<>(List.of("none", "/once", "/var/log/a#9"));
            for (int i = 0; i < NAMES; i++) {
                names.add("/home/ada/" + i);
            }
            assertThat(archive.present(names))
                    .containsExactlyInAnyOrderElementsOf(
                            names.stream().filter(model::containsKey).toList());
            for (String name : names) {
                assertThat(archive.has(name)).isEqualTo(model.containsKey(name));
            }
        } finally {
            archive.close();
        }
    }
}
