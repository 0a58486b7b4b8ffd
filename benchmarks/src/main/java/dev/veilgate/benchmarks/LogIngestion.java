package dev.veilgate.benchmarks;

import dev.veilgate.benchmarks.gateway.EnvelopeConnection;
import dev.veilgate.benchmarks.gateway.EnvelopeFile;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;

/** Sends the sealed logs of all devices at once, each over its own connection: all passes but the last to warm up, then the last, timed from the first to the last acknowledgement. */
final class LogIngestion {
    /** How a device connects. */
    interface Connector {
        EnvelopeConnection connect(int device) throws IOException;
    }

    /**
     * What was acknowledged.
     *
     * @param cores that the gateway used on average
     */
    record Result(long lines, double seconds, double cores) {}

    private final SealedSet sealed;
    private final SealedSet.Size size;
    private final Connector connector;

    LogIngestion(SealedSet sealed, SealedSet.Size size, Connector connector) {
        this.sealed = sealed;
        this.size = size;
        this.connector = connector;
    }

    Result run(Process gateway) throws Exception {
        List<EnvelopeFile> files = new ArrayList<>();
        List<EnvelopeConnection> connections = new ArrayList<>();
        try {
            for (int i = 0; i < size.devices(); i++) {
                files.add(EnvelopeFile.open(sealed.log(i)));
                connections.add(connector.connect(i));
            }
            int pass = 0;
            for (EdgeLog log : EdgeLog.readAll().subList(0, size.logs())) {
                pass += log.batches().size();
            }
            send(files, connections, (size.logPasses() - 1) * pass);
            Duration cpu = cpu(gateway);
            long start = System.nanoTime();
            long lines = send(files, connections, Integer.MAX_VALUE);
            double seconds = (System.nanoTime() - start) / 1e9;
            return new Result(lines, seconds, cpu(gateway).minus(cpu).toNanos() / 1e9 / seconds);
        } finally {
            for (EnvelopeConnection connection : connections) {
                connection.close();
            }
            for (EnvelopeFile file : files) {
                file.close();
            }
        }
    }

    private static Duration cpu(Process process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static long send(List<EnvelopeFile> files, List<EnvelopeConnection> connections, int envelopes)
            throws Exception {
        AtomicLong lines = new AtomicLong();
        List<Callable<Void>> work = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            EnvelopeFile file = files.get(i);
            EnvelopeConnection connection = connections.get(i);
            work.add(() -> {
                lines.addAndGet(connection.send(file, envelopes));
                return null;
            });
        }
        SealedSet.inParallel(work.size(), work);
        return lines.get();
    }
}
