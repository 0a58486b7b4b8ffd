package dev.veilgate.console.gateway;

import dev.veilgate.client.GatewayClient;
import dev.veilgate.client.GatewayException;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.settings.ConsoleSettings.GatewaySettings;
import dev.veilgate.transport.TlsContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** The tenant's part of the gateway. Each request has the token that is good then: the file's present one, or one of the issuer. Safe for use by several threads. */
@Component
public final class Gateway {
    private final GatewaySettings settings;
    private final Custody custody;
    private @Nullable Known known;

    private final GatewayToken token;

    /** A client, and whose. */
    private record Known(String tenant, GatewayClient client) {}

    Gateway(GatewaySettings settings, Custody custody, Clock clock) {
        this.settings = settings;
        this.custody = custody;
        this.token = settings.issuer() == null ? new FileToken(settings.tokenFile()) : new IssuerToken(settings, clock);
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
     * The client.
     *
     * @throws ProblemException as {@link #ask}, also if there is no token to ask with
     */
    public GatewayClient client() {
        if (custody.isLocked()) {
            throw ProblemException.locked();
        }
        try {
            token.now();
        } catch (IOException e) {
            throw ProblemException.gateway(String.valueOf(e.getMessage()));
        }
        return known();
    }

    private synchronized GatewayClient known() {
        String tenant = custody.tenant();
        Known last = known;
        if (last == null || !last.tenant().equals(tenant)) {
            last = new Known(tenant, connect(tenant)); // the old one may still be followed; it goes with its last user
            known = last;
        }
        return last.client();
    }

    private GatewayClient connect(String tenant) {
        try {
            Path authorities = settings.ca();
            return new GatewayClient(
                    settings.url(), tenant, token, authorities == null ? null : TlsContext.client(authorities));
        } catch (IOException e) {
            throw ProblemException.gateway("veilgate.gateway.ca: " + e.getMessage());
        }
    }
}
