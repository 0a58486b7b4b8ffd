package dev.veilgate.cli;

import dev.veilgate.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs commands in memory, and keeps what they wrote. */
public final class CommandRun {
    static final String PASSPHRASE = "correct horse battery";

    /** What a command did. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Result(int code, byte[] bytes, String err) {
        public String out() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    public final Map<String, String> environment = new HashMap<>(Map.of("VEILGATE_PASSPHRASE", PASSPHRASE));
    final Deque<String> typed = new ArrayDeque<>();
    final List<String> asked = new ArrayList<>();
    public Instant now = Instant.parse("2026-11-21T12:00:00Z");
    public byte[] input = new byte[0];
    boolean outIsTerminal;

    public Result run(Object... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Terminal terminal = new Terminal(
                new ByteArrayInputStream(input),
                new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                environment,
                Clock.fixed(now, ZoneOffset.UTC),
                outIsTerminal,
                false,
                this::answer);
        String[] texts = new String[arguments.length];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = arguments[i].toString();
        }
        int code = Main.run(terminal, texts);
        return new Result(code, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
    }

    /** Runs what must succeed. */
    Result ok(Object... arguments) {
        Result result = run(arguments);
        if (result.code != 0) {
            throw new AssertionError("exit status " + result.code + ": " + result.err);
        }
        return result;
    }

    private char @Nullable [] answer(String question) {
        asked.add(question);
        String answer = typed.poll();
        return answer == null ? null : answer.toCharArray();
    }
}
