/** The envelope: its format, sealing and opening it, sealed mail, and requests to search. Start at {@link dev.veilgate.envelope}. */
module dev.veilgate.envelope {
    requires transitive dev.veilgate.attributes;
    requires transitive dev.veilgate.core;
    requires dev.veilgate.pq;
    requires org.bouncycastle.pkix;
    requires org.bouncycastle.provider;
    requires static transitive org.jspecify;

    exports dev.veilgate.envelope;
    exports dev.veilgate.envelope.smime;
    exports dev.veilgate.query;
}
