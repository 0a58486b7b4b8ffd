package dev.veilgate.extract;

/** What the bytes of folded UTF-8 are to a {@link Tokenizer}. */
final class TokenBytes {
    static final int DIGIT = 1;
    static final int LETTER = 2;
    static final int HIGH = 4;
    static final int SLASH = 8;
    static final int COLON = 16;

    /** A run of digits in a path, from this length on, or of letters and digits, is rare by itself. */
    private static final int RARE_DIGITS = 5;

    private static final int RARE_RUN = 16;

    /** What each byte is; 0 for those between tokens. */
    static final byte[] CLASS = new byte[256];

    /** Bytes of paths beside letters and digits. */
    static final boolean[] IN_PATH = new boolean[128];

    /** Bytes before a path. */
    static final boolean[] BEFORE_PATH = new boolean[128];

    static {
        for (int b = 0; b < 256; b++) {
            boolean letter = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z';
            CLASS[b] = (byte) (b >= 128 ? HIGH : b >= '0' && b <= '9' ? DIGIT : letter ? LETTER : 0);
        }
        CLASS['/'] = SLASH;
        CLASS[':'] = COLON;
        for (char c : "._-+@~%$#&!".toCharArray()) {
            IN_PATH[c] = true;
        }
        for (int b = 0; b <= ' '; b++) {
            BEFORE_PATH[b] = true;
        }
        for (char c : "\"'`=([{<,;:|>".toCharArray()) {
            BEFORE_PATH[c] = true;
        }
    }

    private TokenBytes() {}

    /** Whether a path has a number or identifier in it that finds it without a keyword of its own, which would be used once. */
    static boolean hasRareRun(byte[] text, int at, int end) {
        int digits = 0;
        int length = 0;
        for (int i = at; i < end; i++) {
            int kind = CLASS[text[i] & 0xff];
            if (kind == DIGIT || kind == LETTER) {
                length++;
                digits += kind == DIGIT ? 1 : 0;
            } else {
                length = 0;
                digits = 0;
            }
            if (digits >= RARE_DIGITS && (length == digits || length >= RARE_RUN)) {
                return true;
            }
        }
        return false;
    }

    static int endOfName(byte[] text, int at, int to) {
        int end = at;
        while (end < to) {
            int b = text[end];
            if (b >= 0 ? IN_PATH[b] || CLASS[b] == DIGIT || CLASS[b] == LETTER : false) {
                end++;
            } else if (b < 0 && KeywordText.continuesToken(codePoint(text, end, to))) {
                end += utf8Length(b);
            } else {
                break;
            }
        }
        return end;
    }

    static int codePoint(byte[] text, int at, int to) {
        int first = text[at] & 0xff;
        int length = utf8Length(first);
        if (at + length > to) {
            return 0xFFFD;
        }
        return switch (length) {
            case 2 -> (first & 0x1f) << 6 | text[at + 1] & 0x3f;
            case 3 -> (first & 0x0f) << 12 | (text[at + 1] & 0x3f) << 6 | text[at + 2] & 0x3f;
            case 4 ->
                (first & 0x07) << 18 | (text[at + 1] & 0x3f) << 12 | (text[at + 2] & 0x3f) << 6 | text[at + 3] & 0x3f;
            default -> 0xFFFD;
        };
    }

    /** Bytes of a character, by its first; 1 for a byte that begins none. */
    static int utf8Length(int firstByte) {
        int first = firstByte & 0xff;
        return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    }

    static boolean isZeros(byte[] text, int at, int end) {
        for (int i = at; i < end; i++) {
            if (text[i] != '0') {
                return false;
            }
        }
        return true;
    }

    /** Where a long text may be cut in two without touching a token: behind the last byte before {@code most} that ends all tokens; else between two characters. */
    static int endOfPiece(byte[] text, int least, int most) {
        for (int i = most - 1; i >= least; i--) {
            int b = text[i];
            if (b >= 0 && b != ':' && BEFORE_PATH[b]) {
                return i + 1;
            }
        }
        int end = most;
        while (end > least && (text[end] & 0xC0) == 0x80) {
            end--;
        }
        return end;
    }
}
