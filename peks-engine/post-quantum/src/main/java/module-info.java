/** The post-quantum algorithms that others have defined, by whichever library. Start at {@link dev.veilgate.pq}. */
module dev.veilgate.pq {
    requires transitive dev.veilgate.core;
    requires org.bouncycastle.provider;
    requires static transitive org.jspecify;

    exports dev.veilgate.pq;
}
