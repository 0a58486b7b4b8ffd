/** Efficiently searchable encryption. Start at {@link dev.veilgate.ese}. */
module dev.veilgate.ese {
    requires transitive dev.veilgate.core;
    requires static transitive org.jspecify;

    exports dev.veilgate.ese;
    exports dev.veilgate.ese.elgamal;
    exports dev.veilgate.ese.ntru;
}
