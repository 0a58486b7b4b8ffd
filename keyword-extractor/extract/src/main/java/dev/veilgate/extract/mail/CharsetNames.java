package dev.veilgate.extract.mail;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Charsets by the names that mail gives them: right ones, old ones, and right ones with other punctuation, in quotes, or with a comment behind. */
final class CharsetNames {
    static final Charset WINDOWS_1252 = Charset.forName("windows-1252");
    static final Charset UTF_7 = new Utf7Charset();
    private static final int MAX_NAME = 75;
    private static final Pattern AROUND = Pattern.compile("^[^a-z0-9]+|[^a-z0-9_.:+-].*$", Pattern.DOTALL);
    private static final Pattern PUNCTUATION = Pattern.compile("[^a-z0-9]+");
    private static final Map<String, Charset> KNOWN = known();

    private CharsetNames() {}

    /** The charset of a name, or null if there is none that can be decoded. */
    static @Nullable Charset find(@Nullable String name) {
        if (name == null) {
            return null;
        }
        String lower = name.substring(0, Math.min(name.length(), MAX_NAME + 2)).toLowerCase(Locale.ROOT);
        Charset exact = KNOWN.get(lower.strip());
        if (exact != null) {
            return exact;
        }
        return KNOWN.get(squeezed(AROUND.matcher(lower).replaceAll("")));
    }

    private static String squeezed(String name) {
        String plain = PUNCTUATION.matcher(name).replaceAll("");
        // visual, explicit and implicit order of Hebrew and Arabic are one charset
        boolean ordered = plain.matches("(csiso|iso)8859[68][ei]");
        String bare = ordered ? plain.substring(0, plain.length() - 1) : plain;
        return bare.startsWith("win1") ? "windows" + bare.substring(3) : bare;
    }

    /** All charsets there are, by their names and aliases in lower case: to ask the runtime for one that is not there takes as long as a page of text. */
    private static Map<String, Charset> known() {
        Map<String, Charset> known = new HashMap<>();
        for (String latin : "iso-8859-1 latin1 us-ascii ascii ansi_x3.4-1968".split(" ")) {
            known.put(latin, WINDOWS_1252);
        }
        for (String korean : "ks_c_5601-1987 ks_c_5601 euc-kr".split(" ")) {
            known.put(korean, Charset.forName("x-windows-949"));
        }
        known.put("gb2312", Charset.forName("GB18030"));
        known.put("gbk", Charset.forName("GB18030"));
        for (String utf8 : "unicode-1-1-utf-8 x-unicode-2-0-utf-8 unicode-2-0-utf-8 utf8mb4".split(" ")) {
            known.put(utf8, StandardCharsets.UTF_8);
        }
        for (String utf7 : "utf-7 unicode-1-1-utf-7 x-unicode-2-0-utf-7 csunicode11utf7".split(" ")) {
            known.put(utf7, UTF_7);
        }
        for (Charset charset : Charset.availableCharsets().values()) {
            known.putIfAbsent(charset.name().toLowerCase(Locale.ROOT), charset);
            charset.aliases().forEach(alias -> known.putIfAbsent(alias.toLowerCase(Locale.ROOT), charset));
        }
        Map<String, Charset> squeezed = new HashMap<>();
        known.forEach((name, charset) ->
                squeezed.putIfAbsent(PUNCTUATION.matcher(name).replaceAll(""), charset));
        for (String name : "macroman macintosh mac".split(" ")) {
            squeezed.putIfAbsent(name, known.getOrDefault("x-macroman", WINDOWS_1252));
        }
        squeezed.forEach(known::putIfAbsent);
        known.remove("");
        return Map.copyOf(known);
    }
}
