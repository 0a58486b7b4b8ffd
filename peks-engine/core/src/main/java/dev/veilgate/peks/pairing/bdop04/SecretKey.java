package dev.veilgate.peks.pairing.bdop04;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.secret.Erasable;
import dev.veilgate.secret.ErasableKey;
import dev.veilgate.secret.Secret;

/** The master key alpha. Whoever has it can issue every trapdoor. */
@Secret
public final class SecretKey extends ErasableKey {
    private static final int VERSION = 1;

    private final PublicKey publicKey;
    private final Erasable<Zr> alpha;

    /** @param alpha not zero */
    SecretKey(Zr alpha) {
        Erasable<Zr> secret = new Erasable<>(alpha, SecretKey::encode);
        PublicKey own = new PublicKey(G2.GENERATOR.times(alpha));
        super(secret, own.id());
        this.publicKey = own;
        this.alpha = secret;
    }

    /** The public key that belongs to it. */
    public PublicKey publicKey() {
        return publicKey;
    }

    Zr alpha() {
        return alpha.get();
    }

    /** 33 bytes: version, alpha. */
    private static byte[] encode(Zr alpha) {
        ByteWriter out = new ByteWriter(1 + Zr.BYTES).uint8(VERSION);
        alpha.write(out);
        return out.toSecretBytes();
    }

    /** The inverse of {@link #encode}: refuses wrong lengths, numbers that are not below the order of the groups, and 0. */
    public static SecretKey decode(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("secret-key", encoded);
        in.expect("version", VERSION);
        in.requireLeft(Zr.BYTES);
        return new SecretKey(Zr.readSecret(in, "alpha"));
    }
}
