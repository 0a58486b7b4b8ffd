package dev.veilgate.secret;

/** A secret key that is held in an {@link Erasable}. */
@Secret
public abstract class ErasableKey extends HiddenKey {
    private final Erasable<?> secret;

    /**
     * A key that is alive.
     *
     * @param secret encoded with all that makes two keys of the class different
     * @param shown  what is public of it, which is printed and hashed; perhaps nothing
     */
    protected ErasableKey(Erasable<?> secret, Object... shown) {
        super(shown);
        this.secret = secret;
    }

    @Override
    public final byte[] encode() {
        return secret.encode();
    }

    /** Forgets the key; every later use throws {@link IllegalStateException}. */
    @Override
    public void destroy() {
        secret.destroy();
    }
}
