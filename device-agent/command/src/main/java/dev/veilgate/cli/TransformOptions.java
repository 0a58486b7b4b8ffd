package dev.veilgate.cli;

import dev.veilgate.client.GatewayClient;
import dev.veilgate.client.GatewayTransforms;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.reading.Reading;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.security.SecureRandom;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** Whether the gateway does a reader's pairings. */
final class TransformOptions {
    @Option(
            names = "--gateway-transform",
            description =
                    "As a reader with keys of cp-bsw07 or kp-gpsw06: have the gateway do the pairings. It gets a blinded key, drawn for this run: it"
                            + " opens nothing, but tells the gateway what the key is for and which envelopes are opened. Its answers are"
                            + " checked; what it does not do right is done here.")
    private boolean given;

    boolean isGiven() {
        return given;
    }

    /** Refuses it where there is no reader's key, or no gateway. */
    void check(Terminal terminal, ReaderKeyOptions reader, boolean hasGateway) throws CommandFailure {
        if (given && !reader.isGiven()) {
            throw new CommandFailure(ExitCode.USAGE, "--gateway-transform goes with --reader-key");
        }
        if (given && !hasGateway) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--gateway-transform needs a gateway: --gateway or VEILGATE_GATEWAY");
        }
    }

    /** To read with the gateway's help, if that was asked for and saves anything. */
    TransformHelp help(Terminal terminal, Reading reading, GatewayClient gateway) {
        if (!given) {
            return TransformHelp.none(reading);
        }
        List<ReaderKey> keys = reading.readerKeys();
        if (keys.stream().noneMatch(ReaderKey::isWorthBlinding)) {
            String schemes = keys.stream()
                    .map(key -> key.policyKey().schemeId())
                    .distinct()
                    .collect(Collectors.joining(", "));
            terminal.err()
                    .println("note: the gateway is not asked: keys of " + schemes
                            + " take as many pairings for any policy, and opening here is faster");
            return TransformHelp.none(reading);
        }
        return TransformHelp.of(reading, new GatewayTransforms(gateway, new SecureRandom()));
    }
}
