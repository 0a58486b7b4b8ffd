package dev.veilgate.cli;

import dev.veilgate.client.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How random envelopes in which a search found nothing were tested again, in lines for people. */
final class ExportRecheck {
    private ExportRecheck() {}

    /** A line for the recheck, and one for each number that was not tested. */
    static List<String> of(JsonObject recheck) throws IOException {
        List<String> lines = new ArrayList<>();
        String state = recheck.text("state");
        String reason = recheck.optionalText("reason").map(why -> ": " + why).orElse("");
        if (state.equals("off") || state.equals("waiting")) {
            lines.add("what was not found was not tested again" + (state.equals("off") ? reason : ": not yet"));
            return lines;
        }
        lines.add("tested again, of signed envelopes in which nothing was found: " + recheck.number("tested") + " of "
                + recheck.number("numbers") + (state.equals("done") ? "" : ", " + state) + reason);
        long caught = recheck.number("caught");
        if (caught > 0) {
            lines.add("  of these match, and THE GATEWAY DID NOT FIND THEM: " + caught);
        }
        for (JsonObject odds : recheck.list("odds")) {
            long hidden = odds.number("hidden");
            lines.add("  had it hidden " + hidden + (hidden == 1 ? " envelope" : " envelopes")
                    + ", one would have been asked for with a probability of " + percent(odds));
        }
        for (JsonObject one : recheck.list("notTested")) {
            lines.add("  asked for and not tested: " + one.number("number") + " of " + one.text("sender") + ", "
                    + one.text("reason"));
        }
        if (recheck.number("moreNotTested") > 0) {
            lines.add("  asked for and not tested: " + recheck.number("moreNotTested") + " more");
        }
        List<String> unchecked = recheck.texts("unchecked");
        if (!unchecked.isEmpty()) {
            long more = recheck.number("moreUnchecked");
            lines.add("  nothing was tested of " + String.join(", ", unchecked)
                    + (more > 0 ? " and " + more + " more" : ""));
        }
        return lines;
    }

    private static String percent(JsonObject odds) throws IOException {
        if (odds.fields().get("probability") instanceof Number probability) {
            return String.format(Locale.ROOT, "%.4f %%", Math.floor(probability.doubleValue() * 1e6) / 1e4);
        }
        throw new IOException("probability must be a number");
    }
}
