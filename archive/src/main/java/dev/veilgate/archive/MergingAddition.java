package dev.veilgate.archive;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.segments.DueMerge;
import dev.veilgate.sse.segments.PreparedMerge;
import dev.veilgate.sse.segments.SegmentArchive;
import java.io.IOException;

/** An addition to an archive of segments, and a merge of those that were there before it. */
@Secret
final class MergingAddition implements Archive.Ready {
    private final SegmentArchive archive;
    private final Archive.Ready addition;
    private final TemporaryFolder temporary;
    private final PreparedMerge merge;

    /** Merges. */
    MergingAddition(SegmentArchive archive, Archive.Ready addition, DueMerge due) throws IOException {
        this.archive = archive;
        this.addition = addition;
        temporary = TemporaryFolder.create();
        boolean done = false;
        try {
            merge = archive.prepare(due, temporary.path());
            done = true;
        } finally {
            if (!done) {
                temporary.close();
            }
        }
    }

    @Override
    public Archive.Added commit() throws IOException {
        Archive.Added added = addition.commit();
        archive.merge(merge);
        return added;
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
