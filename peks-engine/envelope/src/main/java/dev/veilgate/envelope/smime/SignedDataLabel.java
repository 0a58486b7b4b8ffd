package dev.veilgate.envelope.smime;

import dev.veilgate.envelope.smime.ClearHeader.Parameter;
import dev.veilgate.envelope.smime.MailHeader.Field;
import java.util.regex.Pattern;

/**
 * A header field of SignedData without the two labels by which programs show an attachment instead of what was signed:
 * a {@code smime-type} of another structure becomes {@code signed-data}, and a file name's ending {@code .p7c} or
 * {@code .p7z} becomes {@code .p7m}. All else stays, byte for byte, since names are found by and are evidence.
 */
final class SignedDataLabel {
    private static final String SIGNED_DATA = "signed-data";
    private static final Pattern TYPE_NAME = Pattern.compile("smime-type(?:\\*.*)?");
    private static final Pattern OF_TYPE = Pattern.compile("name\\*?");
    private static final Pattern OF_DISPOSITION = Pattern.compile("filename\\*?");
    private static final Pattern OTHER_ENDING = Pattern.compile("(?is).*(?:\\.|%2e)p7[cz]");

    private SignedDataLabel() {}

    /** The field, the same one if it is of another name or has no such label. */
    static Field of(Field field) {
        return switch (field.name()) {
            case "content-type" -> relabeled(field, OF_TYPE, true);
            case "content-disposition" -> relabeled(field, OF_DISPOSITION, false);
            default -> field;
        };
    }

    private static Field relabeled(Field field, Pattern nameOfFile, boolean isType) {
        Places places = Places.of(field);
        String raw = field.raw();
        StringBuilder out = new StringBuilder(raw.length());
        int copied = 0;
        for (Parameter each : ClearHeader.parameters(places.value)) {
            if (isType && TYPE_NAME.matcher(each.name()).matches()) {
                if (!each.name().equals("smime-type") || !each.text().equalsIgnoreCase(SIGNED_DATA)) {
                    out.append(raw, copied, places.inRaw[each.from()]).append("smime-type=" + SIGNED_DATA);
                    copied = places.inRaw[each.end() - 1] + 1;
                }
            } else if (nameOfFile.matcher(each.name()).matches()
                    && OTHER_ENDING.matcher(each.text()).matches()) {
                int last = places.inRaw[lastOf(places.value, each)];
                out.append(raw, copied, last).append(raw.charAt(last) < 'a' ? 'M' : 'm');
                copied = last + 1;
            }
        }
        return copied == 0
                ? field
                : new Field(field.name(), out.append(raw.substring(copied)).toString());
    }

    /** Place in the value of the last character of the text of a parameter that is not empty. */
    private static int lastOf(String value, Parameter parameter) {
        int last = parameter.end() - 1;
        while ("\" \t".indexOf(value.charAt(last)) >= 0) {
            last--;
        }
        return last;
    }

    /** A value on one line, and where in the folded lines each of its characters stands. */
    private static final class Places {
        private final String value;
        private final int[] inRaw;

        private Places(String value, int[] inRaw) {
            this.value = value;
            this.inRaw = inRaw;
        }

        static Places of(Field field) {
            String raw = field.raw();
            StringBuilder value = new StringBuilder(raw.length());
            int[] inRaw = new int[raw.length()];
            for (int at = raw.indexOf(':') + 1; at < raw.length(); at++) {
                if (raw.startsWith("\r\n", at)) {
                    at++;
                } else {
                    inRaw[value.length()] = at;
                    value.append(raw.charAt(at));
                }
            }
            return new Places(value.toString(), inRaw);
        }
    }
}
