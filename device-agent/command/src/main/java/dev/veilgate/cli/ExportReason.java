package dev.veilgate.cli;

import dev.veilgate.client.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A reason why an export is not all that was asked for. An export without a reason is complete, of what was asked.
 *
 * @param code  what is missing; later versions of the console have codes that are not known here
 * @param names what it concerns
 * @param more  how many there are beside these
 */
record ExportReason(String code, List<String> names, long more) {
    static final String STOPPED = "stopped";
    static final String LIMITED = "limited";
    static final String FAILED = "failed";
    static final String ENVELOPES_NOT_SEEN = "envelopes-not-seen";
    static final String UNREADABLE = "unreadable";
    static final String NOT_CHECKED = "not-checked";
    static final String LEFT_OUT = "left-out";
    static final String DELETED = "deleted";
    static final String OLDER_EPOCHS_NOT_ASKED = "older-epochs-not-asked";
    static final String TARGETS_NOT_ASKED = "targets-not-asked";
    static final String HITS_HIDDEN = "hits-hidden";

    static List<ExportReason> of(List<JsonObject> listed) throws IOException {
        List<ExportReason> reasons = new ArrayList<>();
        for (JsonObject reason : listed) {
            reasons.add(new ExportReason(reason.text("code"), reason.texts("names"), reason.number("more")));
        }
        return reasons;
    }

    /**
     * Name of an export by how complete it is.
     *
     * @param epochs names of those that were asked
     */
    static String headline(List<ExportReason> reasons, List<String> epochs) {
        if (reasons.isEmpty()) {
            return "complete, of what was asked";
        }
        if (reasons.size() == 1 && reasons.getFirst().code.equals(OLDER_EPOCHS_NOT_ASKED)) {
            return "complete of " + String.join(", ", epochs) + " alone; older epochs were not asked: "
                    + reasons.getFirst().count();
        }
        return "partial";
    }

    private long count() {
        return names.size() + more;
    }

    /** For people, on one line. */
    String described() {
        return switch (code) {
            case STOPPED -> "stopped: the search was ended by who ran it";
            case LIMITED -> "limited: the search ended at its limit of rows";
            case FAILED -> "failed: " + orElse("the search broke off");
            case ENVELOPES_NOT_SEEN -> "envelopes-not-seen: " + count() + " were not looked at";
            case "index-keys-not-reached" -> "index-keys-not-reached: not searched: " + all();
            case UNREADABLE -> "unreadable: " + count() + " found could not be read";
            case NOT_CHECKED -> "not-checked: mails whose attachments take too long to be read: " + all();
            case LEFT_OUT -> "left-out: " + count() + " rows are in left-out.jsonl alone";
            case DELETED -> "deleted: " + count() + " rows the gateway did not have any more";
            case OLDER_EPOCHS_NOT_ASKED -> OLDER_EPOCHS_NOT_ASKED + ": the search names no beginning: " + all();
            case TARGETS_NOT_ASKED -> "targets-not-asked: the gateway has more in these scopes and times: " + all();
            case HITS_HIDDEN -> HITS_HIDDEN + ": the gateway did not find what matches: " + all();
            default -> "unknown reason " + code + ": " + all();
        };
    }

    private String orElse(String text) {
        return names.isEmpty() ? text : all();
    }

    private String all() {
        if (names.isEmpty()) {
            return String.valueOf(more);
        }
        String listed = String.join(", ", names);
        return more == 0 ? listed : listed + " and " + more + " more";
    }
}
