package dev.veilgate.extract;

/** Profiles that tests extract by. */
public final class Profiles {
    private Profiles() {}

    /** The default profile with other limits. */
    public static ExtractorProfile limitedTo(ExtractorProfile.Limits limits) {
        ExtractorProfile defaults = ExtractorProfile.defaults();
        return new ExtractorProfile(
                defaults.rules(),
                limits,
                defaults.ipPrefixes(),
                defaults.fields(),
                defaults.numericFields(),
                defaults.wordPrefixes(),
                defaults.templates(),
                defaults.stemLanguages(),
                defaults.ip6Prefixes());
    }
}
