package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Principal.Kind;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.query.SearchRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes the set of {@link FrozenGatewayDataTest}, with a gateway as an operator starts it: a run that ends in order and leaves work behind, and one that is killed while its journal holds what it has
 * acknowledged and not stored. Not part of a build:
 *
 * <pre>{@code
 * ./mvnw verify -pl gateway/server -am -Dtest=FrozenGatewayDataMaker -Dsurefire.failIfNoSpecifiedTests=false -Dveilgate.frozen.make=FOLDER
 * }</pre>
 */
class FrozenGatewayDataMaker {
    private static final TestTenant ACME = TestTenant.of(GatewayProcess.TENANT);

    private final Properties known = new Properties();
    private final List<SealedEnvelope> envelopes = new ArrayList<>();

    @Test
    void make(@TempDir Path temporary) throws Exception {
        Path target = Path.of(System.getProperty("veilgate.frozen.make"));
        Files.createDirectories(target);
        try (GatewayProcess gateway = new GatewayProcess(
                temporary,
                ACME,
                FrozenGatewayDataTest.NEVER_EXPIRES[0],
                FrozenGatewayDataTest.NEVER_EXPIRES[1],
                FrozenGatewayDataTest.NEVER_EXPIRES[2],
                "veilgate.ingest.segment-size=1MB",
                "veilgate.deliver.relays[example.org].host=127.0.0.1",
                "veilgate.deliver.relays[example.org].port=1")) { // nobody listens there: mail waits
            String pager = gateway.grant(
                    new Principal(Kind.DEVICE, "pager", "acme", Set.of(Right.INGEST), Set.of(), Set.of("alerts/#")));
            known.setProperty("authority", ACME.keys().authority().fingerprint());
            known.setProperty("token", gateway.token());
            known.setProperty("pager", pager);
            gateway.start();
            FrozenGatewayDataTest.subscribe(gateway, pager).disconnect();
            SearchRequest search = ACME.search("overheated", temporary.resolve("trapdoors"));
            Files.write(target.resolve("overheated.vgs"), search.encode());
            route(gateway, search);
            hold(gateway);
            TestTenant.Sender one = ACME.sender("press-1", Clock.systemUTC());
            TestTenant.Sender two = ACME.sender("press-2", Clock.systemUTC());
            submit(gateway, one.seal("pump started", "pump overheated", "pump stopped"));
            submit(gateway, two.seal("valve calm"));
            submit(gateway, two.seal("valve overheated"));
            one.seal("never sent: a gap");
            TestMail mails = new TestMail(temporary, ACME);
            byte[] waiting = sealed(target, "waiting", mails);
            Mail.send(gateway.smtpPort, "bob@elsewhere.example", TestMail.ADDRESS, waiting);
            awaitActions(gateway, 3);
            assertThat(gateway.stop()).isIn(0, 143);

            // Sealed before, so that the kill comes before the store is committed.
            SealedEnvelope pump = one.seal("late pump overheated");
            SealedEnvelope valve = two.seal("late valve calm", "late valve overheated");
            byte[] journaled = sealed(target, "journaled", mails);
            gateway.start();
            submit(gateway, pump);
            submit(gateway, valve);
            Mail.send(gateway.smtpPort, "bob@elsewhere.example", TestMail.ADDRESS, journaled);
            awaitActions(gateway, 6);
            Thread.sleep(
                    1_000); // until the database has it: what is not there yet is done again, and the notice sent twice
            gateway.kill();
        }
        Files.copy(temporary.resolve("bundle"), target.resolve("bundle"));
        Files.copy(temporary.resolve("bundle.senders"), target.resolve("bundle.senders"));
        for (SealedEnvelope each : envelopes) {
            Files.write(Files.createDirectories(target.resolve("envelopes")).resolve(each.id() + ".vge"), each.bytes());
        }
        try (OutputStream out = Files.newOutputStream(target.resolve("known.properties"))) {
            known.store(out, null);
        }
        zip(temporary.resolve("data"), target.resolve("data.zip"));
    }

    private static void awaitActions(GatewayProcess gateway, int count) {
        await().atMost(Duration.ofMinutes(2))
                .until(() -> gateway.json(gateway.request("/routes/pager"))
                                .get("actions")
                                .get("done")
                                .asInt()
                        == count);
    }

    private void submit(GatewayProcess gateway, SealedEnvelope sealed) throws Exception {
        assertThat(gateway.submit(sealed.bytes()).statusCode()).isEqualTo(201);
        envelopes.add(sealed);
    }

    private static byte[] sealed(Path target, String name, TestMail mails) throws Exception {
        String text = "From: bob@elsewhere.example\r\nTo: " + TestMail.ADDRESS + "\r\nSubject: " + name
                + "\r\nMessage-ID: <" + name + "@elsewhere.example>\r\n\r\nThe pump is overheated.\r\n";
        byte[] sealed = mails.seal(text, "overheated", name);
        Files.write(target.resolve(name + ".eml"), sealed);
        return sealed;
    }

    private static void route(GatewayProcess gateway, SearchRequest search) throws Exception {
        String body = "{\"search\":\"" + Base64.getEncoder().encodeToString(search.encode())
                + "\",\"action\":{\"type\":\"topic\",\"target\":\"alerts/overheated\"}}";
        assertThat(gateway.send(gateway.request("/routes/pager")
                                .header("Content-Type", "application/json")
                                .PUT(HttpRequest.BodyPublishers.ofString(body)))
                        .statusCode())
                .isEqualTo(201);
    }

    private static void hold(GatewayProcess gateway) throws Exception {
        assertThat(gateway.send(gateway.request("/holds")
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(
                                        "{\"scope\":\"plant-7\",\"reason\":\"case 12\"}")))
                        .statusCode())
                .isEqualTo(201);
    }

    private static void zip(Path folder, Path file) throws IOException {
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(file), StandardCharsets.UTF_8);
                Stream<Path> all = Files.walk(folder)) {
            out.setLevel(9);
            for (Path each : all.sorted().toList()) {
                // RocksDB's own log names folders of this machine; nothing reads it
                if (!each.equals(folder) && !each.getFileName().toString().matches("LOG(\\.old\\..*)?")) {
                    String name = folder.relativize(each).toString().replace('\\', '/');
                    out.putNextEntry(new ZipEntry(Files.isDirectory(each) ? name + "/" : name));
                    if (Files.isRegularFile(each)) {
                        Files.copy(each, out);
                    }
                    out.closeEntry();
                }
            }
        }
    }
}
