package dev.veilgate.secret;

/** Powers of whoever holds a tenant's secret keys, by which applications restrict and log calls. */
public enum Power {
    /** Opens, makes or replaces the file of the keys. */
    KEEP_KEYS,
    /** Writes the file of the keys anew, after a change. */
    SAVE_KEYS,
    /** Makes or renews keys, or changes what the authority has on record and signs: senders, recipients, scopes, readers. */
    CHANGE_KEYS,
    /** Hands out secret keys: to a reader, to a searcher, to a backup. */
    ISSUE_KEYS,
    /** Takes what somebody searches for, and makes the trapdoors when it is asked for them. */
    PREPARE_TRAPDOORS,
    /** Makes trapdoors, or grants a search. */
    ISSUE_TRAPDOORS,
    /** Sees which keywords of opened records are in the index. */
    CHECK_INDEX,
    /** Signs a bundle, of what everybody may know. */
    PUBLISH,
    /** Signs what somebody says, as the authority. */
    SIGN,
    /** Opens what somebody's attributes allow, with keys of the tenant that never leave it. */
    READ_FOR_SOMEBODY,
    /** Opens everything. */
    READ_ALL
}
