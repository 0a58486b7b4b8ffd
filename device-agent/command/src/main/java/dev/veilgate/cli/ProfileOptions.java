package dev.veilgate.cli;

import dev.veilgate.profiles.ProfileParts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Parts of an extractor profile as options. */
final class ProfileOptions {
    @Option(
            names = "--ip-prefixes",
            split = ",",
            paramLabel = "BITS",
            description =
                    "Networks by which addresses are found (ip:10.0.0.0/8), 8 to 24; by rules 2 to 31, and ::/16 to"
                            + " ::/127 of IPv6.")
    private @Nullable List<String> ipPrefixes;

    @Option(
            names = "--fields",
            split = ",",
            paramLabel = "NAME",
            description = "Keys of key=value pairs that are fields in plain text lines, too.")
    private @Nullable List<String> fields;

    @Option(
            names = "--numeric",
            split = ",",
            paramLabel = "NAME=FROM..TO",
            description = "Numeric fields that can be searched by range (temperature:70..90); each number costs a"
                    + " keyword a bit of the range.")
    private @Nullable List<String> numeric;

    @Option(
            names = "--word-prefixes",
            paramLabel = "FROM..TO",
            description = "Beginnings of words that are found (overh*), by their length, 1 to 32.")
    private @Nullable String wordPrefixes;

    @Option(names = "--templates", negatable = true, description = "Name the kind of each log message (template:...).")
    private @Nullable Boolean templates;

    @Option(
            names = "--stems",
            split = ",",
            paramLabel = "LANGUAGE",
            description = "Languages whose stems are extracted from mails (de, en ...); none: as detected.")
    private @Nullable List<String> stems;

    /** The parts that were named. */
    ProfileParts parts() {
        return new ProfileParts(ipPrefixes, fields, numeric, wordPrefixes, templates, stems);
    }

    /** All parts of a profile by the names of the options, to be printed. */
    static Map<String, Object> facts(ProfileParts whole) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put(
                "ipPrefixes",
                Objects.requireNonNull(whole.ipPrefixes()).stream()
                        .<Object>map(bits -> bits.startsWith("::") ? bits : Integer.valueOf(bits))
                        .toList());
        facts.put("fields", Objects.requireNonNull(whole.fields()));
        facts.put("numeric", Objects.requireNonNull(whole.numeric()));
        facts.put("wordPrefixes", Objects.requireNonNull(whole.wordPrefixes()));
        facts.put("templates", Objects.requireNonNull(whole.templates()));
        facts.put("stems", Objects.requireNonNull(whole.stems()));
        return facts;
    }

    /** A line each. */
    static String lines(Map<String, Object> facts) {
        StringBuilder lines = new StringBuilder();
        facts.forEach((name, value) -> lines.append("%-13s%s%n".formatted(name, value)));
        return lines.toString().stripTrailing();
    }
}
