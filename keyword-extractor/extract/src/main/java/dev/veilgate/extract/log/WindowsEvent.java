package dev.veilgate.extract.log;

import dev.veilgate.extract.KeywordText;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Events of Windows: levels count otherwise than syslog's, and the identifiers of common events of security have a
 * meaning. Also reads the XML of an event, by a scanner that knows no entities but the five of XML and no documents
 * elsewhere.
 */
final class WindowsEvent {
    /**
     * Meaning of an event of the security log.
     *
     * @param action  as ECS names it
     * @param outcome {@code success} or {@code failure}
     * @param words   by which somebody searches such an event
     */
    record Meaning(String action, String outcome, String words) {}

    private static final Map<String, Meaning> MEANINGS = Map.ofEntries(
            of(1102, "audit-log-cleared", "success", "audit log cleared"),
            of(4624, "logged-in", "success", "successful logon login"),
            of(4625, "logon-failed", "failure", "failed logon login"),
            of(4634, "logged-out", "success", "logoff logout"),
            of(4647, "logged-out", "success", "logoff logout"),
            of(4648, "logged-in-explicit", "success", "logon login explicit credentials"),
            of(4672, "logged-in-special", "success", "special privileges logon login"),
            of(4688, "created-process", "success", "process created"),
            of(4689, "exited-process", "success", "process exited"),
            of(4697, "service-installed", "success", "service installed"),
            of(7045, "service-installed", "success", "service installed"),
            of(4698, "scheduled-task-created", "success", "scheduled task created"),
            of(4699, "scheduled-task-deleted", "success", "scheduled task deleted"),
            of(4720, "added-user-account", "success", "user account created"),
            of(4722, "enabled-user-account", "success", "user account enabled"),
            of(4723, "changed-password", "success", "password change"),
            of(4724, "reset-password", "success", "password reset"),
            of(4725, "disabled-user-account", "success", "user account disabled"),
            of(4726, "deleted-user-account", "success", "user account deleted"),
            of(4728, "added-member-to-group", "success", "member added group"),
            of(4732, "added-member-to-group", "success", "member added group"),
            of(4740, "locked-out-user-account", "failure", "account locked out"),
            of(4767, "unlocked-user-account", "success", "account unlocked"),
            of(4768, "kerberos-authentication-ticket-requested", "success", "kerberos ticket"),
            of(4771, "kerberos-preauth-failed", "failure", "failed kerberos logon login"),
            of(4776, "credential-validated", "success", "credential validated"));

    private static final int MOST_ELEMENTS = 256;
    private static final int LONGEST_NAME = 64;

    private WindowsEvent() {}

    private static Map.Entry<String, Meaning> of(int id, String action, String outcome, String words) {
        return Map.entry(Integer.toString(id), new Meaning(action, outcome, words));
    }

    /** The meaning of an event; null if it has none that is well known. */
    static @Nullable Meaning meaning(String id) {
        return MEANINGS.get(id);
    }

    /** The common name of a level of 1 to 5, as Windows counts; null for others: 0 is any event. */
    static @Nullable String level(String number) {
        return switch (number) {
            case "1" -> "critical";
            case "2" -> "error";
            case "3" -> "warn";
            case "4" -> "info";
            case "5" -> "trace";
            default -> null;
        };
    }

    /** The outcome that an event's keywords tell, by name or as a number of 64 bits; null if they tell none. */
    static @Nullable String outcome(String keywords) {
        return switch (KeywordText.fold(keywords).strip()) {
            case "audit failure", "auditfailure", "0x8010000000000000", "-9218868437227405312" -> "failure";
            case "audit success", "auditsuccess", "0x8020000000000000", "-9214364837600034816" -> "success";
            default -> null;
        };
    }

    /** Takes what an event in XML has; text without its entities. */
    interface Visitor {
        /**
         * A value.
         *
         * @param name of the element, of {@code Data} elements their name, of attributes the element's, a point, theirs
         */
        void value(String name, String value);
    }

    /** Visits the elements of {@code <Event xmlns=...>}; whether there was one. One pass. */
    static boolean visit(String xml, Visitor visitor) {
        int at = xml.indexOf('<');
        int elements = 0;
        while (at >= 0 && elements < MOST_ELEMENTS) {
            int close = xml.indexOf('>', at);
            if (close < 0) {
                break;
            }
            int name = at + 1;
            boolean isOpen = name < close && Character.isLetter(xml.charAt(name));
            int next = xml.indexOf('<', close);
            if (isOpen) {
                int nameEnd = nameEnd(xml, name, close);
                String element = xml.substring(name, nameEnd);
                String own = attributes(xml, nameEnd, close, element, visitor);
                String text = next < 0 ? xml.substring(close + 1) : xml.substring(close + 1, next);
                boolean isEmpty = xml.charAt(close - 1) == '/' || text.isBlank();
                if (!isEmpty && element.length() <= LONGEST_NAME) {
                    visitor.value(element.equals("Data") && !own.isEmpty() ? own : element, decoded(text));
                }
                elements++;
            }
            at = next;
        }
        return elements > 1;
    }

    private static int nameEnd(String xml, int from, int to) {
        int end = from;
        while (end < to && !Character.isWhitespace(xml.charAt(end)) && "=/>".indexOf(xml.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    /** Visits attributes, but for namespaces and the name of an element of data, which is the answer. */
    private static String attributes(String xml, int from, int to, String element, Visitor visitor) {
        String own = "";
        int at = from;
        while (at < to) {
            int name = at;
            while (name < to && Character.isWhitespace(xml.charAt(name))) {
                name++;
            }
            int nameEnd = nameEnd(xml, name, to);
            int quote = nameEnd + 1;
            boolean isQuoted = quote < to && xml.charAt(nameEnd) == '=' && "\"'".indexOf(xml.charAt(quote)) >= 0;
            int end = isQuoted ? xml.indexOf(xml.charAt(quote), quote + 1, to) : -1;
            if (nameEnd == name || end < 0) {
                return own;
            }
            String key = xml.substring(name, nameEnd);
            String value = decoded(xml.substring(quote + 1, end));
            if (element.equals("Data") && key.equals("Name")) {
                own = value;
            } else if (!key.startsWith("xmlns") && !value.isEmpty()) {
                visitor.value(element + '.' + key, value);
            }
            at = end + 1;
        }
        return own;
    }

    private static String decoded(String text) {
        return text.indexOf('&') < 0
                ? text
                : text.replace("&lt;", "<")
                        .replace("&gt;", ">")
                        .replace("&quot;", "\"")
                        .replace("&apos;", "'")
                        .replace("&amp;", "&");
    }
}
