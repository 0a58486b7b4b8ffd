package dev.veilgate.abe.kem;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.Zr;
import org.jspecify.annotations.Nullable;

/** What a reader keeps of a blinded key: z. With the {@link TransformKey} that belongs to it, it is the key. */
public final class RetrievalKey implements AutoCloseable {
    private static final int VERSION = 1;
    private static final int KIND = 'Z';

    private final Erasable<Zr> z;

    RetrievalKey(Zr z) {
        this.z = new Erasable<>(z);
    }

    Zr z() {
        return z.get();
    }

    /**
     * Canonical: version, {@code 'Z'}, z in 32 bytes. In clear: the caller seals it with authenticated encryption, and wipes the array.
     *
     * @throws IllegalStateException after {@link #destroy}
     */
    public byte[] encode() {
        ByteWriter out = new ByteWriter(2 + Zr.BYTES)
                .uint8(VERSION)
                .uint8(KIND)
                .bytes(z.get().encode());
        byte[] encoded = out.toByteArray();
        out.wipe();
        return encoded;
    }

    /** @throws MalformedEncodingException unless it is such an encoding, of a number from 1 to r - 1 */
    public static RetrievalKey decode(byte[] bytes) throws MalformedEncodingException {
        ByteReader in = new ByteReader("retrieval-key", bytes);
        in.expect("version", VERSION);
        in.expect("kind", KIND);
        Zr z = Zr.decode("z", in.bytes("z", Zr.BYTES));
        in.end();
        if (z.isZero()) {
            throw new MalformedEncodingException("z", "not 0");
        }
        return new RetrievalKey(z);
    }

    /** Forgets the key; every later use throws {@link IllegalStateException}. */
    public void destroy() {
        z.destroy();
    }

    /** {@link #destroy}. */
    @Override
    public void close() {
        destroy();
    }

    /** Whether both are the same key, in constant time; a destroyed key equals only itself. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || other instanceof RetrievalKey that && z.sameAs(that.z, Zr::encode);
    }

    @Override
    public int hashCode() {
        return RetrievalKey.class.hashCode(); // of what is secret, nothing
    }

    @Override
    public String toString() {
        return "RetrievalKey[hidden]";
    }
}
