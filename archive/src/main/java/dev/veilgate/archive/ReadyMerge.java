package dev.veilgate.archive;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.segments.DueMerge;
import dev.veilgate.sse.segments.PreparedMerge;
import dev.veilgate.sse.segments.SegmentArchive;
import java.io.IOException;
import java.util.function.Supplier;

/** A merge of segments that is made, and is to be put in their place. */
@Secret
final class ReadyMerge implements Archive.Ready {
    private final Supplier<SegmentArchive> archive;
    private final TemporaryFolder temporary;
    private final PreparedMerge merge;

    private ReadyMerge(Supplier<SegmentArchive> archive, TemporaryFolder temporary, PreparedMerge merge) {
        this.archive = archive;
        this.temporary = temporary;
        this.merge = merge;
    }

    /**
     * Merges.
     *
     * @param archive whose segments these are
     * @param present the archive that the merge is put into, another one if it has got a new key: then it is not
     */
    static ReadyMerge of(SegmentArchive archive, Supplier<SegmentArchive> present, DueMerge due) throws IOException {
        TemporaryFolder temporary = TemporaryFolder.create();
        boolean done = false;
        try {
            ReadyMerge ready = new ReadyMerge(present, temporary, archive.prepare(due, temporary.path()));
            done = true;
            return ready;
        } finally {
            if (!done) {
                temporary.close();
            }
        }
    }

    /** Puts it there, unless somebody else merged one of them, or the archive has got a new key. */
    @Override
    public Archive.Added commit() throws IOException {
        archive.get().merge(merge);
        return Archive.Added.NONE;
    }

    @Override
    public void close() throws IOException {
        try {
            merge.close();
        } finally {
            temporary.close();
        }
    }
}
