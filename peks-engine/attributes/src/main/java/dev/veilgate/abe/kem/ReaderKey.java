package dev.veilgate.abe.kem;

import dev.veilgate.secret.Erasable;
import dev.veilgate.secret.ErasableKey;
import dev.veilgate.secret.Secret;
import java.util.function.Function;

/**
 * A reader's key, which says what its owner is or may read.
 *
 * @param <L> attributes, or, where keys have policies, the policy
 * @param <T> its elements, immutable
 */
@Secret
public abstract class ReaderKey<L, T> extends ErasableKey {
    private final L label;
    private final Erasable<T> parts;

    /**
     * A key of its elements.
     *
     * @param encoding canonical, of a new array
     */
    protected ReaderKey(L label, T parts, Function<T, byte[]> encoding) {
        Erasable<T> secret = new Erasable<>(parts, encoding);
        super(secret, label);
        this.label = label;
        this.parts = secret;
    }

    /** What its owner is, or, where keys have policies, what it opens. Public. */
    public final L label() {
        return label;
    }

    /**
     * Its elements.
     *
     * @throws IllegalStateException after {@link #destroy}
     */
    protected final T held() {
        return parts.get();
    }
}
