package dev.veilgate.application.command;

import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Says that the process is alive before it answers. Spring says so when all has started, which may be long after the first answer, and until then a probe of liveness
 * would have a process killed that only starts.
 */
final class EarlyLiveness implements SmartLifecycle {
    private final ApplicationContext context;
    private boolean running;

    private EarlyLiveness(ApplicationContext context) {
        this.context = context;
    }

    /** Adds it to a context that is not refreshed yet. */
    static void register(ConfigurableApplicationContext context) {
        context.getBeanFactory().registerSingleton("earlyLiveness", new EarlyLiveness(context));
    }

    @Override
    public synchronized void start() {
        AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
        running = true;
    }

    @Override
    public synchronized void stop() {
        running = false;
    }

    @Override
    public synchronized boolean isRunning() {
        return running;
    }

    /** Before everything that listens. */
    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }
}
