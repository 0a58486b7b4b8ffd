package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Principal.Kind;
import dev.veilgate.gateway.access.Right;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Set;
import org.eclipse.paho.mqttv5.client.IMqttToken;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Access that is given over HTTP, at the doors that it opens: the broker's and that of envelopes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GatewayAccessTest {
    private static final TestTenant ACME = TestTenant.of(GatewayProcess.TENANT);
    private static final int NOT_AUTHORIZED = 0x87;
    private static final JsonMapper JSON = new JsonMapper();

    private final TestTenant.Sender press = ACME.sender("press-1", Clock.systemUTC());
    private GatewayProcess gateway;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        gateway = new GatewayProcess(folder, ACME);
        gateway.grant(new Principal(Kind.DEVICE, "press-9", "globex", Set.of(Right.INGEST), Set.of()));
        gateway.start();
    }

    @AfterAll
    void stop() {
        gateway.close();
    }

    private HttpResponse<byte[]> give(String body) throws Exception {
        return gateway.send(gateway.request("/access")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body)));
    }

    private String secret(String kind, String name) throws Exception {
        HttpResponse<byte[]> given = give("{\"kind\": \"" + kind + "\", \"name\": \"" + name + "\"}");
        assertThat(given.statusCode()).isEqualTo(201);
        JsonNode body = JSON.readTree(given.body());
        assertThat(body.get("kind").asString()).isEqualTo(kind);
        assertThat(body.get("name").asString()).isEqualTo(name);
        return body.get("secret").asString();
    }

    private int takeAway(String kind, String name) throws Exception {
        return gateway.send(gateway.request("/access?kind=" + kind + "&name=" + name)
                        .DELETE())
                .statusCode();
    }

    private MqttClient connect(String password) throws MqttException {
        MqttClient client = new MqttClient("tcp://127.0.0.1:" + gateway.mqttPort, "one", new MemoryPersistence());
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setUserName("press-1");
        options.setPassword(password.getBytes(StandardCharsets.UTF_8));
        try {
            client.connect(options);
            return client;
        } catch (MqttException e) {
            client.close(true);
            throw e;
        }
    }

    private int publish(MqttClient client) throws MqttException {
        MqttMessage message = new MqttMessage(press.seal("pump overheated").bytes());
        message.setQos(1);
        IMqttToken token = client.getTopic("veilgate/v1/acme/press-1").publish(message);
        token.waitForCompletion(60_000);
        int[] codes = token.getReasonCodes();
        return codes == null || codes.length == 0 ? 0 : codes[0];
    }

    @Test
    void aDevicePublishesUntilItsAccessIsTakenAway() throws Exception {
        String password = secret("device", "press-1");
        MqttClient client = connect(password);
        assertThat(publish(client)).isZero();
        String fresh = secret("device", "press-1");
        await().until(() -> !client.isConnected());
        client.close(true);
        assertThatThrownBy(() -> connect(password)).isInstanceOf(MqttException.class);
        MqttClient again = connect(fresh);
        assertThat(publish(again)).isZero();
        assertThat(takeAway("device", "press-1")).isEqualTo(204);
        await().until(() -> !again.isConnected());
        again.close(true);
        assertThatThrownBy(() -> connect(fresh))
                .isInstanceOfSatisfying(
                        MqttException.class,
                        refused -> assertThat(refused.getReasonCode()).isIn(0x86, NOT_AUTHORIZED));
        assertThat(takeAway("device", "press-1")).isEqualTo(404);
        assertThat(Files.readString(gateway.log())).doesNotContain(password).doesNotContain(fresh);
    }

    @Test
    void aTokenSubmitsAndMayNothingElse() throws Exception {
        String token = secret("token", "press-1");
        assertThat(with(token, "/envelopes", press.seal("pump").bytes())).isEqualTo(201);
        for (String path : new String[] {"/access", "/senders", "/routes", "/status", "/figures", "/holds"}) {
            assertThat(with(token, path, null)).as(path).isEqualTo(403);
        }
        assertThat(takeAway("token", "press-1")).isEqualTo(204);
        assertThat(with(token, "/envelopes", press.seal("pump").bytes())).isEqualTo(401);
    }

    private int with(String token, String path, byte[] envelope) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(gateway.uri("/v1/tenants/acme" + path))
                .header("Authorization", "Bearer " + token);
        if (envelope != null) {
            request.header("Content-Type", "application/vnd.veilgate.envelope+cbor")
                    .POST(BodyPublishers.ofByteArray(envelope));
        }
        return gateway.send(request).statusCode();
    }

    @Test
    void theListHasNoSecretAndNobodyOfAnotherTenant() throws Exception {
        String secret = secret("mail", "app@acme.example");
        HttpResponse<byte[]> list = gateway.send(gateway.request("/access"));
        assertThat(list.statusCode()).isEqualTo(200);
        assertThat(new String(list.body(), StandardCharsets.UTF_8))
                .contains(
                        "{\"kind\":\"mail\",\"name\":\"app@acme.example\",\"rights\":[\"ingest\"],\"scopes\":[],\"topics\":[]}",
                        "\"tester\"")
                .doesNotContain("press-9", "globex", secret);
    }

    @Test
    void saysWhatIsWrong() throws Exception {
        assertThat(give("{\"kind\": \"device\", \"name\": \"press-9\"}").statusCode())
                .isEqualTo(409);
        HttpResponse<byte[]> own = give("{\"kind\": \"token\", \"name\": \"tester\"}");
        assertThat(own.statusCode()).isEqualTo(409);
        assertThat(new String(own.body(), StandardCharsets.UTF_8)).contains("cannot be changed here");
        assertThat(takeAway("token", "tester")).isEqualTo(409);
        assertThat(takeAway("device", "press-9")).isEqualTo(404);
        assertThat(takeAway("robot", "press-9")).isEqualTo(400);
        assertThat(give("{\"kind\": \"admin\", \"name\": \"x\"}").statusCode()).isEqualTo(400);
        assertThat(give("{\"kind\": \"device\"}").statusCode()).isEqualTo(400);
        assertThat(give("{\"kind\": \"device\", \"name\": \"a\\nb\"}").statusCode())
                .isEqualTo(400);
        assertThat(give("nothing").statusCode()).isEqualTo(400);
    }
}
