package dev.veilgate.abe.policy;

import java.util.ArrayList;
import java.util.List;

/** Cuts the text of policies and attribute lists into words and signs. */
final class PolicyLexer {
    /**
     * A piece of the text.
     *
     * @param text     of a word without its quotes; of a sign, the sign; empty at the end
     * @param isWord   rather than a sign
     * @param isQuoted and so no operator
     * @param at       where it begins
     */
    record Token(String text, boolean isWord, boolean isQuoted, int at) {
        boolean isEnd() {
            return !isWord && text.isEmpty();
        }

        boolean is(String sign) {
            return !isWord && text.equals(sign);
        }

        boolean isOperator(String operator) {
            return isWord && !isQuoted && text.equalsIgnoreCase(operator);
        }

        @Override
        public String toString() {
            return isEnd() ? "the end" : "'" + text + "'";
        }
    }

    private static final int MAX_CHARACTERS = 1 << 20;

    private final String text;
    private int at;

    PolicyLexer(String text) {
        this.text = text;
    }

    List<Token> tokens() throws PolicySyntaxException {
        if (text.length() > MAX_CHARACTERS) {
            throw new PolicySyntaxException("a text of more than " + MAX_CHARACTERS + " characters", MAX_CHARACTERS);
        }
        List<Token> tokens = new ArrayList<>();
        Token token;
        do {
            token = next();
            tokens.add(token);
        } while (!token.isEnd());
        return tokens;
    }

    private Token next() throws PolicySyntaxException {
        while (at < text.length() && Character.isWhitespace(text.codePointAt(at))) {
            at += Character.charCount(text.codePointAt(at));
        }
        if (at == text.length()) {
            return new Token("", false, false, at);
        }
        int start = at;
        int first = text.codePointAt(at);
        if (first == '"') {
            return new Token(quoted(), true, true, start);
        }
        if (Words.isBare(first)) {
            while (at < text.length() && Words.isBare(text.codePointAt(at))) {
                at += Character.charCount(text.codePointAt(at));
            }
            return new Token(text.substring(start, at), true, false, start);
        }
        at += Character.charCount(first);
        if ((first == '<' || first == '>') && at < text.length() && text.charAt(at) == '=') {
            at++;
        } else if ("():,@<>=".indexOf(first) < 0) {
            throw new PolicySyntaxException("'" + Character.toString(first) + "' cannot stand outside quotes", start);
        }
        return new Token(text.substring(start, at), false, false, start);
    }

    private String quoted() throws PolicySyntaxException {
        int start = at++;
        StringBuilder word = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"') {
            if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                at++;
            }
            word.append(text.charAt(at++));
        }
        if (at == text.length()) {
            throw new PolicySyntaxException("no quote ends what begins", start);
        }
        at++;
        return word.toString();
    }
}
