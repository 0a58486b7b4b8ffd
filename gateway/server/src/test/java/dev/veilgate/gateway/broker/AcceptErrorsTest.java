package dev.veilgate.gateway.broker;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class AcceptErrorsTest {
    @Test
    void saysOnceWhyConnectionsCannotBeAccepted() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        root.addAppender(log);
        EmbeddedChannel listener = new EmbeddedChannel(new AcceptErrors(new ConnectionMeters(meters)));
        try {
            for (int i = 0; i < 470; i++) {
                listener.pipeline().fireExceptionCaught(new IOException("Too many open files"));
            }
            listener.checkException();
        } finally {
            root.detachAppender(log);
            listener.close();
        }
        assertThat(log.list).hasSize(1);
        assertThat(log.list.getFirst().getFormattedMessage()).contains("Too many open files");
        assertThat(log.list.getFirst().getThrowableProxy()).isNull();
        assertThat(meters.get("veilgate.mqtt.accept.errors").counter().count()).isEqualTo(470);
    }
}
