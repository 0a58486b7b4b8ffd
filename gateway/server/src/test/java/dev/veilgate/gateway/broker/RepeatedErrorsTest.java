package dev.veilgate.gateway.broker;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** One error that comes often does not fill the log, and hides no other. */
final class RepeatedErrorsTest {
    private static final Logger HIVEMQ =
            (Logger) LoggerFactory.getLogger("com.hivemq.bootstrap.netty.ExceptionHandler");
    private static final Logger NETTY = (Logger) LoggerFactory.getLogger("io.netty.util.concurrent.DefaultPromise");
    private static final Logger OTHERS = (Logger) LoggerFactory.getLogger("dev.veilgate.gateway.broker.Another");
    private static final String TEXT = "An unexpected error occurred for client with IP {}: {}";

    private final AtomicLong nanos = new AtomicLong();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
    private RepeatedErrors errors;

    @BeforeEach
    void listen() {
        log.start();
        root.addAppender(log);
        errors = new RepeatedErrors(meters, nanos::get);
    }

    @AfterEach
    void stop() {
        errors.close();
        root.detachAppender(log);
    }

    private List<String> lines() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private static String trace(String what) {
        return what + "\n\tat com.hivemq.One.of(One.java:1)\n\tat com.hivemq.Two.of(Two.java:2)";
    }

    @Test
    void writesOneOf470StackTracesAndCountsAll() {
        for (int i = 0; i < 470; i++) {
            HIVEMQ.error(TEXT, "192.0.2." + i, trace("java.lang.IllegalStateException: gone"));
        }
        assertThat(lines()).hasSize(1);
        errors.flush();
        assertThat(lines()).hasSize(1);
        nanos.addAndGet(Duration.ofSeconds(61).toNanos());
        errors.flush();
        assertThat(lines()).hasSize(2).last().asString().contains("469 more", "IllegalStateException: gone");
        assertThat(lines().getLast()).doesNotContain("192.0.2").doesNotContain("\n");
        errors.flush();
        assertThat(lines()).hasSize(2);
        assertThat(meters.get("veilgate.mqtt.errors").counter().count()).isEqualTo(470);
    }

    @Test
    void hidesNoOtherErrorBehindIt() {
        for (int i = 0; i < 10; i++) {
            HIVEMQ.error(TEXT, "192.0.2.1", trace("java.lang.IllegalStateException: gone"));
            HIVEMQ.error(TEXT, "192.0.2.1", trace("java.lang.OutOfMemoryError: no memory"));
            HIVEMQ.error("the store cannot be written", new IOException("no space"));
            HIVEMQ.warn("the store cannot be written", new NoSuchElementException("a handler"));
            NETTY.warn("An exception was thrown by com.hivemq.Listener.operationComplete()", new IOException());
            NETTY.warn("An exception was thrown by org.apache.james.Listener.operationComplete()", new IOException());
            OTHERS.error(TEXT, "192.0.2.1", "of ours");
        }
        assertThat(lines()).hasSize(5 + 2 * 10);
        assertThat(log.list.stream().filter(each -> each.getThrowableProxy() != null))
                .hasSize(3 + 10);
    }

    @Test
    void writesItAgainAfterAMinuteAndNothingIsHeldWhenClosed() {
        HIVEMQ.error("one");
        HIVEMQ.error("one");
        nanos.addAndGet(Duration.ofSeconds(61).toNanos());
        HIVEMQ.error("one");
        assertThat(lines()).containsExactly("one", "one");
        errors.close();
        HIVEMQ.error("one");
        assertThat(lines()).endsWith("one");
        assertThat(HIVEMQ.getLoggerContext().getTurboFilterList()).doesNotContain(errors);
    }

    @Test
    void holdsNoMoreKindsThanItsMemoryHas() {
        for (int i = 0; i < 2000; i++) {
            HIVEMQ.error("kind " + (char) ('a' + i % 26) + (char) ('a' + i / 26 % 26) + (char) ('a' + i / 676));
        }
        assertThat(lines()).hasSize(2000); // what has no place is written
    }
}
