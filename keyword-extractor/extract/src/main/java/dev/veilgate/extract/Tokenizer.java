package dev.veilgate.extract;

import java.nio.charset.StandardCharsets;

/**
 * Cuts folded UTF-8 into tokens.
 *
 * <p>Every maximal run of letters and digits (marks belong to the letter before) is a token: a number if it has digits only, else a word. On top:
 * <ul>
 *   <li>IP addresses in canonical form, without their port. The parts of an IPv4 address are no tokens; those of an IPv6 address are, as it may have been
 *       something else (a name in C++).
 *   <li>{@code 3.14} beside 3 and 14, unless it is part of a time, a date or a version; by its parts only with more than three digits before or two behind the point, which
 *       are rare enough, or with nothing but zeros behind the point.
 *   <li>{@code /var/log/messages} and {@code C:\Windows\Temp} beside their parts: paths from the root, of two names or more, after white space or a
 *       bracket, quote, comma, colon, semicolon, equals sign or bar. Points at the end do not belong to it. Not the
 *       path of a URL, nor one with a long number or identifier in it, which finds it as well as a keyword of its own would.
 *   <li>By rules 2 also the folder up to a name with a long number or identifier in it; and where no spaces divide words,
 *       each pair of neighbouring characters ({@link UnspacedScripts}).
 * </ul>
 *
 * <p>For a query, only the most telling token of these: an address or path without its parts. One pass, work linear in the length; keeps no state between calls
 * apart from buffers, so for one thread.
 */
public final class Tokenizer {
    /** Digits before and behind a point up to which a decimal is a token of its own: more are rare by themselves. */
    private static final int WHOLE_DIGITS = 3;

    private static final int FRACTION_DIGITS = 2;

    private final TokenSink sink;
    private final boolean query;
    /** Whether parts of paths and pairs of characters are tokens, by rules 2. */
    private final boolean withParts;

    private final byte[] address = new byte[IpAddresses.MAX_TEXT_BYTES];
    private byte[] text = new byte[0];
    private int from;
    private int to;
    private int addressEnd;
    private int pathEnd;

    private Tokenizer(TokenSink sink, boolean query, boolean withParts) {
        this.sink = sink;
        this.query = query;
        this.withParts = withParts;
    }

    /** All tokens by rules 1, for indexing. */
    public static Tokenizer ofRecords(TokenSink sink) {
        return ofRecords(sink, ExtractorProfile.RULES);
    }

    /** All tokens by some rules, for indexing. */
    public static Tokenizer ofRecords(TokenSink sink, int rules) {
        return new Tokenizer(sink, false, rules > ExtractorProfile.RULES);
    }

    /** The tokens to search for. */
    public static Tokenizer ofQueries(TokenSink sink) {
        return new Tokenizer(sink, true, false);
    }

    /**
     * Cuts one text; {@code sink} is called in the order of the tokens' ends.
     *
     * @param folded valid UTF-8 in the form of {@link KeywordText#fold}
     */
    public void cut(byte[] folded, int from, int to) {
        this.text = folded;
        this.from = from;
        this.to = to;
        addressEnd = from;
        pathEnd = from;
        int at = from;
        while (at < to) {
            int kind = TokenBytes.CLASS[folded[at] & 0xff];
            if (kind == 0) {
                at++;
            } else if (kind <= TokenBytes.LETTER) {
                at = run(at);
            } else {
                at = special(kind, at);
            }
        }
        this.text = new byte[0];
    }

    private int special(int kind, int at) {
        if (kind == TokenBytes.SLASH) {
            return pathEnd <= at && isBeforePath(at) ? path(at, at, '/') : at + 1;
        }
        if (kind == TokenBytes.COLON) {
            boolean apart = at + 1 < to
                    && text[at + 1] == ':'
                    && (at == from || TokenBytes.CLASS[text[at - 1] & 0xff] != TokenBytes.COLON);
            return apart && addressEnd <= at && !endsWithToken(at) ? ip6(at, at + 1) : at + 1;
        }
        int codePoint = TokenBytes.codePoint(text, at, to);
        return KeywordText.beginsToken(codePoint) ? run(at) : at + TokenBytes.utf8Length(text[at]);
    }

    /** A run of letters and digits, and what it may be the beginning of. */
    private int run(int at) {
        int seen = 0;
        boolean isAscii = true;
        int end = at;
        while (end < to) {
            int kind = TokenBytes.CLASS[text[end] & 0xff];
            if (kind == TokenBytes.DIGIT || kind == TokenBytes.LETTER) {
                seen |= kind;
                end++;
            } else if (kind == TokenBytes.HIGH) {
                int codePoint = TokenBytes.codePoint(text, end, to);
                if (!KeywordText.continuesToken(codePoint)) {
                    break;
                }
                isAscii = false;
                seen |= Character.isDigit(codePoint) ? TokenBytes.DIGIT : TokenBytes.LETTER;
                end += TokenBytes.utf8Length(text[end]);
            } else {
                break;
            }
        }
        if (withParts && !isAscii && seen != TokenBytes.DIGIT) {
            pairs(at, end);
        }
        if (end + 1 < to) {
            int next = text[end];
            if (next == '.' && seen == TokenBytes.DIGIT) {
                int behind = dotted(at, end);
                if (behind > 0) {
                    return behind;
                }
            } else if (next == ':' && end - at <= 4 && at >= addressEnd) {
                return colon(at, end, seen);
            }
        }
        return token(seen, at, end);
    }

    private void pairs(int at, int end) {
        String word = new String(text, at, end - at, StandardCharsets.UTF_8);
        if (UnspacedScripts.in(word)) {
            for (String piece : UnspacedScripts.pieces(word)) {
                byte[] utf8 = piece.getBytes(StandardCharsets.UTF_8);
                sink.token(TokenKind.WORD, utf8, 0, utf8.length);
            }
        }
    }

    private int token(int seen, int at, int end) {
        sink.token(seen == TokenBytes.DIGIT ? TokenKind.NUMBER : TokenKind.WORD, text, at, end);
        return end;
    }

    /** Digits before a point: an IPv4 address or a decimal. 0 if neither. */
    private int dotted(int at, int end) {
        boolean inside = at > from && text[at - 1] == '.' && at - 1 > from && endsWithToken(at - 1);
        if (inside) {
            return 0;
        }
        int behind = IpAddresses.endOfIp4(text, at, to);
        if (behind > 0 && !goesOn(behind)) {
            sink.token(TokenKind.IP, text, at, behind);
            return behind;
        }
        int last = end + 1;
        while (last < to && TokenBytes.CLASS[text[last] & 0xff] == TokenBytes.DIGIT) {
            last++;
        }
        boolean decimal = last > end + 1 && !goesOn(last) && (at == from || text[at - 1] != ':');
        if (!decimal) {
            return 0;
        }
        boolean telling = end - at <= WHOLE_DIGITS
                && last - end - 1 <= FRACTION_DIGITS
                && !TokenBytes.isZeros(text, end + 1, last);
        if (telling) {
            sink.token(TokenKind.NUMBER, text, at, last);
        }
        if (!query || !telling) {
            sink.token(TokenKind.NUMBER, text, at, end);
            sink.token(TokenKind.NUMBER, text, end + 1, last);
        }
        return last;
    }

    /** Up to four characters before a colon: an IPv6 address, a drive, or neither. */
    private int colon(int at, int end, int seen) {
        if (end - at == 1
                && text[end + 1] == '\\'
                && seen == TokenBytes.LETTER
                && pathEnd <= at
                && (at == from || isBeforePath(at))) {
            return path(at, end + 1, '\\');
        }
        boolean first = at == from || text[at - 1] != ':' && text[at - 1] != '.';
        if (first && IpAddresses.isHex(text, at, end)) {
            int behind = ip6(at, end);
            return behind == end ? token(seen, at, end) : behind;
        }
        return token(seen, at, end);
    }

    /** Tries an IPv6 address at {@code at}. Returns where to go on: {@code next} if the parts are to be cut as well. */
    private int ip6(int at, int next) {
        int behind = IpAddresses.endOfIp6(text, at, to);
        boolean ends = behind > 0 && (behind >= to || !beginsTokenAt(behind));
        if (!ends) {
            return next;
        }
        int length = IpAddresses.canonicalIp6(text, at, behind, address);
        if (length == 0) {
            return next;
        }
        sink.token(TokenKind.IP, address, 0, length);
        addressEnd = behind;
        return query ? behind : next;
    }

    /** A path whose first separator is at {@code slash}; returns where to go on. */
    private int path(int at, int slash, char separator) {
        int end = slash;
        int names = 0;
        int folder = 0;
        boolean isRare = false;
        while (end < to && text[end] == separator) {
            int name = end + 1;
            int last = TokenBytes.endOfName(text, name, to);
            if (last == name) {
                break;
            }
            names++;
            end = last;
            if (withParts && !isRare) {
                isRare = TokenBytes.hasRareRun(text, name, last);
                folder = isRare ? folder : last;
            }
        }
        while (end > slash && text[end - 1] == '.') {
            end--;
        }
        pathEnd = end;
        boolean isPath =
                names >= 2 && end > slash && text[end - 1] != separator && !TokenBytes.hasRareRun(text, slash, end);
        if (isPath) {
            sink.token(TokenKind.PATH, text, at, end);
        } else if (isRare && folder > slash) {
            sink.token(TokenKind.PATH, text, at, folder);
        }
        if (isPath && query) {
            return end;
        }
        if (at < slash) {
            sink.token(TokenKind.WORD, text, at, at + 1); // the drive
        }
        return slash + 1;
    }

    private boolean isBeforePath(int at) {
        return at == from || text[at - 1] >= 0 && TokenBytes.BEFORE_PATH[text[at - 1]];
    }

    /** Whether a token goes on at or, past a point, behind {@code at}. */
    private boolean goesOn(int at) {
        return at < to && (beginsTokenAt(at) || text[at] == '.' && at + 1 < to && beginsTokenAt(at + 1));
    }

    private boolean beginsTokenAt(int at) {
        int kind = TokenBytes.CLASS[text[at] & 0xff];
        return kind == TokenBytes.DIGIT
                || kind == TokenBytes.LETTER
                || kind == TokenBytes.HIGH && KeywordText.continuesToken(TokenBytes.codePoint(text, at, to));
    }

    private boolean endsWithToken(int at) {
        if (at == from) {
            return false;
        }
        int last = at - 1;
        while (last > from && (text[last] & 0xC0) == 0x80) {
            last--;
        }
        return beginsTokenAt(last);
    }
}
