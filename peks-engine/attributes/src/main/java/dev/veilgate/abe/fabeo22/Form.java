package dev.veilgate.abe.fabeo22;

/** Which of the two schemes something belongs to. They share the shape of the authority's keys and nothing else: one alpha never serves both. */
public enum Form {
    /** Policies in ciphertexts. */
    CP(1),
    /** Policies in keys. */
    KP(2);

    private final int code;

    Form(int code) {
        this.code = code;
    }

    /** In encodings. */
    int code() {
        return code;
    }

    void require(Form wanted) {
        if (this != wanted) {
            throw new IllegalArgumentException(
                    "a key of the " + this + " scheme where one of " + wanted + " is wanted");
        }
    }
}
