package dev.veilgate.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Logs of a plant that does not exist: three presses and a gate. The same every time but for the time of day. */
final class SampleLogs {
    private static final long SEED = 20261121;
    private static final int LINES_EACH = 1500;
    private static final List<String> USERS = List.of("amelie", "bruno", "chiara", "deniz", "root");
    private static final List<String> PARTS = List.of("pump", "valve", "conveyor", "gripper", "furnace");

    private SampleLogs() {}

    /** Writes the logs; they end now. */
    static int write(Path folder, Instant now) throws IOException {
        Random random = new Random(SEED);
        for (String host : List.of("press-1", "press-2", "press-3", "gate")) {
            Instant start = now.minus(LINES_EACH, ChronoUnit.SECONDS).truncatedTo(ChronoUnit.SECONDS);
            List<String> lines = IntStream.range(0, LINES_EACH)
                    .mapToObj(i -> start.plusSeconds(i) + " " + host + " " + line(host, random))
                    .toList();
            Files.write(folder.resolve(host + ".log"), lines);
        }
        return 4 * LINES_EACH;
    }

    private static String line(String host, Random random) {
        int kind = random.nextInt(1000);
        if (host.equals("gate")) {
            String user = USERS.get(random.nextInt(USERS.size()));
            String address = "10.0.0." + (1 + random.nextInt(30));
            if (kind < 40) {
                return "sshd[%d]: Failed password for %s from %s port %d"
                        .formatted(1000 + random.nextInt(9000), user, address, 1024 + random.nextInt(60000));
            }
            return "sshd[%d]: Accepted publickey for %s from %s".formatted(1000 + random.nextInt(9000), user, address);
        }
        String part = PARTS.get(random.nextInt(PARTS.size()));
        if (kind < 4) {
            return "controller: ERROR %s overheated, %d degrees, line stopped".formatted(part, 95 + random.nextInt(20));
        }
        if (kind < 40) {
            return "controller: WARN %s vibration %d um above limit".formatted(part, 10 + random.nextInt(90));
        }
        return "controller: INFO %s cycle %d finished in %d ms"
                .formatted(part, random.nextInt(100_000), 200 + random.nextInt(900));
    }
}
