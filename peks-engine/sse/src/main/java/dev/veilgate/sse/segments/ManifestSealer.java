package dev.veilgate.sse.segments;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.Prf;
import dev.veilgate.sse.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Seals and opens states of an archive.
 *
 * <pre>
 *   v      = HMAC(Kv, "manifest" || archive || r || SHA-256(state))        r: 32 random bytes
 *   sealed = v || AES-256-GCM(HMAC(Ks, "manifest" || v), nonce 0, state)
 *   file   = [head, MAC, sealed]      or [head, MAC] when only its place in the chain matters
 * </pre>
 *
 * <p>A key seals one state, for v is of both: a machine whose random numbers repeat seals under it the same bytes only.
 */
@Secret
final class ManifestSealer {
    /** Most bytes of a file: some million segments. */
    static final int MAX_BYTES = 1 << 28;

    private static final byte[] KIND = "manifest".getBytes(StandardCharsets.US_ASCII);
    private static final int V_BYTES = Prf.BYTES;
    private static final int TAG_BITS = 128;

    private final Prf kv;
    private final Prf ks;
    private final Prf km;
    private final int epoch;
    private final byte[] archive;
    private final SecureRandom random;

    ManifestSealer(EpochKey epoch, byte[] archive, SecureRandom random) {
        this.kv = epoch.key().prf("segments/manifest/v");
        this.ks = epoch.key().prf("segments/manifest/key");
        this.km = epoch.key().prf("segments/manifest/mac");
        this.epoch = epoch.epoch();
        this.archive = archive.clone();
        this.random = random;
    }

    /**
     * A state as it is read.
     *
     * @param state null if only the head is kept
     */
    record Opened(ManifestHead head, @Nullable Manifest state) {}

    /** A file of a state, and its head. */
    record Sealed(ManifestHead head, byte[] file) {}

    Sealed seal(Manifest state, long version, byte[] previous, byte[] other) {
        byte[] plain = state.encode();
        byte[] r = new byte[32];
        random.nextBytes(r);
        byte[] v = kv.apply(
                KIND,
                new CborWriter(100)
                        .array(3)
                        .bytes(archive)
                        .bytes(r)
                        .bytes(new Sha256().add(plain).finish())
                        .toByteArray());
        byte[] sealed = Arrays.copyOf(v, V_BYTES + plain.length + TAG_BITS / 8);
        try {
            cipher(Cipher.ENCRYPT_MODE, v).doFinal(plain, 0, plain.length, sealed, V_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime cannot seal", e);
        }
        byte[] digest = new Sha256().add(sealed).finish();
        ManifestHead head = new ManifestHead(archive, epoch, version, previous, other, digest, new byte[0]).by(km);
        return new Sealed(head, file(head, sealed));
    }

    /** The file that is kept of a state when a newer one is in its place. */
    static byte[] headOnly(ManifestHead head) {
        return file(head, null);
    }

    private static byte[] file(ManifestHead head, byte @Nullable [] sealed) {
        CborWriter out = new CborWriter(ManifestHead.MAX_BYTES + (sealed == null ? 0 : sealed.length + 16));
        out.array(sealed == null ? 2 : 3);
        head.encode(out);
        return (sealed == null ? out : out.bytes(sealed)).toByteArray();
    }

    int epoch() {
        return epoch;
    }

    /**
     * A head as it stands in a file, which nothing shows to be genuine yet.
     *
     * @param isWhole whether what its state says is in the file too
     */
    record Unproved(ManifestHead head, boolean isWhole) {}

    /** Reads the head of a file. */
    static Unproved head(byte[] file) throws MalformedEncodingException {
        CborReader in = new CborReader("manifest", file);
        int items = in.array("file", 3);
        if (items < 2) {
            throw in.malformed("file", "must have a head and its code");
        }
        ManifestHead head = ManifestHead.decode(in);
        if (items == 3) {
            in.skipBytes("sealed", MAX_BYTES);
        }
        in.end();
        return new Unproved(head, items == 3);
    }

    /** Tells whether a head is of this archive, and by the key. */
    boolean isOurs(ManifestHead head) {
        return Arrays.equals(head.archive(), archive) && head.epoch() == epoch && head.isOf(km);
    }

    /**
     * Opens a file of this epoch.
     *
     * @throws MalformedEncodingException if it is no state of this archive, or was altered
     */
    Opened open(byte[] file) throws MalformedEncodingException {
        CborReader in = new CborReader("manifest", file);
        int items = in.array("file", 3);
        if (items < 2) {
            throw in.malformed("file", "must have a head and its code");
        }
        ManifestHead head = ManifestHead.decode(in);
        if (!isOurs(head)) {
            throw in.malformed("mac", "must be this archive's: it was altered, or is of another archive or key");
        }
        byte[] sealed = items == 3 ? in.bytes("sealed", MAX_BYTES) : null;
        in.end();
        return new Opened(head, sealed == null ? null : Manifest.decode(unseal(in, head, sealed)));
    }

    private byte[] unseal(CborReader in, ManifestHead head, byte[] sealed) throws MalformedEncodingException {
        if (sealed.length < V_BYTES + TAG_BITS / 8
                || !Arrays.equals(new Sha256().add(sealed).finish(), head.sealed())) {
            throw in.malformed("sealed", "must be what the head names: it was altered");
        }
        try {
            return cipher(Cipher.DECRYPT_MODE, Arrays.copyOf(sealed, V_BYTES))
                    .doFinal(sealed, V_BYTES, sealed.length - V_BYTES);
        } catch (GeneralSecurityException e) {
            throw in.malformed("sealed", "must open under the archive's key");
        }
    }

    private Cipher cipher(int mode, byte[] v) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(ks.apply(KIND, v), "AES"), new GCMParameterSpec(TAG_BITS, new byte[12]));
        return cipher;
    }
}
