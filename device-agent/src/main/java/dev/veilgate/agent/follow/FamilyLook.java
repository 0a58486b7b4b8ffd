package dev.veilgate.agent.follow;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * One look at the names of a family, and the files behind them. A rotation that renames meanwhile makes the look void, since a file that was not
 * seen may belong before one that was: it is then tried again. The last try goes without what cannot be opened.
 */
final class FamilyLook {
    private static final int MAX_TRIES = 6;

    /** What is done with a look; without effect if it throws. */
    interface Attempt<T> {
        T with(FamilyLook look) throws IOException;
    }

    private final FileFamily.Snapshot there;
    private final PathFollower.Shared shared;
    private final boolean last;

    private FamilyLook(FileFamily.Snapshot there, PathFollower.Shared shared, boolean last) {
        this.there = there;
        this.shared = shared;
        this.last = last;
    }

    /** @throws CutException at once: that does not pass */
    static <T> T settled(FileFamily family, PathFollower.Shared shared, Attempt<T> attempt) throws IOException {
        for (int i = 1; i < MAX_TRIES; i++) {
            try {
                return attempt.with(new FamilyLook(family.look(), shared, false));
            } catch (CutException e) {
                throw e;
            } catch (IOException e) {
                // renamed or deleted since the look, or not ours to read
            }
        }
        return attempt.with(new FamilyLook(family.look(), shared, true));
    }

    FileFamily.Snapshot there() {
        return there;
    }

    boolean isKnown(FileFamily.Member member) throws IOException {
        try {
            return shared.known().isKnown(member.path(), member.status());
        } catch (IOException e) {
            return orOnTheLast(e, true);
        }
    }

    boolean isCopy(FileFamily.Member member, FollowedFile of) throws IOException {
        try {
            return of.looksLike(member.path(), member.status());
        } catch (CutException e) {
            throw e;
        } catch (IOException e) {
            return orOnTheLast(e, true);
        }
    }

    /** @return null if it is not the file of the position, or, on the last try, cannot be opened */
    @Nullable
    FollowedFile open(FileFamily.Member member, FilePosition at) throws IOException {
        try {
            return FollowedFile.open(member.path(), shared.lane(), at);
        } catch (IOException e) {
            orOnTheLast(e, true);
            return null;
        }
    }

    private boolean orOnTheLast(IOException e, boolean answer) throws IOException {
        if (!last) {
            throw e;
        }
        return answer;
    }
}
