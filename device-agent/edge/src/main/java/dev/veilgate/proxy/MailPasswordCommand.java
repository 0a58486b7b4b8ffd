package dev.veilgate.proxy;

import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code veilgate mail password}. */
@Command(
        name = "password",
        header = "Make a line of the proxy's password file",
        description = "  Asks for the password, or reads it from standard input, and prints the line.",
        footer = "  ${ROOT-COMMAND-NAME} mail password ada >> /etc/veilgate/mail-users")
final class MailPasswordCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "USER", description = "The user's name.")
    private String user = "";

    MailPasswordCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws CommandFailure, IOException {
        char[] typed = terminal.prompt().ask("Password of " + user);
        String password;
        if (typed != null) {
            password = new String(typed);
            Arrays.fill(typed, '\0');
        } else {
            String line = new BufferedReader(new InputStreamReader(terminal.in(), StandardCharsets.UTF_8)).readLine();
            password = line == null ? "" : line;
        }
        if (password.isEmpty()) {
            throw new CommandFailure(ExitCode.USAGE, "the password is empty");
        }
        try {
            terminal.out().println(PasswordFile.line(user, password, new SecureRandom()));
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
        return ExitCode.OK;
    }
}
