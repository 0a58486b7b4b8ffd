package dev.veilgate.gateway.ingest.smtp;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A gateway that listens and serves no domain says so when it starts. */
class SmtpDomainsTest {
    private static final String WARNING =
            "veilgate.smtp.domains names no domain: of clients that do not log in all mail is refused";

    @TempDir
    Path folder;

    @Test
    void warnsWhereItListensAndServesNoDomain() throws Exception {
        SmtpSettings usual = SmtpLab.settings();
        assertThat(said(usual, usual.listeners(), usual.domains())).doesNotContain(WARNING);
        assertThat(said(usual, usual.listeners(), Map.of())).containsOnlyOnce(WARNING);
        assertThat(said(usual, usual.listeners().subList(3, 4), Map.of())).doesNotContain(WARNING);
        assertThat(said(usual, List.of(), Map.of())).doesNotContain(WARNING);
    }

    /** What it says while it starts. */
    private List<String> said(
            SmtpSettings usual, List<SmtpSettings.Listener> listeners, Map<String, SmtpSettings.Domain> domains)
            throws Exception {
        var settings = new SmtpSettings(
                listeners,
                usual.sslBundle(),
                domains,
                usual.plainElsewhere(),
                usual.reports(),
                usual.reversePath(),
                usual.maxMessage(),
                usual.timeout(),
                usual.stopTimeout(),
                usual.limits());
        var log = (Logger) LoggerFactory.getLogger(SmtpServer.class);
        var said = new ListAppender<ILoggingEvent>();
        said.start();
        log.addAppender(said);
        try (var lab = new SmtpLab(folder, settings)) {
            assertThat(lab.server().isRunning()).isTrue();
        } finally {
            log.detachAppender(said);
        }
        return said.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
