package dev.veilgate.acceptance;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.benchmarks.gateway.Gateway;
import dev.veilgate.benchmarks.gateway.Programs;
import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.SenderRegistry;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.query.SearchRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An authority, an operator's settings and the running gateway; the programs are those that the build has installed under target/. */
final class Site implements AutoCloseable {
    static final String TENANT = "acme";
    static final String SCOPE = "plant-7";
    static final String MAILBOX = "alice@example.org";
    static final String MAIL_SCOPE = "mailbox-alice";
    static final String AGENT = "agent-1";
    static final String PUBLISHER = "publisher-1";
    private static final Pattern HIT = Pattern.compile("\"envelope\":\"([0-9a-f-]{36})\".*\"records\":\\[([0-9,]*)]");

    final TenantKeys keys;
    final SigningKey publisher;
    final byte[] bundle;
    final Programs programs;
    final Gateway gateway;
    private final Path folder;

    /** @param more settings of the gateway, KEY=VALUE */
    Site(Path folder, int mailSinkPort, String... more) throws Exception {
        this(folder, new Programs(folder), mailSinkPort, more);
    }

    /**
     * With programs of the caller's, which end with this.
     *
     * @param more settings of the gateway, KEY=VALUE
     */
    Site(Path folder, Programs programs, int mailSinkPort, String... more) throws Exception {
        this.folder = folder;
        this.programs = programs;
        try {
            SecureRandom random = new SecureRandom();
            keys = TenantKeys.generate(
                    TENANT, EpochPolicy.MONTHLY, ExtractorProfile.defaults().encode(), random, Instant.now());
            publisher = SigningKey.generate(PUBLISHER, random);
            keys.putSender(publisher.publicKey());
            keys.putSender(identity(AGENT));
            keys.putRecipient(new Recipient(MAILBOX, certificate(), MAIL_SCOPE));
            bundle = keys.nextBundle(Instant.now(), Duration.ofDays(2));
            keys.senders().publish(SenderRegistry.beside(folder.resolve("bundle")));
            Files.write(folder.resolve("bundle"), bundle);
            Path access = folder.resolve("data/access");
            String token = programs.access(access, TENANT, "token", "tester", "--right", "search,senders,routes");
            Files.writeString(folder.resolve("agent.password"), programs.access(access, TENANT, "device", AGENT));
            Files.writeString(
                    folder.resolve("publisher.password"), programs.access(access, TENANT, "device", PUBLISHER));
            gateway = new Gateway(
                    programs,
                    folder.resolve("data"),
                    folder.resolve("bundle"),
                    keys.authority().fingerprint(),
                    token,
                    settings(mailSinkPort, more));
        } catch (Exception | AssertionError e) {
            programs.close();
            throw e;
        }
    }

    private static List<String> settings(int mailSinkPort, String... more) {
        List<String> settings = new ArrayList<>(List.of(
                "veilgate.smtp.listeners[0].tls=none",
                "veilgate.smtp.domains[example.org].plain=refuse",
                "veilgate.smtp.limits.messages-per-minute-per-client=100000",
                "veilgate.ingest.strangers.mails-per-minute=100000",
                "veilgate.ingest.strangers.blocks-per-minute=1000000",
                "veilgate.deliver.relays[example.org].host=127.0.0.1",
                "veilgate.deliver.relays[example.org].port=" + mailSinkPort,
                "veilgate.deliver.relays[example.org].tls=none"));
        settings.addAll(List.of(more));
        return settings;
    }

    private SenderPublicKey identity(String name) throws Exception {
        String said = programs.run(List.of(
                "sh",
                Programs.edge(),
                "identity",
                "init",
                "--sender=" + name,
                folder.resolve("identity").toString()));
        Matcher key = Pattern.compile("-----BEGIN [^\n]*\n(.*?)-----END", Pattern.DOTALL)
                .matcher(said);
        if (!key.find()) {
            throw new AssertionError("no public key in what identity init says");
        }
        return SenderPublicKey.decode(Base64.getMimeDecoder().decode(key.group(1)));
    }

    private byte[] certificate() throws Exception {
        return programs.certificate("email:" + MAILBOX, folder.resolve("alice.key"), folder.resolve("alice.crt"));
    }

    byte[] stored(UUID id, String what) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = gateway.get("/v1/tenants/" + TENANT + "/envelopes/" + id + what);
        if (answer.statusCode() != 200) {
            throw new AssertionError("GET " + id + what + ": " + answer.statusCode());
        }
        return answer.body();
    }

    /** Runs a search to its end: records by envelope. */
    Map<UUID, List<Integer>> search(SearchRequest search) throws IOException, InterruptedException {
        String path = "/v1/tenants/" + TENANT + "/searches";
        HttpResponse<byte[]> created = gateway.send(HttpRequest.newBuilder(gateway.uri(path))
                .header("Content-Type", SearchRequest.MEDIA_TYPE)
                .POST(HttpRequest.BodyPublishers.ofByteArray(search.encode())));
        if (created.statusCode() != 201) {
            throw new AssertionError("search: " + created.statusCode());
        }
        String location = created.headers().firstValue("Location").orElseThrow();
        String lines = new String(
                gateway.get(URI.create(location).getPath() + "/export").body(), StandardCharsets.UTF_8);
        Map<UUID, List<Integer>> hits = new TreeMap<>();
        Matcher hit = HIT.matcher(lines);
        while (hit.find()) {
            List<Integer> records = new ArrayList<>();
            for (String record : hit.group(2).split(",")) {
                records.add(Integer.parseInt(record));
            }
            if (hits.put(UUID.fromString(hit.group(1)), records) != null) {
                throw new AssertionError("an envelope was found twice");
            }
        }
        gateway.send(HttpRequest.newBuilder(gateway.uri(URI.create(location).getPath()))
                .DELETE());
        return hits;
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    @Override
    public void close() {
        programs.close();
        keys.close();
        publisher.close();
    }
}
