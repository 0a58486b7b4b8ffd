package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Principal.Kind;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.query.SearchRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.paho.mqttv5.client.IMqttMessageListener;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.MqttSubscription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A device publishes by MQTT, and what a route finds reaches a pager and a webhook; also over a kill -9. */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class GatewayRoutesTest {
    private static final TestTenant ACME = TestTenant.of(GatewayProcess.TENANT);
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    Path folder;

    private final BlockingQueue<String> notices = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
    private volatile int answer = 503;

    @Test
    void whatARouteFindsReachesAPagerAndAWebhook() throws Exception {
        HttpServer web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        web.createContext("/", exchange -> {
            int code = answer; // before the test hears of the call
            calls.add(exchange.getRequestHeaders().getFirst("Veilgate-Delivery"));
            exchange.sendResponseHeaders(code, -1);
            exchange.close();
        });
        web.start();
        try (GatewayProcess gateway = new GatewayProcess(folder, ACME, "veilgate.route.webhook.allow-private=true")) {
            String device =
                    gateway.grant(new Principal(Kind.DEVICE, "press-1", "acme", Set.of(Right.INGEST), Set.of()));
            String pager = gateway.grant(
                    new Principal(Kind.DEVICE, "pager", "acme", Set.of(Right.INGEST), Set.of(), Set.of("alerts/#")));
            String narrow =
                    gateway.grant(new Principal(Kind.TOKEN, "narrow", "acme", Set.of(Right.ROUTES), Set.of("plant-8")));
            gateway.start();
            listen(gateway, pager);

            SearchRequest urgent = ACME.search("urgent", folder.resolve("trapdoors"));
            assertThat(put(gateway, "pager", body(urgent, "topic", "alerts/urgent"))
                            .statusCode())
                    .isEqualTo(201);
            HttpResponse<byte[]> made = put(
                    gateway,
                    "hook",
                    body(
                            urgent,
                            "webhook",
                            "http://127.0.0.1:" + web.getAddress().getPort() + "/"));
            assertThat(made.statusCode()).isEqualTo(201);
            assertThat(JSON.readTree(made.body()).get("rules").toString())
                    .as("nobody said by which rules")
                    .isEqualTo("[1]");
            String byBoth = body(urgent, "topic", "alerts/urgent").replaceFirst("}$", ",\"rules\":[2,1]}");
            JsonNode pagerByBoth = JSON.readTree(put(gateway, "pager", byBoth).body());
            assertThat(pagerByBoth.get("rules").toString()).isEqualTo("[1,2]");
            assertThat(pagerByBoth.get("formerRules").asBoolean()).isFalse();
            assertThat(JSON.readTree(made.body()).get("secret").asString()).startsWith("vgw_");
            assertThat(JSON.readTree(made.body()).get("lastEpochEnds").asString())
                    .endsWith("Z");
            refusesWhatIsNoRoute(gateway, urgent);
            hidesRoutesFromATokenOfOtherScopes(gateway, narrow);

            TestTenant.Sender press = ACME.sender("press-1", Clock.systemUTC());
            var sealed = press.seal("calm", "urgent press 4");
            publish(gateway, device, press.seal("calm").bytes());
            long start = System.nanoTime();
            publish(gateway, device, sealed.bytes());
            long acknowledged = System.nanoTime();
            JsonNode notice = JSON.readTree(notices.poll(120, TimeUnit.SECONDS));
            assertThat(System.nanoTime() - acknowledged) // a second on a machine that does nothing else
                    .isLessThan(TimeUnit.SECONDS.toNanos(5) + 20 * (acknowledged - start));
            assertThat(notice.get("route").asString()).isEqualTo("pager");
            assertThat(notice.get("envelope").asString()).isEqualTo(sealed.id().toString());
            assertThat(notice.get("records")).hasSize(1);

            String delivery = sealed.id() + "/" + notice.get("digest").asString();
            assertThat(calls.poll(120, TimeUnit.SECONDS)).endsWith(delivery);
            gateway.kill();
            calls.clear(); // attempts until then
            answer = 200;
            gateway.start();
            String again = calls.poll(120, TimeUnit.SECONDS);
            assertThat(again).endsWith(delivery);
            JsonNode hook;
            do {
                hook = gateway.json(gateway.request("/routes/hook"));
            } while (hook.get("actions").get("done").asInt() == 0);
            assertThat(hook.has("secret")).isFalse();
            assertThat(hook.get("actions").get("waiting").asInt()).isZero();
            assertThat(calls).isEmpty();
            assertThat(gateway.send(gateway.request("/routes/hook").DELETE()).statusCode())
                    .isEqualTo(204);
            assertThat(gateway.send(gateway.request("/routes/hook")).statusCode())
                    .isEqualTo(404);
            assertThat(gateway.json(gateway.request("/routes"))).hasSize(1);
        } finally {
            web.stop(0);
        }
    }

    private void refusesWhatIsNoRoute(GatewayProcess gateway, SearchRequest search) throws Exception {
        String good = body(search, "topic", "alerts/urgent");
        for (String rules : new String[] {"[]", "[0]", "[null]", "[1,2,3,4,5,6,7,8,9]", "[1001]", "\"two\""}) {
            String body = good.replaceFirst("}$", ",\"rules\":" + rules + "}");
            assertThat(put(gateway, "ruled", body).statusCode()).as(rules).isEqualTo(400);
        }
        SearchRequest others = TestTenant.of("globex").search("urgent", folder.resolve("others"));
        for (Map.Entry<String, String> each : Map.of(
                        "no-json", "x",
                        "no-search", "{\"action\":{\"type\":\"topic\",\"target\":\"a\"}}",
                        "no-base64", good.replaceFirst("\"search\":\"[^\"]*\"", "\"search\":\"!\""),
                        "damaged", good.replaceFirst("\"search\":\"....", "\"search\":\"AAAA"),
                        "of-another-tenant", body(others, "topic", "alerts/urgent"),
                        "wildcard", body(search, "topic", "alerts/#"),
                        "no-address", body(search, "forward", "a@b\\r\\nBcc: c@d"),
                        "file", body(search, "webhook", "file:///etc/passwd"),
                        "unknown", body(search, "shell", "ls"),
                        "no%20name", good)
                .entrySet()) {
            HttpResponse<byte[]> refused = put(gateway, each.getKey(), each.getValue());
            assertThat(refused.statusCode())
                    .as(each.getKey() + new String(refused.body(), StandardCharsets.UTF_8))
                    .isEqualTo(400);
            assertThat(refused.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
        }
    }

    private static void hidesRoutesFromATokenOfOtherScopes(GatewayProcess gateway, String narrow) throws Exception {
        HttpRequest.Builder list = gateway.request("/routes").setHeader("Authorization", "Bearer " + narrow);
        assertThat(gateway.json(list)).isEmpty();
        HttpRequest.Builder one = gateway.request("/routes/hook").setHeader("Authorization", "Bearer " + narrow);
        assertThat(gateway.send(one).statusCode()).isEqualTo(404);
        assertThat(gateway.send(one.DELETE()).statusCode()).isEqualTo(404);
    }

    private static String body(SearchRequest search, String type, String target) {
        return "{\"search\":\"" + Base64.getEncoder().encodeToString(search.encode()) + "\",\"action\":{\"type\":\""
                + type + "\",\"target\":\"" + target + "\"}}";
    }

    private static HttpResponse<byte[]> put(GatewayProcess gateway, String name, String body) throws Exception {
        return gateway.send(gateway.request("/routes/" + name)
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(body)));
    }

    private static MqttClient connect(GatewayProcess gateway, String name, String password) throws Exception {
        MqttClient client = new MqttClient("tcp://127.0.0.1:" + gateway.mqttPort, name, new MemoryPersistence());
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setUserName(name);
        options.setPassword(password.getBytes(StandardCharsets.UTF_8));
        client.connect(options);
        return client;
    }

    private void listen(GatewayProcess gateway, String password) throws Exception {
        IMqttMessageListener listener =
                (topic, message) -> notices.add(new String(message.getPayload(), StandardCharsets.UTF_8));
        connect(gateway, "pager", password)
                .subscribe(
                        new MqttSubscription[] {new MqttSubscription("alerts/#", 1)},
                        new IMqttMessageListener[] {listener});
    }

    private static void publish(GatewayProcess gateway, String password, byte[] envelope) throws Exception {
        MqttClient client = connect(gateway, "press-1", password);
        client.publish("veilgate/v1/acme/press-1", new MqttMessage(envelope, 1, false, null));
        client.disconnect();
        client.close();
    }
}
