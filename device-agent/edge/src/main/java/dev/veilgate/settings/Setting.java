package dev.veilgate.settings;

import java.util.List;
import java.util.Locale;

/**
 * One setting: it is a key of the file and an option of the command.
 *
 * @param key      with dots between the levels, such as {@code agent.mqtt.url}
 * @param kind     what its value is
 * @param standard value if none is given; empty if there is none
 * @param least    of a number, size or time (milliseconds)
 * @param most     of those
 * @param choices  of a choice
 * @param help     one line
 */
public record Setting(
        String key, Kind kind, String standard, long least, long most, List<String> choices, String help) {

    /** What a value is. */
    public enum Kind {
        TEXT("TEXT"),
        PATH("FILE"),
        NUMBER("N"),
        SIZE("SIZE"),
        TIME("TIME"),
        CHOICE("CHOICE"),
        SWITCH("true|false"),
        LIST("TEXT");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** As help shows it. */
        public String label() {
            return label;
        }
    }

    static Setting text(String key, String standard, String help) {
        return new Setting(key, Kind.TEXT, standard, 0, 0, List.of(), help);
    }

    static Setting path(String key, String standard, String help) {
        return new Setting(key, Kind.PATH, standard, 0, 0, List.of(), help);
    }

    static Setting number(String key, String standard, long least, long most, String help) {
        return new Setting(key, Kind.NUMBER, standard, least, most, List.of(), help);
    }

    static Setting size(String key, String standard, long least, long most, String help) {
        return new Setting(key, Kind.SIZE, standard, least, most, List.of(), help);
    }

    static Setting time(String key, String standard, String least, String most, String help) {
        return new Setting(key, Kind.TIME, standard, Quantity.millis(least), Quantity.millis(most), List.of(), help);
    }

    static Setting choice(String key, String standard, List<String> choices, String help) {
        return new Setting(key, Kind.CHOICE, standard, 0, 0, choices, help);
    }

    static Setting onOff(String key, String standard, String help) {
        return new Setting(key, Kind.SWITCH, standard, 0, 0, List.of("true", "false"), help);
    }

    static Setting list(String key, String help) {
        return new Setting(key, Kind.LIST, "", 0, 0, List.of(), help);
    }

    /** The option: the key without its section. A switch of the mail's is an option without a value, and its opposite {@code --no-}. */
    public String option() {
        return "--" + key.replaceFirst("^(agent|mail)\\.", "").replace('.', '-');
    }

    /**
     * Checks a value.
     *
     * @return what is allowed, if it is not; else empty
     */
    String refusal(String value) {
        return switch (kind) {
            case TEXT, PATH, LIST -> value.isBlank() ? "must not be empty" : "";
            case CHOICE, SWITCH ->
                choices.contains(value.toLowerCase(Locale.ROOT)) ? "" : "must be " + String.join(" or ", choices);
            case NUMBER -> within(Quantity.number(value), least + " to " + most);
            case SIZE ->
                within(Quantity.bytes(value), "a size such as 64 KiB, from " + least + " to " + most + " bytes");
            case TIME ->
                within(
                        Quantity.millis(value),
                        "a time such as 500 ms, 10 s, 5 min, from " + least + " to " + most + " ms");
        };
    }

    private String within(long number, String allowed) {
        return number >= least && number <= most ? "" : "must be " + allowed;
    }
}
