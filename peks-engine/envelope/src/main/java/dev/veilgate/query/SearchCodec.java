package dev.veilgate.query;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.ScopedTrapdoor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The encoding of {@link SearchRequest}. */
final class SearchCodec {
    private static final String MAGIC = "veilgate-search";
    private static final int VERSION = 1;
    private static final int MAX_NAME_BYTES = 255;
    private static final int MAX_TRAPDOOR_BYTES = ScopedTrapdoor.MAX_BYTES + 2048;

    private static final int AND = 1;
    private static final int OR = 2;
    private static final int NOT = 3;

    private static final int FROM = 1;
    private static final int TO = 2;
    private static final int SENDERS = 3;

    private final CborReader in;
    private int nodes;

    private SearchCodec(CborReader in) {
        this.in = in;
    }

    static byte[] encode(SearchRequest request) {
        CborWriter out = new CborWriter(1 << 14)
                .array(7)
                .text(MAGIC)
                .integer(VERSION)
                .text(request.tenant())
                .array(request.terms().size());
        for (List<ScopedTrapdoor> term : request.terms()) {
            out.array(term.size());
            term.forEach(trapdoor -> out.bytes(trapdoor.encode()));
        }
        write(request.expression(), out);
        write(request.filter(), out);
        return out.bytes(request.grant().map(Grant::encode).orElse(new byte[0])).toByteArray();
    }

    private static void write(Expression expression, CborWriter out) {
        switch (expression) {
            case Expression.Term term -> out.integer(term.index());
            case Expression.And and -> write(AND, and.of(), out);
            case Expression.Or or -> write(OR, or.of(), out);
            case Expression.Not not -> write(NOT, List.of(not.of()), out);
        }
    }

    private static void write(int operator, List<Expression> members, CborWriter out) {
        out.array(1 + members.size()).integer(operator);
        members.forEach(member -> write(member, out));
    }

    private static void write(Filter filter, CborWriter out) {
        Set<String> senders = filter.senders();
        out.map((int) (filter.from().stream().count() + filter.to().stream().count()) + (senders.isEmpty() ? 0 : 1));
        filter.from().ifPresent(from -> out.integer(FROM).integer(from.toEpochMilli()));
        filter.to().ifPresent(to -> out.integer(TO).integer(to.toEpochMilli()));
        if (!senders.isEmpty()) {
            out.integer(SENDERS).array(senders.size());
            senders.stream().sorted().forEach(out::text);
        }
    }

    static SearchRequest decode(byte[] bytes) throws MalformedEncodingException {
        if (bytes.length > SearchRequest.MAX_BYTES) {
            throw new MalformedEncodingException("search", "must have at most " + SearchRequest.MAX_BYTES + " bytes");
        }
        CborReader in = new CborReader("search", bytes);
        if (in.array("search", 7) != 7 || !in.text("magic", MAGIC.length()).equals(MAGIC)) {
            throw in.malformed("magic", "must be " + MAGIC);
        }
        if (in.uint("version", Integer.MAX_VALUE) != VERSION) {
            throw in.malformed("version", "must be " + VERSION + "; update the software to read a later one");
        }
        return new SearchCodec(in).read();
    }

    private SearchRequest read() throws MalformedEncodingException {
        try {
            String tenant = in.text("tenant", MAX_NAME_BYTES);
            List<List<ScopedTrapdoor>> terms = terms();
            Expression expression = expression(1);
            Filter filter = filter();
            byte[] grant = in.bytes("grant", Grant.MAX_BYTES);
            in.end();
            return new SearchRequest(
                    tenant,
                    terms,
                    expression,
                    filter,
                    grant.length == 0 ? Optional.empty() : Optional.of(Grant.decode(grant)));
        } catch (IllegalArgumentException e) { // of the records that check themselves
            throw new MalformedEncodingException("search", String.valueOf(e.getMessage()));
        }
    }

    private List<List<ScopedTrapdoor>> terms() throws MalformedEncodingException {
        int count = in.array("terms", SearchRequest.MAX_TERMS);
        List<List<ScopedTrapdoor>> terms = new ArrayList<>(count);
        int left = SearchRequest.MAX_TRAPDOORS;
        for (int i = 0; i < count; i++) {
            int size = in.array("term", left);
            left -= size;
            List<ScopedTrapdoor> term = new ArrayList<>(size);
            for (int j = 0; j < size; j++) {
                term.add(ScopedTrapdoor.decode(in.bytes("trapdoor", MAX_TRAPDOOR_BYTES)));
            }
            terms.add(term);
        }
        return terms;
    }

    private Expression expression(int depth) throws MalformedEncodingException {
        if (++nodes > Expression.MAX_NODES || depth > Expression.MAX_DEPTH) {
            throw in.malformed(
                    "expression",
                    "must have at most " + Expression.MAX_NODES + " parts, nested at most " + Expression.MAX_DEPTH
                            + " deep");
        }
        if (in.nextIsUnsigned()) {
            return new Expression.Term(in.uint("expression", SearchRequest.MAX_TERMS - 1));
        }
        int members = in.array("expression", 1 + Expression.MAX_NODES) - 1;
        int operator = in.uint("operator", NOT);
        if (operator == NOT && members != 1) {
            throw in.malformed("expression", "must have one part behind NOT");
        }
        List<Expression> of = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            of.add(expression(depth + 1));
        }
        return switch (operator) {
            case AND -> new Expression.And(of);
            case OR -> new Expression.Or(of);
            case NOT -> new Expression.Not(of.getFirst());
            default -> throw in.malformed("operator", "must be 1 for AND, 2 for OR or 3 for NOT");
        };
    }

    private Filter filter() throws MalformedEncodingException {
        Optional<Instant> from = Optional.empty();
        Optional<Instant> to = Optional.empty();
        Set<String> senders = Set.of();
        int fields = in.map("filter", SENDERS);
        CborReader.MapKeys keys = in.mapKeys("filter");
        for (int i = 0; i < fields; i++) {
            switch (keys.nextInt()) {
                case FROM -> from = Optional.of(Instant.ofEpochMilli(in.integer("from")));
                case TO -> to = Optional.of(Instant.ofEpochMilli(in.integer("to")));
                case SENDERS -> senders = senders();
                default -> throw in.malformed("filter", "must have the keys 1, 2 and 3 only");
            }
        }
        return new Filter(from, to, senders);
    }

    private Set<String> senders() throws MalformedEncodingException {
        int count = in.array("senders", Filter.MAX_SENDERS);
        if (count == 0) {
            throw in.malformed("senders", "must not be empty where they are given");
        }
        Set<String> senders = new LinkedHashSet<>();
        String last = null;
        for (int i = 0; i < count; i++) {
            String sender = in.text("sender", MAX_NAME_BYTES);
            if (last != null && last.compareTo(sender) >= 0) {
                throw in.malformed("senders", "must be in ascending order, each once");
            }
            last = sender;
            senders.add(sender);
        }
        return senders;
    }
}
