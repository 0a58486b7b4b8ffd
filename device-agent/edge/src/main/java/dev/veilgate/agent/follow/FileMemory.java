package dev.veilgate.agent.follow;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** What following a number of files takes of this process: memory of Java, and descriptors, since each file is open. */
public final class FileMemory {
    /** Heap of a followed file that was read, with its position and its name. */
    static final long BYTES_A_FILE = 5 << 10;

    /** Of everything else in an agent: the bundle, batches that are sealed, templates, the spool. */
    private static final long OTHER_BYTES = 40L << 20;

    /** Of what Java is given it counts less as its memory, by a space that its collector keeps free. */
    private static final long UNCOUNTED_BYTES = 8L << 20;

    private static final long OTHER_DESCRIPTORS = 200;

    private FileMemory() {}

    /**
     * What is too little for so many files.
     *
     * @param files that may be followed at a time
     * @return what to say and what to do about it; empty if there is enough
     */
    public static String lacking(long files) {
        long descriptors = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? system.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
        return lacking(files, Runtime.getRuntime().maxMemory(), descriptors);
    }

    static String lacking(long files, long heapBytes, long descriptors) {
        long needed = OTHER_BYTES + files * BYTES_A_FILE;
        if (needed > heapBytes) {
            return files + " files need " + megabytes(needed) + " MB of memory, and Java was given "
                    + megabytes(heapBytes) + ": set VEILGATE_JAVA_OPTS=-Xmx" + megabytes(needed + UNCOUNTED_BYTES)
                    + "m, or lower agent.max-files";
        }
        if (files + OTHER_DESCRIPTORS > descriptors) {
            return files + " files are more than this process may open, which is " + descriptors
                    + ": raise its limit (LimitNOFILE= of its systemd unit, ulimit -n) to "
                    + (files + OTHER_DESCRIPTORS) + ", or lower agent.max-files";
        }
        return "";
    }

    private static long megabytes(long bytes) {
        return (bytes + (1 << 20) - 1) >> 20;
    }
}
