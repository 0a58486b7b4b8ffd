package dev.veilgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.cli.CommandRun.Result;
import dev.veilgate.terminal.ExitCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Help, errors, exit codes. */
class MainTest {
    private final CommandRun run = new CommandRun();

    private static List<CommandLine> all(CommandLine line) {
        List<CommandLine> all = new ArrayList<>(List.of(line));
        line.getSubcommands().values().forEach(child -> all.addAll(all(child)));
        return all;
    }

    @Test
    void everyCommandHasAPageWithItsSections() {
        for (CommandLine command : all(Main.tree(dev.veilgate.terminal.Terminal.ofProcess()))) {
            String page = command.getUsageMessage();
            String name = command.getCommandSpec().qualifiedName();
            assertThat(page)
                    .as(name)
                    .startsWith("NAME\n  " + name + " - ")
                    .contains("\nSYNOPSIS\n")
                    .contains("\nOPTIONS\n")
                    .contains("\nEXIT STATUS\n")
                    .contains("\nEXAMPLES\n");
        }
    }

    @Test
    void helpAndVersionSucceed() {
        assertThat(run.ok("--help").out()).contains("COMMANDS").contains("keys").contains("seal");
        assertThat(run.ok("help", "seal").out()).contains("veilgate seal");
        assertThat(run.ok("keys", "init", "--help").out()).contains("--tenant");
        assertThat(run.ok("--version").out()).startsWith("veilgate ");
        assertThat(run.ok("completion", "bash").out()).contains("complete -F");
        assertThat(run.ok("completion", "zsh").out()).contains("compinit");
    }

    @Test
    void wrongCommandLinesAreOneLineAndAHint() {
        for (String[] wrong : new String[][] {
            {},
            {"frobnicate"},
            {"keys"},
            {"keys", "init"},
            {"seal", "--nope"},
            {"keys", "init", "--tenant", "x", "--epochs", "hourly"}
        }) {
            Result result = run.run((Object[]) wrong);
            assertThat(result.code()).as(String.join(" ", wrong)).isEqualTo(ExitCode.USAGE);
            assertThat(result.err().lines().count()).isBetween(1L, 3L);
            assertThat(result.err()).startsWith("veilgate").doesNotContain("\tat ");
            assertThat(result.out()).isEmpty();
        }
    }

    @Test
    void stackTracesOnlyWhenAsked() {
        Result plain = run.run("identity", "show", "/nonexistent/x");
        assertThat(plain.code()).isEqualTo(ExitCode.IO);
        assertThat(plain.err()).isEqualTo("veilgate identity show: /nonexistent/x: no such file or folder\n");
        assertThat(run.run("identity", "show", "--debug", "/nonexistent/x").err())
                .contains("\tat ");
        assertThat(run.run("--debug", "identity", "show", "/nonexistent/x").err())
                .contains("\tat ");
    }
}
