package dev.veilgate.envelope;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.crypto.AEADBadTagException;

/**
 * What an envelope says of its records to nobody but who opens them. It is a field of the header, so that records, wraps and index are bound to it as
 * to all of the header: it cannot be altered, swapped or taken away and still have them open.
 *
 * <pre>
 *   rest       = SHA-256(len8("veilgate/envelope/attributes/1") || header without this field)
 *   key        = HKDF-SHA-256(salt = rest, K, info = len8("veilgate/envelope/attributes/1"), 32)
 *   attributes = AES-256-GCM(key, nonce 0, map || 00 ...)
 * </pre>
 *
 * <p>The zero bytes fill up to a multiple of {@value #BLOCK_BYTES}, so that the size tells less of names.
 */
final class SealedAttributes {
    static final int BLOCK_BYTES = 32;

    /** Keys below are for what must not be ignored. */
    private static final int FIRST_IGNORED_KEY = 16;

    private static final int KEY_ORIGINS = 1;
    private static final int MAX_KEYS = 64;

    private SealedAttributes() {}

    /** @param header keys and values of the header without this field, one after the other */
    static byte[] seal(byte[] contentKey, byte[] header, List<Origin> origins) {
        CborWriter map = new CborWriter(256).map(1).integer(KEY_ORIGINS).array(origins.size());
        for (Origin origin : origins) {
            map.array(2).text(origin.name()).integer(origin.count());
        }
        byte[] plain = map.toByteArray();
        int blocks = (plain.length + BLOCK_BYTES - 1) / BLOCK_BYTES;
        byte[] key =
                key(contentKey, Hashes.labelled(EnvelopeFormat.LABEL_ATTRIBUTES).digest(header));
        try {
            return ContentKey.wrap(key, Arrays.copyOf(plain, blocks * BLOCK_BYTES));
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    /**
     * The origins, empty if there are none.
     *
     * @param rest  digest of the header without this field
     * @param count how many records the header says there are
     * @throws AEADBadTagException        if it was altered
     * @throws MalformedEncodingException if its sender sealed what is not allowed
     */
    static List<Origin> open(byte[] contentKey, byte[] rest, byte[] sealed, int count)
            throws AEADBadTagException, MalformedEncodingException {
        byte[] key = key(contentKey, rest);
        try {
            return decode(ContentKey.unwrap(key, sealed), count);
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    private static byte[] key(byte[] contentKey, byte[] rest) {
        byte[] info =
                new ByteWriter(64).shortString(EnvelopeFormat.LABEL_ATTRIBUTES).toByteArray();
        return Hashes.hkdf(rest, contentKey, info, EnvelopeFormat.CONTENT_KEY_BYTES);
    }

    /** Reads what was sealed, which its sender may have made to do harm. */
    static List<Origin> decode(byte[] plain, int count) throws MalformedEncodingException {
        int end = plain.length;
        CborReader whole = new CborReader("attributes", plain);
        whole.rawItem("map");
        for (int i = whole.position(); i < end; i++) {
            if (plain[i] != 0) {
                throw whole.malformed("padding", "must be zero");
            }
        }
        CborReader in = new CborReader("attributes", Arrays.copyOf(plain, whole.position()));
        int fields = in.map("map", MAX_KEYS);
        CborReader.MapKeys keys = in.mapKeys("map");
        List<Origin> origins = List.of();
        for (int i = 0; i < fields; i++) {
            int key = keys.nextInt();
            if (key == KEY_ORIGINS) {
                origins = origins(in, count);
            } else if (key < FIRST_IGNORED_KEY) {
                throw in.malformed("map", "has field " + key + ", which this version does not understand");
            } else {
                in.rawItem("extension");
            }
        }
        in.end();
        return origins;
    }

    private static List<Origin> origins(CborReader in, int count) throws MalformedEncodingException {
        int size = in.array("origins", EnvelopeFormat.MAX_RECORDS);
        List<Origin> out = new ArrayList<>(size);
        int sum = 0;
        for (int i = 0; i < size; i++) {
            if (in.array("origins", 2) != 2) {
                throw in.malformed("origins", "must have two parts each");
            }
            String name = in.text("origins.name", Origin.MAX_NAME_BYTES);
            int records = in.uint("origins.count", EnvelopeFormat.MAX_RECORDS);
            if (name.isEmpty() || records == 0) {
                throw in.malformed("origins", "must have a name and a record each");
            }
            if (i > 0 && name.equals(out.getLast().name())) {
                throw in.malformed("origins", "must not be the same twice in a row");
            }
            out.add(new Origin(name, records));
            sum += records;
        }
        if (sum != count || size == 0) {
            throw in.malformed("origins", "must speak of as many records as there are");
        }
        return List.copyOf(out);
    }
}
