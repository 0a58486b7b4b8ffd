package dev.veilgate.extract.log;

/** Values of {@code key="value"} pairs. */
final class PairValues {
    private PairValues() {}

    /** The value without the backslashes before quotes, brackets and backslashes; {@code \n}, {@code \r} and {@code \t} are white space. */
    static String unescaped(String value, boolean escaped) {
        if (!escaped) {
            return value;
        }
        StringBuilder out = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\\' && i + 1 < value.length()) {
                char next = value.charAt(++i);
                out.append(next == 'n' || next == 'r' || next == 't' ? ' ' : next);
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }
}
