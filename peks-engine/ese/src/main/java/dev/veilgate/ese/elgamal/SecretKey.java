package dev.veilgate.ese.elgamal;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.ese.EseSecretKey;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.secret.Erasable;
import dev.veilgate.secret.ErasableKey;
import dev.veilgate.secret.Secret;

/** The exponent y. Whoever has it decrypts everything. */
@Secret
public final class SecretKey extends ErasableKey implements EseSecretKey<PublicKey> {
    private static final int VERSION = 1;

    private final PublicKey publicKey;
    private final Erasable<Zr> y;

    /** @param y not zero */
    SecretKey(Zr y) {
        Erasable<Zr> secret = new Erasable<>(y, SecretKey::encode);
        PublicKey own = new PublicKey(G1.GENERATOR.times(y));
        super(secret, own.id());
        this.publicKey = own;
        this.y = secret;
    }

    @Override
    public PublicKey publicKey() {
        return publicKey;
    }

    Zr y() {
        return y.get();
    }

    /** 33 bytes: version, y. */
    private static byte[] encode(Zr y) {
        ByteWriter out = new ByteWriter(1 + Zr.BYTES).uint8(VERSION);
        y.write(out);
        return out.toSecretBytes();
    }

    /** The inverse of {@link #encode}: refuses wrong lengths, numbers that are not below the order of the group, and 0. */
    public static SecretKey decode(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("secret-key", encoded);
        in.expect("version", VERSION);
        in.requireLeft(Zr.BYTES);
        return new SecretKey(Zr.readSecret(in, "y"));
    }
}
