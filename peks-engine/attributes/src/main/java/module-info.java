/** Encryption and keyword search by attributes. Start at {@link dev.veilgate.abe}. */
module dev.veilgate.attributes {
    requires transitive dev.veilgate.core;
    requires static transitive org.jspecify;

    exports dev.veilgate.abe;
    exports dev.veilgate.abe.ks.zxa14;
    exports dev.veilgate.abe.policy;

    provides dev.veilgate.peks.IndexScheme with
            dev.veilgate.abe.ks.zxa14.Zxa14IndexScheme;
}
