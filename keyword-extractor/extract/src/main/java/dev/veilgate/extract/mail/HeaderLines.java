package dev.veilgate.extract.mail;

import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.io.MaxHeaderLengthLimitException;
import org.apache.james.mime4j.io.MaxHeaderLimitException;
import org.apache.james.mime4j.io.MaxLineLimitException;
import org.apache.james.mime4j.stream.DefaultFieldBuilder;
import org.apache.james.mime4j.stream.FieldBuilder;
import org.apache.james.mime4j.stream.RawField;
import org.apache.james.mime4j.util.ByteArrayBuffer;
import org.apache.james.mime4j.util.RecycledByteArrayBuffer;

/** The lines of headers, of which the parser of the mail's structure drops those that are no field; they are kept here, for programs to which the body begins with the first of them show them. */
final class HeaderLines implements FieldBuilder {
    private static final int MAX_CHARS = 1 << 16;

    private final FieldBuilder fields;
    private final StringBuilder others = new StringBuilder();
    private int lines;

    HeaderLines(int maxFieldBytes) {
        this.fields = new DefaultFieldBuilder(maxFieldBytes);
    }

    @Override
    public void reset() {
        fields.reset();
    }

    @Override
    public void append(ByteArrayBuffer line) throws MimeException {
        fields.append(line);
    }

    @Override
    @SuppressWarnings("NullAway")
    public RawField build() throws MimeException {
        lines++;
        try {
            return fields.build();
        } catch (MimeException e) {
            byte[] bytes = fields.getRaw().toByteArray();
            String line = EncodedText.decode(bytes, bytes.length, null);
            boolean ofMailbox = lines == 1 && (line.startsWith("From ") || line.startsWith(">From "));
            if (!line.isBlank() && !ofMailbox && others.length() < MAX_CHARS) {
                others.append(line).append('\n');
            }
            throw e;
        }
    }

    /** The lines of the header that has just been read that are no fields; "" in most cases. */
    String takeOthers() {
        String taken = others.toString();
        others.setLength(0);
        lines = 0;
        return taken;
    }

    /** Whether reading ended since a header is longer than allowed. */
    static boolean isLimit(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof MaxHeaderLengthLimitException
                    || cause instanceof MaxHeaderLimitException
                    || cause instanceof MaxLineLimitException) {
                return true;
            }
        }
        return false;
    }

    @Override
    public RecycledByteArrayBuffer getRaw() {
        return fields.getRaw();
    }

    @Override
    public void release() {
        fields.release();
    }
}
