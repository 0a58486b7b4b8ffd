package dev.veilgate.benchmarks;

import dev.veilgate.benchmarks.AttributeWork.Operation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process of {@link ResidentMemory}: it loads every scheme with its authority's keys, repeats one operation, and says
 * the most memory that it has had resident before and after. Linux only, since it asks /proc.
 */
public final class ResidentWork {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Pattern MOST_RESIDENT = Pattern.compile("(?m)^VmHWM:\\s+(\\d+) kB$");

    private ResidentWork() {}

    /**
     * Prints {@link ResidentMemory.Reading#line}.
     *
     * @param args nothing, for the baseline; or scheme, operation, attributes, most repetitions, most milliseconds
     */
    public static void main(String[] args) throws Exception {
        List<AttributeWork<?, ?, ?, ?>> schemes = AttributeWork.all();
        long before = mostResident();
        int repetitions = 0;
        if (args.length > 0) {
            Callable<?> operation =
                    AttributeWork.byId(schemes, args[0]).alone(Operation.valueOf(args[1]), Integer.parseInt(args[2]));
            repetitions = repeat(operation, Integer.parseInt(args[3]), Long.parseLong(args[4]) * 1_000_000);
        }
        System.out.write(new ResidentMemory.Reading(repetitions, before, mostResident())
                .line()
                .getBytes(StandardCharsets.UTF_8));
        System.out.flush();
    }

    private static int repeat(Callable<?> operation, int most, long nanos) throws Exception {
        int count = 0;
        for (long start = System.nanoTime(); count < most && System.nanoTime() - start < nanos; count++) {
            Sample.sink = operation.call();
        }
        return count;
    }

    /** In bytes. */
    private static long mostResident() throws IOException {
        Matcher most = MOST_RESIDENT.matcher(Files.readString(STATUS));
        if (!most.find()) {
            throw new IOException(STATUS + " has no VmHWM");
        }
        return Long.parseLong(most.group(1)) * 1024;
    }
}
