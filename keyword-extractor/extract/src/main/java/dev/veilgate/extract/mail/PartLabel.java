package dev.veilgate.extract.mail;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.james.mime4j.stream.Field;

/**
 * Name, type and disposition of a part of a mail, as its header says them to whoever shows or names it.
 *
 * @param name         of the file, as it is written, folders and characters that nobody sees included: {@code filename}
 *                     of the disposition, or else {@code name} of the type; "" if there is none
 * @param hasFilename  whether the disposition has a {@code filename}, in whatever form, if only an empty one
 * @param isAttachment whether the disposition says so
 * @param type         in lower case; "" if there is none of the form {@code text/plain}
 * @param rest         what else the two fields say that may matter: other names, and {@link MimeParameters#rest}
 */
public record PartLabel(String name, boolean hasFilename, boolean isAttachment, String type, List<String> rest) {
    /** Reads a header. Of several fields of one name the first counts, and the names in the others are rest. */
    public static PartLabel of(List<? extends Field> header) {
        List<String> names = new ArrayList<>();
        List<String> rest = new ArrayList<>();
        List<MimeParameters> dispositions = read(header, "content-disposition", rest);
        List<MimeParameters> types = read(header, "content-type", rest);
        dispositions.forEach(field -> field.parameter("filename").ifPresent(names::add));
        types.forEach(field -> field.parameter("name").ifPresent(names::add));
        names.removeIf(String::isEmpty);
        String name = names.isEmpty() ? "" : names.getFirst();
        rest.addAll(0, names);
        rest.removeIf(name::equals);
        return new PartLabel(
                name,
                dispositions.stream()
                        .anyMatch(field -> field.parameter("filename").isPresent()),
                first(dispositions).map(MimeParameters::value).orElse("").equals("attachment"),
                first(types)
                        .map(MimeParameters::value)
                        .filter(type -> type.matches("[^/]+/[^/]+"))
                        .orElse(""),
                rest.stream().distinct().toList());
    }

    private static List<MimeParameters> read(List<? extends Field> header, String name, List<String> rest) {
        List<MimeParameters> fields = header.stream()
                .filter(field ->
                        field.getName().strip().toLowerCase(Locale.ROOT).equals(name))
                .map(MimeParameters::of)
                .toList();
        fields.forEach(field -> rest.addAll(field.rest()));
        return fields;
    }

    private static Optional<MimeParameters> first(List<MimeParameters> fields) {
        return fields.stream().findFirst();
    }

    /** Shows nothing of it. */
    @Override
    public String toString() {
        return "PartLabel[hidden]";
    }
}
