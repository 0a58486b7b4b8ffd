package dev.veilgate.agent.follow;

import dev.veilgate.agent.paths.FileNames;
import dev.veilgate.agent.paths.RefusedFileException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One look at the names of a family, and the files behind them: which are new, which is the one of a position. A
 * rotation that renames meanwhile makes the look void, since a file that was not
 * seen may belong before one that was: it is then tried again. The last try goes without what cannot be opened.
 */
final class FamilyLook {
    private static final int MAX_TRIES = 6;
    /**
     * Less than this, such as the names of columns or what a program says when it starts, is the beginning of many a
     * new file.
     */
    static final int LEAST_REPLACED_BYTES = 512;

    /** What is done with a look; without effect if it throws. */
    interface Attempt<T> {
        T with(FamilyLook look) throws IOException, InterruptedException;
    }

    private final FileFamily family;
    private final Instant begun;
    private final FileFamily.Snapshot there;
    private final PathFollower.Shared shared;
    private final boolean last;

    private FamilyLook(FileFamily family, PathFollower.Shared shared, boolean last) {
        this.family = family;
        this.begun = Looks.now();
        this.there = family.look();
        this.shared = shared;
        this.last = last;
    }

    /** @throws CutException at once: that does not pass */
    static <T> T settled(FileFamily family, PathFollower.Shared shared, Attempt<T> attempt)
            throws IOException, InterruptedException {
        for (int i = 1; i < MAX_TRIES; i++) {
            try {
                return attempt.with(new FamilyLook(family, shared, false));
            } catch (CutException e) {
                throw e;
            } catch (IOException e) {
                // renamed or deleted since the look, or not ours to read
            }
        }
        return attempt.with(new FamilyLook(family, shared, true));
    }

    /** Another look. */
    FamilyLook again() {
        return new FamilyLook(family, shared, last);
    }

    FileFamily.Snapshot there() {
        return there;
    }

    /** Before the names were looked at. */
    Instant begun() {
        return begun;
    }

    /** The file of a position where it was or where it was moved to; null if it is in neither, or was cut. */
    @Nullable
    FollowedFile find(FilePosition at) throws IOException {
        Optional<FileId.Status> now = there.base();
        if (now.isPresent() && now.get().id().mayBe(at.id())) {
            FollowedFile file = open(
                    new FileFamily.Member(family.base(), now.get(), false),
                    at.in(now.get().id()));
            if (file != null) {
                return file;
            }
        }
        for (FileFamily.Member member : there.members()) {
            FileId id = member.status().id();
            FollowedFile file = id.mayBe(at.id()) && !isKnown(member) ? open(member, at.in(id)) : null;
            if (file != null) {
                return file;
            }
        }
        return null;
    }

    /**
     * The file that an editor or a copy has put in the place of one that is gone: it has the name now, and begins
     * with all that was read of the other.
     */
    @Nullable
    FollowedFile findReplacement(FilePosition at) throws IOException {
        if (there.base().isEmpty()) {
            return null;
        }
        FileFamily.Member base =
                new FileFamily.Member(family.base(), there.base().get(), false);
        return isKnown(base) ? null : openReplacement(base, at);
    }

    private @Nullable FollowedFile openReplacement(FileFamily.Member member, FilePosition at) throws IOException {
        boolean telling = at.offset() >= LEAST_REPLACED_BYTES && !isThere(at.id());
        return telling ? open(member, at.in(member.status().id())) : null;
    }

    /** Whether the log's own name may stand for this file, on whatever device. */
    boolean mayBeBase(FileId id) {
        return there.base().map(base -> base.id().mayBe(id)).orElse(false);
    }

    /** Whether the log's own name, or one to which a rotation moves it, may stand for this file, on whatever device. */
    boolean mayBeThere(FileId id) {
        return mayBeBase(id)
                || there.members().stream()
                        .anyMatch(member -> member.status().id().mayBe(id));
    }

    /** Whether the log's own name, or one to which a rotation moves it, stands for this file. */
    boolean isThere(FileId id) {
        return there.base().map(base -> base.id().equals(id)).orElse(false)
                || there.members().stream()
                        .anyMatch(member -> member.status().id().equals(id));
    }

    /**
     * The copy that was made of the file of a position, at the same place; null if there is none. Only a look that is
     * newer than the cut is sure to show it.
     */
    @Nullable
    FollowedFile findCopy(FilePosition at) throws IOException {
        for (FileFamily.Member member : there.members()) {
            FileId id = member.status().id();
            boolean readFurther = isKnown(member) && !isDoneBefore(at.offset(), id);
            FollowedFile copy = id.equals(at.id()) || readFurther ? null : open(member, at.in(id));
            if (copy != null) {
                return copy;
            }
        }
        return null;
    }

    /**
     * Whether the file with this inode was read to its end before a place in a log: a copy of the log, made since,
     * may have been given the inode of one that is gone.
     */
    private boolean isDoneBefore(long offset, FileId id) {
        FilePosition position = shared.positions().file(id);
        return position != null && position.done() && position.offset() < offset;
    }

    /**
     * What has the name now, at its beginning; null if there is nothing, or it was read under another name.
     *
     * @param unread is followed, and nothing of it was read yet
     * @param gone   where files stood that had the name and are not there any more: what begins with all that was
     *               read of one was put in its place, and goes on there
     */
    @Nullable
    FollowedFile openBase(@Nullable FollowedFile unread, List<FilePosition> gone, RecordSink sink)
            throws IOException, InterruptedException {
        if (there.base().isEmpty()) {
            return null;
        }
        FileFamily.Member member =
                new FileFamily.Member(family.base(), there.base().get(), false);
        FileId id = member.status().id();
        boolean read = isKnown(member) && (unread == null || !unread.id().equals(id));
        for (FilePosition at : read ? List.<FilePosition>of() : gone) {
            FollowedFile file = openReplacement(member, at);
            if (file != null) {
                return file;
            }
        }
        FilePosition from;
        if (read) {
            from = hasGrown(member) ? shared.known().toGoOn(family.base(), member.status()) : null;
        } else {
            from = placeOfNew(member.status(), sink);
        }
        return from == null ? null : open(member, from);
    }

    private @Nullable FilePosition placeOfNew(FileId.Status base, RecordSink sink)
            throws IOException, InterruptedException {
        try {
            return shared.newcomers().begin(family.base(), base, sink);
        } catch (CutException e) {
            throw e;
        } catch (IOException e) {
            if (!last && !(e instanceof RefusedFileException)) {
                throw e;
            }
            return null; // renamed again, or not ours to read: looked at again
        }
    }

    /**
     * All that is new among the members, or none of it.
     *
     * @param base  what has the name: a copy of it is not new, but made before it is cut
     * @param again of which nothing was read yet; new if it is a member
     * @param gone  as in {@link #openBase}
     * @param since what is in other folders and was written last before that was there before, and is not new
     */
    List<FollowedFile> openNew(
            @Nullable FollowedFile base, @Nullable FollowedFile again, List<FilePosition> gone, Instant since)
            throws IOException {
        List<FollowedFile> opened = new ArrayList<>();
        boolean all = false;
        try {
            for (FileFamily.Member member : there.members()) {
                boolean isAgain = again != null && member.status().id().equals(again.id());
                boolean old = member.elsewhere()
                        && member.status().modified().toInstant().isBefore(since)
                        && shared.positions().file(member.status().id()) == null;
                if (old) {
                    continue;
                }
                boolean copy = base != null && isCopy(member, base);
                FilePosition from = isAgain ? startIfAny(member) : whereToRead(member, copy);
                FollowedFile file = from == null ? null : openBehind(member, from, gone);
                if (file != null) {
                    opened.add(file);
                }
            }
            all = true;
            return opened;
        } finally {
            if (!all) {
                opened.forEach(FollowedFile::close);
            }
        }
    }

    /** Behind what is the same in a file that is gone, if it is new. */
    private @Nullable FollowedFile openBehind(FileFamily.Member member, FilePosition from, List<FilePosition> gone)
            throws IOException {
        for (FilePosition at : from.offset() > 0 ? List.<FilePosition>of() : gone) {
            FollowedFile file = openReplacement(member, at);
            if (file != null) {
                return file;
            }
        }
        return open(member, from);
    }

    /**
     * From where on a member is to be read; null if it is not. One that is followed under its own name is read there.
     */
    private @Nullable FilePosition whereToRead(FileFamily.Member member, boolean copy) throws IOException {
        if (shared.hasFollower().test(member.path())) {
            return null;
        }
        if (!isKnown(member)) {
            return copy ? null : startIfAny(member);
        }
        return !copy && hasGrown(member)
                ? shared.positions().file(member.status().id())
                : null;
    }

    private boolean hasGrown(FileFamily.Member member) throws IOException {
        try {
            return shared.known().hasGrown(member.path(), member.status());
        } catch (IOException e) {
            orOnTheLast(e, member);
            return false;
        }
    }

    /** Its beginning; null if it is empty, as a copy that is being made may be. */
    private @Nullable FilePosition startIfAny(FileFamily.Member member) {
        FileId.Status status = member.status();
        return status.size() == 0 ? null : FilePosition.start(FileNames.text(family.base()), status.id());
    }

    private boolean isKnown(FileFamily.Member member) throws IOException {
        try {
            return shared.known().isKnown(member.path(), member.status());
        } catch (IOException e) {
            orOnTheLast(e, member);
            return true;
        }
    }

    private boolean isCopy(FileFamily.Member member, FollowedFile of) throws IOException {
        try {
            boolean copy = of.looksLike(shared.files(), member.path(), member.status());
            if (copy) {
                shared.leftOut().add(member.status(), LeftOut.COPY);
            }
            return copy;
        } catch (CutException e) {
            throw e;
        } catch (IOException e) {
            orOnTheLast(e, member);
            return true;
        }
    }

    /** @return null if it is not the file of the position, or, on the last try, cannot be opened */
    private @Nullable FollowedFile open(FileFamily.Member member, FilePosition at) throws IOException {
        try {
            return FollowedFile.open(shared.files(), member.path(), shared.lane(), at);
        } catch (IOException e) {
            orOnTheLast(e, member);
            return null;
        }
    }

    private void orOnTheLast(IOException e, FileFamily.Member member) throws IOException {
        if (e instanceof RefusedFileException) {
            return; // as if it were not there
        }
        if (!last) {
            throw e;
        }
        boolean rotated = !member.path().equals(family.base());
        if (rotated && !(e instanceof NoSuchFileException)) { // what is renamed is looked at again
            shared.leftOut().add(member.status(), LeftOut.UNREADABLE);
        }
    }
}
