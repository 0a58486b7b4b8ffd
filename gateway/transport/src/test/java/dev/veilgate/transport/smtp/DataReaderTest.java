package dev.veilgate.transport.smtp;

import static dev.veilgate.transport.smtp.DataReader.Fault.BARE_END;
import static dev.veilgate.transport.smtp.DataReader.Fault.LONG_LINE;
import static dev.veilgate.transport.smtp.DataReader.Fault.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.transport.smtp.DataReader.Fault;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DataReaderTest {
    private static final int MAX_LINE = 8;

    /** What became of bytes: the message, what is left for the next command, whether it ended, what was wrong. */
    private record Outcome(String text, String left, boolean ended, Fault fault) {
        static Outcome ended(String text, String left) {
            return new Outcome(text, left, true, NONE);
        }

        static Outcome open(String text) {
            return new Outcome(text, "", false, NONE);
        }

        /** Whatever came of it before: it is refused as a whole. */
        static Outcome refused(Fault fault, String left, boolean ended) {
            return new Outcome("", left, ended, fault);
        }
    }

    private static Arguments of(String in, Outcome expected) {
        return Arguments.of(in, expected);
    }

    static List<Arguments> table() {
        return List.of(
                // the one end there is
                of("a\r\n.\r\n", Outcome.ended("a\r\n", "")),
                of(".\r\n", Outcome.ended("", "")),
                of("\r\n.\r\n", Outcome.ended("\r\n", "")),
                of("a\r\n\r\n.\r\nQUIT\r\n", Outcome.ended("a\r\n\r\n", "QUIT\r\n")),
                of("a\r\n.\r\n.\r\n", Outcome.ended("a\r\n", ".\r\n")),
                // doubled dots
                of("..\r\n.\r\n", Outcome.ended(".\r\n", "")),
                of("...\r\n.\r\n", Outcome.ended("..\r\n", "")),
                of("..a\r\n..b\r\n.\r\n", Outcome.ended(".a\r\n.b\r\n", "")),
                of(".a\r\n.\r\n", Outcome.ended("a\r\n", "")),
                of("a.\r\n.b.\r\n.\r\n", Outcome.ended("a.\r\nb.\r\n", "")),
                of("a\r\n. \r\n.\r\n", Outcome.ended("a\r\n \r\n", "")),
                of("..\r\n..\r\n", Outcome.open(".\r\n.\r\n")),
                of("\0\u00ff\r\n.\r\n", Outcome.ended("\0\u00ff\r\n", "")),
                // not ended yet
                of("", Outcome.open("")),
                of("a", Outcome.open("a")),
                of("a\r", Outcome.open("a")),
                of("a\r\n", Outcome.open("a\r\n")),
                of("a\r\n.", Outcome.open("a\r\n")),
                of("a\r\n.\r", Outcome.open("a\r\n")),
                of("a.\r\n", Outcome.open("a.\r\n")),
                // ends for others, and none here
                of("a\n.\nb", Outcome.refused(BARE_END, "", false)),
                of("a\n.\r\nb", Outcome.refused(BARE_END, "", false)),
                of("a\r\n.\nb", Outcome.refused(BARE_END, "", false)),
                of("a\r.\rb", Outcome.refused(BARE_END, "", false)),
                of("a\r\n.\rb", Outcome.refused(BARE_END, "", false)),
                of("a\r.\r\nb", Outcome.refused(BARE_END, "", false)),
                of("a\r\n.\r\r\nb", Outcome.refused(BARE_END, "", false)),
                of("a\r\r\n", Outcome.refused(BARE_END, "", false)),
                of("a\n\r\n.\r\nb", Outcome.refused(BARE_END, "b", true)),
                of("a\r\r\n.\r\nb", Outcome.refused(BARE_END, "b", true)),
                of("\n.\r\n", Outcome.refused(BARE_END, "", false)),
                of(".\n", Outcome.refused(BARE_END, "", false)),
                of(".\r.\r\n", Outcome.refused(BARE_END, "", false)),
                of("a\rb\r\n.\r\nc", Outcome.refused(BARE_END, "c", true)),
                of("a\nb\r\n.\r\nc", Outcome.refused(BARE_END, "c", true)),
                of("a\n.\nMAIL FROM:<b@c>\r\n.\r\nQUIT", Outcome.refused(BARE_END, "QUIT", true)),
                of("a\r\n.\nMAIL FROM:<b@c>\r\n.\r\nQUIT", Outcome.refused(BARE_END, "QUIT", true)),
                of("a\n.\r\nMAIL FROM:<b@c>\r\n.\r\nQUIT", Outcome.refused(BARE_END, "QUIT", true)),
                of("a\r.\rMAIL FROM:<b@c>\r\n.\r\nQUIT", Outcome.refused(BARE_END, "QUIT", true)),
                // long lines; a dot that was doubled does not count
                of("12345678\r\n.12345678\r\n.\r\n", Outcome.ended("12345678\r\n12345678\r\n", "")),
                of("123456789\r\n.\r\na", Outcome.refused(LONG_LINE, "a", true)),
                of("..2345678\r\n...345678\r\n.\r\n", Outcome.ended(".2345678\r\n..345678\r\n", "")),
                of("...3456789\r\n.\r\n", Outcome.refused(LONG_LINE, "", true)),
                // the first fault counts
                of("123456789\r\na\n.\r\n.\r\nb", Outcome.refused(LONG_LINE, "b", true)),
                of("a\nb\r\n123456789\r\n.\r\n", Outcome.refused(BARE_END, "", true)),
                of("123456789\n\r\n.\r\n", Outcome.refused(BARE_END, "", true)));
    }

    private static Outcome read(String in, int... cuts) {
        byte[] bytes = in.getBytes(StandardCharsets.ISO_8859_1);
        var reader = new DataReader(MAX_LINE);
        var text = new StringBuilder();
        int from = 0;
        boolean ended = false;
        for (int i = 0; i <= cuts.length && !ended; i++) {
            int to = i < cuts.length ? cuts[i] : bytes.length;
            ByteBuffer chunk = ByteBuffer.wrap(bytes, from, to - from);
            ended = reader.take(chunk, part -> {
                byte[] got = new byte[part.remaining()];
                part.get(got);
                text.append(new String(got, StandardCharsets.ISO_8859_1));
            });
            assertThat(chunk.hasRemaining() && !ended).isFalse();
            from = chunk.position();
        }
        String left = ended ? in.substring(from) : "";
        Fault fault = reader.fault();
        return new Outcome(fault == NONE ? text.toString() : "", left, ended, fault);
    }

    @ParameterizedTest
    @MethodSource("table")
    void endsAndDotsAreReadAlikeWhereverTheBytesAreCut(String in, Outcome expected) {
        assertThat(read(in)).isEqualTo(expected);
        for (int cut = 0; cut <= in.length(); cut++) {
            assertThat(read(in, cut)).as("cut at %d", cut).isEqualTo(expected);
        }
        int[] each = new int[in.length()];
        for (int i = 0; i < each.length; i++) {
            each[i] = i;
        }
        assertThat(read(in, each)).as("byte by byte").isEqualTo(expected);
    }

    /** The same, slow and plain: looks for the end in all of the bytes, then at each line. */
    private static Outcome plain(String in) {
        String all = "\r\n" + in;
        int end = all.indexOf("\r\n.\r\n");
        String body = end < 0 ? in : all.substring(2, end + 2);
        Fault fault = NONE;
        var text = new StringBuilder();
        String rest = body;
        while (!rest.isEmpty() && fault == NONE) {
            int at = rest.indexOf("\r\n");
            boolean whole = at >= 0;
            String line = whole ? rest.substring(0, at) : rest;
            rest = whole ? rest.substring(at + 2) : "";
            String unstuffed = line.startsWith(".") ? line.substring(1) : line;
            String checked =
                    !whole && unstuffed.endsWith("\r") ? unstuffed.substring(0, unstuffed.length() - 1) : unstuffed;
            if (checked.contains("\r") || checked.contains("\n")) {
                fault = BARE_END;
            } else if (whole && unstuffed.length() > MAX_LINE) {
                fault = LONG_LINE;
            }
            text.append(whole ? unstuffed + "\r\n" : checked);
        }
        String left = end < 0 ? "" : all.substring(end + 5);
        return new Outcome(fault == NONE ? text.toString() : "", left, end >= 0, fault);
    }

    @Test
    void readsRandomBytesAsThePlainTwinDoes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int ended = 0;
        for (int n = 0; n < 50_000; n++) {
            var in = new StringBuilder();
            int pieces = random.nextInt(12);
            for (int i = 0; i < pieces; i++) {
                in.append(List.of("\r\n", "\r\n.", ".", "\r", "\n", "a", "bcdefghi", ".\r\n", "\r\n.\r\n")
                        .get(random.nextInt(9)));
            }
            List<Integer> cuts = new ArrayList<>();
            for (int i = 0; i < random.nextInt(4); i++) {
                cuts.add(random.nextInt(in.length() + 1));
            }
            int[] sorted = cuts.stream().mapToInt(Integer::intValue).sorted().toArray();
            Outcome expected = plain(in.toString());
            assertThat(read(in.toString(), sorted)).as("seed %d, %s", seed, in).isEqualTo(expected);
            ended += expected.ended() && expected.fault() == NONE ? 1 : 0;
        }
        assertThat(ended).as("messages without a fault").isGreaterThan(1000);
    }

    @Test
    void handsALineOverAtOnce() {
        List<Integer> parts = new ArrayList<>();
        var reader = new DataReader(MAX_LINE);
        reader.take(ByteBuffer.wrap("abc\r\n..\r\nd".getBytes(StandardCharsets.US_ASCII)), part -> {
            parts.add(part.remaining());
            part.position(part.limit());
        });
        assertThat(parts).containsExactly(5, 3, 1);
    }
}
