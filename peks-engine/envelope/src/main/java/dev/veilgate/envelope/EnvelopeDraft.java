package dev.veilgate.envelope;

import dev.veilgate.abe.Label;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.peks.Posting;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What goes into one envelope, in clear: 0 to 256 records (none: a heartbeat or a pure loss report). The records' arrays are not
 * copied: nobody may change them until the draft is sealed.
 *
 * @param scope     scope of the keywords
 * @param epoch     epoch of the keywords
 * @param first     time of the first record; travels in clear, in whole milliseconds
 * @param last      time of the last; where a clock went back, the earlier of the two travels as first
 * @param mediaType what a record is, at most 127 bytes: text/plain; application/vnd.veilgate.templates+cbor for a catalogue
 * @param records   the plaintexts, byte for byte as read
 * @param postings  keywords and the ordinals of the records that contain them
 * @param loss      what was dropped since the last envelope, at most 64 reports
 * @param heartbeatSeconds promise: the sender's next envelope comes within so many seconds; 0 for no promise
 * @param origins   where the records came from, in their order, no name twice in a row; of all records or of none
 * @param readers   who may read, besides the authority: each alone is enough, at most 16; attributes that have no epoch get that of the keywords. Empty: whoever
 *                  has the tenant's key
 * @param rules     by which the postings were made of the records; null if nobody says so
 * @param formats   in which the records were read to make the postings, by their names: one of all of them, or one for each of the origins, not all the same; empty if
 *                  nobody says so
 * @param attachments whether those of a mail were read to their end for the postings; null if nobody says so
 */
public record EnvelopeDraft(
        String scope,
        String epoch,
        Instant first,
        Instant last,
        String mediaType,
        List<byte[]> records,
        List<Posting> postings,
        List<LossReport> loss,
        int heartbeatSeconds,
        List<Origin> origins,
        List<Label> readers,
        @Nullable IndexRules rules,
        List<String> formats,
        @Nullable AttachmentReading attachments) {
    /** Most records of an envelope. */
    public static final int MAX_RECORDS = EnvelopeFormat.MAX_RECORDS;

    /** Most loss reports of an envelope. */
    public static final int MAX_LOSS_REPORTS = EnvelopeFormat.MAX_LOSS_REPORTS;

    /** Most policies of an envelope. */
    public static final int MAX_LABELS = 16;

    /** @throws IllegalArgumentException for more than the limits above, postings without a record, or origins of other records */
    public EnvelopeDraft {
        records = List.copyOf(records);
        postings = List.copyOf(postings);
        loss = List.copyOf(loss);
        origins = List.copyOf(origins);
        readers = List.copyOf(readers);
        formats = List.copyOf(formats);
        Objects.requireNonNull(scope);
        Objects.requireNonNull(epoch);
        Objects.requireNonNull(first);
        Objects.requireNonNull(last);
        require(records.size() <= MAX_RECORDS, "an envelope has at most " + MAX_RECORDS + " records");
        require(loss.size() <= MAX_LOSS_REPORTS, "an envelope has at most " + MAX_LOSS_REPORTS + " loss reports");
        require(readers.size() <= MAX_LABELS, "an envelope is for at most " + MAX_LABELS + " policies");
        require(heartbeatSeconds >= 0, "a promise is not negative");
        require(!records.isEmpty() || postings.isEmpty(), "postings need records");
        require(
                origins.isEmpty() || origins.stream().mapToInt(Origin::count).sum() == records.size(),
                "origins speak of all records or of none");
        require(origins.equals(Origin.of(Origin.names(origins))), "an origin is not the same twice in a row");
        require(areFormats(formats, origins.size(), records.size()), "formats are one, or one for each origin");
        int length = ByteWriter.utf8(mediaType).length;
        require(
                length >= 1 && length <= EnvelopeFormat.MAX_MEDIA_TYPE_BYTES,
                "a media type has 1 to " + EnvelopeFormat.MAX_MEDIA_TYPE_BYTES + " bytes");
    }

    /** A draft for whoever has the tenant's key. */
    public EnvelopeDraft(
            String scope,
            String epoch,
            Instant first,
            Instant last,
            String mediaType,
            List<byte[]> records,
            List<Posting> postings,
            List<LossReport> loss,
            int heartbeatSeconds,
            List<Origin> origins) {
        this(
                scope,
                epoch,
                first,
                last,
                mediaType,
                records,
                postings,
                loss,
                heartbeatSeconds,
                origins,
                List.of(),
                null,
                List.of(),
                null);
    }

    /** The same for others. */
    public EnvelopeDraft forReaders(List<Label> labels) {
        return new EnvelopeDraft(
                scope,
                epoch,
                first,
                last,
                mediaType,
                records,
                postings,
                loss,
                heartbeatSeconds,
                origins,
                labels,
                rules,
                formats,
                attachments);
    }

    /** The same, with keywords that were made by these rules. */
    public EnvelopeDraft indexedBy(IndexRules by) {
        return new EnvelopeDraft(
                scope,
                epoch,
                first,
                last,
                mediaType,
                records,
                postings,
                loss,
                heartbeatSeconds,
                origins,
                readers,
                by,
                formats,
                attachments);
    }

    /** The same, with records that were all read in one format to make their keywords. */
    public EnvelopeDraft readAs(String format) {
        return readAs(List.of(format));
    }

    /** The same, with records that were read in a format for each origin. */
    EnvelopeDraft readAs(List<String> by) {
        return new EnvelopeDraft(
                scope,
                epoch,
                first,
                last,
                mediaType,
                records,
                postings,
                loss,
                heartbeatSeconds,
                origins,
                readers,
                rules,
                by,
                attachments);
    }

    /** The same of a mail, with keywords for which its attachments were read like this. */
    public EnvelopeDraft withAttachments(AttachmentReading reading) {
        return new EnvelopeDraft(
                scope,
                epoch,
                first,
                last,
                mediaType,
                records,
                postings,
                loss,
                heartbeatSeconds,
                origins,
                readers,
                rules,
                formats,
                reading);
    }

    private static boolean areFormats(List<String> formats, int origins, int records) {
        boolean isOne = formats.size() == 1 && records > 0;
        boolean isEach = formats.size() == origins && new HashSet<>(formats).size() > 1;
        return formats.isEmpty() || (isOne || isEach) && formats.stream().allMatch(EnvelopeDraft::isFormat);
    }

    private static boolean isFormat(String name) {
        int bytes = ByteWriter.utf8(name).length;
        return bytes >= 1 && bytes <= EnvelopeFormat.MAX_FORMAT_BYTES;
    }

    /** A draft that does not say where its records came from. */
    public EnvelopeDraft(
            String scope,
            String epoch,
            Instant first,
            Instant last,
            String mediaType,
            List<byte[]> records,
            List<Posting> postings,
            List<LossReport> loss,
            int heartbeatSeconds) {
        this(scope, epoch, first, last, mediaType, records, postings, loss, heartbeatSeconds, List.of());
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Without records and keywords. */
    @Override
    public String toString() {
        return "EnvelopeDraft[" + records.size() + " records, " + postings.size() + " keywords]";
    }
}
