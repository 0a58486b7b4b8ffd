package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.BlobName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Segments in whose place one is put. What died in them since dies in the new one, by its number; if one of them is
 * gone from the newest state, nothing is done.
 */
@Secret
final class Merge implements ManifestChain.Change {
    private final List<Manifest.LiveSegment> inputs;
    private final List<DeadSet> dead;
    private final int[][] newNumbers;
    private final @Nullable SegmentEntry result;
    private final OpenSegments open;
    private final OpenSegments into;
    private boolean made;

    /**
     * A merge that is to be put into a state.
     *
     * @param dead       of each input, when it was merged
     * @param newNumbers by input and old number; -1 for what was dead
     * @param result     null if nothing lived
     * @param open       of the inputs
     * @param into       of the result
     */
    Merge(
            List<Manifest.LiveSegment> inputs,
            List<DeadSet> dead,
            int[][] newNumbers,
            @Nullable SegmentEntry result,
            OpenSegments open,
            OpenSegments into) {
        this.inputs = inputs;
        this.dead = dead;
        this.newNumbers = newNumbers;
        this.result = result;
        this.open = open;
        this.into = into;
    }

    /** Whether it was put there. */
    boolean made() {
        return made;
    }

    @Override
    public @Nullable Manifest apply(Manifest base) throws IOException {
        made = fits(base);
        if (!made) {
            return null;
        }
        List<BlobName> names =
                inputs.stream().map(input -> input.entry().name()).toList();
        int[] dying = new int[0];
        for (int i = 0; i < inputs.size(); i++) {
            dying = joined(dying, died(base.segment(names.get(i)).orElseThrow(), newNumbers[i]));
        }
        if (result != null && base.segment(result.name()).isPresent()) {
            made = false; // its inputs were added and merged once more, by a cloned machine
            return null;
        }
        List<Manifest.LiveSegment> after = new ArrayList<>();
        boolean put = false;
        for (Manifest.LiveSegment segment : base.segments()) {
            if (!names.contains(segment.entry().name())) {
                after.add(segment);
            } else if (!put && result != null) {
                put = true;
                after.addAll(into.bury(List.of(new Manifest.LiveSegment(result, null)), Map.of(result.name(), dying)));
            }
        }
        return new Manifest(after);
    }

    /** Tells if a state has the inputs: none was merged by another, or is alive again in a state that was accepted. */
    boolean fits(Manifest base) throws IOException {
        for (int i = 0; i < inputs.size(); i++) {
            Optional<Manifest.LiveSegment> now =
                    base.segment(inputs.get(i).entry().name());
            if (now.isEmpty() || !open.dead(now.get()).containsAll(dead.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** New numbers of what is dead now and was not when the result was made. */
    private int[] died(Manifest.LiveSegment now, int[] numbers) throws IOException {
        DeadSet all = open.dead(now);
        int[] died = new int[all.size()];
        int count = 0;
        for (int number = 0; number < numbers.length; number++) {
            if (numbers[number] >= 0 && all.contains(number)) {
                died[count++] = numbers[number];
            }
        }
        return Arrays.copyOf(died, count);
    }

    private static int[] joined(int[] one, int[] other) {
        int[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }
}
