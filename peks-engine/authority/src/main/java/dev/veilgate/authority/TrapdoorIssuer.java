package dev.veilgate.authority;

import dev.veilgate.abe.ks.zxa14.SecretKey;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.MessageContext;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.peks.lattice.ntru.BlockOpening;
import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One secret key of searchable encryption, of any scheme, ready to make trapdoors. Safe for use by several threads. */
@Secret
final class TrapdoorIssuer implements AutoCloseable {
    /** What a scheme does with its key. */
    @FunctionalInterface
    interface Trapdoors {
        ScopedTrapdoor issue(KeywordDomain domain, Keyword keyword, TrapdoorStore store) throws IOException;
    }

    /** Where a scheme's trapdoors are kept for ever. */
    interface Kept {
        /** Name in the store. */
        byte[] name(KeywordDomain domain, Keyword keyword);

        /** The one that was issued, checked against the key and the keyword; empty if none was. */
        Optional<ScopedTrapdoor> find(KeywordDomain domain, Keyword keyword, TrapdoorStore store) throws IOException;
    }

    /** Blocks of a scheme whose secret key tells what is in them without a trapdoor. */
    @FunctionalInterface
    interface Blocks {
        /** An opened block, which the caller closes. */
        BlockOpening open(String tenant, IndexBlock block, MessageContext context) throws MalformedEncodingException;
    }

    /** Keys for searchers, of a scheme whose searchers have attributes. */
    @FunctionalInterface
    interface Searchers {
        /** A fresh key; the caller closes it. */
        SecretKey keyGen(AttributeSet attributes, SecureRandom random);
    }

    private final byte[] publicKey;
    private final Trapdoors trapdoors;
    private final @Nullable Kept kept;
    private final @Nullable Blocks blocks;
    private final @Nullable Searchers searchers;
    private final Runnable destroy;

    /**
     * An issuer.
     *
     * @param publicKey encoded
     * @param destroy   erases the secret key
     */
    TrapdoorIssuer(byte[] publicKey, Trapdoors trapdoors, Runnable destroy) {
        this(publicKey, trapdoors, null, null, null, destroy);
    }

    /**
     * An issuer of a scheme with more to it.
     *
     * @param kept      null where trapdoors are not kept
     * @param blocks    null where the secret key does not open blocks
     * @param searchers null where searchers have no attributes
     */
    TrapdoorIssuer(
            byte[] publicKey,
            Trapdoors trapdoors,
            @Nullable Kept kept,
            @Nullable Blocks blocks,
            @Nullable Searchers searchers,
            Runnable destroy) {
        this.publicKey = publicKey;
        this.trapdoors = trapdoors;
        this.kept = kept;
        this.blocks = blocks;
        this.searchers = searchers;
        this.destroy = destroy;
    }

    /** Keys for searchers; empty for a scheme whose searchers have no attributes. */
    Optional<Searchers> searchers() {
        return Optional.ofNullable(searchers);
    }

    /** Opens blocks; empty for a scheme of which nobody sees what is in a block without a trapdoor. */
    Optional<Blocks> blocks() {
        return Optional.ofNullable(blocks);
    }

    /** What was issued before; empty for a scheme whose trapdoors are not kept. */
    Optional<Kept> kept() {
        return Optional.ofNullable(kept);
    }

    /** The public key that belongs to it, encoded. */
    byte[] publicKey() {
        return publicKey.clone();
    }

    /**
     * The trapdoor of a keyword.
     *
     * @param store that of these keys; schemes whose trapdoors come out the same every time leave it alone
     * @throws IOException if the store fails; nothing is issued then
     */
    ScopedTrapdoor issue(KeywordDomain domain, Keyword keyword, TrapdoorStore store) throws IOException {
        return trapdoors.issue(domain, keyword, store);
    }

    /** Erases the key. */
    @Override
    public void close() {
        destroy.run();
    }
}
