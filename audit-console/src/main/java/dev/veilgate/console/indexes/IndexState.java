package dev.veilgate.console.indexes;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;

/**
 * Whether the index of an opened record is complete, as the interface has it.
 *
 * @param reasons      why something was not checked or is excused; of some findings, what they are
 * @param lacking      keywords that the record has by its rules and that its index does not find it by
 * @param contradicted keywords of which the secret key and a trapdoor that was issued say different things
 * @param malformed    blocks that are not made as their scheme says
 * @param unasked      keywords that were not asked for
 * @param keywords     those that are lacking or contradicted, a field, a colon and a value each; of very many the first
 */
public record IndexState(
        Outcome outcome,
        List<Reason> reasons,
        int lacking,
        int contradicted,
        int malformed,
        int unasked,
        List<String> keywords) {
    static IndexState of(Outcome outcome, Reason why) {
        return new IndexState(outcome, List.of(why), 0, 0, 0, 0, List.of());
    }

    static IndexState notChecked(Reason why) {
        return of(Outcome.NOT_CHECKED, why);
    }

    /** Tells if keywords of the record are lacking in its index, or the index is not what it says. */
    @JsonIgnore
    public boolean isFinding() {
        return outcome == Outcome.LACKING;
    }

    @Override
    public String toString() {
        return "IndexState[" + outcome + ", hidden]";
    }
}
