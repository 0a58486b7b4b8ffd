package dev.veilgate.cli;

import dev.veilgate.terminal.Terminal;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints a script with which a shell completes the command's arguments. */
@Command(
        name = "completion",
        header = "Print a script for shell completion",
        description = "  Prints a script that makes bash or zsh complete commands and options.",
        footer = {
            "  source <(veilgate completion bash)           # this shell",
            "  veilgate completion zsh > ~/.veilgate.zsh    # then: source ~/.veilgate.zsh in ~/.zshrc"
        })
final class CompletionCommand implements Runnable {
    /** What can be completed. */
    enum Shell {
        bash,
        zsh
    }

    private final Terminal terminal;

    @Parameters(arity = "0..1", defaultValue = "bash", paramLabel = "SHELL", description = "bash (default) or zsh.")
    private Shell shell = Shell.bash;

    CompletionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        String script = AutoComplete.bash("veilgate", Main.commandLine(terminal));
        if (shell == Shell.zsh) { // bash's completion commands, for zsh
            terminal.out()
                    .println("autoload -U +X compinit && compinit -u; autoload -U +X bashcompinit && bashcompinit");
        }
        terminal.out().println(script);
    }
}
