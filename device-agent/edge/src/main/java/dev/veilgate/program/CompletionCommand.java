package dev.veilgate.program;

import dev.veilgate.terminal.Terminal;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a script with which a shell completes the command's arguments. */
@Command(
        name = "completion",
        header = "Print a script for shell completion",
        description = "  Prints a script that makes bash or zsh complete commands and options.",
        footer = {
            "  source <(${ROOT-COMMAND-NAME} completion bash)           # this shell",
            "  ${ROOT-COMMAND-NAME} completion zsh > ~/.${ROOT-COMMAND-NAME}.zsh"
                    + "    # then: source ~/.${ROOT-COMMAND-NAME}.zsh in ~/.zshrc"
        })
public final class CompletionCommand implements Runnable {
    /** What can be completed. */
    enum Shell {
        bash,
        zsh
    }

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..1", defaultValue = "bash", paramLabel = "SHELL", description = "bash (default) or zsh.")
    private Shell shell = Shell.bash;

    CompletionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        String script = AutoComplete.bash(spec.root().name(), spec.root().commandLine());
        if (shell == Shell.zsh) { // bash's completion commands, for zsh
            terminal.out()
                    .println("autoload -U +X compinit && compinit -u; autoload -U +X bashcompinit && bashcompinit");
        }
        terminal.out().println(script);
    }
}
