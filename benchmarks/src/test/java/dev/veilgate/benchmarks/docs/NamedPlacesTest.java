package dev.veilgate.benchmarks.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages that lead readers through the code name files and folders that are there. */
final class NamedPlacesTest {
    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
    private static final Pattern TYPE = Pattern.compile("[A-Z][a-z]\\w+");
    private static final Pattern FILE = Pattern.compile("[\\w.-]+\\.(?:tsx?|java|yaml)");
    private static final Pattern PLACE =
            Pattern.compile("(?:peks-engine|keyword-extractor|gateway|audit-console|device-agent|service-base|"
                    + "benchmarks|docs)/[\\w./-]+");
    private static final Set<String> SKIPPED = Set.of("target", "node_modules", ".git", "dist");

    /** The names of all files, without the ending of Java. */
    private static Set<String> names() throws IOException {
        Set<String> names = new TreeSet<>();
        Files.walkFileTree(Path.of(""), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return SKIPPED.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = file.getFileName().toString();
                names.add(name);
                names.add(name.replaceFirst("\\.(java|tsx)$", ""));
                return FileVisitResult.CONTINUE;
            }
        });
        return names;
    }

    private static Set<String> missing(String page, Set<String> names) {
        Set<String> missing = new TreeSet<>();
        Matcher code = CODE.matcher(page);
        while (code.find()) {
            String text = code.group(1);
            boolean isName = TYPE.matcher(text).matches() || FILE.matcher(text).matches();
            if (isName && !names.contains(text) || PLACE.matcher(text).matches() && !Files.exists(Path.of(text))) {
                missing.add(text);
            }
        }
        return missing;
    }

    @ParameterizedTest
    @ValueSource(strings = {"CONTRIBUTING.md", "docs/architecture.md"})
    void areThere(String page) throws Exception {
        assertThat(missing(Files.readString(Path.of(page)), names())).isEmpty();
    }

    @Test
    void whatIsGoneIsFound() throws Exception {
        String page = "`SealedQuery` of `gateway/index`, `GoneForEver`, `gateway/gone`, `gone.tsx`, not `ada` or `A`";
        assertThat(missing(page, names())).containsExactly("GoneForEver", "gateway/gone", "gone.tsx");
    }
}
