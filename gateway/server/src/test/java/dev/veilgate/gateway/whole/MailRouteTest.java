package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.PolicySyntaxException;
import dev.veilgate.authority.SearchScheme;
import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.deliver.MailSink;
import dev.veilgate.query.SearchRequest;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sealed mail that a trapdoor finds to be urgent goes to the pager too, whatever scheme the tenant's index has. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class MailRouteTest {
    private static final String PAGER = "pager@example.org";

    @TempDir
    Path folder;

    static List<SearchScheme> schemes() throws PolicySyntaxException {
        return List.of(
                SearchScheme.DEFAULT,
                new SearchScheme("bdop04-peks", Optional.empty()),
                new SearchScheme("zi07-peks", Optional.empty()),
                new SearchScheme("cp-zxa14", Optional.of(Policy.parse("role:auditor AND site:plant-7"))));
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void urgentMailReachesThePager(SearchScheme scheme) throws Exception {
        TestTenant tenant = TestTenant.of(GatewayProcess.TENANT, scheme);
        assertThat(tenant.keys().keys().getFirst().kind()).isEqualTo(scheme.id());
        try (var sink = new MailSink();
                var gateway = new GatewayProcess(
                        folder,
                        tenant,
                        "veilgate.deliver.relays[example.org].host=127.0.0.1",
                        "veilgate.deliver.relays[example.org].port=" + sink.port())) {
            gateway.start();
            SearchRequest urgent = tenant.search("urgent", folder.resolve("trapdoors"));
            String route = "{\"search\":\"" + Base64.getEncoder().encodeToString(urgent.encode())
                    + "\",\"action\":{\"type\":\"forward\",\"target\":\"" + PAGER + "\"}}";
            HttpResponse<byte[]> installed = gateway.send(gateway.request("/routes/pager")
                    .header("Content-Type", "application/json")
                    .PUT(HttpRequest.BodyPublishers.ofString(route)));
            assertThat(installed.statusCode()).isEqualTo(201);

            var mails = new TestMail(folder, tenant);
            String from = "bob@elsewhere.example";
            Mail.send(gateway.smtpPort, from, TestMail.ADDRESS, mails.seal(text("calm"), "calm"));
            Mail.send(gateway.smtpPort, from, TestMail.ADDRESS, mails.seal(text("fire"), "urgent", "fire"));
            List<MailSink.Mail> arrived = sink.await(3);
            assertThat(arrived)
                    .filteredOn(mail -> mail.recipients().contains(PAGER))
                    .singleElement()
                    .satisfies(mail -> assertThat(mails.open(mail.bytes())).contains("Subject: fire"));
            assertThat(arrived)
                    .filteredOn(mail -> mail.recipients().contains(TestMail.ADDRESS))
                    .hasSize(2);
        }
    }

    private static String text(String subject) {
        return "From: bob@elsewhere.example\r\nTo: " + TestMail.ADDRESS
                + "\r\nDate: Sat, 21 Nov 2026 10:00:00 +0000\r\nMessage-ID: <" + subject
                + "@elsewhere.example>\r\nSubject: " + subject + "\r\n\r\nnot what it seems\r\n";
    }
}
