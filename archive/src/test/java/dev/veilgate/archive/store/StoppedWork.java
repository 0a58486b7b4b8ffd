package dev.veilgate.archive.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** Work in a process that is killed while the work stands before one of its steps, in a folder for each step. */
final class StoppedWork {
    private static final String ALL = "all";
    private static final int MOST_STEPS = 300;

    private StoppedWork() {}

    /** Work in the folder of one step. */
    @FunctionalInterface
    interface Work {
        /** Says what it was told, as a part of the line of this step. */
        void run(Filesystem files, Path folder, List<String> told) throws Exception;
    }

    /** Folder, step and what had been told there. */
    record Stop(Path folder, String step, String told) {}

    /** Stands still for ever before a writing step, counted from 0. */
    private static final class Stopping extends FaultyFiles {
        private final int stop;
        private final BlockingQueue<String> outcome;
        private int steps;

        Stopping(int stop, BlockingQueue<String> outcome) {
            this.stop = stop;
            this.outcome = outcome;
        }

        @Override
        void before(Step step, Path path) throws IOException {
            if (Step.WRITING.contains(step) && steps++ == stop) {
                outcome.add(step.name());
                standStill();
            }
        }
    }

    private static void standStill() throws IOException {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** For the process that is killed: does the work up to each of its steps, and whole in the last folder. */
    static void upToEachStep(Path folder, Work work) throws Exception {
        String step = "";
        for (int stop = 0; !step.equals("END"); stop++) {
            Path own = folder.resolve(Integer.toString(stop));
            new SystemFiles().createFolder(own);
            BlockingQueue<String> outcome = new LinkedBlockingQueue<>();
            List<String> told = new ArrayList<>();
            FaultyFiles files = new Stopping(stop, outcome);
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    work.run(files, own, told);
                    outcome.add("END");
                } catch (Throwable e) {
                    outcome.add(e.toString());
                }
            });
            step = outcome.take();
            System.out.println(step + "/" + String.join(" ", told));
        }
        System.out.println(ALL);
        standStill();
    }

    /** For the test: kills the process when the work stands before each step. */
    static List<Stop> kill(Path folder, Class<?> main, Object... arguments) throws Exception {
        List<Stop> stops = new ArrayList<>();
        Process process = JavaProcess.start(main, arguments);
        try (BufferedReader out = process.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.equals(ALL)) {
                    process.toHandle().destroyForcibly();
                } else {
                    String[] parts = line.split("/", -1);
                    stops.add(new Stop(folder.resolve(Integer.toString(stops.size())), parts[0], parts[1]));
                    assertThat(stops.size()).isLessThan(MOST_STEPS);
                }
            }
        }
        assertThat(process.waitFor()).isEqualTo(JavaProcess.KILLED);
        return stops;
    }
}
