package dev.veilgate.envelope;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.CborWriter;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The fields below {@link EnvelopeFormat#FIRST_BODY_KEY}: what an envelope says in clear, and its sealed attributes.
 *
 * @param position null for a sender that is not registered
 * @param detached SHA-256 of a sealed content that travels elsewhere, or null
 * @param attributes see {@link SealedAttributes}, or null
 * @param outer      header fields of a mail outside its sealed content, {@code Name: value}, unfolded
 * @param rules      by which the keywords were made, or null
 * @param attachments whether those of a mail were read to their end, or null
 */
@SuppressWarnings("ArrayRecordComponent")
record EnvelopeHeader(
        UUID id,
        String tenant,
        String sender,
        long firstMillis,
        long lastMillis,
        int count,
        String mediaType,
        @Nullable ChainPosition position,
        int heartbeatSeconds,
        List<LossReport> loss,
        byte @Nullable [] detached,
        byte @Nullable [] attributes,
        List<String> outer,
        @Nullable IndexRules rules,
        @Nullable AttachmentReading attachments) {

    /** Number of fields that {@link #encode} writes. */
    int fields() {
        return 8
                + (position == null ? 0 : 2)
                + (heartbeatSeconds == 0 ? 0 : 1)
                + (loss.isEmpty() ? 0 : 1)
                + (detached == null ? 0 : 1)
                + (attributes == null ? 0 : 1)
                + (bound() == 0 ? 0 : 1);
    }

    /** Number of things that are bound. */
    private int bound() {
        return (outer.isEmpty() ? 0 : 1) + (rules == null ? 0 : 1) + (attachments == null ? 0 : 1);
    }

    /** This header with attributes that are bound to it. */
    EnvelopeHeader withAttributes(byte[] sealed) {
        return new EnvelopeHeader(
                id,
                tenant,
                sender,
                firstMillis,
                lastMillis,
                count,
                mediaType,
                position,
                heartbeatSeconds,
                loss,
                detached,
                sealed,
                outer,
                rules,
                attachments);
    }

    /** Keys and values in ascending order, without the head of the map. */
    byte[] encode() {
        CborWriter out = new CborWriter(256);
        out.integer(EnvelopeFormat.KEY_VERSION).integer(EnvelopeFormat.VERSION);
        out.integer(EnvelopeFormat.KEY_ID).bytes(idBytes(id));
        out.integer(EnvelopeFormat.KEY_TENANT).text(tenant);
        out.integer(EnvelopeFormat.KEY_SENDER).text(sender);
        out.integer(EnvelopeFormat.KEY_FIRST).integer(firstMillis);
        out.integer(EnvelopeFormat.KEY_LAST).integer(lastMillis);
        out.integer(EnvelopeFormat.KEY_COUNT).integer(count);
        out.integer(EnvelopeFormat.KEY_MEDIA_TYPE).text(mediaType);
        if (position != null) {
            out.integer(EnvelopeFormat.KEY_SEQUENCE).integer(position.sequence());
            out.integer(EnvelopeFormat.KEY_PREVIOUS).bytes(position.previousDigest());
        }
        if (heartbeatSeconds != 0) {
            out.integer(EnvelopeFormat.KEY_HEARTBEAT).integer(heartbeatSeconds);
        }
        if (!loss.isEmpty()) {
            out.integer(EnvelopeFormat.KEY_LOSS).array(loss.size());
            for (LossReport report : loss) {
                out.array(5).text(report.reason()).integer(report.records()).integer(report.bytes());
                out.integer(floorMillis(report.from())).integer(ceilMillis(report.to()));
            }
        }
        if (detached != null) {
            out.integer(EnvelopeFormat.KEY_DETACHED).bytes(detached);
        }
        if (attributes != null) {
            out.integer(EnvelopeFormat.KEY_ATTRIBUTES).bytes(attributes);
        }
        if (bound() > 0) {
            out.integer(EnvelopeFormat.KEY_BOUND).map(bound());
        }
        if (!outer.isEmpty()) {
            out.integer(EnvelopeFormat.BOUND_OUTER).array(outer.size());
            outer.forEach(out::text);
        }
        if (rules != null) {
            out.integer(EnvelopeFormat.BOUND_RULES)
                    .array(rules.rules() == 0 ? 1 : 2)
                    .integer(rules.rules());
            if (rules.rules() != 0) {
                out.bytes(rules.profileId());
            }
        }
        if (attachments != null) {
            out.integer(EnvelopeFormat.BOUND_ATTACHMENTS).bool(attachments == AttachmentReading.WHOLE);
        }
        return out.toByteArray();
    }

    static byte[] idBytes(UUID id) {
        return new ByteWriter(EnvelopeFormat.ID_BYTES)
                .int64(id.getMostSignificantBits())
                .int64(id.getLeastSignificantBits())
                .toByteArray();
    }

    static UUID idOf(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
    }

    /** A time in whole milliseconds, rounded down. */
    static long floorMillis(Instant time) {
        if (time.getEpochSecond() < EnvelopeFormat.MIN_MILLIS / 1000
                || time.getEpochSecond() > EnvelopeFormat.MAX_MILLIS / 1000) {
            throw new IllegalArgumentException("times are of the years 0 to 9999");
        }
        return time.toEpochMilli();
    }

    /** Rounded up, so that a range of times never excludes what is in it. */
    static long ceilMillis(Instant time) {
        long floor = floorMillis(time);
        return time.getNano() % 1_000_000 == 0 ? floor : Math.min(floor + 1, EnvelopeFormat.MAX_MILLIS);
    }
}
