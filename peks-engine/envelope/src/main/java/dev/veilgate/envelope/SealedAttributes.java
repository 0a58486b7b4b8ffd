package dev.veilgate.envelope;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
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
    /** One that readers of before pass over: they open what has it. */
    private static final int KEY_FORMATS = 16;

    private static final int MAX_KEYS = 64;

    private SealedAttributes() {}

    /**
     * Attributes in clear.
     *
     * @param origins where the records came from; empty if nobody says so
     * @param formats by which they were read: one of all of them, or one for each of the origins; empty if nobody
     *                says so
     */
    record Content(List<Origin> origins, List<String> formats) {
        static final Content NONE = new Content(List.of(), List.of());

        static Content of(EnvelopeDraft draft) {
            return new Content(draft.origins(), draft.formats());
        }

        boolean isEmpty() {
            return origins.isEmpty() && formats.isEmpty();
        }

        /** A format for each of some records; empty if nobody says so. */
        List<String> formatsOf(int count) {
            if (formats.size() < 2) {
                return formats.isEmpty() ? List.of() : Collections.nCopies(count, formats.getFirst());
            }
            List<String> all = new ArrayList<>(count);
            for (int i = 0; i < origins.size(); i++) {
                all.addAll(Collections.nCopies(origins.get(i).count(), formats.get(i)));
            }
            return all;
        }

        private byte[] encode() {
            CborWriter map = new CborWriter(256).map((origins.isEmpty() ? 0 : 1) + (formats.isEmpty() ? 0 : 1));
            if (!origins.isEmpty()) {
                map.integer(KEY_ORIGINS).array(origins.size());
                for (Origin origin : origins) {
                    map.array(2).text(origin.name()).integer(origin.count());
                }
            }
            if (formats.size() == 1) {
                map.integer(KEY_FORMATS).text(formats.getFirst());
            } else if (!formats.isEmpty()) {
                map.integer(KEY_FORMATS).array(formats.size());
                formats.forEach(map::text);
            }
            return map.toByteArray();
        }
    }

    /** @param header keys and values of the header without this field, one after the other */
    static byte[] seal(byte[] contentKey, byte[] header, Content content) {
        byte[] plain = content.encode();
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
     * What was sealed.
     *
     * @param rest  digest of the header without this field
     * @param count how many records the header says there are
     * @throws AEADBadTagException        if it was altered
     * @throws MalformedEncodingException if its sender sealed what is not allowed
     */
    static Content open(byte[] contentKey, byte[] rest, byte[] sealed, int count)
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
    static Content decode(byte[] plain, int count) throws MalformedEncodingException {
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
        List<String> formats = List.of();
        for (int i = 0; i < fields; i++) {
            int key = keys.nextInt();
            if (key == KEY_ORIGINS) {
                origins = origins(in, count);
            } else if (key == KEY_FORMATS) {
                formats = formats(in, origins.size());
            } else if (key < FIRST_IGNORED_KEY) {
                throw in.malformed("map", "has field " + key + ", which this version does not understand");
            } else {
                in.rawItem("extension");
            }
        }
        in.end();
        return new Content(origins, formats);
    }

    /** A text for all records, or an array with one for each origin, of which not all are the same. */
    private static List<String> formats(CborReader in, int origins) throws MalformedEncodingException {
        if (in.nextIsText()) {
            return List.of(format(in));
        }
        int size = in.array("formats", EnvelopeFormat.MAX_RECORDS);
        List<String> out = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            out.add(format(in));
        }
        if (size != origins || new HashSet<>(out).size() < 2) {
            throw in.malformed("formats", "must be one, or one for each origin if they differ");
        }
        return List.copyOf(out);
    }

    private static String format(CborReader in) throws MalformedEncodingException {
        String name = in.text("formats", EnvelopeFormat.MAX_FORMAT_BYTES);
        if (name.isEmpty()) {
            throw in.malformed("formats", "must have a name each");
        }
        return name;
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
