package dev.veilgate.acceptance;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a person sees in a line: addresses that stand alone, words, numbers. Shares nothing with the extractor. */
final class SimpleTokens {
    private static final String BYTE = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";

    private static final Pattern TOKEN = Pattern.compile("(?<![\\p{L}\\p{N}])(?<![\\p{L}\\p{N}]\\.)" + BYTE + "(?:\\."
            + BYTE + "){3}(?![\\p{L}\\p{N}])(?!\\.[\\p{L}\\p{N}])" + "|[\\p{L}\\p{N}]+");

    private SimpleTokens() {}

    static Set<String> of(byte[] line) {
        Set<String> tokens = new LinkedHashSet<>();
        Matcher matcher = TOKEN.matcher(new String(line, StandardCharsets.UTF_8));
        while (matcher.find()) {
            tokens.add(matcher.group());
        }
        return tokens;
    }
}
