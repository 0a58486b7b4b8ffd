package dev.veilgate.envelope;

import dev.veilgate.abe.AttributeTransformKey;
import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * What a reader asks a gateway: to do the pairings of some wraps with the blinded half of its key ({@link dev.veilgate.abe.AttributeKem#blind}).
 *
 * <pre>{@code
 * transform = [ "veilgate-transform", 1, key: bstr, [ 1*256 [ envelope: bstr .size 16, wrap: uint ] ] ]
 * }</pre>
 *
 * <p>Its media type is {@link #MEDIA_TYPE}. The key opens nothing, but tells the reader's attributes to whoever has it. It stays encoded until {@link WrapTransformer} reads it: to decode it is work.
 */
public final class TransformRequest {
    /** Of an encoded request. */
    public static final String MEDIA_TYPE = "application/vnd.veilgate.transform+cbor";

    /** Most wraps of a request. */
    public static final int MAX_WRAPS = 256;

    /** Most bytes of the key: some 1,200 attributes. */
    public static final int MAX_KEY_BYTES = 192 << 10;

    /** Most bytes of a request. */
    public static final int MAX_BYTES = MAX_KEY_BYTES + MAX_WRAPS * 24 + 64;

    private static final String MAGIC = "veilgate-transform";
    private static final int VERSION = 1;
    private static final int ID_BYTES = 16;

    /**
     * A wrap of an envelope.
     *
     * @param wrap its place among the envelope's, from 0
     */
    public record Place(UUID envelope, int wrap) {
        /** @throws IllegalArgumentException for a place that no envelope has */
        public Place {
            if (wrap < 0 || wrap >= EnvelopeFormat.MAX_WRAPS) {
                throw new IllegalArgumentException("an envelope has no wrap " + wrap);
            }
        }
    }

    private final byte[] key;
    private final List<Place> places;

    private TransformRequest(byte[] key, List<Place> places) {
        if (places.isEmpty() || places.size() > MAX_WRAPS) {
            throw new IllegalArgumentException("a request has 1 to " + MAX_WRAPS + " wraps");
        }
        if (key.length > MAX_KEY_BYTES) {
            throw new IllegalArgumentException("a transformation key has at most " + MAX_KEY_BYTES + " bytes");
        }
        this.key = key;
        this.places = List.copyOf(places);
    }

    /** @throws IllegalArgumentException for no wrap, too many, or a key that is too large */
    public static TransformRequest of(AttributeTransformKey key, List<Place> places) {
        return new TransformRequest(key.encode(), places);
    }

    /** In the order in which they are answered. */
    public List<Place> places() {
        return places;
    }

    /** The array itself. */
    byte[] key() {
        return key;
    }

    /** Deterministic CBOR. */
    public byte[] encode() {
        CborWriter out = new CborWriter(key.length + 24 * places.size() + 64)
                .array(4)
                .text(MAGIC)
                .integer(VERSION)
                .bytes(key)
                .array(places.size());
        for (Place place : places) {
            byte[] id = ByteBuffer.allocate(ID_BYTES)
                    .putLong(place.envelope.getMostSignificantBits())
                    .putLong(place.envelope.getLeastSignificantBits())
                    .array();
            out.array(2).bytes(id).integer(place.wrap);
        }
        return out.toByteArray();
    }

    /**
     * The inverse of {@link #encode}; the key is not looked at.
     *
     * @throws MalformedEncodingException naming what is wrong
     */
    public static TransformRequest decode(byte[] bytes) throws MalformedEncodingException {
        if (bytes.length > MAX_BYTES) {
            throw new MalformedEncodingException("transform", "must have at most " + MAX_BYTES + " bytes");
        }
        CborReader in = new CborReader("transform", bytes);
        if (in.array("transform", 4) != 4
                || !in.nextIsText()
                || !in.text("magic", MAGIC.length()).equals(MAGIC)) {
            throw in.malformed("magic", "must be " + MAGIC);
        }
        if (in.uint("version", Integer.MAX_VALUE) != VERSION) {
            throw in.malformed("version", "must be " + VERSION + "; update the software to read a later one");
        }
        byte[] key = in.bytes("key", MAX_KEY_BYTES);
        int count = in.array("wraps", MAX_WRAPS);
        if (count == 0) {
            throw in.malformed("wraps", "must be 1 to " + MAX_WRAPS);
        }
        List<Place> places = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            if (in.array("wrap", 2) != 2) {
                throw in.malformed("wrap", "must be an envelope's id and the place of a wrap in it");
            }
            ByteBuffer id = ByteBuffer.wrap(in.fixedBytes("envelope", ID_BYTES));
            places.add(new Place(new UUID(id.getLong(), id.getLong()), in.uint("wrap", EnvelopeFormat.MAX_WRAPS - 1)));
        }
        in.end();
        return new TransformRequest(key, places);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TransformRequest that && Arrays.equals(key, that.key) && places.equals(that.places);
    }

    @Override
    public int hashCode() {
        return places.hashCode();
    }

    @Override
    public String toString() {
        return "TransformRequest[" + places.size() + " wraps, key hidden]";
    }
}
