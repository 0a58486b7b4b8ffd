package dev.veilgate.envelope.smime;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the mailboxes of a header field such as From or To, in one pass over its unfolded text: RFC 5322 with its obsolete forms, groups and comments, RFC 6531 with characters outside ASCII, and
 * what programs write beside the rules.
 *
 * <p>Whatever the text is, there is an answer, and no {@code @} that a mail program could take for that of an address is passed over:
 * <ul>
 *   <li>what opens and does not close (quote, comment, encoded word, angle bracket) is an ordinary character, or ends with the mailbox;
 *   <li>where there are angle brackets with an address, what stands before them is its name, also with an {@code @} in it and without quotes;
 *   <li>words with an {@code @} that follow each other without a comma are addresses each;
 *   <li>where blanks stand beside a point, {@code a . b@example.org} of the obsolete rules and {@code b@example.org} are both given.
 * </ul>
 *
 * <p>Encoded words (RFC 2047) stay encoded; a comma or bracket inside of one separates nothing. Offsets are of characters: text may have been decoded from any charset that contains ASCII.
 */
public final class AddressList {
    private static final String WORD_START = "=?";
    private static final String WORD_END = "?=";
    /** Of a mailbox; what has more is taken for several, so that memory is bounded and no address is passed over. */
    private static final int MOST_PIECES = 4096;

    /** Of those, as many are read again with what follows: more than an address may have. */
    private static final int KEPT_PIECES = 512;

    private static final String SPECIALS = "(<>@,:;\"[";

    /**
     * A mailbox, or a name that has none.
     *
     * @param name        words before and behind the address, comments included; encoded words as they are
     * @param address     {@code local@domain} without quotes, blanks and comments; empty if there is none
     * @param alternative what a program may read instead; empty in most cases
     */
    public record Mailbox(String name, String address, List<String> alternative) {
        /** The address and what may be read instead. */
        public List<String> addresses() {
            List<String> all = new ArrayList<>();
            if (!address.isEmpty()) {
                all.add(address);
            }
            all.addAll(alternative);
            return all;
        }
    }

    private enum Kind {
        WORD,
        AT,
        OPEN,
        CLOSE
    }

    /**
     * A part of a mailbox.
     *
     * @param glued whether nothing stands between it and the one before
     */
    private record Piece(Kind kind, String text, boolean glued) {}

    private final String text;
    private final Consumer<Mailbox> found;
    private final List<Piece> pieces = new ArrayList<>();
    private final StringBuilder comments = new StringBuilder();
    private int at;
    private boolean glued;
    private boolean inBrackets;
    /** The piece with which the brackets begin. */
    private int opened;

    private boolean quotesEnd = true;
    /** Up to where no encoded word ends. */
    private int noWordEnd;

    private int[] closing = {};

    private AddressList(String text, Consumer<Mailbox> found) {
        this.text = text;
        this.found = found;
    }

    /** All mailboxes and names of a field, in their order. */
    public static List<Mailbox> read(String unfolded) {
        List<Mailbox> all = new ArrayList<>();
        read(unfolded, all::add);
        return all;
    }

    /** The same one after the other: there may be hundreds of thousands in a hostile header. */
    public static void read(String unfolded, Consumer<Mailbox> found) {
        new AddressList(unfolded, found).read();
    }

    private void read() {
        while (at < text.length()) {
            if (pieces.size() >= MOST_PIECES) {
                endOfMany();
            }
            char c = text.charAt(at);
            if (isBlank(c)) {
                at++;
                glued = false;
            } else if (c == '(' && closingOf(at) > 0) {
                comment(closingOf(at));
            } else if (c == '"' && quoted() || c == '[' && literal()) {
                glued = true;
            } else {
                special(c);
            }
        }
        end();
    }

    private void special(char c) {
        switch (c) {
            case '@' -> piece(Kind.AT, "@");
            case '<' -> {
                inBrackets = true;
                opened = pieces.size();
                piece(Kind.OPEN, "");
            }
            case '>' -> {
                if (inBrackets) {
                    piece(Kind.CLOSE, "");
                } else {
                    at++;
                }
                inBrackets = false;
                glued = false;
            }
            case ',' -> {
                at++;
                glued = false;
                if (!isRoute()) {
                    end();
                }
            }
            case ';' -> {
                at++;
                end();
            }
            case ':' -> {
                at++;
                colon();
            }
            default -> word();
        }
    }

    /** Ends a group's name, which has the mailboxes behind it; in brackets a route, or a word such as "mailto". */
    private void colon() {
        if (!inBrackets) {
            end();
        } else if (isRoute()) {
            while (pieces.getLast().kind != Kind.OPEN) {
                pieces.removeLast();
            }
        } else {
            pieces.add(new Piece(Kind.CLOSE, "", false));
            opened = pieces.size();
            pieces.add(new Piece(Kind.OPEN, "", false));
        }
        glued = false;
    }

    /** {@code <@relay.example,@other.example:ada@example.org>}. */
    private boolean isRoute() {
        return inBrackets && opened + 1 < pieces.size() && pieces.get(opened + 1).kind == Kind.AT;
    }

    private void piece(Kind kind, String of) {
        pieces.add(new Piece(kind, of, glued));
        glued = true;
        at++;
    }

    private void word() {
        int start = at;
        int encoded = text.startsWith(WORD_START, at) ? endOfEncodedWord() : -1;
        if (encoded > 0) {
            at = encoded;
        } else {
            at++; // whatever it is: an opening character that nothing closes
            while (at < text.length() && isOrdinary(text.charAt(at)) && !text.startsWith(WORD_START, at)) {
                at++;
            }
        }
        pieces.add(new Piece(Kind.WORD, text.substring(start, at), glued));
        glued = true;
    }

    private static boolean isOrdinary(char c) {
        return SPECIALS.indexOf(c) < 0 && !isBlank(c);
    }

    /** Control characters as well, which stand in no address. */
    private static boolean isBlank(char c) {
        return c <= ' ' || c == 0x7f || Character.isSpaceChar(c);
    }

    /** Behind {@code =?charset?q?text?=} without blanks; -1 if it is none. */
    private int endOfEncodedWord() {
        int charset = text.indexOf('?', at + 2);
        boolean begins = charset > at + 2
                && charset + 3 < text.length()
                && "bBqQ".indexOf(text.charAt(charset + 1)) >= 0
                && text.charAt(charset + 2) == '?';
        if (!begins || at < noWordEnd) {
            return -1;
        }
        int i = charset + 3;
        while (i < text.length() && !isBlank(text.charAt(i))) {
            if (text.startsWith(WORD_END, i)) {
                return i + WORD_END.length();
            }
            i++;
        }
        noWordEnd = i;
        return -1;
    }

    /** A quoted string as a word without its quotes; false if it does not end. */
    private boolean quoted() {
        StringBuilder inside = new StringBuilder();
        for (int i = at + 1; quotesEnd && i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                pieces.add(new Piece(Kind.WORD, inside.toString(), glued));
                at = i + 1;
                return true;
            }
            if (c == '\\' && i + 1 < text.length()) {
                i++;
            }
            inside.append(text.charAt(i));
        }
        quotesEnd = false;
        return false;
    }

    /** {@code [192.0.2.1]} behind an @. */
    private boolean literal() {
        if (pieces.isEmpty() || pieces.getLast().kind != Kind.AT) {
            return false;
        }
        int i = at + 1;
        while (i < text.length() && text.charAt(i) != ']' && !isBlank(text.charAt(i)) && text.charAt(i) != '[') {
            i++;
        }
        if (i >= text.length() || text.charAt(i) != ']') {
            return false;
        }
        pieces.add(new Piece(Kind.WORD, text.substring(at, i + 1), glued));
        at = i + 1;
        return true;
    }

    private void comment(int close) {
        comments.append(' ');
        for (int i = at + 1; i < close; i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < close) {
                i++;
            }
            comments.append(text.charAt(i));
        }
        at = close + 1;
        glued = false;
    }

    /** The bracket that closes the one at a place; 0 if none does. Found for all of them at once. */
    private int closingOf(int open) {
        if (closing.length == 0) {
            closing = new int[text.length()];
            int[] openBrackets = new int[text.length()];
            int depth = 0;
            for (int i = 0; i < text.length(); i++) {
                switch (text.charAt(i)) {
                    case '\\' -> i++;
                    case '(' -> openBrackets[depth++] = i;
                    case ')' -> {
                        if (depth > 0) {
                            closing[openBrackets[--depth]] = i;
                        }
                    }
                    default -> {}
                }
            }
        }
        return closing[open];
    }

    /** Ends a mailbox with more words than are kept at a time. Its last ones may be the beginning of its address, so they stay. */
    private void endOfMany() {
        List<Piece> kept = new ArrayList<>(pieces.subList(pieces.size() - KEPT_PIECES, pieces.size()));
        int open = opened - (pieces.size() - kept.size());
        boolean brackets = inBrackets;
        boolean goesOn = glued;
        end();
        if (brackets && open < 0) {
            kept.addFirst(new Piece(Kind.OPEN, "", false));
        }
        pieces.addAll(kept);
        inBrackets = brackets;
        opened = Math.max(open, 0);
        glued = goesOn;
    }

    /** A mailbox ends: at a comma, or where a group begins or ends. */
    private void end() {
        Names name = new Names();
        List<Mailbox> boxes = new ArrayList<>();
        bracketed(name, boxes);
        if (boxes.isEmpty()) {
            name = new Names();
            List<Piece> bare = new ArrayList<>();
            boolean bracket = false;
            for (Piece piece : pieces) { // brackets without an address are a name's
                boolean here = piece.kind == Kind.OPEN || piece.kind == Kind.CLOSE;
                if (!here) {
                    bare.add(bracket ? new Piece(piece.kind, piece.text, false) : piece);
                }
                bracket = here;
            }
            addresses(bare, name, boxes);
        }
        String names = name.with(comments);
        if (boxes.isEmpty()) {
            if (!names.isEmpty()) {
                found.accept(new Mailbox(names, "", List.of()));
            }
        } else {
            Mailbox first = boxes.getFirst();
            found.accept(new Mailbox(names, first.address, first.alternative));
            boxes.subList(1, boxes.size()).forEach(found);
        }
        pieces.clear();
        comments.setLength(0);
        glued = false;
        inBrackets = false;
    }

    /** The addresses in angle brackets; what is outside is the name. */
    private void bracketed(Names name, List<Mailbox> boxes) {
        List<Piece> inside = new ArrayList<>();
        boolean open = false;
        for (Piece piece : pieces) {
            switch (piece.kind) {
                case OPEN, CLOSE -> {
                    addresses(inside, name, boxes);
                    inside.clear();
                    open = piece.kind == Kind.OPEN;
                }
                default -> {
                    if (open) {
                        inside.add(piece);
                    } else {
                        name.add(piece);
                    }
                }
            }
        }
        addresses(inside, name, boxes);
    }

    /** Words in the order in which they came, glued where they were. */
    private static final class Names {
        private final StringBuilder text = new StringBuilder();

        void add(Piece piece) {
            if (!piece.glued && !text.isEmpty()) {
                text.append(' ');
            }
            text.append(piece.text);
        }

        String with(CharSequence comments) {
            return (text + comments.toString()).strip();
        }
    }

    /** Every address of a row of words and @s; what belongs to none goes to the name. */
    private static void addresses(List<Piece> row, Names name, List<Mailbox> boxes) {
        int next = 0;
        while (next < row.size()) {
            int sign = next;
            while (sign < row.size() && row.get(sign).kind != Kind.AT) {
                sign++;
            }
            Row address = sign < row.size() ? Row.around(row, sign, next) : null;
            if (address == null) {
                int end = Math.min(sign + 1, row.size());
                row.subList(next, end).forEach(name::add);
                next = end;
            } else {
                row.subList(next, address.from).forEach(name::add);
                boxes.add(address.mailbox(row));
                next = address.to;
            }
        }
    }

    /**
     * The words around an @, or around several in a row.
     *
     * @param from first of them as the obsolete rules join words, with blanks around points
     * @param to   behind the last
     * @param near first of those between which nothing stands
     * @param far  behind the last
     */
    private record Row(int from, int to, int near, int far) {
        /** Null if there is no word on one of its sides. */
        static @Nullable Row around(List<Piece> row, int sign, int least) {
            if (sign == least || sign + 1 == row.size() || row.get(sign + 1).kind == Kind.AT) {
                return null;
            }
            int near = sign - 1;
            while (near > least && row.get(near).glued) {
                near--;
            }
            int far = end(row, sign + 2, false);
            int from = near;
            while (from > least && isJoined(row, from)) {
                from--;
            }
            return new Row(from, end(row, far, true), near, far);
        }

        private static int end(List<Piece> row, int least, boolean joined) {
            int end = least;
            while (end < row.size() && (row.get(end).glued || joined && isJoined(row, end))) {
                boolean sign = row.get(end).kind == Kind.AT;
                if (sign && (end + 1 == row.size() || row.get(end + 1).kind == Kind.AT)) {
                    break;
                }
                end += sign ? 2 : 1;
            }
            return end;
        }

        /** Whether a word goes on with the one before it: a point stands between them. */
        private static boolean isJoined(List<Piece> row, int second) {
            Piece before = row.get(second - 1);
            Piece after = row.get(second);
            return after.glued
                    || after.kind == Kind.WORD
                            && before.kind == Kind.WORD
                            && (before.text.endsWith(".") || after.text.startsWith("."));
        }

        /** By the rules an address is all that there is; beside other words, blanks end it. */
        Mailbox mailbox(List<Piece> row) {
            String joined = text(row, from, to);
            String glued = text(row, near, far);
            List<String> all =
                    new ArrayList<>(from == 0 && to == row.size() ? List.of(joined, glued) : List.of(glued, joined));
            int signs = 0;
            for (int i = near; i < far; i++) {
                signs += row.get(i).kind == Kind.AT ? 1 : 0;
            }
            if (signs > 1) { // a@b@c
                all.add(glued.substring(0, glued.indexOf('@', glued.indexOf('@') + 1)));
                all.add(glued.substring(glued.lastIndexOf('@', glued.lastIndexOf('@') - 1) + 1));
            }
            List<String> each = all.stream().distinct().toList();
            return new Mailbox("", each.getFirst(), each.subList(1, each.size()));
        }

        private static String text(List<Piece> row, int from, int to) {
            StringBuilder text = new StringBuilder();
            row.subList(from, to).forEach(piece -> text.append(piece.text));
            return text.toString();
        }
    }
}
