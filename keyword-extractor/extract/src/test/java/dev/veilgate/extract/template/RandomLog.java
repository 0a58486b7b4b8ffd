package dev.veilgate.extract.template;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A log of a program that does not exist: a few dozen kinds of message with numbers, addresses and users, and some noise. */
final class RandomLog {
    private static final String[] WORDS =
            ("connection closed opened by from user failed session started stopped timeout disk memory "
                            + "retry packet dropped accepted password invalid service error warning file queue full")
                    .split(" ");
    private static final String[] USERS = {"root", "guest", "anna", "bob", "operator", "mallory"};

    private final SplittableRandom random;
    private final List<String> kinds = new ArrayList<>();

    RandomLog(SplittableRandom random, int kinds) {
        this.random = random;
        for (int i = 0; i < kinds; i++) {
            StringBuilder kind = new StringBuilder(pick(WORDS));
            for (int words = 1 + random.nextInt(8); words > 0; words--) {
                kind.append(' ').append(random.nextInt(3) == 0 ? "NUU%I".charAt(random.nextInt(5)) : pick(WORDS));
            }
            this.kinds.add(kind.toString());
        }
    }

    private String pick(String[] of) {
        return of[random.nextInt(of.length)];
    }

    byte[] line() {
        if (random.nextInt(50) == 0) {
            byte[] noise = new byte[random.nextInt(200)];
            random.nextBytes(noise);
            return noise;
        }
        StringBuilder line = new StringBuilder();
        String kind = kinds.get(random.nextInt(kinds.size()));
        for (int i = 0; i < kind.length(); i++) {
            char c = kind.charAt(i);
            switch (c) {
                case 'N' -> line.append(random.nextInt(100_000));
                case 'U' -> line.append(pick(USERS));
                case '%' -> line.append("k=").append(pick(USERS));
                case 'I' ->
                    line.append("10.")
                            .append(random.nextInt(256))
                            .append(".0.1:")
                            .append(random.nextInt(9999));
                default -> line.append(c);
            }
        }
        return line.toString().getBytes(StandardCharsets.UTF_8);
    }

    List<byte[]> lines(int count) {
        List<byte[]> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lines.add(line());
        }
        return lines;
    }
}
