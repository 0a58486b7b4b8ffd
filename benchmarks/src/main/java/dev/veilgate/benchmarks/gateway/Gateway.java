package dev.veilgate.benchmarks.gateway;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The installed gateway as a process, with its launcher's options; on 127.0.0.1, ports of its own. */
public final class Gateway {
    /** Of HTTP. */
    public final int http = Programs.freePort();

    /** Of SMTP. */
    public final int smtp = Programs.freePort();

    /** Of the embedded broker. */
    public final int mqtt = Programs.freePort();

    /** It. */
    public final Process process;

    /** From the start of the process until it was ready. */
    public final long startNanos;

    private final HttpClient client = HttpClient.newHttpClient();
    private final String token;

    /**
     * Starts it and waits until it is ready.
     *
     * @param data      its data folder
     * @param bundle    of the tenant
     * @param authority fingerprint
     * @param token     for {@link #send}
     * @param more      settings, {@code KEY=VALUE}; that of the mail listener's TLS must be among them
     */
    public Gateway(Programs programs, Path data, Path bundle, String authority, String token, List<String> more)
            throws Exception {
        this.token = token;
        List<String> command = new ArrayList<>(List.of(
                "sh",
                Programs.gateway(),
                "run",
                "server.port=" + http,
                "veilgate.data-dir=" + data,
                "veilgate.tenants[0].bundle=" + bundle,
                "veilgate.tenants[0].authority=" + authority,
                "veilgate.smtp.listeners[0].port=" + smtp,
                "veilgate.mqtt.embedded.listen=127.0.0.1:" + mqtt));
        command.addAll(more);
        long start = System.nanoTime();
        process = programs.start("gateway", command);
        programs.await("the gateway", () -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("the gateway does not start; see gateway.log");
            }
            return get("/actuator/health/readiness").statusCode() == 200;
        });
        startNanos = System.nanoTime() - start;
    }

    /** A GET of this path. */
    public HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri(path)));
    }

    /** A request with the token. */
    public HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(
                request.timeout(Duration.ofMinutes(2))
                        .header("Authorization", "Bearer " + token)
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    /** Of this path. */
    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + http + path);
    }
}
