package dev.veilgate.extract.mail;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.KeywordQuery;
import dev.veilgate.extract.KeywordText;
import dev.veilgate.extract.KnownFields;
import dev.veilgate.peks.Keyword;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The fields that mails have, and no others: what mail programs write for something else is refused, with what may be written in its place. */
final class MailFields implements KeywordQuery.Fields {
    /** Beside the fields of headers, what words of any text are. */
    private static final Set<String> OF_TEXT = Set.of("word", "number", "prefix", "ip", "ip-prefix", "path");

    private static final Map<String, String> MEANT = new HashMap<>();
    private static final Map<String, String> WHY_NOT = new HashMap<>();
    private static final Pattern DAY = Pattern.compile("([0-9]{4})[-/.]([0-9]{1,2})(?:[-/.]([0-9]{1,2}))?");
    private static final Pattern WITH_POINTS = Pattern.compile("([0-9]{1,2})\\.([0-9]{1,2})\\.([0-9]{4})");
    private static final Set<String> PEOPLE = Set.of("from", "to", "cc");
    private static final Pattern ENDING = Pattern.compile("\\.?([A-Za-z0-9]{1,5})");
    private static final Set<String> COMMON_ENDINGS = Set.of(
            "pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "odt", "ods", "odp", "txt", "csv", "rtf", "zip", "rar",
            "7z", "gz", "tar", "png", "jpg", "jpeg", "gif", "svg", "webp", "tif", "tiff", "bmp", "html", "htm", "xml",
            "json", "eml", "ics", "vcf", "mp3", "mp4", "wav", "avi", "mov", "exe", "msi", "iso", "js", "vbs", "bat",
            "ps1");
    private static final String TEXT = "";

    static {
        meant("from", "sender author f von de");
        meant("to", "recipient recipients deliveredto delivered-to rcpt rcptto t an");
        meant("cc", "c");
        meant("subject", "s subj title betreff sujet");
        meant("message-id", "rfc822msgid messageid msgid message_id");
        meant("in-reply-to", "inreplyto references");
        meant("list-id", "list listid mailinglist mailing-list");
        meant("filename", "attachment attachments attachmentname attachmentnames attachment-name file name");
        meant("attachment-type", "type mimetype mime-type contenttype content-type attachmenttype filetype");
        meant("date", "on day sent received");
        meant(TEXT, "mailto body text content contents message msg all any words about");
        String mark =
                "asks for a folder or a mark, which a mail program keeps to itself: whose mail is searched is chosen beside the query";
        whyNot(
                mark,
                "in is label labels category folder tag flag read unread mailbox x-gm-labels keyword starred importance");
        String time =
                "asks for a span of time, which is chosen beside the query; a day or a month is date:2026-11-21 or date:2026-11";
        whyNot(time, "before after older newer older_than newer_than since until time received-after received-before");
        String any =
                "asks whether there is an attachment, for which there is no keyword: write its ending or its type, filename:*.pdf or attachment-type:application/pdf";
        whyNot(any, "has hasattachment hasattachments has-attachment");
        whyNot("asks for a size, for which there is no keyword", "size larger smaller larger_than smaller_than");
        whyNot("asks for hidden recipients, whom no mail names", "bcc");
        String both = "asks for one of several fields; with OR: from:alice@example.org OR to:alice@example.org";
        whyNot(both, "participants involves with people correspondent address email");
    }

    private final ExtractorProfile profile;

    MailFields(ExtractorProfile profile) {
        this.profile = profile;
    }

    private static void meant(String field, String names) {
        for (String name : names.split(" ")) {
            MEANT.put(name, field);
        }
    }

    private static void whyNot(String why, String names) {
        for (String name : names.split(" ")) {
            WHY_NOT.put(name, why);
        }
    }

    @Override
    public Optional<List<List<Keyword>>> keywords(String field, String value) {
        return MailQuery.ofField(field, value, profile);
    }

    @Override
    public Optional<KeywordQuery.Refusal> refusal(String name, String value) {
        String field = KeywordText.field(name);
        Matcher ending = ENDING.matcher(value);
        if (field.equals("filename") && ending.matches() && isEnding(value)) {
            return Optional.of(new KeywordQuery.Refusal(
                    "asks for the ending of a file's name, which is written with a star; a whole name in quotes",
                    List.of(name + ":*." + ending.group(1), name + ":\"" + value + '"')));
        }
        String bare = value.replaceAll("^\"|\"$", "");
        if (field.equals("date") && !bare.matches("[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?")) {
            return Optional.of(new KeywordQuery.Refusal(
                    "has a date in another form than 2026-11-21 or 2026-11, a day or a month; a span of time is chosen beside the query",
                    date(bare).map(day -> List.of("date:" + day)).orElse(List.of())));
        }
        if (PEOPLE.contains(field) && KeywordText.fold(value).equals("me")) {
            return Optional.of(new KeywordQuery.Refusal(
                    "has \"me\" where an address or a name is needed: whose mail is searched is chosen beside the query",
                    List.of(name + ":\"me\"")));
        }
        if (isKnown(field)) {
            return Optional.empty();
        }
        String why = WHY_NOT.get(field);
        if (why != null) {
            return Optional.of(new KeywordQuery.Refusal(why, List.of()));
        }
        return Optional.of(new KeywordQuery.Refusal(
                "has a field that mails do not have; theirs are " + String.join(", ", KnownFields.OF_MAILS),
                instead(field, name, value)));
    }

    private static boolean isKnown(String field) {
        return KnownFields.OF_MAILS.contains(field) || OF_TEXT.contains(field) || field.startsWith("stem.");
    }

    /** A file may have a name without an ending, but hardly one of these. */
    private static boolean isEnding(String value) {
        return value.startsWith(".") || COMMON_ENDINGS.contains(KeywordText.fold(value));
    }

    private static List<String> instead(String field, String name, String value) {
        List<String> instead = new ArrayList<>();
        String meant = MEANT.get(field);
        if (TEXT.equals(meant)) {
            instead.add(value);
        } else if ("date".equals(meant)) {
            date(value).ifPresent(day -> instead.add("date:" + day));
        } else if (meant != null) {
            instead.add(meant + ":" + value);
        } else {
            KnownFields.nearestOfMails(field).ifPresent(near -> instead.add(near + ":" + value));
            instead.add('"'
                    + (name + ":" + value.replaceAll("^\"|\"$", ""))
                            .replace("\\", "\\\\")
                            .replace("\"", "\\\"")
                    + '"');
        }
        return instead;
    }

    /** Year first, or, with points, day first. */
    private static Optional<String> date(String text) {
        Matcher day = DAY.matcher(text);
        if (day.matches()) {
            return Optional.of(day(day));
        }
        Matcher points = WITH_POINTS.matcher(text);
        return points.matches()
                ? Optional.of(points.group(3) + "-" + twoDigits(points.group(2)) + "-" + twoDigits(points.group(1)))
                : Optional.empty();
    }

    private static String day(Matcher day) {
        String month = day.group(1) + "-" + twoDigits(day.group(2));
        return day.group(3) == null ? month : month + "-" + twoDigits(day.group(3));
    }

    private static String twoDigits(String number) {
        return number.length() == 1 ? "0" + number : number;
    }
}
