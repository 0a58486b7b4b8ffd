package dev.veilgate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program behind the figures of what attachments cost a search. */
class AttachmentFiguresTest {
    @TempDir
    private Path folder;

    @Test
    void harmlessMailsAreDecidedAndHostileOnesAreNot() throws Exception {
        AttachmentFigures.main(new String[] {folder.toString(), "--quick"});
        List<Map<String, String>> rows = StoredRows.read(folder.resolve("attachments.csv"));
        assertThat(rows).extracting(row -> row.get("decided")).containsExactly("1", "2", "1", "0", "0", "1");
        double again = Double.parseDouble(String.valueOf(rows.get(4).get("cpu_s_a_mail")));
        assertThat(again).as("what is known to be costly is not read").isLessThan(0.25);
    }
}
