package dev.veilgate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The measured numbers of the documents are those of the stored files. After a change of a template or of runs.properties:
 * {@code ./mvnw ... test -Dtest=FigurePageTest -Dveilgate.update-docs=true}.
 */
class FigurePageTest {
    private static final Path STORED = Path.of("docs/benchmarks");
    private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)\\)");

    @TempDir
    private Path folder;

    @BeforeEach
    void storeResults() throws IOException {
        Path run = Files.createDirectory(folder.resolve("2026-01-02-run"));
        Files.writeString(folder.resolve("runs.properties"), "run=2026-01-02-run\ngone=2026-01-01-gone\n");
        Files.writeString(run.resolve("a.csv"), """
                scheme,what is done,n,ms
                x,seal,1,0.1250
                x,seal,30,8.82856
                y,seal,30,1234567.5
                y,open,30,2
                """);
        Files.writeString(run.resolve("ragged.csv"), "a,b\n1,2,3\n");
        Files.writeString(run.resolve("jmh.json"), """
                [ { "benchmark" : "dev.veilgate.A.run", "params" : { "size" : "9" },
                    "primaryMetric" : { "score" : 1.5E-4, "scoreError" : "NaN", "scoreConfidence" : [ 1, [ 2 ] ],
                      "scorePercentiles" : { "0.0" : 1.25, "50.0" : 7, "100.0" : 3.5 }, "scoreUnit" : "us/op", "rawData" : [ [ 1.0 ] ] },
                    "secondaryMetrics" : { "score" : { "score" : 4 } } },
                  { "benchmark" : "dev.veilgate.A.stop", "primaryMetric" : { "score" : 1000 } } ]
                """);
    }

    private String filled(String template) throws IOException {
        Path file = Files.writeString(folder.resolve("a.template.md"), template);
        return new FigurePage(folder).of(file).stripTrailing();
    }

    @ParameterizedTest
    @CsvSource({
        "docs/benchmarks/README.md, README.template.md, false",
        "README.md, figures.template.md, true",
        "docs/schemes.md, schemes.template.md, true",
        "docs/archive.md, archive.template.md, true",
        "docs/containers.md, containers.template.md, true",
        "docs/post-quantum.md, post-quantum.template.md, true"
    })
    void documentsSayWhatIsStored(Path document, String name, boolean section) throws IOException {
        FigurePage page = new FigurePage(STORED);
        Path template = STORED.resolve(name);
        assertThat(FigurePage.bareNumbers(Files.readAllLines(template))).isEmpty();
        String made = section ? page.section(Files.readString(document), template) : page.of(template);
        assertThat(LINK.matcher(made).results())
                .extracting(link -> link.group(1))
                .allSatisfy(link -> assertThat(document.resolveSibling(link)).exists());
        if (Boolean.getBoolean("veilgate.update-docs")) {
            Files.writeString(document, made);
        }
        assertThat(document).hasContent(made);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "{{run/a.csv scheme=x n=30 ms sig2}} ms             | 8.8 ms",
                "{{run/a.csv scheme=x n=1 ms dec2}}                 | 0.13",
                "{{run/a.csv scheme=x n=1 ms text}}                 | 0.1250",
                "{{run/a.csv n=30 \"what is done=open\" ms sig3}}   | 2.00",
                "{{run/a.csv n=30 \"what is done\"=open ms dec0}}   | 2",
                "{{run/a.csv scheme=y n=30 max(ms) /1000 sig4}}     | 1,235",
                "{{run/a.csv scheme=y n=30 max(ms) sig4}}           | 1,235,000",
                "{{run/a.csv scheme=x,y min(ms) *1000 dec0}}        | 125",
                "{{run/a.csv n=30 \"what is done=open\" ms 1e6/ dec0}} | 500,000",
                "{{run/a.csv scheme=x n=30 ms - run/a.csv n=1 ms *2 dec1}} | 17.4",
                "{{run/a.csv scheme=x n=30 ms + run/a.csv n=1 ms dec1}} | 9.0",
                "{{run/a.csv n=1 ms over run/a.csv scheme=x n=30 ms *100 dec1}} | 1.4",
                "{{run/a.csv scheme=x n=30 ms sig1 <=8.83}}         | 9",
                "{{run/a.csv scheme=x n=30 ms sig1 <=8.82}}         | **9**",
                "{{run/a.csv scheme=x n=30 ms *1000 dec0 >=9000}} us | **8,829** us",
                "{{run/a.csv scheme=x n=30 ms dec1 >=8.82856}}      | 8.8",
                "{{run/jmh.json benchmark=A.run size=9 score sig2}} | 0.00015",
                "{{run/jmh.json benchmark=A.run lowest dec2}}       | 1.25",
                "{{run/jmh.json benchmark=A.run highest dec2}}      | 3.50",
                "{{run/jmh.json benchmark=A.run error text}}        | NaN",
                "[it]({{run}}/a.csv) {{unstored 5}}                 | [it](2026-01-02-run/a.csv) 5"
            })
    void figuresAreLookedUp(String template, String text) throws IOException {
        assertThat(filled(template)).isEqualTo(text);
    }

    @Test
    void rowsAreRepeatedAndFilesIncluded() throws IOException {
        assertThat(filled("""
                {{rows run/a.csv scheme=y : | {"what is done" text} | {ms *2 sig1} ms |}}
                {{text run/ragged.csv}}
                """)).isEqualTo("| seal | 2,000,000 ms |\n| open | 4 ms |\na,b\n1,2,3");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{{run/a.csv scheme=z ms dec1}}          | no row of run/a.csv has scheme=z",
                "{{run/a.csv scheme=x n=7 ms dec1}}      | no row of run/a.csv has n=7",
                "{{run/a.csv scheme=x,z max(ms) dec1}}   | no row of run/a.csv has scheme=z",
                "{{run/a.csv scheme=x ms dec1}}          | 2 rows pass the filters",
                "{{run/a.csv n=1 us dec1}}               | no column us",
                "{{run/a.csv size=1 ms dec1}}            | no column size",
                "{{run/a.csv n=1 scheme dec1}}           | no number: 'x'",
                "{{run/a.csv n=1 ms}}                    | sigN, decN or text is missing",
                "{{run/a.csv n=1}}                       | a column is missing",
                "{{run/a.csv n=1 ms 2 dec1}}             | not *NUMBER",
                "{{run/a.csv n=1 ms two}}                | not sigN",
                "{{run/a.csv n=1 ms dec1 <20}}           | not *NUMBER",
                "{{run/a.csv n=1 ms *2 <=20}}            | not sigN",
                "{{run/a.csv n=1 ms dec1 <=some}}        | no number: 'some'",
                "{{run/b.csv n=1 ms dec1}}               | is not stored",
                "{{run/jmh.json benchmark=B.run score dec1}} | no row of run/jmh.json has benchmark=B.run",
                "{{run/ragged.csv a=1 b dec1}}           | not 2 cells",
                "{{gone/a.csv n=1 ms dec1}}              | no stored folder of the run gone",
                "{{other}}                               | no stored folder of the run other",
                "{{rows run/a.csv n=2 : {ms text}}}      | no row of run/a.csv has n=2",
                "{{run/a.csv n=1 ms dec1                 | does not end",
                "{run/a.csv n=1 ms dec1}}                | does not end or begin"
            })
    void namesPlaceholdersThatCannotBeFilled(String placeholder, String reason) {
        assertThatThrownBy(() -> filled("first line\n" + placeholder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a.template.md, line 2: ")
                .hasMessageContaining(placeholder)
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "| x | 8.3 | 20 |",
                "| x | **8.3 ms, missed** | |",
                "| x | {{run/a.csv n=1 ms dec1}} / 7.2 | |",
                "| x | {{unstored 3}} | | 8.3 |",
                "{{rows run/a.csv n=1 : | {n text} | {ms text} of 10 |}}"
            })
    void findsNumbersThatNoPlaceholderGives(String row) {
        assertThat(FigurePage.bareNumbers(List.of("8.3 in prose", "| work 1 | here | goal |", "|---|---|---|", row)))
                .singleElement()
                .asString()
                .startsWith("line 4, ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "| 30 lines | {{run/a.csv n=1 ms dec1}} ms, missed | <= 20 |",
                "| x | {{unstored 3}} | paper: 7 |",
                "{{rows run/a.csv n=1 : | 1 | {ms *10 text} ms | 10 |}}",
                "| x | - | |"
            })
    void leavesGoalsAndDescriptionsAlone(String row) {
        assertThat(FigurePage.bareNumbers(List.of("| work | here | Goal |", "|---|---|---|", row)))
                .isEmpty();
    }

    @Test
    void replacesItsSectionOnly() throws IOException {
        Path template = Files.writeString(folder.resolve("a.template.md"), "{{run}}\n");
        FigurePage page = new FigurePage(folder);
        String before = "head\n<!-- made from a.template.md -->\nold\n<!-- end of a.template.md -->\nfoot\n";
        assertThat(page.section(before, template))
                .isEqualTo(
                        "head\n<!-- made from a.template.md -->\n\n2026-01-02-run\n\n<!-- end of a.template.md -->\nfoot\n");
        assertThatThrownBy(() -> page.section("head\n", template)).hasMessageContaining("no section");
    }
}
