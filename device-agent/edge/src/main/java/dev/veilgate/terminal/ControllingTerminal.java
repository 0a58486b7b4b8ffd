package dev.veilgate.terminal;

import java.io.Console;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The terminal that this process was started from, even where its standard streams are pipes: Java's own console refuses then, and
 * {@code veilgate open ... | less} must still be able to ask.
 */
final class ControllingTerminal implements Terminal.SecretPrompt {
    private static final File TTY = new File("/dev/tty");
    private static final int MAX_CHARS = 4096;

    @Override
    public char @Nullable [] ask(String question) {
        Console console = System.console();
        if (console != null && console.isTerminal()) {
            return console.readPassword("%s: ", question);
        }
        try (InputStream in = new FileInputStream(TTY);
                OutputStream out = new FileOutputStream(TTY)) {
            return askAt(in, out, question);
        } catch (IOException e) {
            return null; // no terminal: a service, a cron job
        }
    }

    private static char @Nullable [] askAt(InputStream in, OutputStream out, String question) throws IOException {
        Thread restore = new Thread(() -> {
            try {
                stty("echo");
            } catch (IOException e) {
                // nothing can be done at exit
            }
        });
        Runtime.getRuntime().addShutdownHook(restore); // for who gives up with Ctrl-C
        try {
            if (!stty("-echo")) {
                return null; // rather not ask than show a secret
            }
            out.write((question + ": ").getBytes(StandardCharsets.UTF_8));
            char[] line = readLine(new InputStreamReader(in, Charset.defaultCharset()));
            out.write('\n');
            return line;
        } finally {
            stty("echo");
            Runtime.getRuntime().removeShutdownHook(restore);
        }
    }

    private static char[] readLine(Reader in) throws IOException {
        char[] line = new char[MAX_CHARS];
        try {
            int length = 0;
            for (int c = in.read(); c >= 0 && c != '\n' && length < MAX_CHARS; c = in.read()) {
                line[length++] = (char) c;
            }
            return Arrays.copyOf(line, length);
        } finally {
            Arrays.fill(line, '\0');
        }
    }

    private static boolean stty(String mode) throws IOException {
        Process process = new ProcessBuilder("stty", mode)
                .redirectInput(TTY)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            return process.waitFor() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
