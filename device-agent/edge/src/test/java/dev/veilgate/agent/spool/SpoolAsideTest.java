package dev.veilgate.agent.spool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files beside the envelopes: those that the newest state names stay, and no others. */
class SpoolAsideTest {
    @TempDir
    Path folder;

    private static AgentState state(long templates, long base) {
        AgentState first = AgentState.first();
        return new AgentState(
                0,
                first.next(),
                first.positions(),
                base,
                first.loss(),
                first.clock(),
                templates,
                first.catalogue(),
                first.serial(),
                0);
    }

    private List<String> aside() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.endsWith(".env") && !name.equals("checkpoint"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void whatAnEarlierStateNamedGoesWithTheNextCommit() throws IOException {
        Spool spool = Spool.open(folder, SpoolDisk.REAL);
        long templates = 0;
        for (int i = 1; i <= 20; i++) {
            templates = i % 3 == 1 ? spool.writeTemplates(new byte[] {(byte) i}) : templates;
            long base = spool.writePositions(new byte[] {(byte) -i});
            AgentState next = state(templates, base);
            spool.append(i, new byte[] {1}, 1, 1, next);
            spool.removeAsideBut(next);
            assertThat(aside()).containsExactly("positions-" + base, "templates-" + templates);
        }
        assertThat(spool.readTemplates(templates)).containsExactly(19);
    }

    @Test
    void whatACrashLeftGoesAtTheNextStart() throws IOException {
        Spool spool = Spool.open(folder, SpoolDisk.REAL);
        AgentState next = state(spool.writeTemplates(new byte[] {1}), spool.writePositions(new byte[] {2}));
        spool.append(1, new byte[] {1}, 1, 1, next);
        spool.removeAsideBut(next);
        List<String> named = aside();
        spool.writeTemplates(new byte[] {3});
        spool.writePositions(new byte[] {4});
        assertThat(aside()).hasSize(4);

        Spool again = Spool.open(folder, SpoolDisk.REAL);
        assertThat(aside()).isEqualTo(named).hasSize(2);
        assertThat(again.readTemplates(again.state().templates())).containsExactly(1);
        assertThat(again.readPositions(again.state().base())).containsExactly(2);
    }
}
