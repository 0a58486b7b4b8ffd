package dev.veilgate.abe.policy;

import dev.veilgate.abe.policy.Attribute.Kind;
import dev.veilgate.abe.policy.PolicyLexer.Token;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Recursive descent:
 *
 * <pre>
 *   policy     = and *("OR" and)
 *   and        = primary *("AND" primary)
 *   primary    = "(" policy ")" / number "of" "(" policy *("," policy) ")" / attribute / comparison
 *   attribute  = word ":" word ["@" word]
 *   comparison = word ["@" word] ("&lt;" / "&lt;=" / "=" / "&gt;=" / "&gt;") (number / day)
 *   set        = item *("," item)      item = attribute / word ["@" word] "=" (number / day)
 * </pre>
 */
final class PolicyParser {
    private final List<Token> tokens;
    private int next;
    private int depth;

    PolicyParser(String text) throws PolicySyntaxException {
        this.tokens = new PolicyLexer(text).tokens();
    }

    Policy policy() throws PolicySyntaxException {
        Policy policy = or();
        requireEnd();
        try {
            policy.requireWithinLimits();
        } catch (IllegalArgumentException e) {
            throw new PolicySyntaxException(String.valueOf(e.getMessage()), 0);
        }
        return policy;
    }

    Set<Attribute> set() throws PolicySyntaxException {
        Set<Attribute> all = new LinkedHashSet<>();
        do {
            Token name = word("an attribute");
            if (peek().is(":")) {
                all.add(attribute(name));
            } else {
                String epoch = epoch();
                Token sign = peek();
                if (!sign.is("=")) {
                    throw new PolicySyntaxException("':' or '=' is missing before " + sign, sign.at());
                }
                next++;
                Token constant = word("a number or a day");
                Kind kind = kind(constant);
                List<Attribute> number =
                        checked(constant, () -> Comparison.attributes(name.text(), kind, constant.text(), epoch));
                if (number.stream().anyMatch(bit -> Comparison.contradicts(bit, all))) {
                    throw new PolicySyntaxException("a second value of " + name, constant.at());
                }
                all.addAll(number);
            }
        } while (take(","));
        requireEnd();
        return all;
    }

    private Policy or() throws PolicySyntaxException {
        List<Policy> children = new ArrayList<>(List.of(and()));
        while (takeOperator("OR")) {
            children.add(and());
        }
        return children.size() == 1 ? children.getFirst() : new Policy.Gate(1, children);
    }

    private Policy and() throws PolicySyntaxException {
        List<Policy> children = new ArrayList<>(List.of(primary()));
        while (takeOperator("AND")) {
            children.add(primary());
        }
        return children.size() == 1 ? children.getFirst() : new Policy.Gate(children.size(), children);
    }

    private Policy primary() throws PolicySyntaxException {
        Token first = peek();
        if (first.is("(")) {
            next++;
            deeper(first);
            Policy inner = or();
            expect(")");
            depth--;
            return inner;
        }
        if (first.isOperator("NOT")) {
            throw new PolicySyntaxException(
                    "a policy has no NOT: give the others an attribute of their own, instead of", first.at());
        }
        Token word = word("an attribute, a comparison, or '('");
        if (peek().isOperator("OF")) {
            return threshold(word);
        }
        return peek().is(":") ? new Policy.Leaf(attribute(word)) : comparison(word);
    }

    private Policy threshold(Token number) throws PolicySyntaxException {
        next++;
        Token open = peek();
        expect("(");
        deeper(open);
        List<Policy> children = new ArrayList<>();
        do {
            children.add(or());
        } while (take(","));
        expect(")");
        depth--;
        int threshold;
        try {
            threshold = Integer.parseInt(number.text());
        } catch (NumberFormatException e) {
            throw new PolicySyntaxException(number + " is not a number", number.at());
        }
        return checked(number, () -> new Policy.Gate(threshold, children));
    }

    private Attribute attribute(Token name) throws PolicySyntaxException {
        next++; // the colon
        Token value = word("the value of " + name);
        String epoch = epoch();
        return checked(name, () -> new Attribute(name.text(), Kind.TEXT, value.text(), epoch));
    }

    private Policy comparison(Token name) throws PolicySyntaxException {
        String epoch = epoch();
        Token sign = peek();
        for (Comparison comparison : Comparison.values()) {
            if (sign.is(comparison.symbol)) {
                next++;
                Token constant = word("a number or a day");
                return checked(constant, () -> comparison.policy(name.text(), kind(constant), constant.text(), epoch));
            }
        }
        throw new PolicySyntaxException("':' or a comparison is missing before " + sign, sign.at());
    }

    private static Kind kind(Token constant) {
        return constant.text().indexOf('-', 1) > 0 ? Kind.DATE : Kind.INTEGER;
    }

    private String epoch() throws PolicySyntaxException {
        return take("@") ? word("an epoch").text() : "";
    }

    private void deeper(Token at) throws PolicySyntaxException {
        if (++depth > Policy.MAX_DEPTH) {
            throw new PolicySyntaxException("nested more than " + Policy.MAX_DEPTH + " deep", at.at());
        }
    }

    /** Something that refuses its arguments. */
    private interface Made<T> {
        T make();
    }

    private static <T> T checked(Token of, Made<T> made) throws PolicySyntaxException {
        try {
            return made.make();
        } catch (IllegalArgumentException e) {
            throw new PolicySyntaxException(String.valueOf(e.getMessage()), of.at());
        }
    }

    private Token peek() {
        return tokens.get(next);
    }

    private Token word(String wanted) throws PolicySyntaxException {
        Token token = peek();
        if (!token.isWord() || !token.isQuoted() && Words.isOperator(token.text())) {
            throw new PolicySyntaxException(wanted + " is missing before " + token, token.at());
        }
        next++;
        return token;
    }

    private boolean take(String sign) {
        boolean there = peek().is(sign);
        next += there ? 1 : 0;
        return there;
    }

    private boolean takeOperator(String operator) {
        boolean there = peek().isOperator(operator);
        next += there ? 1 : 0;
        return there;
    }

    private void expect(String sign) throws PolicySyntaxException {
        Token token = peek();
        if (!take(sign)) {
            throw new PolicySyntaxException("'" + sign + "' is missing before " + token, token.at());
        }
    }

    private void requireEnd() throws PolicySyntaxException {
        if (!peek().isEnd()) {
            throw new PolicySyntaxException(peek() + " is one too many", peek().at());
        }
    }
}
