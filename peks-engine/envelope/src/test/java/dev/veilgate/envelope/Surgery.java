package dev.veilgate.envelope;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An envelope taken apart into its fields by an attacker, to be put together again otherwise. */
final class Surgery {
    /** Encoded keys to encoded values, in canonical order. */
    private final TreeMap<byte[], byte[]> fields = new TreeMap<>(CborWriter::compareKeys);

    static Surgery on(byte[] envelope) throws MalformedEncodingException {
        Surgery surgery = new Surgery();
        CborReader in = new CborReader("envelope", envelope);
        int size = in.map("map", 64);
        for (int i = 0; i < size; i++) {
            byte[] key = in.rawItem("key");
            surgery.fields.put(key, in.rawItem("value"));
        }
        in.end();
        return surgery;
    }

    static byte[] key(int key) {
        return new CborWriter(8).integer(key).toByteArray();
    }

    static byte[] key(String key) {
        return new CborWriter(8).text(key).toByteArray();
    }

    byte[] get(int key) {
        return fields.get(key(key));
    }

    boolean has(int key) {
        return fields.containsKey(key(key));
    }

    Surgery put(int key, byte[] value) {
        fields.put(key(key), value);
        return this;
    }

    Surgery put(String key, byte[] value) {
        fields.put(key(key), value);
        return this;
    }

    Surgery remove(int... keys) {
        for (int key : keys) {
            fields.remove(key(key));
        }
        return this;
    }

    /** The items of an array field. */
    List<byte[]> items(int key) throws MalformedEncodingException {
        CborReader in = new CborReader("array", get(key));
        int size = in.array("array", 1024);
        List<byte[]> items = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            items.add(in.rawItem("item"));
        }
        return items;
    }

    Surgery putItems(int key, List<byte[]> items) {
        CborWriter out = new CborWriter(64).array(items.size());
        items.forEach(out::encoded);
        return put(key, out.toByteArray());
    }

    byte[] close() {
        CborWriter out = new CborWriter(64).map(fields.size());
        for (Map.Entry<byte[], byte[]> field : fields.entrySet()) {
            out.encoded(field.getKey()).encoded(field.getValue());
        }
        return out.toByteArray();
    }

    static byte[] integer(long value) {
        return new CborWriter(16).integer(value).toByteArray();
    }

    static byte[] text(String value) {
        return new CborWriter(16).text(value).toByteArray();
    }

    static byte[] bytes(byte[] value) {
        return new CborWriter(16).bytes(value).toByteArray();
    }
}
