package dev.veilgate.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An object of a gateway's answer. What is missing or of another type is an {@link IOException} that names the field: a gateway of another version.
 *
 * @param fields maps, lists, strings, numbers, booleans; fields that are null are not there
 */
public record JsonObject(Map<String, Object> fields) {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(16).build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** Reads one object. */
    public static JsonObject parse(byte[] json) throws IOException {
        return of(value(json));
    }

    /** Reads an array of objects. */
    public static List<JsonObject> parseList(byte[] json) throws IOException {
        return objects(value(json), "answer");
    }

    private static @Nullable Object value(byte[] json) throws IOException {
        try (JsonParser in = FACTORY.createParser(json)) {
            in.nextToken();
            Object value = value(in);
            if (in.nextToken() != null) {
                throw new IOException("the gateway's answer has something behind its JSON");
            }
            return value;
        } catch (JsonProcessingException e) {
            throw new IOException("the gateway's answer is not JSON", e);
        }
    }

    private static @Nullable Object value(JsonParser in) throws IOException {
        return switch (in.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> fields = new LinkedHashMap<>();
                while (in.nextToken() != JsonToken.END_OBJECT) {
                    String name = in.currentName();
                    in.nextToken();
                    Object value = value(in);
                    if (value != null) {
                        fields.put(name, value);
                    }
                }
                yield fields;
            }
            case START_ARRAY -> {
                List<Object> items = new ArrayList<>();
                while (in.nextToken() != JsonToken.END_ARRAY) {
                    Object value = value(in);
                    if (value == null) {
                        throw new IOException("the gateway's answer has an array with null");
                    }
                    items.add(value);
                }
                yield items;
            }
            case VALUE_STRING -> in.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> in.getNumberValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case null, default -> throw new IOException("the gateway's answer is not JSON");
        };
    }

    private static JsonObject of(@Nullable Object value) throws IOException {
        if (!(value instanceof Map<?, ?> map)) {
            throw new IOException("the gateway's answer is no JSON object");
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        map.forEach((name, field) -> fields.put(name.toString(), field));
        return new JsonObject(fields);
    }

    private static List<JsonObject> objects(@Nullable Object value, String name) throws IOException {
        if (!(value instanceof List<?> list)) {
            throw wrong(name, "an array");
        }
        List<JsonObject> objects = new ArrayList<>();
        for (Object item : list) {
            objects.add(of(item));
        }
        return objects;
    }

    /** A string. */
    public String text(String name) throws IOException {
        return optionalText(name).orElseThrow(() -> wrong(name, "a string"));
    }

    /** A string that may be missing. */
    public Optional<String> optionalText(String name) throws IOException {
        Object value = fields.get(name);
        if (value != null && !(value instanceof String)) {
            throw wrong(name, "a string");
        }
        return Optional.ofNullable((String) value);
    }

    /** A whole number of 64 bits. */
    public long number(String name) throws IOException {
        Object value = fields.get(name);
        if (!(value instanceof Number number) || value instanceof Double || value instanceof BigInteger) {
            throw wrong(name, "a whole number");
        }
        return number.longValue();
    }

    /** True or false. */
    public boolean bool(String name) throws IOException {
        if (!(fields.get(name) instanceof Boolean value)) {
            throw wrong(name, "true or false");
        }
        return value;
    }

    /** An array of whole numbers. */
    public int[] numbers(String name) throws IOException {
        if (!(fields.get(name) instanceof List<?> list)) {
            throw wrong(name, "an array");
        }
        int[] numbers = new int[list.size()];
        for (int i = 0; i < numbers.length; i++) {
            if (!(list.get(i) instanceof Integer number)) {
                throw wrong(name, "an array of numbers");
            }
            numbers[i] = number;
        }
        return numbers;
    }

    /** An array of strings. */
    public List<String> texts(String name) throws IOException {
        if (!(fields.get(name) instanceof List<?> list)) {
            throw wrong(name, "an array");
        }
        List<String> texts = new ArrayList<>();
        for (Object item : list) {
            if (!(item instanceof String text)) {
                throw wrong(name, "an array of strings");
            }
            texts.add(text);
        }
        return texts;
    }

    /** An object. */
    public JsonObject object(String name) throws IOException {
        return of(fields.get(name));
    }

    /** An array of objects. */
    public List<JsonObject> list(String name) throws IOException {
        return objects(fields.get(name), name);
    }

    private static IOException wrong(String name, String allowed) {
        return new IOException("the gateway's answer: " + name + " must be " + allowed);
    }
}
