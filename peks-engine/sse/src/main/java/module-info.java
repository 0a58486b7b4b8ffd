/** Symmetric searchable encryption. Start at {@link dev.veilgate.sse}. */
module dev.veilgate.sse {
    requires transitive dev.veilgate.core;
    requires static transitive org.jspecify;

    exports dev.veilgate.math.ggm;
    exports dev.veilgate.sse;
    exports dev.veilgate.sse.aura;
    exports dev.veilgate.sse.chlh15;
    exports dev.veilgate.sse.codeword;
    exports dev.veilgate.sse.januspp;
    exports dev.veilgate.sse.sdd;
    exports dev.veilgate.sse.segments;
    exports dev.veilgate.sse.suise;
    exports dev.veilgate.sse.vasst16;

    uses dev.veilgate.sse.SseScheme;

    provides dev.veilgate.sse.SseScheme with
            dev.veilgate.sse.aura.AuraScheme,
            dev.veilgate.sse.chlh15.Chlh15Scheme,
            dev.veilgate.sse.codeword.CodewordScheme,
            dev.veilgate.sse.januspp.JanusppScheme,
            dev.veilgate.sse.sdd.SdaScheme,
            dev.veilgate.sse.sdd.SddScheme,
            dev.veilgate.sse.suise.SuiseScheme,
            dev.veilgate.sse.vasst16.Vasst16Scheme;
}
