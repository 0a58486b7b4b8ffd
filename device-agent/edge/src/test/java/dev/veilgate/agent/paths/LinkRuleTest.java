package dev.veilgate.agent.paths;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.settings.SourceSettings.Links;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which links and second names are followed, for every pair of owners: as numbers, so whoever runs the test. */
class LinkRuleTest {
    private static final int ROOT = 0;
    private static final int AGENT = 990;
    private static final int APP = 1000;
    private static final int OTHER = 1001;
    private static final int NAMES = 1;

    private static Inode folder(int owner, int rights) {
        return new Inode(1, owner * 1000L + rights, owner, 0040000 | rights, 2, 0);
    }

    private static Inode file(int owner, int names) {
        return new Inode(1, 7, owner, 0100600, names, 0);
    }

    private static ResolvedFile.Step link(int owner, Inode folder) {
        return new ResolvedFile.Step(new Inode(1, 8, owner, 0120777, 1, 0), folder);
    }

    private record Found(List<Step> steps, List<Inode> folders, Inode inode) implements ResolvedFile {
        @Override
        public Path real() {
            return Path.of("/");
        }

        @Override
        public Path held() {
            return Path.of("/");
        }

        @Override
        public FileChannel open() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            // holds nothing
        }
    }

    private static @Nullable Refusal refusal(
            Links links, boolean guarded, Inode folder, Inode file, ResolvedFile.Step... steps) {
        return new LinkRule(links, OwnFiles.NONE, AGENT, guarded)
                .refusal(new Found(List.of(steps), List.of(folder), file));
    }

    private static @Nullable Refusal bySameOwner(Inode file, ResolvedFile.Step... steps) {
        return refusal(Links.SAME_OWNER, true, folder(ROOT, 0755), file, steps);
    }

    @Test
    void whoeverMadeTheLinkHasTheFile() {
        assertThat(bySameOwner(file(APP, NAMES), link(APP, folder(APP, 0755)))).isNull();
        assertThat(bySameOwner(file(APP, NAMES), link(APP, folder(ROOT, 01777))))
                .isNull();
        assertThat(bySameOwner(file(ROOT, NAMES), link(APP, folder(APP, 0755)))).isEqualTo(Refusal.FOREIGN_LINK);
        assertThat(bySameOwner(file(AGENT, NAMES), link(APP, folder(APP, 0755))))
                .isEqualTo(Refusal.FOREIGN_LINK);
        assertThat(bySameOwner(file(OTHER, NAMES), link(APP, folder(ROOT, 0755))))
                .isEqualTo(Refusal.FOREIGN_LINK);
    }

    @Test
    void rootsLinkIsFollowedWhereRootAloneMayWrite() {
        assertThat(bySameOwner(file(ROOT, NAMES), link(ROOT, folder(ROOT, 0755))))
                .isNull();
        assertThat(bySameOwner(file(APP, NAMES), link(ROOT, folder(ROOT, 0755))))
                .isNull();
        assertThat(bySameOwner(file(ROOT, NAMES), link(AGENT, folder(AGENT, 0700))))
                .isNull();
        for (Inode open : List.of(folder(ROOT, 0775), folder(ROOT, 01777), folder(APP, 0755))) {
            assertThat(bySameOwner(file(ROOT, NAMES), link(ROOT, open))).isEqualTo(Refusal.FOREIGN_LINK);
        }
    }

    @Test
    void everyLinkOfAChainCounts() {
        ResolvedFile.Step good = link(ROOT, folder(ROOT, 0755));
        ResolvedFile.Step bad = link(OTHER, folder(OTHER, 0755));
        assertThat(bySameOwner(file(ROOT, NAMES), good, good)).isNull();
        assertThat(bySameOwner(file(ROOT, NAMES), good, bad)).isEqualTo(Refusal.FOREIGN_LINK);
        assertThat(bySameOwner(file(ROOT, NAMES), bad, good)).isEqualTo(Refusal.FOREIGN_LINK);
    }

    @Test
    void theOtherSettingsFollowNoLinkAndEvery() {
        ResolvedFile.Step good = link(ROOT, folder(ROOT, 0755));
        ResolvedFile.Step bad = link(OTHER, folder(OTHER, 0755));
        Inode secret = file(ROOT, NAMES);
        assertThat(refusal(Links.NONE, true, folder(ROOT, 0755), secret)).isNull();
        assertThat(refusal(Links.NONE, true, folder(ROOT, 0755), secret, good)).isEqualTo(Refusal.LINK);
        assertThat(refusal(Links.ALL, true, folder(ROOT, 0755), secret, good, bad))
                .isNull();
    }

    @Test
    void aSecondNameCountsWhereOthersMayMakeOneAndTheSystemDoesNotGuardIt() {
        for (Links links : List.of(Links.NONE, Links.SAME_OWNER)) {
            for (Inode open : List.of(folder(APP, 0755), folder(ROOT, 0775), folder(ROOT, 01777))) {
                assertThat(refusal(links, false, open, file(ROOT, 2))).isEqualTo(Refusal.SECOND_NAME);
                assertThat(refusal(links, true, open, file(ROOT, 2))).isNull();
                assertThat(refusal(links, false, open, file(ROOT, 1))).isNull();
                assertThat(refusal(Links.ALL, false, open, file(ROOT, 2))).isNull();
            }
            assertThat(refusal(links, false, folder(APP, 0755), file(APP, 2)))
                    .as("a rotation by ln")
                    .isNull();
            assertThat(refusal(links, false, folder(ROOT, 0755), file(APP, 2)))
                    .as("root's rotation by ln")
                    .isNull();
        }
    }
}
