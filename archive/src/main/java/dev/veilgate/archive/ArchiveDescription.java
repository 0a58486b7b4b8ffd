package dev.veilgate.archive;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.veilgate.files.DurableFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Scheme, parameters and key of an archive, as {@value #FILE} in its folder says; nothing of it is secret.
 *
 * @param scheme     name of the scheme
 * @param parameters all of its parameters
 * @param keyFile    name of the key's file in the folder
 */
record ArchiveDescription(String scheme, SortedMap<String, Long> parameters, String keyFile) {
    static final String FILE = "archive.json";
    private static final int VERSION = 1;
    private static final int MAX_BYTES = 1 << 16;
    private static final JsonFactory JSON = new JsonFactory();

    /** Copies. */
    ArchiveDescription {
        parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
    }

    void write(Path folder) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = JSON.createGenerator(bytes).useDefaultPrettyPrinter()) {
            out.writeStartObject();
            out.writeNumberField("version", VERSION);
            out.writeStringField("scheme", scheme);
            out.writeObjectFieldStart("parameters");
            for (var parameter : parameters.entrySet()) {
                out.writeNumberField(parameter.getKey(), parameter.getValue());
            }
            out.writeEndObject();
            out.writeStringField("key", keyFile);
            out.writeEndObject();
        }
        DurableFiles.replace(folder, FILE, null, bytes.toByteArray());
    }

    /** @throws UnusableArchiveException if the folder has none, or it is damaged or of a later version */
    static ArchiveDescription read(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            throw new UnusableArchiveException(folder + " is no archive: it has no " + FILE);
        }
        if (Files.size(file) > MAX_BYTES) {
            throw damaged(file);
        }
        try (JsonParser in = JSON.createParser(Files.readAllBytes(file))) {
            return read(in, file);
        } catch (JsonProcessingException e) {
            throw damaged(file);
        }
    }

    private static ArchiveDescription read(JsonParser in, Path file) throws IOException {
        String scheme = "";
        String key = "";
        long version = 0;
        SortedMap<String, Long> parameters = new TreeMap<>();
        if (in.nextToken() != JsonToken.START_OBJECT) {
            throw damaged(file);
        }
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = in.currentName();
            JsonToken value = in.nextToken();
            switch (name) {
                case "version" -> version = number(in, value, file);
                case "scheme" -> scheme = text(in, value, file);
                case "key" -> key = text(in, value, file);
                case "parameters" -> {
                    while (in.nextToken() == JsonToken.FIELD_NAME) {
                        String parameter = in.currentName();
                        parameters.put(parameter, number(in, in.nextToken(), file));
                    }
                }
                default -> throw damaged(file);
            }
        }
        if (version > VERSION) {
            throw new UnusableArchiveException(file + " is of a later version of Veilgate");
        }
        if (version < 1 || scheme.isEmpty() || !key.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
            throw damaged(file);
        }
        return new ArchiveDescription(scheme, parameters, key);
    }

    private static String text(JsonParser in, JsonToken value, Path file) throws IOException {
        if (value != JsonToken.VALUE_STRING) {
            throw damaged(file);
        }
        return in.getText();
    }

    private static long number(JsonParser in, JsonToken value, Path file) throws IOException {
        if (value != JsonToken.VALUE_NUMBER_INT) {
            throw damaged(file);
        }
        return in.getLongValue();
    }

    private static UnusableArchiveException damaged(Path file) {
        return new UnusableArchiveException(file + " is damaged: it does not say what archive this is");
    }
}
