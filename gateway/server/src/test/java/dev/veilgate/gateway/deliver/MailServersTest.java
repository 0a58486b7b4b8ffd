package dev.veilgate.gateway.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MailServersTest {
    private NameServer dns;

    @BeforeEach
    void start() throws IOException {
        dns = new NameServer();
        dns.records.put("a.example", List.of("20 backup.example", "10 one.example", "10 two.example"));
        dns.records.put("none.example", List.of());
        dns.records.put("null.example", List.of("0 ."));
        dns.records.put("local.example", List.of("5 nowhere.invalid", "10 localhost"));
    }

    @AfterEach
    void stop() {
        dns.close();
    }

    @Test
    void areOrderedByPreferenceAndShuffledAmongEquals() throws Exception {
        var servers = new MailServers(dns.address(), new Random(1));
        var firsts = new HashSet<String>();
        for (int i = 0; i < 30; i++) {
            List<String> hosts = servers.of("a.example");
            assertThat(hosts).hasSize(3).endsWith("backup.example");
            firsts.add(hosts.getFirst());
        }
        assertThat(firsts).containsExactlyInAnyOrder("one.example", "two.example");
        assertThat(servers.of("none.example")).containsExactly("none.example");
        assertThatThrownBy(() -> servers.of("null.example")).hasMessage("556 5.1.10 the domain takes no mail");
        assertThatThrownBy(() -> servers.of("missing.example")).hasMessage("550 5.1.2 the domain does not exist");
    }

    @Test
    void mailGoesToTheFirstServerThatAnswersOrBack() {
        try (var sink = new MailSink();
                var home = new MailSink();
                var lab = new DeliveryLab()) {
            lab.dns = dns.address();
            lab.mxPort = sink.port();
            lab.relay("example.org", home.port());
            lab.start();
            lab.add(
                    "ada@example.org",
                    List.of("x@local.example", "x@null.example", "x@missing.example"),
                    "S: x\r\n\r\nx\r\n");
            assertThat(sink.await(1).getFirst().recipients()).containsExactly("x@local.example");
            assertThat(home.await(2))
                    .anyMatch(mail -> mail.text().contains("Status: 5.1.10"))
                    .anyMatch(mail -> mail.text().contains("Status: 5.1.2"));
            lab.awaitEmpty();
        }
    }
}
