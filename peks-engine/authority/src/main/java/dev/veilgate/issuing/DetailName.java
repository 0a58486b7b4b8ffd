package dev.veilgate.issuing;

/** Names of details that have a meaning. Others may be used. */
public final class DetailName {
    /** The scope that was searched. */
    public static final String SCOPE = "scope";
    /** The fields of a search, separated by blanks; never the words. */
    public static final String FIELDS = "fields";
    /** Epochs, separated by blanks. */
    public static final String EPOCHS = "epochs";
    /** SHA-256 of an encoded trapdoor, lower-case hex. */
    public static final String TRAPDOOR = "trapdoor";
    /** How many there were, of trapdoors or of records. */
    public static final String COUNT = "count";
    /** SHA-256 of many digests one behind the other, lower-case hex. */
    public static final String DIGEST = "digest";
    /** The id of a key; of one that mail is sealed for, SHA-256 of the public key, lower-case hex. */
    public static final String KEY = "key";
    /** The serial number of a certificate that is to be issued, lower-case hex. */
    public static final String SERIAL_NUMBER = "serial-number";
    /** Who made the key of a certificate: the authority or its user. */
    public static final String KEY_MADE_BY = "key-made-by";
    /** Ids of the index keys under which somebody was issued searcher's keys, with blanks between them. */
    public static final String INDEX_KEYS = "index-keys";
    /** Who was issued an attribute key. */
    public static final String READER = "reader";
    /** The attributes or the policy of a key. */
    public static final String LABEL = "label";
    /** The id of the envelope that was opened. */
    public static final String ENVELOPE = "envelope";
    /** The number of the entry that this one answers. */
    public static final String REQUEST = "request";
    /** The number of the entry whose sealed details were opened. */
    public static final String ENTRY = "entry";
    /** Which rule decided. */
    public static final String RULE = "rule";
    /** Why, as somebody wrote it. */
    public static final String REASON = "reason";
    /** Until when, ISO 8601. */
    public static final String EXPIRES = "expires";

    private DetailName() {}
}
