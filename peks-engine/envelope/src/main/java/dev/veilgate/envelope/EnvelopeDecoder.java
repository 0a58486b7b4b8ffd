package dev.veilgate.envelope;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.KeyId;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads one envelope from untrusted bytes; docs/wire-format.md says what is allowed. Used once. */
final class EnvelopeDecoder {
    final byte[] bytes;
    private final CborReader in;

    int fields;
    int entriesStart;
    int headerEnd = -1;
    int attributesStart;
    int attributesEnd;
    int recordsStart;
    int recordsEnd;
    int signatureStart;
    int signatureEnd;
    int mailSignatureStart;
    int mailSignatureEnd;

    private long seen;

    @Nullable
    UUID id;

    String tenant = "";
    String sender = "";
    long firstMillis;
    long lastMillis;
    int count;
    String mediaType = "";
    long sequence;
    byte @Nullable [] previous;
    int heartbeatSeconds;
    List<LossReport> loss = List.of();
    byte @Nullable [] detached;
    byte @Nullable [] attributes;
    List<String> outer = List.of();

    @Nullable
    IndexRules rules;

    @Nullable
    AttachmentReading attachments;

    byte @Nullable [] commitment;
    List<Slice> records = List.of();
    List<IndexBlock> index = List.of();
    /** Where the payloads of the index blocks begin. */
    int[] payloads = {};

    List<WrappedKey> wraps = List.of();
    byte @Nullable [] signature;
    byte @Nullable [] mailCertificate;
    byte @Nullable [] mailSignature;

    /** Where a record's ciphertext lies in the envelope. */
    record Slice(int from, int to) {}

    EnvelopeDecoder(byte[] bytes) throws MalformedEncodingException {
        if (bytes.length > Envelope.MAX_BYTES) {
            throw new MalformedEncodingException("envelope", "must have at most " + Envelope.MAX_BYTES + " bytes");
        }
        this.bytes = bytes;
        this.in = new CborReader("envelope", bytes);
    }

    void read() throws MalformedEncodingException {
        fields = in.map("map", EnvelopeFormat.MAX_FIELDS);
        entriesStart = in.position();
        CborReader.MapKeys keys = in.mapKeys("map");
        for (int i = 0; i < fields; i++) {
            int keyAt = in.position();
            if (in.nextIsText()) {
                endHeader(keyAt);
                extension(keys.nextText(EnvelopeFormat.MAX_EXTENSION_NAME_BYTES), keyAt);
            } else {
                int key = keys.nextInt();
                if (key >= EnvelopeFormat.FIRST_BODY_KEY) {
                    endHeader(keyAt);
                }
                field(key, keyAt);
            }
            if (i == 0 && !has(EnvelopeFormat.KEY_VERSION)) {
                throw in.malformed("version", "must be " + EnvelopeFormat.VERSION);
            }
        }
        endHeader(in.position());
        in.end();
        checkWhole();
    }

    private void extension(String name, int keyAt) throws MalformedEncodingException {
        if (!name.equals(EnvelopeFormat.KEY_MAIL_SIGNATURE)) {
            in.rawItem("extension");
            return;
        }
        if (in.array(name, 2) != 2) {
            throw in.malformed(name, "must have two parts");
        }
        mailCertificate = in.bytes(name + ".certificate", EnvelopeFormat.MAX_CERTIFICATE_BYTES);
        mailSignature = in.bytes(name + ".signature", EnvelopeFormat.MAX_MAIL_SIGNATURE_BYTES);
        mailSignatureStart = keyAt;
        mailSignatureEnd = in.position();
    }

    private void endHeader(int at) {
        if (headerEnd < 0) {
            headerEnd = at;
        }
    }

    private boolean has(int key) {
        return (seen & 1L << key) != 0;
    }

    private void field(int key, int keyAt) throws MalformedEncodingException {
        if (!EnvelopeFormat.isKnown(key)) {
            in.rawItem("extension");
            return;
        }
        seen |= 1L << key;
        if (key < EnvelopeFormat.FIRST_BODY_KEY) {
            headerField(key, keyAt);
            return;
        }
        switch (key) {
            case EnvelopeFormat.KEY_COMMITMENT -> commitment = in.fixedBytes("commitment", EnvelopeFormat.DIGEST_BYTES);
            case EnvelopeFormat.KEY_RECORDS -> {
                recordsStart = in.position();
                records = records();
                recordsEnd = in.position();
            }
            case EnvelopeFormat.KEY_INDEX -> index = index();
            case EnvelopeFormat.KEY_WRAPS -> wraps = wraps();
            default -> {
                signature = in.fixedBytes("signature", SenderPublicKey.SIGNATURE_BYTES);
                signatureStart = keyAt;
                signatureEnd = in.position();
            }
        }
    }

    private void headerField(int key, int keyAt) throws MalformedEncodingException {
        switch (key) {
            case EnvelopeFormat.KEY_VERSION -> {
                if (in.uint("version", Integer.MAX_VALUE) != EnvelopeFormat.VERSION) {
                    throw in.malformed("version", "must be " + EnvelopeFormat.VERSION);
                }
            }
            case EnvelopeFormat.KEY_CRITICAL -> critical();
            case EnvelopeFormat.KEY_ID -> id = id();
            case EnvelopeFormat.KEY_TENANT -> tenant = text("tenant", 1, EnvelopeFormat.MAX_NAME_BYTES);
            case EnvelopeFormat.KEY_SENDER -> sender = text("sender", 0, EnvelopeFormat.MAX_NAME_BYTES);
            case EnvelopeFormat.KEY_FIRST -> firstMillis = millis("first");
            case EnvelopeFormat.KEY_LAST -> lastMillis = millis("last");
            case EnvelopeFormat.KEY_COUNT -> count = in.uint("count", EnvelopeFormat.MAX_RECORDS);
            case EnvelopeFormat.KEY_MEDIA_TYPE ->
                mediaType = text("media-type", 1, EnvelopeFormat.MAX_MEDIA_TYPE_BYTES);
            case EnvelopeFormat.KEY_SEQUENCE -> sequence = positive("sequence", Long.MAX_VALUE);
            case EnvelopeFormat.KEY_PREVIOUS -> previous = in.fixedBytes("previous", EnvelopeFormat.DIGEST_BYTES);
            case EnvelopeFormat.KEY_HEARTBEAT -> heartbeatSeconds = (int) positive("heartbeat", Integer.MAX_VALUE);
            case EnvelopeFormat.KEY_LOSS -> loss = loss();
            case EnvelopeFormat.KEY_DETACHED -> detached = in.fixedBytes("detached", EnvelopeFormat.DIGEST_BYTES);
            case EnvelopeFormat.KEY_BOUND -> bound();
            default -> {
                attributes = in.bytes("attributes", EnvelopeFormat.MAX_ATTRIBUTES_BYTES);
                if (attributes.length <= EnvelopeFormat.TAG_BYTES) {
                    throw in.malformed("attributes", "must have more than " + EnvelopeFormat.TAG_BYTES + " bytes");
                }
                attributesStart = keyAt;
                attributesEnd = in.position();
            }
        }
    }

    /** Version 1 has no extension that this software understands, so whatever is listed ends in a refusal. */
    private void critical() throws MalformedEncodingException {
        int size = in.array("critical", EnvelopeFormat.MAX_FIELDS);
        if (size == 0) {
            throw in.malformed("critical", "must not be empty");
        }
        if (in.nextIsText()) {
            in.text("critical", EnvelopeFormat.MAX_EXTENSION_NAME_BYTES);
            throw in.malformed("critical", "names a field by a text that this version does not understand");
        }
        int key = in.uint("critical", Integer.MAX_VALUE);
        if (EnvelopeFormat.isKnown(key)) {
            throw in.malformed("critical", "must not list fields of version " + EnvelopeFormat.VERSION);
        }
        throw in.malformed("critical", "names field " + key + ", which this version does not understand");
    }

    /** Reads what is bound to the header; leaves out what later versions bind. */
    private void bound() throws MalformedEncodingException {
        int size = in.map("bound", EnvelopeFormat.MAX_FIELDS);
        CborReader.MapKeys keys = in.mapKeys("bound");
        for (int i = 0; i < size; i++) {
            switch (keys.nextInt()) {
                case EnvelopeFormat.BOUND_OUTER -> outer = outer();
                case EnvelopeFormat.BOUND_RULES -> rules = rules();
                case EnvelopeFormat.BOUND_ATTACHMENTS ->
                    attachments = in.bool("attachments") ? AttachmentReading.WHOLE : AttachmentReading.CUT_SHORT;
                default -> in.rawItem("bound");
            }
        }
    }

    private IndexRules rules() throws MalformedEncodingException {
        int size = in.array("rules", 2);
        int number = size == 0 ? -1 : in.uint("rules", Integer.MAX_VALUE);
        if (number < 0 || size != (number == 0 ? 1 : 2)) {
            throw in.malformed("rules", "must have a number and, from 1 on, the id of a profile");
        }
        return new IndexRules(number, size == 1 ? new byte[0] : in.fixedBytes("rules", IndexRules.PROFILE_ID_BYTES));
    }

    private List<String> outer() throws MalformedEncodingException {
        int size = in.array("outer", EnvelopeFormat.MAX_OUTER_FIELDS);
        List<String> out = new ArrayList<>(size);
        int left = EnvelopeFormat.MAX_OUTER_BYTES;
        for (int i = 0; i < size; i++) {
            String field = text("outer", 1, left);
            left -= field.length();
            if (!field.chars().allMatch(c -> c == '\t' || c >= ' ' && c <= '~')) {
                throw in.malformed("outer", "must be printable ASCII");
            }
            out.add(field);
        }
        return nonEmpty("outer", out);
    }

    private UUID id() throws MalformedEncodingException {
        UUID value = EnvelopeHeader.idOf(in.fixedBytes("id", EnvelopeFormat.ID_BYTES));
        if (value.version() != 7 || value.variant() != 2) {
            throw in.malformed("id", "must be a UUID of version 7");
        }
        return value;
    }

    private String text(String field, int minBytes, int maxBytes) throws MalformedEncodingException {
        String value = in.text(field, maxBytes);
        if (minBytes > 0 && value.isEmpty()) {
            throw in.malformed(field, "must not be empty");
        }
        return value;
    }

    private long positive(String field, long max) throws MalformedEncodingException {
        long value = in.unsigned(field, max);
        if (value == 0) {
            throw in.malformed(field, "must not be 0");
        }
        return value;
    }

    private long millis(String field) throws MalformedEncodingException {
        long value = in.integer(field);
        if (value < EnvelopeFormat.MIN_MILLIS || value > EnvelopeFormat.MAX_MILLIS) {
            throw in.malformed(field, "must be milliseconds of the years 0 to 9999");
        }
        return value;
    }

    private List<LossReport> loss() throws MalformedEncodingException {
        int size = in.array("loss", EnvelopeFormat.MAX_LOSS_REPORTS);
        List<LossReport> out = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            if (in.array("loss", 5) != 5) {
                throw in.malformed("loss", "must have five parts");
            }
            out.add(new LossReport(
                    text("loss.reason", 1, LossReport.MAX_REASON_BYTES),
                    in.unsigned("loss.records", Long.MAX_VALUE),
                    in.unsigned("loss.bytes", Long.MAX_VALUE),
                    Instant.ofEpochMilli(millis("loss.from")),
                    Instant.ofEpochMilli(millis("loss.to"))));
        }
        return nonEmpty("loss", out);
    }

    private List<Slice> records() throws MalformedEncodingException {
        int size = in.array("records", EnvelopeFormat.MAX_RECORDS);
        List<Slice> out = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            int length = in.skipBytes("records", Envelope.MAX_BYTES);
            if (length < EnvelopeFormat.TAG_BYTES) {
                throw in.malformed("records", "must have " + EnvelopeFormat.TAG_BYTES + " bytes each or more");
            }
            out.add(new Slice(in.position() - length, in.position()));
        }
        return nonEmpty("records", out);
    }

    private List<IndexBlock> index() throws MalformedEncodingException {
        int size = in.array("index", EnvelopeFormat.MAX_INDEX_BLOCKS);
        List<IndexBlock> out = new ArrayList<>(size);
        payloads = new int[size];
        for (int i = 0; i < size; i++) {
            byte[] encoded = in.bytes("index", EnvelopeFormat.MAX_INDEX_BLOCK_BYTES);
            IndexBlock block = IndexBlock.decode(encoded);
            payloads[i] = in.position() - encoded.length + block.header().length;
            out.add(block);
        }
        return nonEmpty("index", out);
    }

    private List<WrappedKey> wraps() throws MalformedEncodingException {
        int size = in.array("wraps", EnvelopeFormat.MAX_WRAPS);
        List<WrappedKey> out = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            if (in.array("wraps", 4) != 4) {
                throw in.malformed("wraps", "must have four parts each");
            }
            out.add(new WrappedKey(
                    text("wraps.algorithm", 1, EnvelopeFormat.MAX_ALGORITHM_BYTES),
                    KeyId.of(in.fixedBytes("wraps.key-id", KeyId.BYTES)),
                    in.bytes("wraps.encapsulation", EnvelopeFormat.MAX_ENCAPSULATION_BYTES),
                    in.bytes("wraps.wrapped", EnvelopeFormat.MAX_WRAPPED_BYTES)));
        }
        checkPolicyWraps(out);
        return nonEmpty("wraps", out);
    }

    /** No more than a sealer makes, and none twice: each costs whoever opens it. */
    private void checkPolicyWraps(List<WrappedKey> all) throws MalformedEncodingException {
        int count = 0;
        Set<ByteBuffer> distinct = new HashSet<>();
        for (WrappedKey wrap : all) {
            if (PolicyWrap.isOne(wrap)) {
                count++;
                distinct.add(ByteBuffer.wrap(wrap.encapsulation()));
            }
        }
        if (count > EnvelopeDraft.MAX_LABELS || distinct.size() < count) {
            throw in.malformed(
                    "wraps",
                    "must have at most " + EnvelopeDraft.MAX_LABELS + " for policies, of which no two are the same");
        }
    }

    /** An empty list is left out, so that an envelope has one encoding. */
    private <T> List<T> nonEmpty(String field, List<T> list) throws MalformedEncodingException {
        if (list.isEmpty()) {
            throw in.malformed(field, "must be left out if empty");
        }
        return List.copyOf(list);
    }

    /** What holds between fields. */
    private void checkWhole() throws MalformedEncodingException {
        for (int key = EnvelopeFormat.KEY_ID; key <= EnvelopeFormat.KEY_MEDIA_TYPE; key++) {
            require("key-" + key, has(key), "is missing");
        }
        require("last", firstMillis <= lastMillis, "must not be before first");
        boolean registered = has(EnvelopeFormat.KEY_SEQUENCE);
        require(
                "signature",
                registered == has(EnvelopeFormat.KEY_PREVIOUS) && registered == has(EnvelopeFormat.KEY_SIGNATURE),
                "must be there with sequence and previous, or none of the three");
        require("sender", registered == !sender.isEmpty(), "must be empty without a signature, and only then");
        if (sequence == 1 && previous != null) {
            boolean zero = true;
            for (byte b : previous) {
                zero &= b == 0;
            }
            require("previous", zero, "must be zero in the first envelope");
        }
        require("records", records.size() == (detached == null ? count : 0), "must be as many as count says");
        require("detached", detached == null || count > 0, "must come with a count");
        require("outer", outer.isEmpty() || detached != null, "must come with a content that is elsewhere");
        require("mail-signature", mailSignature == null || detached != null, "must come with such a content");
        require("index", index.isEmpty() || count > 0, "must not be there without records");
        require("rules", rules == null || count > 0, "must not be there without records");
        require("attachments", attachments == null || detached != null, "must come with a content that is elsewhere");
        require("attributes", attributes == null || !wraps.isEmpty(), "must not be there without wraps");
        require("wraps", records.isEmpty() || !wraps.isEmpty(), "must be there with records");
        require("commitment", (commitment != null) == !wraps.isEmpty(), "must be there with wraps, and only then");
        require("wraps", wraps.isEmpty() || count > 0, "must not be there without records");
    }

    private void require(String field, boolean condition, String allowed) throws MalformedEncodingException {
        if (!condition) {
            throw in.malformed(field, allowed);
        }
    }
}
