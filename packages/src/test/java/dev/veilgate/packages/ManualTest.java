package dev.veilgate.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

class ManualTest {
    private static final Path LAID_OUT = Path.of("packages/target/laid-out");

    @Command(
            name = "sample",
            header = "Show what a page says",
            description = {"", "Of two lines", "a paragraph."},
            subcommands = {Sample.Make.class, Sample.List.class},
            exitCodeList = "0:done",
            footer = {"", "  sample make -o 'a file'     # a remark", "", "More is elsewhere."})
    static final class Sample {
        @Command(
                name = "make",
                header = "Make one",
                description = {"", "Half of 100%% of them. It's \\ done:", "  .first"})
        static final class Make {
            @Option(
                    names = {"-o", "--output"},
                    paramLabel = "FILE",
                    required = true,
                    description = "Where to.")
            private String output = "";

            @Option(names = "--size", description = "${DEFAULT-VALUE} unless given.", defaultValue = "5")
            private int size;

            @Option(names = "--secret", hidden = true)
            private boolean secret;

            @Parameters(paramLabel = "NAME", arity = "0..*", description = "Names.")
            private String[] names = {};
        }

        @Command(name = "list", header = "List them")
        static final class List {
            @Option(
                    names = {"-o", "--output"},
                    paramLabel = "FILE",
                    required = true,
                    description = "Where to.")
            private String output = "";
        }
    }

    private static String page(String... pages) {
        CommandLine root = new CommandLine(new Sample());
        List<Manual.Page> all =
                Stream.of(pages).map(text -> Manual.Page.of(text, root)).toList();
        return new Manual(root, "1.0", "2026-11-28", all).write().get("sample");
    }

    @Test
    void saysAllOfACommandAndThoseBelowIt() {
        assertThat(page("sample")).isEqualTo("""
                        .\\" Made from the program's own commands; do not edit.
                        .TH "SAMPLE" "1" "2026\\-11\\-28" "Veilgate 1.0" "Veilgate"
                        .nh
                        .ad l
                        .SH "NAME"
                        .PP
                        sample \\- Show what a page says
                        .SH "SYNOPSIS"
                        .PP
                        \\fBsample make\\fR \\fB\\-\\-output\\fR=\\fIFILE\\fR [\\fIOPTION\\fR]... [\\fINAME\\fR...]
                        .PP
                        \\fBsample list\\fR \\fB\\-\\-output\\fR=\\fIFILE\\fR
                        .SH "DESCRIPTION"
                        .PP
                        Of two lines a paragraph.
                        .SH "COMMANDS"
                        .SS "sample make"
                        .PP
                        Make one.
                        .PP
                        \\fBsample make\\fR \\fB\\-\\-output\\fR=\\fIFILE\\fR [\\fIOPTION\\fR]... [\\fINAME\\fR...]
                        .PP
                        Half of 100% of them. It\\(aqs \\e done:
                        .PP
                        .RS 4
                        .nf
                        \\&.first
                        .fi
                        .RE
                        .TP
                        [\\fINAME\\fR...]
                        Names.
                        .TP
                        \\fB\\-o\\fR, \\fB\\-\\-output\\fR=\\fIFILE\\fR
                        Where to. Required.
                        .TP
                        \\fB\\-\\-size\\fR=\\fIsize\\fR
                        5 unless given.
                        .SS "sample list"
                        .PP
                        List them.
                        .PP
                        \\fBsample list\\fR \\fB\\-\\-output\\fR=\\fIFILE\\fR
                        .PP
                        As for \\fBsample make\\fR: \\fB\\-\\-output\\fR.
                        .SH "EXIT STATUS"
                        .TP
                        \\fB0\\fR
                        Done.
                        .SH "EXAMPLES"
                        .PP
                        .RS 4
                        .nf
                        # a remark
                        sample make \\-o \\(aqa file\\(aq
                        .fi
                        .RE
                        .SH "SEE ALSO"
                        .PP
                        More is elsewhere.
                        .PP
                        The documentation is in the folder docs of the source, and in packages below /usr/share/doc.
                        """);
    }

    @Test
    void namesACommandThatHasAPageOfItsOwn() {
        assertThat(page("sample", "sample-list~list"))
                .contains(".TP\n\\fBsample list\\fR\nList them. See sample\\-list(1).\n")
                .contains("\\fBsample\\-list\\fR(1)\n")
                .doesNotContain(".SS \"sample list\"");
    }

    /** Pages that units and messages of packages name. */
    @Test
    void packagesHaveThePagesThatAreNamed() {
        for (String page : List.of(
                "veilgate-gateway/veilgate-gateway",
                "veilgate-console/veilgate-console",
                "veilgate-edge/veilgate-edge",
                "veilgate-edge/veilgate-agent",
                "veilgate-edge-mail/veilgate-agent",
                "veilgate-edge-mail/veilgate-mail",
                "veilgate/veilgate",
                "veilgate/veilgate-keys")) {
            String[] parts = page.split("/");
            assertThat(LAID_OUT.resolve(parts[0] + "/usr/share/man/man1/" + parts[1] + ".1.gz"))
                    .exists();
        }
    }

    @Test
    void groffFindsNothingWrongInThePages() throws Exception {
        try (Stream<Path> files = Files.walk(LAID_OUT)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".1.gz")).toList()) {
                Process groff = new ProcessBuilder("groff", "-ww", "-z", "-man", "-Kutf8", "-Tutf8")
                        .redirectErrorStream(true)
                        .start();
                try (InputStream page = new GZIPInputStream(Files.newInputStream(file));
                        var in = groff.getOutputStream()) {
                    page.transferTo(in);
                }
                String said = new String(groff.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(said).as("%s", file).isEmpty();
                assertThat(groff.waitFor()).isZero();
            }
        }
    }
}
