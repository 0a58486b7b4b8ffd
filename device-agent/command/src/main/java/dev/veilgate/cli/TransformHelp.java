package dev.veilgate.cli;

import dev.veilgate.client.GatewayTransforms;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.reading.Reading;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What something is read with: a reader's keys, and perhaps a gateway that does the pairings. */
final class TransformHelp implements AutoCloseable {
    private final Reading reading;
    private final @Nullable GatewayTransforms transforms;

    private TransformHelp(Reading reading, @Nullable GatewayTransforms transforms) {
        this.reading = reading;
        this.transforms = transforms;
    }

    /** Without a gateway's help. */
    static TransformHelp none(Reading reading) {
        return new TransformHelp(reading, null);
    }

    /** @param transforms closed with this */
    static TransformHelp of(Reading reading, GatewayTransforms transforms) {
        return new TransformHelp(reading.helpedBy(transforms), transforms);
    }

    /** To read with; closed by whoever opened it. */
    Reading reading() {
        return reading;
    }

    /** Whether it is worth telling what comes. */
    boolean isThere() {
        return transforms != null;
    }

    /** An envelope that will be opened. */
    void ahead(Envelope envelope) {
        if (transforms != null) {
            transforms.ahead(envelope, reading.opener());
        }
    }

    /** Says what the gateway did, and what not and why. */
    void report(Terminal terminal) {
        GatewayTransforms asked = transforms;
        if (asked == null) {
            return;
        }
        Optional<String> failure = asked.failure();
        failure.ifPresent(why -> terminal.err().println(Printable.of("warning: " + why)));
        terminal.err()
                .println("note: the gateway did the pairings of " + asked.transformed() + " envelopes"
                        + (asked.left() == 0 ? "" : "; " + asked.left() + " were opened without it")
                        + (asked.notThere() == 0 ? "" : ", " + asked.notThere() + " of which it does not have"));
    }

    @Override
    public void close() {
        if (transforms != null) {
            transforms.close();
        }
    }
}
