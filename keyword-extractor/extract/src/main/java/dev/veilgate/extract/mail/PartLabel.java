package dev.veilgate.extract.mail;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.james.mime4j.stream.Field;

/**
 * Name, type and disposition of a part of a mail, as its header says them to whoever shows or names it.
 *
 * @param name         of the file, as it is written, folders and characters that nobody sees included: {@code filename}
 *                     of the disposition, or else {@code name} of the type; "" if there is none
 * @param hasFilename  whether the disposition has a {@code filename}, in whatever form, if only an empty one
 * @param isAttachment whether the disposition says so
 * @param type         in lower case; "" if there is none of the form {@code text/plain}
 * @param rest         what else the two fields say that may matter: other names, parameters whose names or values
 *                     look like one, {@link MimeParameters#rest}, and parameters that are not common
 */
public record PartLabel(String name, boolean hasFilename, boolean isAttachment, String type, List<String> rest) {
    /** Names of parameters of which no program takes the name of a file. */
    private static final Set<String> COMMON = Set.of(
            "boundary",
            "charset",
            "component",
            "creation-date",
            "delsp",
            "format",
            "hp",
            "hp-legacy-display",
            "method",
            "micalg",
            "modification-date",
            "protocol",
            "read-date",
            "report-type",
            "size",
            "smime-type",
            "start",
            "start-info",
            "type",
            "x-mac-creator",
            "x-mac-type",
            "x-unix-mode");

    private static final Pattern DATE = Pattern.compile("[A-Za-z0-9,:+() -]{0,64}");
    private static final Pattern BLANK = Pattern.compile("\\s");
    private static final Pattern NO_LETTERS = Pattern.compile("[^a-z]++");

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
        List<String> others = new ArrayList<>();
        dispositions.forEach(field -> others(field, "filename", name, names, others));
        types.forEach(field -> others(field, "name", name, names, others));
        rest.addAll(0, names);
        rest.addAll(others);
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

    /**
     * Adds what a field has in other parameters.
     *
     * @param own   name of the parameter that names the file
     * @param known name of the file
     * @param names takes what somebody may read as a name
     */
    private static void others(
            MimeParameters field, String own, String known, List<String> names, List<String> others) {
        for (String name : field.names()) {
            String value = field.parameter(name).orElse("");
            if (name.equals(own) || value.equals(known)) {
                continue;
            }
            boolean isCommon = COMMON.contains(name);
            if (isNaming(isCommon ? value : name)) {
                names.add(name + "=" + value);
            } else if (!isCommon || !isPlain(name, value)) {
                others.add(name + "=" + value);
            }
        }
    }

    /** Tells if a common parameter holds what such a parameter is for: a date, or a single word. */
    private static boolean isPlain(String name, String value) {
        return name.endsWith("-date")
                ? DATE.matcher(value).matches()
                : !BLANK.matcher(value).find();
    }

    private static boolean isNaming(String text) {
        return NO_LETTERS.matcher(text.toLowerCase(Locale.ROOT)).replaceAll("").contains("name");
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
