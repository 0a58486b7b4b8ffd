package dev.veilgate.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Tables in pages of docs that tests make, each between two comments with its name. After a change: {@code ./mvnw ...
 * test -Dtest=... -Dveilgate.update-docs=true}.
 */
public final class MadeTable {
    private MadeTable() {}

    /**
     * Compares a table with what a test found; or writes it, if that is asked for.
     *
     * @param file of the page
     * @param name of the table
     */
    public static void compare(String file, String name, List<String> rows) throws IOException {
        Path page = Stream.of(Path.of("docs", file), Path.of("../docs", file))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow();
        String text = Files.readString(page);
        int start = text.indexOf("\n", text.indexOf("<!-- " + name + ": made by ")) + 1;
        int end = text.indexOf("<!-- /" + name + " -->");
        String made = String.join("\n", rows) + "\n";
        if (Boolean.getBoolean("veilgate.update-docs")) {
            Files.writeString(page, text.substring(0, start) + made + text.substring(end));
        } else {
            assertThat(made).isEqualTo(text.substring(start, end));
        }
    }
}
