package dev.veilgate.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A control group of Linux, of version 1 or 2, whose processes have a quota of the processor. */
final class ControlGroup implements ProcessorLimit {
    private static final int PERIOD_MICROS = 100_000;
    private static final String PROCESSES = "cgroup.procs";
    /** File of quota and period, in version 2. */
    private static final String QUOTA_2 = "cpu.max";
    /** File of the quota, in version 1. */
    private static final String QUOTA_1 = "cpu.cfs_quota_us";

    private static final String PERIOD_1 = "cpu.cfs_period_us";

    /** How long a group may take to be empty. */
    private static final long LEAVING_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Path folder;
    private final Path own;

    /**
     * Where groups are.
     *
     * @param root of all groups
     * @param own  the group of this process
     */
    private record Hierarchy(Path root, Path own) {}

    private ControlGroup(Path folder, Path own) {
        this.folder = folder;
        this.own = own;
    }

    /** A group with a quota, or nothing if this process may not make one, or put others into it. */
    static Optional<ControlGroup> make(double cores) throws IOException {
        for (Hierarchy hierarchy : hierarchies()) {
            for (Path parent : new Path[] {hierarchy.own, hierarchy.root}) {
                Optional<ControlGroup> made = make(parent, hierarchy.own, cores);
                if (made.isPresent()) {
                    return made;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<ControlGroup> make(Path parent, Path own, double cores) throws IOException {
        Path folder;
        try {
            folder = Files.createTempDirectory(parent, "veilgate-share");
        } catch (IOException e) {
            return Optional.empty();
        }
        ControlGroup group = new ControlGroup(folder, own);
        try {
            group.bound(cores);
            group.tryOut();
            return Optional.of(group);
        } catch (IOException e) {
            group.close();
            return Optional.empty();
        }
    }

    private static List<Hierarchy> hierarchies() throws IOException {
        Path mounts = Path.of("/proc/self/mounts");
        Path groups = Path.of("/proc/self/cgroup");
        if (!Files.exists(mounts) || !Files.exists(groups)) {
            return List.of();
        }
        List<String> ofThis = Files.readAllLines(groups);
        List<Hierarchy> found = new ArrayList<>();
        for (String mount : Files.readAllLines(mounts)) {
            String[] fields = mount.split(" "); // device, folder, type, options
            boolean isOf1 = fields[2].equals("cgroup") && isListed("cpu", fields[3]);
            if (isOf1 || fields[2].equals("cgroup2")) {
                Path root = Path.of(fields[1]);
                found.add(new Hierarchy(root, own(root, ofThis, isOf1 ? "cpu" : "")));
            }
        }
        return found;
    }

    private static boolean isListed(String name, String list) {
        return Arrays.asList(list.split(",")).contains(name);
    }

    /** The group of this process; the root where a container does not see it. */
    private static Path own(Path root, List<String> groups, String controller) {
        return groups.stream()
                .map(line -> line.split(":", 3)) // number, controllers, path
                .filter(group -> isListed(controller, group[1]))
                .map(group -> root.resolve(group[2].substring(1)))
                .filter(group -> Files.exists(group.resolve(PROCESSES)))
                .findFirst()
                .orElse(root);
    }

    /** Where the group is. */
    Path folder() {
        return folder;
    }

    private void bound(double cores) throws IOException {
        long quota = Math.round(cores * PERIOD_MICROS);
        if (Files.exists(folder.resolve(QUOTA_2))) {
            write(folder.resolve(QUOTA_2), quota + " " + PERIOD_MICROS);
        } else {
            write(folder.resolve(PERIOD_1), Integer.toString(PERIOD_MICROS));
            write(folder.resolve(QUOTA_1), Long.toString(quota));
        }
    }

    private void unbound() throws IOException {
        if (Files.exists(folder.resolve(QUOTA_2))) {
            write(folder.resolve(QUOTA_2), "max");
        } else if (Files.exists(folder.resolve(QUOTA_1))) {
            write(folder.resolve(QUOTA_1), "-1");
        }
    }

    /** Puts a process into it that ends at once. */
    private void tryOut() throws IOException {
        Process process = new ProcessBuilder("cat").start();
        try {
            write(folder.resolve(PROCESSES), Long.toString(process.pid()));
        } finally {
            process.destroyForcibly().onExit().join();
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.WRITE);
    }

    @Override
    public void add(ProcessHandle process) throws IOException {
        Set<ProcessHandle> moved = new HashSet<>();
        boolean isMore = true;
        while (isMore) { // what was started by one that was in the group is in it
            isMore = false;
            for (ProcessHandle each :
                    Stream.concat(Stream.of(process), process.descendants()).toList()) {
                if (moved.add(each)) {
                    move(each, folder);
                    isMore = true;
                }
            }
        }
    }

    private static void move(ProcessHandle process, Path group) throws IOException {
        try {
            write(group.resolve(PROCESSES), Long.toString(process.pid()));
        } catch (IOException e) {
            if (process.isAlive()) {
                throw e;
            }
        }
    }

    /** Lifts the quota, then puts all processes back and removes the group. */
    @Override
    public void close() throws IOException {
        unbound();
        long end = System.nanoTime() + LEAVING_NANOS;
        while (true) {
            for (String pid : Files.readAllLines(folder.resolve(PROCESSES))) {
                Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(pid));
                if (process.isPresent()) {
                    move(process.get(), own);
                }
            }
            try {
                Files.delete(folder);
                return;
            } catch (IOException e) {
                if (System.nanoTime() - end > 0) {
                    throw e;
                }
                Thread.onSpinWait(); // processes that end are in it a moment longer
            }
        }
    }
}
