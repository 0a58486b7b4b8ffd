package dev.veilgate.transport.smtp;

import java.time.Duration;
import org.apache.james.metrics.api.Metric;
import org.apache.james.metrics.api.MetricFactory;
import org.apache.james.metrics.api.TimeMetric;
import org.reactivestreams.Publisher;

/** James wants to measure its commands; what matters here is counted by ourselves. */
public final class NoMetrics implements MetricFactory {
    @Override
    public Metric generate(String name) {
        return new Nothing();
    }

    @Override
    public TimeMetric timer(String name) {
        return new Unmeasured(name);
    }

    @Override
    public <T> Publisher<T> decoratePublisherWithTimerMetric(String name, Publisher<T> publisher) {
        return publisher;
    }

    @Override
    @SuppressWarnings("deprecation") // the interface has it
    public <T> Publisher<T> decoratePublisherWithTimerMetricLogP99(String name, Publisher<T> publisher) {
        return publisher;
    }

    private static final class Nothing implements Metric {
        @Override
        public void increment() {}

        @Override
        public void decrement() {}

        @Override
        public void add(int value) {}

        @Override
        public void remove(int value) {}

        @Override
        public long getCount() {
            return 0;
        }

        @Override
        public double movingAverage() {
            return 0;
        }
    }

    private record Unmeasured(String name) implements TimeMetric, TimeMetric.ExecutionResult {
        @Override
        public ExecutionResult stopAndPublish() {
            return this;
        }

        @Override
        public Duration elasped() {
            return Duration.ZERO;
        }

        @Override
        @SuppressWarnings("deprecation") // the interface has it
        public ExecutionResult logWhenExceedP99(Duration threshold) {
            return this;
        }
    }
}
