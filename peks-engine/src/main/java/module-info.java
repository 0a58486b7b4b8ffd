/**
 * The cryptographic engine of Veilgate: searchable encryption, its mathematics and its formats. Start at
 * {@link dev.veilgate.peks}.
 */
@SuppressWarnings("requires-automatic") // jblst names no module
module dev.veilgate.engine {
    requires org.bouncycastle.provider;
    requires org.bouncycastle.pkix;
    requires jblst;
    requires static transitive org.jspecify;

    exports dev.veilgate.abe;
    exports dev.veilgate.abe.ks.zxa14;
    exports dev.veilgate.abe.policy;
    exports dev.veilgate.authority;
    exports dev.veilgate.encoding;
    exports dev.veilgate.envelope;
    exports dev.veilgate.envelope.smime;
    exports dev.veilgate.ese;
    exports dev.veilgate.ese.elgamal;
    exports dev.veilgate.ese.ntru;
    exports dev.veilgate.files;
    exports dev.veilgate.issuing;
    exports dev.veilgate.peks;
    exports dev.veilgate.peks.lattice.ntru;
    exports dev.veilgate.peks.pairing.bdop04;
    exports dev.veilgate.peks.pairing.zi07;
    exports dev.veilgate.query;
    exports dev.veilgate.secret;

    uses dev.veilgate.peks.IndexScheme;

    provides dev.veilgate.peks.IndexScheme with
            dev.veilgate.abe.ks.zxa14.Zxa14IndexScheme,
            dev.veilgate.peks.lattice.ntru.NtruIndexScheme,
            dev.veilgate.peks.pairing.bdop04.Bdop04IndexScheme,
            dev.veilgate.peks.pairing.zi07.Zi07IndexScheme;
}
