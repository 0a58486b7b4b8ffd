package dev.veilgate.console.logsink;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * JSON lines by POST: each answer of 2xx acknowledges its batch. A batch whose answer is lost is sent again under the
 * same Idempotency-Key, with the same bytes.
 */
final class HttpsDelivery implements Delivery {
    private static final Duration TO_CONNECT = Duration.ofSeconds(10);
    private static final Duration TO_ANSWER = Duration.ofMinutes(1);
    private static final int MULTIPLE = 300;
    private static final int OK = 200;
    private static final int TOO_LARGE = 413;

    private final URI url;
    private final @Nullable Path tokenFile;
    private final JsonForm form;
    private final Clock clock;
    private final Duration patience;
    private final HttpClient http;
    private volatile @Nullable CompletableFuture<?> present;
    private volatile boolean closed;

    HttpsDelivery(SinkSettings.Https settings, SSLContext tls, JsonForm form, Clock clock) throws IOException {
        this(settings, tls, form, clock, TO_ANSWER);
    }

    HttpsDelivery(SinkSettings.Https settings, SSLContext tls, JsonForm form, Clock clock, Duration patience)
            throws IOException {
        this.url = Objects.requireNonNull(settings.url());
        this.tokenFile = settings.tokenFile();
        this.form = form;
        this.clock = clock;
        this.patience = patience;
        this.http = HttpClient.newBuilder()
                .connectTimeout(TO_CONNECT)
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .sslContext(tls)
                .build();
        token();
    }

    @Override
    public EntryForm form() {
        return form;
    }

    /** The first line of the file, read each time: it may have been replaced. */
    private Optional<String> token() throws IOException {
        Path file = tokenFile;
        if (file == null) {
            return Optional.empty();
        }
        String token;
        try {
            List<String> lines = Files.readAllLines(file);
            token = lines.isEmpty() ? "" : lines.getFirst().strip();
        } catch (IOException e) {
            throw new IOException(file + " (veilgate.log-sink.https.token-file) cannot be read", e);
        }
        if (!token.matches("[!-~]+")) {
            throw new IOException(file + " (veilgate.log-sink.https.token-file) must hold a token in its first line");
        }
        return Optional.of(token);
    }

    @Override
    public void send(Batch batch) throws IOException, InterruptedException {
        HttpRequest.Builder post = HttpRequest.newBuilder(url)
                .header("Content-Type", "application/jsonl")
                .header("Idempotency-Key", key(batch))
                .POST(BodyPublishers.ofByteArray(body(batch)));
        token().ifPresent(token -> post.header("Authorization", "Bearer " + token));
        AtomicReference<HttpResponse.@Nullable ResponseInfo> head = new AtomicReference<>();
        CompletableFuture<HttpResponse<Void>> answer = http.sendAsync(post.build(), info -> {
            head.set(info); // the rest of the answer says nothing, and need not come
            return BodySubscribers.discarding();
        });
        present = answer;
        try {
            if (closed) {
                throw new IOException("the console is stopping");
            }
            answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            if (head.get() == null) {
                throw e instanceof TimeoutException
                        ? new IOException("the receiver does not answer", e)
                        : new IOException(reason(e), e);
            }
        } finally {
            present = null;
            answer.cancel(true);
        }
        judge(Objects.requireNonNull(head.get()));
    }

    private static String reason(Exception e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        String said = cause.getMessage();
        return cause.getClass().getSimpleName() + (said == null ? "" : ": " + said);
    }

    private void judge(HttpResponse.ResponseInfo info) throws RefusedException {
        int status = info.statusCode();
        if (status < OK || status >= MULTIPLE) {
            throw new RefusedException(
                    "the receiver answers " + status,
                    info.headers().firstValue("Retry-After").flatMap(this::pause),
                    status == TOO_LARGE);
        }
    }

    private Optional<Duration> pause(String after) {
        try {
            Duration pause = after.matches("\\d{1,9}")
                    ? Duration.ofSeconds(Long.parseLong(after))
                    : Duration.between(
                            clock.instant(), ZonedDateTime.parse(after, DateTimeFormatter.RFC_1123_DATE_TIME));
            return pause.isNegative() ? Optional.empty() : Optional.of(pause);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** A name of the batch: numbers, and by the mark of the last entry all that is before it. */
    private static String key(Batch batch) {
        return "\"veilgate-" + batch.first() + "-" + batch.last().number() + "-" + batch.mark() + "\"";
    }

    private static byte[] body(Batch batch) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        batch.entries().forEach(body::writeBytes);
        return body.toByteArray();
    }

    @Override
    public void close() {
        closed = true;
        CompletableFuture<?> now = present;
        if (now != null) {
            now.cancel(true);
        }
        http.shutdownNow();
    }
}
