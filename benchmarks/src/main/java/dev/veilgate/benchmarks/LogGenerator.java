package dev.veilgate.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Any number of log lines from the real ones of {@link EdgeLog}: their times go on, and hosts, addresses and long numbers are drawn anew, few of them often and most of them
 * seldom (Zipf, exponent 1), as in a fleet. For one thread.
 */
final class LogGenerator implements Iterator<List<byte[]>> {
    private static final Pattern FRESH = Pattern.compile("(?<time>\\b\\d\\d:\\d\\d:\\d\\d\\b)"
            + "|(?<address>\\b\\d{1,3}(?:\\.\\d{1,3}){3}\\b)"
            + "|(?<host>\\b[A-Za-z]{2,12}-?(?=\\d{1,4}\\b))\\d{1,4}"
            + "|(?<number>\\d{5,19})");
    private static final int DIFFERENT = 200_000;

    private final List<List<byte[]>> batches = new ArrayList<>();
    private final SplittableRandom random;
    private int next;
    private long second;

    LogGenerator(long seed) throws IOException {
        this.random = new SplittableRandom(seed);
        EdgeLog.readAll().forEach(log -> batches.addAll(log.batches()));
    }

    /** The lines of the next envelope, all of one device: up to 256. */
    @Override
    public List<byte[]> next() {
        List<byte[]> batch = batches.get(next++ % batches.size());
        return batch.stream().map(this::fresh).toList();
    }

    @Override
    public boolean hasNext() {
        return true;
    }

    private byte[] fresh(byte[] line) {
        Matcher matcher = FRESH.matcher(new String(line, StandardCharsets.ISO_8859_1));
        second += random.nextInt(3) / 2;
        return matcher.replaceAll(found -> Matcher.quoteReplacement(replacement(matcher)))
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private String replacement(Matcher found) {
        if (found.group("time") != null) {
            return "%02d:%02d:%02d".formatted(second / 3600 % 24, second / 60 % 60, second % 60);
        }
        int drawn = (int) Math.pow(DIFFERENT, random.nextDouble());
        if (found.group("address") != null) {
            return "10." + (drawn >> 16) + "." + (drawn >> 8 & 255) + "." + (drawn & 255);
        }
        if (found.group("host") != null) {
            return found.group("host") + drawn % 10_000;
        }
        int digits = found.group("number").length();
        String number =
                Long.toString(1_000_000_000_000_000_000L + Math.floorMod(drawn * 0x9E3779B97F4A7C15L, 1L << 59));
        return number.substring(number.length() - Math.min(digits, 18));
    }
}
