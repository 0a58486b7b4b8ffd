package dev.veilgate.cli;

import dev.veilgate.client.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Places in which a manifest contradicts itself: its counts give a reason why the export is not all that was asked for,
 * and its list of reasons does not have it, so that it would be called complete. From version 4 on.
 */
final class ExportContradictions {
    private final JsonObject fields;
    private final JsonObject search;
    private final JsonObject asked;
    private final List<String> codes;
    private final List<String> found = new ArrayList<>();

    private ExportContradictions(JsonObject fields) throws IOException {
        this.fields = fields;
        this.search = fields.object("search");
        this.asked = fields.object("asked");
        this.codes = ExportReason.of(fields.list("incomplete")).stream()
                .map(ExportReason::code)
                .toList();
    }

    /** For people, a line each. */
    static List<String> of(JsonObject fields) throws IOException {
        ExportContradictions of = new ExportContradictions(fields);
        of.findOfEnd();
        of.findOfRows();
        of.findOfPlaces();
        of.findOfRecheck();
        return List.copyOf(of.found);
    }

    private void require(boolean isSo, String what, String... anyOf) {
        if (isSo && List.of(anyOf).stream().noneMatch(codes::contains)) {
            found.add("says that " + what + ", and not " + String.join(" or ", anyOf));
        }
    }

    private void findOfEnd() throws IOException {
        String state = search.text("state");
        switch (state) {
            case "complete" -> {}
            case ExportReason.STOPPED, ExportReason.LIMITED -> require(true, "the search is " + state, state);
            default -> require(true, "the search is " + state, ExportReason.FAILED);
        }
        long unseen = search.number("envelopes") - search.number("envelopesDone");
        require(unseen > 0, unseen + " envelopes were not seen", ExportReason.ENVELOPES_NOT_SEEN);
    }

    private void findOfRows() throws IOException {
        long unreadable = search.number("unreadable");
        require(unreadable > 0, unreadable + " could not be read", ExportReason.UNREADABLE);
        long unchecked = search.fields().containsKey("unchecked") ? search.number("unchecked") : 0;
        require(unchecked > 0, unchecked + " mails were not checked", ExportReason.NOT_CHECKED);
        long others = fields.number("rows") - fields.number("exported");
        require(others > 0, others + " rows are not exported", ExportReason.LEFT_OUT, ExportReason.DELETED);
        if (others < 0) {
            found.add("says that more rows are exported than there are");
        }
    }

    private void findOfRecheck() throws IOException {
        long caught = fields.fields().containsKey("recheck")
                ? fields.object("recheck").number("caught")
                : 0;
        require(caught > 0, caught + " hits were hidden", ExportReason.HITS_HIDDEN);
    }

    private void findOfPlaces() throws IOException {
        boolean hasBeginning = search.optionalText("from").isPresent();
        long earlier = asked.number("earlierEpochs");
        require(
                !hasBeginning && earlier > 0,
                earlier + " earlier epochs were not asked",
                ExportReason.OLDER_EPOCHS_NOT_ASKED);
        if (asked.fields().containsKey("notAsked")) {
            JsonObject notAsked = asked.object("notAsked");
            boolean isMore = !notAsked.list("targets").isEmpty() || notAsked.number("more") > 0;
            String what = "the gateway has what was not asked";
            if (hasBeginning) {
                require(isMore, what, ExportReason.TARGETS_NOT_ASKED);
            } else {
                require(isMore, what, ExportReason.TARGETS_NOT_ASKED, ExportReason.OLDER_EPOCHS_NOT_ASKED);
            }
        }
    }
}
