package dev.veilgate.gateway.broker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Threads of a starting HiveMQ, and their work. HiveMQ tells nobody that a store cannot be opened: the error ends in a
 * task whose result is not asked for, and the start waits without an end for
 * the store to be counted as open. Its threads show both: how far a slow start is, and that nothing is opened any
 * more for which the start still waits.
 */
final class StartingThreads {
    private static final String HIVEMQ = "com.hivemq.";
    private static final Set<String> STORES = Set.of(
            HIVEMQ + "persistence.local.xodus.XodusLocalPersistence",
            HIVEMQ + "persistence.local.rocksdb.RocksDBLocalPersistence");
    private static final String SERVER = HIVEMQ + "HiveMQServer";
    private static final String WAIT = HIVEMQ + "persistence.PersistenceStartup";
    private static final String POOL = "java.util.concurrent.ThreadPoolExecutor$Worker";

    private final Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());

    /** Work of the threads at a moment: those that wait, if any other works, and the step that it is at. */
    record Work(List<Thread> waiting, boolean isBusy, Optional<String> step) {
        /** Tells if stores are waited for that nobody opens. */
        boolean isStuck() {
            return !waiting.isEmpty() && !isBusy;
        }

        /** For people. */
        String text() {
            return step.orElse(isStuck() ? "stores that could not be opened" : "its threads");
        }
    }

    /** Looks at threads that began after this was made. */
    Work look() {
        List<Thread> waiting = new ArrayList<>();
        boolean isBusy = false;
        Optional<String> step = Optional.empty();
        for (Map.Entry<Thread, StackTraceElement[]> each :
                Thread.getAllStackTraces().entrySet()) {
            StackTraceElement[] stack = each.getValue();
            if (before.contains(each.getKey()) || stack.length == 0 || !isOfPool(stack)) {
                continue;
            }
            if (waitsForStores(stack)) {
                waiting.add(each.getKey());
            } else if (startsStores(stack)) {
                isBusy = true;
                step = step(stack);
            } else if (step.isEmpty() && isOfBoot(stack)) {
                step = step(stack);
            }
        }
        return new Work(List.copyOf(waiting), isBusy, step);
    }

    private static boolean isOfPool(StackTraceElement[] stack) {
        return Arrays.stream(stack).anyMatch(frame -> frame.getClassName().equals(POOL));
    }

    /** The start itself, unless it waits for stores. */
    private static boolean isOfBoot(StackTraceElement[] stack) {
        return Arrays.stream(stack).anyMatch(frame -> frame.getClassName().equals(SERVER))
                && Arrays.stream(stack).noneMatch(frame -> frame.getClassName().equals(WAIT));
    }

    private static Optional<String> step(StackTraceElement[] stack) {
        return Arrays.stream(stack)
                .filter(frame -> frame.getClassName().startsWith(HIVEMQ))
                .findFirst()
                .map(StartingThreads::name);
    }

    private static boolean startsStores(StackTraceElement[] stack) {
        return Arrays.stream(stack).anyMatch(StartingThreads::isStart);
    }

    private static boolean isStart(StackTraceElement frame) {
        return STORES.contains(frame.getClassName())
                && (frame.getMethodName().equals("start")
                        || frame.getMethodName().startsWith("lambda$start$"));
    }

    private static boolean waitsForStores(StackTraceElement[] stack) {
        for (int i = 1; i < stack.length; i++) {
            if (isStart(stack[i])) {
                return stack[i].getMethodName().equals("start")
                        && stack[i - 1].getClassName().equals("java.util.concurrent.CountDownLatch");
            }
        }
        return false;
    }

    private static String name(StackTraceElement frame) {
        String type = frame.getClassName();
        return type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethodName();
    }
}
