package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.ExtractorProfile.WordPrefixes;
import dev.veilgate.peks.DyadicIntervals;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What is extracted. */
@Command(
        name = "profile",
        header = "Show or change which keywords senders extract",
        description = {
            "  Without options prints the profile. An option replaces that part of it; an empty value clears it. What is not",
            "  extracted cannot be found; what is, costs some 70 bytes a keyword and batch.",
        },
        footer = {
            "  veilgate keys profile",
            "  veilgate keys profile --ip-prefixes 8,16,24 --numeric temperature=-50..200",
        })
final class KeysProfileCommand extends KeysChange {
    private static final Pattern RANGE = Pattern.compile("([^=]+)=(-?\\d{1,18})\\.\\.(-?\\d{1,18})");
    private static final Pattern LENGTHS = Pattern.compile("(\\d{1,2})\\.\\.(\\d{1,2})");

    @Option(
            names = "--ip-prefixes",
            split = ",",
            paramLabel = "BITS",
            description = "Networks by which addresses are found (ip:10.0.0.0/8), 8 to 24, with commas between.")
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
            description =
                    "Numeric fields that can be searched by range (temperature:70..90); each number costs a keyword a bit of the range.")
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

    @Option(names = "--json", description = "Print the profile as JSON.")
    private boolean json;

    KeysProfileCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        boolean changes = ipPrefixes != null
                || fields != null
                || numeric != null
                || wordPrefixes != null
                || templates != null
                || stems != null;
        int code = changes ? super.run(folder) : ExitCode.OK;
        if (!changes || json) {
            terminal.out()
                    .println(describe(
                            ExtractorProfile.decode(folder.keys().profiles().first())));
        }
        return code;
    }

    @Override
    String change(TenantKeys keys) throws Exception {
        ExtractorProfile profile = ExtractorProfile.decode(keys.profiles().first());
        if (ipPrefixes != null) {
            profile = profile.withIpPrefixes(
                    present(ipPrefixes).stream().map(Integer::valueOf).toArray(Integer[]::new));
        }
        if (fields != null) {
            profile = profile.withFields(present(fields).toArray(String[]::new));
        }
        if (numeric != null) {
            profile = profile.withNumericFields(
                    present(numeric).stream().map(KeysProfileCommand::intervals).toArray(DyadicIntervals[]::new));
        }
        if (wordPrefixes != null) {
            profile = profile.withWordPrefixes(prefixes(wordPrefixes));
        }
        if (templates != null) {
            profile = profile.withTemplates(templates);
        }
        if (stems != null) {
            profile = profile.withStemLanguages(present(stems).toArray(String[]::new));
        }
        keys.setProfiles(keys.profiles().withFirst(profile.encode()));
        return "profile changed";
    }

    private static List<String> present(List<String> values) {
        return values.stream()
                .map(String::strip)
                .filter(value -> !value.isEmpty())
                .toList();
    }

    private static DyadicIntervals intervals(String text) {
        Matcher range = RANGE.matcher(text);
        if (!range.matches() || Long.parseLong(range.group(2)) > Long.parseLong(range.group(3))) {
            throw new IllegalArgumentException("--numeric is written like temperature=-50..200");
        }
        long from = Long.parseLong(range.group(2));
        long last = Long.parseLong(range.group(3));
        int bits = Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(last - from));
        return new DyadicIntervals(range.group(1).strip(), from, bits);
    }

    private static WordPrefixes prefixes(String text) {
        if (text.isBlank()) {
            return WordPrefixes.NONE;
        }
        Matcher lengths = LENGTHS.matcher(text);
        if (!lengths.matches()) {
            throw new IllegalArgumentException("--word-prefixes is written like 3..8");
        }
        return new WordPrefixes(Integer.parseInt(lengths.group(1)), Integer.parseInt(lengths.group(2)));
    }

    private String describe(ExtractorProfile profile) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("ipPrefixes", List.copyOf(profile.ipPrefixes()));
        facts.put("fields", List.copyOf(profile.fields()));
        facts.put(
                "numeric",
                profile.numericFields().stream()
                        .map(field -> field.field() + "=" + field.origin() + ".." + field.last())
                        .toList());
        facts.put(
                "wordPrefixes",
                profile.wordPrefixes().enabled()
                        ? profile.wordPrefixes().shortest() + ".."
                                + profile.wordPrefixes().longest()
                        : "");
        facts.put("templates", profile.templates());
        facts.put("stems", List.copyOf(profile.stemLanguages()));
        if (json) {
            return Json.of(facts);
        }
        StringBuilder lines = new StringBuilder();
        facts.forEach((name, value) -> lines.append("%-13s%s%n".formatted(name, value)));
        return lines.toString().stripTrailing();
    }
}
