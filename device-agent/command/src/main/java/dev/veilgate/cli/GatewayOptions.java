package dev.veilgate.cli;

import dev.veilgate.client.GatewayClient;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import dev.veilgate.transport.TlsContext;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which gateway, and the token that it knows us by. */
final class GatewayOptions {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    @Option(names = "--gateway", paramLabel = "URL", description = "The gateway; VEILGATE_GATEWAY.")
    private @Nullable String gateway;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "Take the bearer token from the first line of a file; VEILGATE_TOKEN_FILE, or the token itself"
                            + " in VEILGATE_TOKEN.")
    private @Nullable String tokenFile;

    @Option(
            names = "--gateway-ca",
            paramLabel = "PEM",
            description = "Certificates of those who sign the gateway's certificate; the machine's own otherwise.")
    private @Nullable Path authorities;

    /** Whether the option itself was given. */
    boolean isGiven() {
        return gateway != null;
    }

    /** Whether the option or the variable names one. */
    boolean isNamed(Terminal terminal) {
        return url(terminal).isPresent();
    }

    private Optional<String> url(Terminal terminal) {
        return Optional.ofNullable(gateway != null ? gateway : terminal.variable("VEILGATE_GATEWAY"))
                .filter(url -> !url.isEmpty());
    }

    /** The gateway; close it. */
    GatewayClient connect(Terminal terminal, String tenant) throws IOException, CommandFailure {
        URI base = base(url(terminal)
                .orElseThrow(() -> new CommandFailure(ExitCode.USAGE, "--gateway is needed (or VEILGATE_GATEWAY)")));
        String token = token(terminal);
        if (base.getScheme().equalsIgnoreCase("http") && !LOOPBACK.contains(base.getHost())) {
            terminal.err().println("warning: the token and what is found travel unprotected; https protects them");
        }
        Path pem = authorities;
        return new GatewayClient(base, tenant, token, pem == null ? null : TlsContext.client(pem));
    }

    private static URI base(String url) throws CommandFailure {
        try {
            URI base = URI.create(url);
            boolean usable = base.getHost() != null
                    && base.getUserInfo() == null
                    && base.getQuery() == null
                    && base.getFragment() == null
                    && ("http".equalsIgnoreCase(base.getScheme()) || "https".equalsIgnoreCase(base.getScheme()));
            if (usable) {
                return base;
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw new CommandFailure(
                ExitCode.USAGE,
                "--gateway: must be a URL such as https://gateway.example.org or http://localhost:8080");
    }

    private String token(Terminal terminal) throws IOException, CommandFailure {
        String file = tokenFile != null ? tokenFile : terminal.variable("VEILGATE_TOKEN_FILE");
        String token = terminal.variable("VEILGATE_TOKEN");
        if (file != null && !file.isEmpty()) {
            try (BufferedReader in = Files.newBufferedReader(Path.of(file))) {
                token = in.readLine();
            }
        }
        if (token == null || !token.strip().matches("[!-~]+")) {
            throw new CommandFailure(
                    ExitCode.KEY,
                    "a bearer token is needed: --token-file, VEILGATE_TOKEN_FILE or VEILGATE_TOKEN; the gateway's operator makes one");
        }
        return token.strip();
    }
}
