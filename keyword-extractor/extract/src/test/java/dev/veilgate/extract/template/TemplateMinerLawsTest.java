package dev.veilgate.extract.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What holds for every log. */
class TemplateMinerLawsTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(1_000));

    /** Small enough that templates are let go, nodes are full and templates become equal. */
    private static final TemplateSettings TIGHT = new TemplateSettings(24, 3, 4, 128, 12, 1, 500);

    private static final TemplateSettings NARROW = new TemplateSettings(12, 2, 8, 128, 12, 1, 500);

    private final SplittableRandom random = TestSeed.random(TemplateMinerLawsTest.class);

    private static TemplateName learn(TemplateMiner miner, byte[] line) {
        return miner.learn(line, 0, line.length);
    }

    @Test
    void restartAtAnyPointChangesNothing() throws Exception {
        restartChangesNothing(TIGHT, new RandomLog(random, 60).lines(4_000));
        restartChangesNothing(TemplateSettings.DEFAULT, new RandomLog(random, 60).lines(4_000));
    }

    @Test
    void aStateThatIsKeptWhenShapesChangeGivesTheSameNames() throws Exception {
        TemplateMiner steady = new TemplateMiner(TemplateSettings.DEFAULT, CLOCK);
        TemplateMiner restarted = new TemplateMiner(TemplateSettings.DEFAULT, CLOCK);
        byte[] kept = restarted.encodeState();
        long shapes = restarted.shapes();
        int times = 0;
        int stale = 0;
        for (byte[] line : new RandomLog(random, 60).lines(20_000)) {
            assertThat(learn(restarted, line).value())
                    .isEqualTo(learn(steady, line).value());
            if (restarted.shapes() != shapes) {
                kept = restarted.encodeState();
                shapes = restarted.shapes();
                times++;
            }
            if (random.nextInt(50) == 0) {
                stale += Arrays.equals(kept, restarted.encodeState()) ? 0 : 1;
                restarted = TemplateMiner.decodeState(kept, CLOCK);
                shapes = restarted.shapes();
            }
        }
        assertThat(stale)
                .as("restarts from a state in which counts are missing")
                .isPositive();
        assertThat((long) times).isLessThan(steady.version()).isPositive();
        assertThat(restarted.size()).isEqualTo(steady.size());
    }

    /** Few words at few places: templates become equal, and are let go while another is the same as they. */
    @Test
    void restartAmongEqualTemplatesChangesNothing() throws Exception {
        int same = 0;
        for (int round = 0; round < 300; round++) {
            same += restartChangesNothing(NARROW, fewWords(200));
        }
        assertThat(same).as("times that templates became equal").isPositive();
    }

    private List<byte[]> fewWords(int count) {
        List<byte[]> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            StringBuilder line = new StringBuilder();
            for (int k = 0; k < 4; k++) {
                line.append(' ').append("pqrstxyz17".charAt(random.nextInt(10)));
            }
            lines.add(line.toString().getBytes(StandardCharsets.US_ASCII));
        }
        return lines;
    }

    private int restartChangesNothing(TemplateSettings settings, List<byte[]> lines) throws Exception {
        int same = 0;
        TemplateMiner steady = new TemplateMiner(settings, CLOCK);
        TemplateMiner restarted = new TemplateMiner(settings, CLOCK);
        for (byte[] line : lines) {
            if (random.nextInt(8) == 0) {
                byte[] state = restarted.encodeState();
                restarted = TemplateMiner.decodeState(state, CLOCK);
                assertThat(restarted.encodeState()).isEqualTo(state);
                assertThat(state).isEqualTo(steady.encodeState());
            }
            assertThat(learn(restarted, line).value())
                    .isEqualTo(learn(steady, line).value());
            if (steady.changesSince(steady.version() - 1).entries().stream()
                    .anyMatch(e -> e.sameAs().isPresent())) {
                same++;
            }
        }
        assertThat(restarted.version()).isEqualTo(steady.version());
        assertThat(restarted.catalogue().encode()).isEqualTo(steady.catalogue().encode());
        return same;
    }

    @Test
    void nameIsAFunctionOfTheFirstMessage() {
        List<byte[]> lines = new RandomLog(random, 40).lines(500);
        for (byte[] first : lines.subList(0, 40)) {
            TemplateName name = learn(new TemplateMiner(TemplateSettings.DEFAULT, CLOCK), first);
            TemplateMiner later = new TemplateMiner(TemplateSettings.DEFAULT, CLOCK);
            assertThat(learn(later, first)).isEqualTo(name);
            List<byte[]> rest = new ArrayList<>(lines);
            for (int i = rest.size(); i > 1; i--) {
                rest.set(i - 1, rest.set(random.nextInt(i), rest.get(i - 1)));
            }
            rest.forEach(line -> learn(later, line));
            assertThat(later.catalogue().entries())
                    .extracting(TemplateEntry::name)
                    .contains(name);
            TemplateName now = learn(later, first);
            assertThat(current(later.catalogue(), name)).isEqualTo(current(later.catalogue(), now));
        }
    }

    private static TemplateName current(TemplateCatalogue catalogue, TemplateName name) {
        Map<TemplateName, TemplateName> same = new HashMap<>();
        catalogue.entries().forEach(e -> e.sameAs().ifPresent(other -> same.put(e.name(), other)));
        TemplateName current = name;
        while (same.containsKey(current)) {
            current = same.get(current);
        }
        return current;
    }

    @Test
    void everyNameThatWasGivenIsInTheCatalogues() throws Exception {
        TemplateMiner miner = new TemplateMiner(TIGHT, CLOCK);
        TemplateCatalogue known = miner.catalogue();
        List<TemplateName> given = new ArrayList<>();
        RandomLog log = new RandomLog(random, 60);
        for (int batch = 0; batch < 200; batch++) {
            for (byte[] line : log.lines(random.nextInt(20))) {
                given.add(learn(miner, line));
            }
            TemplateCatalogue changes = miner.changesSince(known.version());
            known = TemplateCatalogue.decode(changes.encode()).merge(known);
            assertThat(known.version()).isEqualTo(miner.version());
        }
        assertThat(known.entries()).extracting(TemplateEntry::name).containsAll(given);
        Map<TemplateName, TemplateEntry> merged = new HashMap<>();
        known.entries().forEach(e -> merged.put(e.name(), e));
        for (TemplateEntry now : miner.catalogue().entries()) {
            TemplateEntry entry = merged.get(now.name());
            assertThat(entry.template()).isEqualTo(now.template());
            assertThat(entry.sameAs()).isEqualTo(now.sameAs());
            assertThat(now.count()).isBetween(entry.count(), Math.max(15, 2 * entry.count()));
        }
    }

    @Test
    void namesOfOneLogAreFew() {
        TemplateMiner miner = new TemplateMiner(TemplateSettings.DEFAULT, CLOCK);
        List<byte[]> lines = new RandomLog(random, 40)
                .lines(20_000).stream()
                        .filter(line -> line.length > 0 && line[0] >= 'a' && line[line.length - 1] >= 0)
                        .toList();
        long names = lines.stream().map(line -> learn(miner, line)).distinct().count();
        assertThat(names).isBetween(10L, 800L);
    }
}
