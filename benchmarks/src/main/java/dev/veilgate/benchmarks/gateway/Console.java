package dev.veilgate.benchmarks.gateway;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The installed console as a process with its embedded provider; and a user of it, as a browser would be. */
public final class Console {
    private static final Pattern FORM_TOKEN = Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"");
    private static final Pattern SESSION_TOKEN = Pattern.compile("\"csrf\":\"([^\"]+)\"");
    private static final String PASSWORD = "veilgate-demo";
    private static final long USE_NANOS = Duration.ofMinutes(5).toNanos();

    /** It. */
    public final Process process;

    /** From the start of the process until it was ready. */
    public final long startNanos;

    private final String base;
    private final HttpClient client = HttpClient.newBuilder()
            .cookieHandler(new CookieManager())
            .followRedirects(HttpClient.Redirect.ALWAYS)
            .build();
    private String csrf = "";
    private long used = System.nanoTime();

    /**
     * Starts it and waits until it is ready.
     *
     * @param name of its log
     * @param more settings, {@code KEY=VALUE}: those of keys and gateway must be among them
     */
    public Console(Programs programs, String name, Path data, List<String> more) throws Exception {
        int port = Programs.freePort();
        base = "http://localhost:" + port;
        List<String> command = new ArrayList<>(List.of(
                "sh",
                Programs.console(),
                "run",
                "server.port=" + port,
                "veilgate.url=" + base,
                "veilgate.data-dir=" + data));
        command.addAll(more);
        long start = System.nanoTime();
        process = programs.start(name, command);
        programs.await("the console", () -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("the console does not start; see " + name + ".log");
            }
            return get("/actuator/health/readiness").statusCode() == 200;
        });
        startNanos = System.nanoTime() - start;
    }

    /** Logs one of the users for a demonstration in. */
    public void login(String user) throws IOException, InterruptedException {
        String page = send(HttpRequest.newBuilder(URI.create(base + "/oauth2/authorization/veilgate"))
                        .header("Accept", "text/html")) // else the provider does not remember where to go on to
                .body();
        String form = "username=" + user + "&password=" + PASSWORD + "&_csrf="
                + URLEncoder.encode(found(FORM_TOKEN, page), StandardCharsets.UTF_8);
        send(HttpRequest.newBuilder(URI.create(base + "/provider/login"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form)));
        csrf = found(SESSION_TOKEN, get("/api/session").body());
    }

    private static String found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IllegalStateException("the console did not answer as expected");
        }
        return matcher.group(1);
    }

    /** A GET of this path. */
    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(base + path)).header("Accept", "application/json"));
    }

    /** A POST of JSON to this path. */
    public HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(base + path))
                .header("Content-Type", "application/json")
                .header("X-CSRF-TOKEN", csrf)
                .POST(BodyPublishers.ofString(json)));
    }

    /** Says from time to time that it is used: requests alone do not keep a session. */
    private void use() throws IOException, InterruptedException {
        if (csrf.isEmpty() || System.nanoTime() - used < USE_NANOS) {
            return;
        }
        used = System.nanoTime();
        client.send(
                HttpRequest.newBuilder(URI.create(base + "/api/session/used"))
                        .header("X-CSRF-TOKEN", csrf)
                        .POST(BodyPublishers.noBody())
                        .build(),
                BodyHandlers.discarding());
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        use();
        return client.send(request.build(), BodyHandlers.ofString());
    }
}
