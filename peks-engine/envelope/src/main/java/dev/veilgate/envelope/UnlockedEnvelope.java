package dev.veilgate.envelope;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.crypto.AEADBadTagException;

/** An envelope with its content key at hand, for as many records as are wanted. Not safe for use by several threads; {@link #close} erases the key. */
@Secret
public final class UnlockedEnvelope implements AutoCloseable {
    private final Envelope envelope;
    private final byte[] contentKey;
    private final ContentKey records;

    /** @param contentKey erased with this */
    UnlockedEnvelope(Envelope envelope, byte[] contentKey) {
        this.envelope = envelope;
        this.contentKey = contentKey;
        this.records = new ContentKey(contentKey, envelope.headerDigest());
    }

    /** All records, byte for byte. */
    public List<byte[]> records() throws UnopenableEnvelopeException {
        List<byte[]> opened = new ArrayList<>(envelope.sealedRecords());
        for (int i = 0; i < envelope.sealedRecords(); i++) {
            opened.add(record(i));
        }
        return opened;
    }

    /**
     * One record.
     *
     * @throws IllegalArgumentException if there is no such record inside
     */
    public byte[] record(int ordinal) throws UnopenableEnvelopeException {
        if (ordinal < 0 || ordinal >= envelope.sealedRecords()) {
            throw new IllegalArgumentException("there is no such record");
        }
        try {
            return records.openRecord(ordinal, envelope.sealedRecord(ordinal));
        } catch (AEADBadTagException e) {
            throw new UnopenableEnvelopeException("record " + ordinal + " of " + envelope.id() + " was altered");
        }
    }

    /** {@link EnvelopeOpener#origins}. */
    public List<String> origins() throws UnopenableEnvelopeException {
        return Origin.names(attributes().origins());
    }

    /**
     * The format by which each record's sender read it to make its keywords, as its software names formats; empty if
     * the sender does not say. A format may be one that is not known here.
     */
    public List<String> formats() throws UnopenableEnvelopeException {
        return attributes().formatsOf(envelope.recordCount());
    }

    private SealedAttributes.Content attributes() throws UnopenableEnvelopeException {
        byte[] sealed = envelope.attributes();
        if (sealed == null) {
            return SealedAttributes.Content.NONE;
        }
        try {
            return SealedAttributes.open(
                    contentKey, envelope.digestWithoutAttributes(), sealed, envelope.recordCount());
        } catch (AEADBadTagException e) {
            throw new UnopenableEnvelopeException("the attributes of " + envelope.id() + " were altered");
        } catch (MalformedEncodingException e) {
            throw new UnopenableEnvelopeException("the attributes of " + envelope.id() + ": " + e.getMessage());
        }
    }

    /** A copy, for the caller to erase. */
    byte[] contentKey() {
        return contentKey.clone();
    }

    @Override
    public void close() {
        records.close();
        Arrays.fill(contentKey, (byte) 0);
    }
}
