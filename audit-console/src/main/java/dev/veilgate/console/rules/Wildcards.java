package dev.veilgate.console.rules;

import dev.veilgate.extract.KeywordText;

/** Patterns in which * stands for any characters, none too. */
final class Wildcards {
    private Wildcards() {}

    /** Whether a whole text is as the pattern says. Takes time of the product of the lengths at most. */
    static boolean matches(String pattern, String text) {
        int p = 0;
        int t = 0;
        int star = -1;
        int retry = 0;
        while (t < text.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                retry = t;
            } else if (p < pattern.length() && pattern.charAt(p) == text.charAt(t)) {
                p++;
                t++;
            } else if (star >= 0) {
                p = star + 1;
                t = ++retry;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }

    /** The same for fields and values, which are indexed folded. */
    static boolean matchesFolded(String pattern, String text) {
        return matches(KeywordText.fold(pattern), KeywordText.fold(text));
    }
}
