package dev.veilgate.extract.mail;

import java.nio.charset.StandardCharsets;
import org.apache.james.mime4j.stream.BodyDescriptor;
import org.apache.james.mime4j.stream.BodyDescriptorBuilder;
import org.apache.james.mime4j.stream.Field;
import org.apache.james.mime4j.stream.RawField;
import org.apache.james.mime4j.util.ByteSequence;
import org.jspecify.annotations.Nullable;

/**
 * A part as the parser of the mail's structure is to see it: multiparts by the boundary that mail programs would find, and messages inside the mail whatever they are called. A
 * message in a transfer encoding is a body to it, {@link MailReader} opens that itself.
 *
 * @param type     what the part is
 * @param boundary of a multipart
 * @param encoded  whether it is written in a transfer encoding
 */
record PartDescriptor(String type, @Nullable String boundary, boolean encoded) implements BodyDescriptor {
    private static final String MESSAGE = "message/rfc822";

    /** Gathers the fields of one header. */
    static final class Builder implements BodyDescriptorBuilder {
        private final boolean inDigest;
        private BodyFields fields = new BodyFields();
        private boolean eightBit;

        Builder(boolean inDigest) {
            this.inDigest = inDigest;
        }

        @Override
        public void reset() {
            fields = new BodyFields();
            eightBit = false;
        }

        @Override
        public @Nullable Field addField(RawField field) {
            fields.add(byteForByte(field));
            return null;
        }

        /** Boundaries are compared byte by byte, so bytes above 127 stay what they are. */
        private Field byteForByte(RawField field) {
            ByteSequence raw = field.getRaw();
            byte[] bytes = raw == null ? new byte[0] : raw.toByteArray();
            for (byte b : bytes) {
                if (b < 0) {
                    eightBit = true;
                    String line = new String(bytes, StandardCharsets.ISO_8859_1).replace("\r\n", "");
                    return new RawField(field.getName(), line.substring(line.indexOf(':') + 1));
                }
            }
            return field;
        }

        /** What was percent-encoded is text by now. */
        private String byteForByte(String boundary) {
            return eightBit
                    ? boundary
                    : new String(boundary.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        }

        @Override
        public BodyDescriptor build() {
            ContentType declared = fields.contentType();
            String type = declared == null || declared.type().isEmpty() ? absent() : declared.type();
            String boundary = declared == null ? null : declared.parameter("boundary");
            boolean encoded = fields.encodings().stream().anyMatch(encoding -> encoding != TransferEncoding.PLAIN);
            if (type.startsWith("multipart/")) {
                String mark = boundary == null ? "" : byteForByte(boundary.stripTrailing());
                return mark.isEmpty()
                        ? new PartDescriptor(ContentType.TEXT, null, encoded)
                        : new PartDescriptor(type, mark, encoded);
            }
            return new PartDescriptor(type, null, encoded);
        }

        private String absent() {
            return inDigest ? MESSAGE : ContentType.TEXT;
        }

        @Override
        public BodyDescriptorBuilder newChild() {
            ContentType declared = fields.contentType();
            return new Builder(declared != null && declared.type().equals("multipart/digest"));
        }
    }

    /** Whether it is a message that the parser does not open. */
    boolean isEncodedMessage() {
        return BodyFields.isMessage(type) && encoded;
    }

    @Override
    public String getMimeType() {
        if (BodyFields.isMessage(type)) {
            return encoded ? "application/x-encoded-message" : MESSAGE;
        }
        return type;
    }

    @Override
    public String getMediaType() {
        return getMimeType().substring(0, getMimeType().indexOf('/'));
    }

    @Override
    public String getSubType() {
        return getMimeType().substring(getMimeType().indexOf('/') + 1);
    }

    @Override
    public @Nullable String getBoundary() {
        return boundary;
    }

    @Override
    public @Nullable String getCharset() {
        return null;
    }

    @Override
    public String getTransferEncoding() {
        return "binary"; // decoded by TransferEncoding
    }

    @Override
    public long getContentLength() {
        return -1;
    }
}
