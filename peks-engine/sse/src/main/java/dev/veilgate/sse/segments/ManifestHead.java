package dev.veilgate.sse.segments;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.Prf;
import dev.veilgate.sse.Sha256;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Name of a state of an archive: what it follows, and the digest of what it says.
 *
 * <pre>
 *   head = [magic, 1, archive, version, previous, other, SHA-256(sealed)]             in epoch 1
 *   head = [magic, 2, archive, epoch, version, previous, other, SHA-256(sealed)]      in later ones
 *   MAC  = HMAC(Km, head)      Km of the epoch's key
 *   tag  = SHA-256(head || MAC)
 * </pre>
 *
 * @param archive  16 bytes, which an archive has for its life
 * @param epoch    of the key that it is authenticated by
 * @param version  1 for the first, one more than that before
 * @param previous tag of the state before; zeros for the first
 * @param other    tag of a second state that somebody accepted as lost; zeros otherwise
 * @param sealed   digest of the sealed state
 * @param mac      of all these
 */
record ManifestHead(byte[] archive, int epoch, long version, byte[] previous, byte[] other, byte[] sealed, byte[] mac) {
    static final int ARCHIVE_BYTES = 16;
    static final int TAG_BYTES = 32;
    static final byte[] NO_TAG = new byte[TAG_BYTES];

    /** Most bytes of an encoding. */
    static final int MAX_BYTES = 300;

    private static final String MAGIC = "veilgate-archive-manifest";
    private static final int FORMAT = 1;
    private static final int FORMAT_WITH_EPOCH = 2;

    /** This with its code, by a key {@code Km}. */
    ManifestHead by(Prf km) {
        return new ManifestHead(archive, epoch, version, previous, other, sealed, km.apply(clear()));
    }

    private byte[] clear() {
        CborWriter out = new CborWriter(MAX_BYTES);
        if (epoch == 1) {
            out.array(7).text(MAGIC).integer(FORMAT).bytes(archive);
        } else {
            out.array(8).text(MAGIC).integer(FORMAT_WITH_EPOCH).bytes(archive).integer(epoch);
        }
        return out.integer(version).bytes(previous).bytes(other).bytes(sealed).toByteArray();
    }

    /** The name of this state, {@value #TAG_BYTES} bytes. */
    byte[] tag() {
        return new Sha256().add(clear()).add(mac).finish();
    }

    boolean isOf(Prf km) {
        return MessageDigest.isEqual(mac, km.apply(clear()));
    }

    void encode(CborWriter out) {
        out.encoded(clear()).bytes(mac);
    }

    static ManifestHead decode(CborReader in) throws MalformedEncodingException {
        int items = in.array("head", 8);
        if (items < 7 || !in.text("magic", MAGIC.length()).equals(MAGIC)) {
            throw in.malformed("head", "must be that of an archive's manifest");
        }
        int format = in.uint("format", Integer.MAX_VALUE);
        if (format != FORMAT && format != FORMAT_WITH_EPOCH) {
            throw in.malformed(
                    "format",
                    "must be " + FORMAT + " or " + FORMAT_WITH_EPOCH + "; " + format
                            + " is of another version of Veilgate");
        }
        if (items != (format == FORMAT ? 7 : 8)) {
            throw in.malformed("head", "must have the items of its format");
        }
        byte[] archive = in.fixedBytes("archive", ARCHIVE_BYTES);
        int epoch = format == FORMAT ? 1 : in.uint("epoch", EpochKey.MAX_EPOCH);
        if (format == FORMAT_WITH_EPOCH && epoch < 2) {
            throw in.malformed("epoch", "must be 2 or more in this format");
        }
        return new ManifestHead(
                archive,
                epoch,
                in.unsigned("version", Long.MAX_VALUE - 1),
                in.fixedBytes("previous", TAG_BYTES),
                in.fixedBytes("other", TAG_BYTES),
                in.fixedBytes("sealed", TAG_BYTES),
                in.fixedBytes("mac", Prf.BYTES));
    }

    /** Whether this directly follows a state. */
    boolean follows(byte[] tag) {
        return Arrays.equals(previous, tag) || Arrays.equals(other, tag);
    }
}
