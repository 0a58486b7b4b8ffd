package dev.veilgate.agent;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a condition, not for a time. */
public final class Await {
    private static final long MAX_SECONDS = 120;

    private Await() {}

    public static void until(String what, BooleanSupplier condition) {
        until(what, MAX_SECONDS, condition);
    }

    public static void until(String what, long seconds, BooleanSupplier condition) {
        until(what, seconds, condition, () -> "");
    }

    public static void until(String what, long seconds, BooleanSupplier condition, Supplier<String> more) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("waited " + seconds + " s in vain for " + what + ": " + more.get());
            }
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted", e);
            }
        }
    }
}
