package dev.veilgate.extract.log;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;

/** Walks through a JSON object and hands out its keys and values. For one thread. */
final class JsonFields {
    /** Takes a JSON object's fields. */
    interface Visitor {
        /**
         * A value that is no object or array.
         *
         * @param path  keys from the outermost on, with points between; elements of an array have the array's key
         * @param value the string, or the number or literal as written
         * @param from  first character of a string's contents in the text; -1 for other values
         * @param to    behind the last
         */
        void field(String path, String value, int from, int to);

        /** A key, before its value; also of objects, arrays and nothing. */
        default void key(String name) {}
    }

    private static final int MAX_DEPTH = 32;
    private static final int MAX_NAME = 1024;
    private static final int MAX_NUMBER = 256;

    private final JsonFactory factory;
    private final String[] names = new String[MAX_DEPTH + 1];
    private int end;

    JsonFields(int maxBytes) {
        factory = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_DEPTH)
                        .maxNameLength(MAX_NAME)
                        .maxNumberLength(MAX_NUMBER)
                        .maxStringLength(maxBytes)
                        .maxDocumentLength(maxBytes)
                        .build())
                // Names come from whoever writes the records: no table that grows with them.
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .build();
    }

    /**
     * Visits the fields in order, up to the end of the object or the first error.
     *
     * @return whether the text is one well-formed object within the limits
     */
    boolean visit(String text, Visitor visitor) {
        try (JsonParser parser = factory.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return false;
            }
            int depth = 1;
            while (depth > 0) {
                JsonToken token = parser.nextToken();
                if (token == null) {
                    return false;
                }
                switch (token) {
                    case START_OBJECT, START_ARRAY -> {
                        String outer = names[depth];
                        names[++depth] = outer;
                    }
                    case END_OBJECT, END_ARRAY -> depth--;
                    case FIELD_NAME -> {
                        visitor.key(parser.currentName());
                        names[depth] = path(parser, depth);
                    }
                    default -> value(parser, token, names[depth], visitor);
                }
            }
            end = (int) parser.currentLocation().getCharOffset();
            return true;
        } catch (IOException e) {
            return false; // no details: they quote the record
        }
    }

    /** Behind the last character of the object that was visited last, if it was well-formed. */
    int end() {
        return end;
    }

    private String path(JsonParser parser, int depth) throws IOException {
        String name = parser.currentName();
        String outer = depth > 1 ? names[depth - 1] : "";
        return outer.isEmpty() || outer.length() + name.length() > MAX_NAME ? name : outer + '.' + name;
    }

    private static void value(JsonParser parser, JsonToken token, String path, Visitor visitor) throws IOException {
        if (token == JsonToken.VALUE_NULL) {
            return;
        }
        String value = parser.getText();
        if (token == JsonToken.VALUE_STRING) {
            int from = (int) parser.currentTokenLocation().getCharOffset() + 1;
            int to = (int) parser.currentLocation().getCharOffset() - 1;
            visitor.field(path, value, from, to);
        } else {
            visitor.field(path, value, -1, -1);
        }
    }
}
