package dev.veilgate.cli;

import dev.veilgate.client.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** How an export's search was understood, and where it was asked, in lines for people. */
final class ExportAsked {
    private ExportAsked() {}

    /** How the query was understood. */
    static List<String> reading(JsonObject asked) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("understood as " + asked.text("reading"));
        asked.texts("notes").forEach(note -> lines.add("  " + note));
        asked.texts("warnings").forEach(warning -> lines.add("  perhaps a mistake: " + warning));
        return lines;
    }

    /** Names the beginning of a search without a time: nothing before the epochs that were asked was looked at. */
    static String beginning(JsonObject asked) throws IOException {
        List<String> epochs = asked.texts("epochs");
        return epochs.isEmpty() ? "no epoch on" : "the beginning of " + epochs.getFirst();
    }

    /** Which epochs were asked, and how many before them were not. */
    static String epochs(JsonObject asked) throws IOException {
        List<String> epochs = asked.texts("epochs");
        if (epochs.isEmpty()) {
            return "asked of no epoch: the search ended before the gateway was asked";
        }
        long earlier = asked.number("earlierEpochs");
        String others = earlier == 0 ? "there were none before" : "earlier ones were not asked: " + earlier;
        return "asked of " + String.join(", ", epochs) + "; " + others;
    }

    /** Under which index keys it was asked, and what else the gateway has; from version 4 on. */
    static List<String> places(JsonObject asked) throws IOException {
        List<String> lines = new ArrayList<>();
        for (JsonObject key : asked.list("indexKeys")) {
            lines.add("  under the index key " + key.text("key") + " of " + key.text("scheme") + ": "
                    + String.join(", ", key.texts("epochs")));
        }
        String range = " of scope " + String.join(", ", asked.texts("scopes")) + " and these times";
        if (!asked.fields().containsKey("notAsked")) {
            lines.add("the gateway does not tell what else it has" + range);
            return lines;
        }
        JsonObject notAsked = asked.object("notAsked");
        List<JsonObject> targets = notAsked.list("targets");
        long count = targets.size() + notAsked.number("more");
        lines.add(
                count == 0
                        ? "the gateway has nothing else" + range
                        : "the gateway has more" + range + ", which was not asked: " + count);
        for (JsonObject target : targets) {
            lines.add("  " + target.text("scope") + " in " + target.text("epoch") + " under the index key "
                    + target.text("key") + " of " + target.text("scheme"));
        }
        if (notAsked.number("more") > 0) {
            lines.add("  and " + notAsked.number("more") + " more");
        }
        return lines;
    }
}
