/** Master keys of a tenant, what is issued with them, and the log of it. Start at {@link dev.veilgate.authority}. */
module dev.veilgate.authority {
    requires transitive dev.veilgate.attributes;
    requires transitive dev.veilgate.core;
    requires transitive dev.veilgate.envelope;
    requires org.bouncycastle.pkix;
    requires org.bouncycastle.provider;
    requires static transitive org.jspecify;

    exports dev.veilgate.authority;
    exports dev.veilgate.issuing;
}
