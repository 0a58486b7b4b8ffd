package dev.veilgate.abe.kem;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.secret.Erasable;
import dev.veilgate.secret.ErasableKey;
import dev.veilgate.secret.Secret;

/** What a reader keeps of a blinded key: z. With the {@link TransformKey} that belongs to it, it is the key. */
@Secret
public final class RetrievalKey extends ErasableKey {
    private static final int VERSION = 1;
    private static final int KIND = 'Z';

    private final Erasable<Zr> z;

    RetrievalKey(Zr z) {
        Erasable<Zr> secret = new Erasable<>(z, RetrievalKey::encode);
        super(secret);
        this.z = secret;
    }

    Zr z() {
        return z.get();
    }

    /** Version, {@code 'Z'}, z in 32 bytes. */
    private static byte[] encode(Zr z) {
        ByteWriter out = new ByteWriter(2 + Zr.BYTES).uint8(VERSION).uint8(KIND);
        z.write(out);
        return out.toSecretBytes();
    }

    /** @throws MalformedEncodingException unless it is such an encoding, of a number from 1 to r - 1 */
    public static RetrievalKey decode(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader("retrieval-key", bytes);
        in.expect("version", VERSION);
        in.expect("kind", KIND);
        Zr z = Zr.readSecret(in, "z");
        in.end();
        return new RetrievalKey(z);
    }
}
