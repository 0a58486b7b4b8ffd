package dev.veilgate.archive.source;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** Tells a mail by its first lines, where no name of a file does. */
final class MailHead {
    private static final Pattern FIELD = Pattern.compile("[!-9;-~]+[ \\t]*:.*");
    private static final Pattern OF_MAILS =
            Pattern.compile("(?i)(from|date|message-id|received|return-path)[ \\t]*:.*");

    private MailHead() {}

    /** Tells a mail by its first lines: all are fields, and at least two of them such as mails have. */
    static boolean isMail(byte[] head) {
        List<String> lines =
                new String(head, StandardCharsets.ISO_8859_1).lines().toList();
        int ofMails = 0;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.isEmpty()) {
                return ofMails >= 2;
            }
            boolean goesOn = i > 0 && (line.startsWith(" ") || line.startsWith("\t"));
            boolean cut = i == lines.size() - 1;
            if (!goesOn && !cut && !FIELD.matcher(line).matches()) {
                return false;
            }
            ofMails += OF_MAILS.matcher(line).matches() ? 1 : 0;
        }
        return ofMails >= 2;
    }
}
