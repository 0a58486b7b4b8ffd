package dev.veilgate.authority;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.KeywordDomain;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.secret.Secret;
import java.io.IOException;

/** Makes trapdoors under one index key: as the authority, or as a searcher by attributes. */
@Secret
interface TrapdoorSource {
    /** Whether it can make trapdoors for an epoch. */
    boolean isFor(String epoch);

    /**
     * The trapdoor of a keyword, for an epoch that {@linkplain #isFor it is for}.
     *
     * @param store of issued trapdoors; schemes that keep none leave it alone
     * @throws IOException if the store fails; nothing is issued then
     */
    ScopedTrapdoor issue(KeywordDomain domain, Keyword keyword, TrapdoorStore store)
            throws IOException, MalformedEncodingException;
}
