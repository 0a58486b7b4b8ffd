/**
 * The ground of the engine: keyword search schemes without attributes, their mathematics, encodings and files. Start at
 * {@link dev.veilgate.peks}.
 */
@SuppressWarnings({"requires-automatic", "module"
}) // jblst names no module; the modules that some packages are for are compiled after this one
module dev.veilgate.core {
    requires jblst;
    requires static transitive org.jspecify;

    exports dev.veilgate.encoding;
    exports dev.veilgate.files;
    exports dev.veilgate.peks;
    exports dev.veilgate.peks.lattice.ntru;
    exports dev.veilgate.peks.pairing.bdop04;
    exports dev.veilgate.peks.pairing.zi07;
    exports dev.veilgate.secret;
    exports dev.veilgate.math.pairing to
            dev.veilgate.attributes,
            dev.veilgate.ese;
    exports dev.veilgate.math.ring to
            dev.veilgate.ese;
    exports dev.veilgate.peks.pairing to
            dev.veilgate.attributes,
            dev.veilgate.authority;
    exports dev.veilgate.random to
            dev.veilgate.attributes,
            dev.veilgate.ese;

    uses dev.veilgate.peks.IndexScheme;

    provides dev.veilgate.peks.IndexScheme with
            dev.veilgate.peks.lattice.ntru.NtruIndexScheme,
            dev.veilgate.peks.pairing.bdop04.Bdop04IndexScheme,
            dev.veilgate.peks.pairing.zi07.Zi07IndexScheme;
}
