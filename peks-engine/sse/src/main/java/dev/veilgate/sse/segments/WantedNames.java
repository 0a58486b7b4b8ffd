package dev.veilgate.sse.segments;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.Sha256;
import java.util.Arrays;
import java.util.List;

/** Names of documents that are looked for in several segments, with their tags in ascending order. */
@Secret
final class WantedNames {
    private final byte[][] names;
    private final long[] tags; // as signed numbers, each with the name's place below it

    WantedNames(List<String> names) {
        this.names = new byte[names.size()][];
        this.tags = new long[names.size()];
        Sha256 sha = new Sha256();
        for (int i = 0; i < tags.length; i++) {
            byte[] name = ByteWriter.utf8(names.get(i));
            this.names[i] = name;
            tags[i] = NameTags.of(sha, name, name.length, i) ^ Long.MIN_VALUE;
        }
        Arrays.sort(tags);
    }

    /** Tells if two names are the same. */
    boolean hasTwins() {
        for (int first = 0; first < tags.length; first++) {
            for (int other = first + 1; other < tags.length && tag(other) == tag(first); other++) {
                if (Arrays.equals(names[place(first)], names[place(other)])) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The number of names. */
    int size() {
        return tags.length;
    }

    /** The place among the names of that with the i-th tag. */
    int place(int i) {
        return (int) tags[i];
    }

    /** The i-th tag, unsigned. */
    int tag(int i) {
        return (int) ((tags[i] ^ Long.MIN_VALUE) >>> 32);
    }

    /** The name at a place, in UTF-8. */
    byte[] name(int place) {
        return names[place];
    }
}
