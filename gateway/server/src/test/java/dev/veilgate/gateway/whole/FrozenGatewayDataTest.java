package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.gateway.TestMail;
import dev.veilgate.gateway.deliver.MailSink;
import dev.veilgate.gateway.journal.Journal;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.gateway.store.TestStores;
import dev.veilgate.query.SearchRequest;
import dev.veilgate.testing.FrozenSet;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.eclipse.paho.mqttv5.client.IMqttToken;
import org.eclipse.paho.mqttv5.client.MqttAsyncClient;
import org.eclipse.paho.mqttv5.client.MqttCallback;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.MqttDisconnectResponse;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A gateway goes on with the data folder that an earlier version left when it was killed: nothing that was acknowledged is lost or done twice. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ParameterizedClass
@FieldSource("SETS")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class FrozenGatewayDataTest {
    /** The set of a version that knew an envelope by its id alone. */
    static final FrozenSet FIRST = new FrozenSet("906ce34", "2026-11-25T20:00:00Z");

    /** Each at a time behind the last that it wrote. What was done is forgotten a week later: read today, a set would have less to count. */
    static final List<FrozenSet> SETS = List.of(FIRST, new FrozenSet("009bb538", "2026-11-29T20:00:00Z"));

    /** Settings without which what waits in the set is given up or dropped once it is old; the set was made with them. */
    static final String[] NEVER_EXPIRES = {
        "veilgate.mqtt.embedded.queue-expiry=36500d",
        "veilgate.deliver.retry.give-up-after=36500d",
        "veilgate.route.give-up=36500d"
    };

    private final BlockingQueue<String> notices = new LinkedBlockingQueue<>();
    private final Map<String, byte[]> envelopes = new TreeMap<>();
    private final Properties known = new Properties();
    private MailSink sink;
    private GatewayProcess gateway;

    @Parameter
    private FrozenSet set;

    /** The pager with a session that outlives its connection. */
    static MqttAsyncClient subscribe(GatewayProcess gateway, String password) throws MqttException {
        MqttAsyncClient client = connect(gateway, password, new LinkedBlockingQueue<>());
        client.subscribe("alerts/#", 1).waitForCompletion(60_000);
        return client;
    }

    private static MqttAsyncClient connect(GatewayProcess gateway, String password, Collection<String> notices)
            throws MqttException {
        MqttAsyncClient client =
                new MqttAsyncClient("tcp://127.0.0.1:" + gateway.mqttPort, "pager", new MemoryPersistence());
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setUserName("pager");
        options.setPassword(password.getBytes(StandardCharsets.UTF_8));
        options.setCleanStart(false);
        options.setSessionExpiryInterval(Duration.ofDays(36_500).toSeconds());
        client.setCallback(new Callback(notices));
        client.connect(options).waitForCompletion(60_000);
        return client;
    }

    /** Keeps what comes. */
    private static final class Callback implements MqttCallback {
        private final Collection<String> notices;

        Callback(Collection<String> notices) {
            this.notices = notices;
        }

        @Override
        public void messageArrived(String topic, MqttMessage message) {
            notices.add(topic + " " + new String(message.getPayload(), StandardCharsets.UTF_8));
        }

        @Override
        public void disconnected(MqttDisconnectResponse response) {}

        @Override
        public void mqttErrorOccurred(MqttException exception) {}

        @Override
        public void deliveryComplete(IMqttToken token) {}

        @Override
        public void connectComplete(boolean reconnect, String serverUri) {}

        @Override
        public void authPacketArrived(int reasonCode, MqttProperties properties) {}
    }

    @BeforeParameterizedClassInvocation(injectArguments = false)
    void start(@TempDir Path folder) throws Exception {
        envelopes.clear(); // of the set before
        notices.clear();
        unzip(set.path("data.zip"), folder.resolve("data"));
        Files.copy(set.path("bundle"), folder.resolve("bundle"));
        Files.copy(set.path("bundle.senders"), folder.resolve("bundle.senders"));
        try (InputStream in = Files.newInputStream(set.path("known.properties"))) {
            known.load(in);
        }
        try (Stream<Path> files = Files.list(set.path("envelopes"))) {
            for (Path each : files.toList()) {
                envelopes.put(each.getFileName().toString().replace(".vge", ""), Files.readAllBytes(each));
            }
        }
        sink = new MailSink();
        gateway = new GatewayProcess(
                folder,
                known.getProperty("authority"),
                known.getProperty("token"),
                NEVER_EXPIRES[0],
                NEVER_EXPIRES[1],
                NEVER_EXPIRES[2],
                "veilgate.ingest.segment-size=1MB",
                "veilgate.deliver.relays[example.org].host=127.0.0.1",
                "veilgate.deliver.relays[example.org].port=" + sink.port());
        gateway.startAt(set.now());
        connect(gateway, known.getProperty("pager"), notices);
    }

    @AfterParameterizedClassInvocation(injectArguments = false)
    void stop() throws Exception {
        gateway.close();
        sink.close();
    }

    static void unzip(Path zip, Path folder) throws IOException {
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip), StandardCharsets.UTF_8)) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                Path file = folder.resolve(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                } else {
                    Files.createDirectories(file.getParent());
                    Files.copy(in, file);
                }
            }
        }
    }

    /** Ids of the envelopes in which the word of the search is, and how many of their records have it; mails have ids that are in them. */
    private List<JsonNode> search() throws Exception {
        return gateway.search(SearchRequest.decode(set.bytes("overheated.vgs")));
    }

    private String indexId(String mail) throws Exception {
        String text = set.text(mail + ".eml");
        String boundary = text.replaceAll("(?s).*?boundary=\"([^\"]+)\".*", "$1");
        String part = text.split("--" + boundary, -1)[2];
        byte[] index = Base64.getMimeDecoder().decode(part.substring(part.indexOf("\r\n\r\n") + 4));
        return Envelope.decode(index).id().toString();
    }

    @Test
    void theSetHasWorkThatWaitsInTheJournal(@TempDir Path copy) throws Exception {
        unzip(set.path("data.zip"), copy);
        EnvelopeStore store = TestStores.open(copy.resolve("store"));
        try (Journal journal = Journal.open(copy.resolve("journal"), 1 << 20)) {
            assertThat(store.position()).isLessThan(journal.end());
        } finally {
            store.close();
        }
    }

    @Test
    void keepsEachEnvelopeByteForByte() throws Exception {
        assertThat(envelopes).hasSize(5);
        for (Map.Entry<String, byte[]> each : envelopes.entrySet()) {
            HttpResponse<byte[]> stored = gateway.send(gateway.request("/envelopes/" + each.getKey()));
            assertThat(stored.statusCode()).isEqualTo(200);
            assertThat(stored.body()).isEqualTo(each.getValue());
        }
    }

    @Test
    void findsWhatWasStoredAndWhatWaitedInTheJournalOnce() throws Exception {
        List<JsonNode> hits = search();
        Map<String, List<Integer>> found = hits.stream()
                .collect(Collectors.toMap(
                        hit -> hit.get("envelope").asString(),
                        hit -> hit.get("records")
                                .valueStream()
                                .map(JsonNode::asInt)
                                .toList()));
        assertThat(hits).hasSize(6);
        assertThat(found).containsEntry(indexId("waiting"), List.of(0)).containsEntry(indexId("journaled"), List.of(0));
        assertThat(found.keySet().stream().filter(envelopes::containsKey)).hasSize(4);
    }

    @Test
    void keepsItsRoutesAndTheirCounts() throws Exception {
        JsonNode route = gateway.json(gateway.request("/routes")).get(0);
        assertThat(route.get("name").asString()).isEqualTo("pager");
        assertThat(route.get("action").get("target").asString()).isEqualTo("alerts/overheated");
        assertThat(route.get("rules").toString()).as("nobody said").isEqualTo("[1]");
        await().atMost(Duration.ofMinutes(1))
                .until(() -> gateway.json(gateway.request("/routes/pager"))
                                .get("actions")
                                .get("done")
                                .asInt()
                        == 6);
    }

    @Test
    void deliversTheNoticesThatWaitedAndThoseOfTheJournal() {
        await().atMost(Duration.ofMinutes(1)).until(() -> notices.size() >= 6);
        List<String> ids = notices.stream()
                .map(notice -> {
                    assertThat(notice).startsWith("alerts/overheated ");
                    return new JsonMapper()
                            .readTree(notice.substring(notice.indexOf(' ')))
                            .get("envelope")
                            .asString();
                })
                .toList();
        assertThat(ids).doesNotHaveDuplicates().hasSize(6);
    }

    @Test
    void deliversTheMailsThatWaitedOnce() throws Exception {
        List<MailSink.Mail> mails = sink.await(2);
        assertThat(mails).hasSize(2);
        for (String name : List.of("waiting", "journaled")) {
            String sealed = set.text(name + ".eml");
            String boundary = sealed.replaceAll("(?s).*?boundary=\"([^\"]+)\".*", "$1");
            String part = sealed.split("--" + boundary, -1)[1];
            String cms = part.substring(part.indexOf("\r\n\r\n") + 4).strip();
            assertThat(mails)
                    .filteredOn(mail -> mail.recipients().equals(List.of(TestMail.ADDRESS))
                            && new String(mail.bytes(), StandardCharsets.US_ASCII).contains(cms))
                    .as(name)
                    .hasSize(1);
        }
    }

    @Test
    void keepsChainsHoldsAndTheSerialThatItSaw() throws Exception {
        Map<String, JsonNode> senders = gateway.json(gateway.request("/senders"))
                .valueStream()
                .collect(Collectors.toMap(sender -> sender.get("sender").asString(), sender -> sender));
        assertThat(senders.get("press-1").get("envelopes").asInt()).isEqualTo(2);
        assertThat(senders.get("press-1").get("highestSequence").asInt()).isEqualTo(3);
        assertThat(senders.get("press-2").get("envelopes").asInt()).isEqualTo(3);
        assertThat(senders.get("press-2").get("gaps")).isEmpty();
        JsonNode hold = gateway.json(gateway.request("/holds")).get(0);
        assertThat(hold.get("scope").asString()).isEqualTo("plant-7");
        assertThat(hold.get("reason").asString()).isEqualTo("case 12");
        assertThat(gateway.data().resolve("bundles")).isNotEmptyDirectory();
    }

    @Test
    void takesAllThatWasSealedBeforeForRules1() throws Exception {
        List<String> seen = gateway.json(gateway.request("/rules"))
                .valueStream()
                .map(each -> each.get("sender").asString() + " " + each.get("rules"))
                .toList();
        assertThat(seen).contains("press-1 1", "press-2 1").allMatch(each -> each.endsWith(" 1"));
    }

    @Test
    void takesAnEnvelopeThatItHasForADuplicate() throws Exception {
        for (byte[] each : envelopes.values()) {
            assertThat(gateway.submit(each).statusCode()).isEqualTo(200);
        }
        assertThat(search()).hasSize(6);
    }
}
