package dev.veilgate.console.gateway;

import dev.veilgate.client.GatewayClient;
import dev.veilgate.client.GatewayException;
import dev.veilgate.client.TrustedAuthorities;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.settings.ConsoleSettings.GatewaySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** The tenant's part of the gateway. The token is read again when its file has changed. Safe for use by several threads. */
@Component
public final class Gateway {
    private final GatewaySettings settings;
    private final Custody custody;
    private @Nullable Known known;

    /** A client, and what it was made of. */
    private record Known(String tenant, String token, GatewayClient client) {}

    Gateway(GatewaySettings settings, Custody custody) {
        this.settings = settings;
        this.custody = custody;
    }

    /** Something that is asked of the gateway. */
    @FunctionalInterface
    public interface Question<T> {
        /** The client is everybody's: do not close it. */
        T with(GatewayClient client) throws IOException, GatewayException, InterruptedException;
    }

    /**
     * Asks.
     *
     * @throws ProblemException 502 if it does not answer or refuses, 423 if nobody has opened the keys: they say whose part of the gateway it is
     */
    public <T> T ask(Question<T> question) {
        try {
            return question.with(client());
        } catch (GatewayException e) {
            throw problem(e);
        } catch (IOException e) {
            throw ProblemException.gateway(Objects.requireNonNullElse(e.getMessage(), "the gateway does not answer"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ProblemException.gateway("the console is stopping");
        }
    }

    /** What it calls malformed came from whoever asked here. */
    private static ProblemException problem(GatewayException e) {
        String detail = String.valueOf(e.getMessage());
        return e.status() == HttpStatus.BAD_REQUEST.value()
                ? ProblemException.malformed(detail)
                : ProblemException.gateway(detail);
    }

    /**
     * The client for the present token. One that was handed out before goes on with the token that it had.
     *
     * @throws ProblemException as {@link #ask}
     */
    public synchronized GatewayClient client() {
        if (custody.isLocked()) {
            throw ProblemException.locked();
        }
        String tenant = custody.tenant();
        String token = token();
        Known last = known;
        if (last == null || !last.tenant().equals(tenant) || !last.token().equals(token)) {
            last = new Known(
                    tenant,
                    token,
                    connect(
                            tenant,
                            token)); // the old one may still be followed by somebody; it goes with its last user
            known = last;
        }
        return last.client();
    }

    private GatewayClient connect(String tenant, String token) {
        try {
            Path authorities = settings.ca();
            return new GatewayClient(
                    settings.url(),
                    tenant,
                    token,
                    authorities == null ? null : TrustedAuthorities.context(authorities));
        } catch (IOException e) {
            throw ProblemException.gateway("veilgate.gateway.ca: " + e.getMessage());
        }
    }

    private String token() {
        Path file = settings.tokenFile();
        if (file == null) {
            throw ProblemException.gateway("veilgate.gateway.token-file is not set");
        }
        try {
            List<String> lines = Files.readAllLines(file);
            String token = lines.isEmpty() ? "" : lines.getFirst().strip();
            if (token.matches("[!-~]+")) {
                return token;
            }
        } catch (IOException e) {
            throw ProblemException.gateway(file + " (veilgate.gateway.token-file) cannot be read");
        }
        throw ProblemException.gateway(file + " (veilgate.gateway.token-file) must hold a token in its first line");
    }
}
