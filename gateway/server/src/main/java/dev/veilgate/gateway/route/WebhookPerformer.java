package dev.veilgate.gateway.route;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.routing.RoutingSupport;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.util.Timeout;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * A notice by HTTP POST. {@code Veilgate-Signature: t=SECONDS,v1=HEX} is the HMAC-SHA-256, under the route's secret, of the seconds, a dot and the
 * body; {@code Veilgate-Delivery} is the same at each attempt. Any answer from 200 to 299 is a success; redirects are not followed.
 */
@Component
final class WebhookPerformer implements ActionPerformer, AutoCloseable {
    private static final int CONNECTIONS = 64;
    /** Of names in DNS. */
    private static final int MAX_HOST = 255;

    private final ActionQueue queue;
    private final JsonMapper json;
    private final Clock clock;
    private final long timeoutMillis;
    private final CloseableHttpClient client;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("webhook-timer").factory());

    WebhookPerformer(ActionQueue queue, JsonMapper json, Clock clock, RouteSettings settings) {
        this.queue = queue;
        this.json = json;
        this.clock = clock;
        this.timeoutMillis = settings.webhook().timeout().toMillis();
        this.client = client(
                settings.webhook().allowPrivate() ? SystemDefaultDnsResolver.INSTANCE : new PublicAddresses(),
                Timeout.ofMilliseconds(timeoutMillis));
    }

    private static CloseableHttpClient client(DnsResolver resolver, Timeout timeout) {
        return HttpClients.custom()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setDnsResolver(resolver)
                        .setMaxConnTotal(CONNECTIONS)
                        .setMaxConnPerRoute(CONNECTIONS)
                        .setDefaultConnectionConfig(ConnectionConfig.custom()
                                .setConnectTimeout(timeout)
                                .setSocketTimeout(timeout)
                                .build())
                        .build())
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setConnectionRequestTimeout(timeout)
                        .setResponseTimeout(timeout)
                        .build())
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .disableAuthCaching()
                .setUserAgent("veilgate-gateway")
                .build();
    }

    @Override
    public RouteAction.Kind kind() {
        return RouteAction.Kind.WEBHOOK;
    }

    @Override
    public String needs(Route route) {
        URI target = URI.create(route.action().target());
        String host = target.getHost().toLowerCase(Locale.ROOT);
        return host.length() > MAX_HOST ? "" : target.getScheme() + "://" + host + ":" + target.getPort();
    }

    @Override
    public void perform(Route route, ActionQueue.Taken taken) throws Exception {
        byte[] body = json.writeValueAsBytes(taken.notice().json());
        long seconds = clock.instant().getEpochSecond();
        HttpPost post = new HttpPost(URI.create(route.action().target()));
        post.setEntity(new ByteArrayEntity(body, ContentType.APPLICATION_JSON));
        post.setHeader("Veilgate-Delivery", taken.notice().delivery());
        post.setHeader("Veilgate-Signature", "t=" + seconds + ",v1=" + signature(route.secret(), seconds, body));
        Future<?> end =
                timer.schedule(post::cancel, timeoutMillis, TimeUnit.MILLISECONDS); // of all of it, drop by drop or not
        try (ClassicHttpResponse response = client.executeOpen(RoutingSupport.determineHost(post), post, null)) {
            if (response.getCode() / 100 != 2) {
                throw new AnsweredException("the answer is " + response.getCode());
            }
        } catch (ConnectException | ConnectTimeoutException | UnknownHostException | NoRouteToHostException e) {
            throw new UnreachableException(e);
        } finally {
            end.cancel(false);
        }
        queue.done(taken);
    }

    static String signature(String secret, long seconds, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
            mac.update((seconds + ".").getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks HMAC-SHA-256", e);
        }
    }

    @Override
    public void close() throws IOException {
        timer.shutdownNow();
        client.close();
    }
}
