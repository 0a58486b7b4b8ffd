package dev.veilgate.abe.ks.zxa14;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.Zr;
import dev.veilgate.secret.Erasable;
import dev.veilgate.secret.ErasableKey;
import dev.veilgate.secret.Secret;

/** The authority's secret: whoever has it makes keys for every attribute, and so finds every keyword. */
@Secret
public final class MasterKey extends ErasableKey {
    private static final int VERSION = 1;
    private static final int BYTES = 1 + 4 * Zr.BYTES;

    /** The exponents, none of them 0. */
    record Parts(Zr a, Zr b, Zr c, Zr d) {}

    private final PublicKey publicKey;
    private final Erasable<Parts> parts;

    MasterKey(Parts parts) {
        Erasable<Parts> secret = new Erasable<>(parts, MasterKey::encode);
        super(secret);
        this.parts = secret;
        this.publicKey = new PublicKey(
                G1.GENERATOR.times(parts.a),
                G1.GENERATOR.times(parts.b),
                G2.GENERATOR.times(parts.b),
                G2.GENERATOR.times(parts.c),
                Gt.pairing(G1.GENERATOR.times(parts.d), G2.GENERATOR));
    }

    /** The public key that belongs to it. */
    public PublicKey publicKey() {
        return publicKey;
    }

    Parts parts() {
        return parts.get();
    }

    /** 129 bytes: version, a, b, c, d. */
    private static byte[] encode(Parts parts) {
        ByteWriter out = new ByteWriter(BYTES).uint8(VERSION);
        for (Zr exponent : new Zr[] {parts.a, parts.b, parts.c, parts.d}) {
            exponent.write(out);
        }
        return out.toSecretBytes();
    }

    /** The inverse of {@link #encode}: refuses wrong lengths, numbers that are not below the order of the groups, and 0. */
    public static MasterKey decode(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("master-key", encoded);
        in.expect("version", VERSION);
        Zr a = Zr.readSecret(in, "a");
        Zr b = Zr.readSecret(in, "b");
        Zr c = Zr.readSecret(in, "c");
        Zr d = Zr.readSecret(in, "d");
        in.end();
        return new MasterKey(new Parts(a, b, c, d));
    }
}
