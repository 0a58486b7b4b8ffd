package dev.veilgate.agent.follow;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JournalUnitTest {
    private static String source(String entry) {
        return JournalUnit.source(entry.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void namesTheUnitThatJournaldNames() {
        assertThat(source("{\"MESSAGE\":\"x\",\"_SYSTEMD_UNIT\":\"sshd@1.service\"}"))
                .isEqualTo("journald/sshd@1.service");
        assertThat(source("{\"_SYSTEMD_UNIT\" : \"a\\\\x2db.service\"}")).isEqualTo("journald/a\\x2db.service");
        assertThat(source("{\"MESSAGE\":\"kernel\",\"_TRANSPORT\":\"kernel\"}")).isEqualTo("journald");
    }

    @Test
    void believesNoMessage() {
        assertThat(
                        source(
                                "{\"MESSAGE\":\"\\\"_SYSTEMD_UNIT\\\":\\\"other.service\\\"\",\"_SYSTEMD_UNIT\":\"own.service\"}"))
                .isEqualTo("journald/own.service");
        assertThat(source("{\"MESSAGE\":\"\\\"_SYSTEMD_UNIT\\\":\\\"other.service\\\"\"}"))
                .isEqualTo("journald");
        assertThat(source("{\"_SYSTEMD_UNIT\":\"../../etc/passwd\"}")).isEqualTo("journald");
        assertThat(source("")).isEqualTo("journald");
    }
}
