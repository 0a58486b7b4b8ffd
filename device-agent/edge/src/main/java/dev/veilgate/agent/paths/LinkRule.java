package dev.veilgate.agent.paths;

import dev.veilgate.settings.SourceSettings.Links;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a file may be read under a name. Whoever may write in a folder gives names there, also to files that
 * he cannot read, and the agent, which can, must not read them for him.
 *
 * @param links         which symbolic links are followed
 * @param own           files that are never read
 * @param user          of this process
 * @param guardedSystem whether the system gives a file a second name for nobody but those who may read and write it
 */
public record LinkRule(Links links, OwnFiles own, int user, boolean guardedSystem) {
    /** Stands for every owner. */
    public static final int ANYBODY = -1;

    private static final int ROOT = 0;
    private static final Path GUARD = Path.of("/proc/sys/fs/protected_hardlinks");

    /** The rule for this process on this system. */
    public static LinkRule of(Links links, OwnFiles own) {
        return new LinkRule(links, own, userOfThisProcess(), isGuarded());
    }

    static int userOfThisProcess() {
        try {
            return Inode.of(Path.of("/proc/self")).owner();
        } catch (IOException e) {
            return (int) new com.sun.security.auth.module.UnixSystem().getUid();
        }
    }

    private static boolean isGuarded() {
        try {
            return Files.readString(GUARD).strip().equals("1");
        } catch (IOException e) {
            return false;
        }
    }

    /** Why a file may not be read; null if it may. */
    @Nullable
    Refusal refusal(ResolvedFile file) {
        if (!file.inode().isRegular()) {
            return Refusal.NOT_A_FILE;
        }
        if (own.have(file)) {
            return Refusal.OWN;
        }
        if (links == Links.ALL) {
            return null;
        }
        Refusal ofLinks = refusalToEnter(file);
        if (ofLinks != null) {
            return ofLinks;
        }
        return mayHaveNames(file.inode(), file.folders().getLast()) ? null : Refusal.SECOND_NAME;
    }

    /**
     * Why files may not be looked for behind the links to a folder; null if they may. A link to a folder is as one to
     * a file, or whoever makes one has the whole system searched.
     */
    @Nullable
    Refusal refusalToEnter(ResolvedFile file) {
        if (links == Links.ALL || file.steps().isEmpty()) {
            return null;
        }
        if (links == Links.NONE) {
            return Refusal.LINK;
        }
        boolean followed = file.steps().stream().allMatch(step -> isTrusted(step) || isOfItsOwner(step, file.inode()));
        return followed ? null : Refusal.FOREIGN_LINK;
    }

    /** Tells if root, or this process's user, made a link where nobody else can have put it. */
    private boolean isTrusted(ResolvedFile.Step step) {
        return isTrusted(step.link().owner()) && isTrustedAlone(step.folder());
    }

    private static boolean isOfItsOwner(ResolvedFile.Step step, Inode file) {
        return step.link().owner() == file.owner() && file.owner() != ROOT;
    }

    private boolean isTrusted(int owner) {
        return owner == ROOT || owner == user;
    }

    private boolean isTrustedAlone(Inode folder) {
        return isTrusted(folder.owner()) && !folder.isWrittenByOthers();
    }

    /**
     * A file with several names may have got this one from whoever may write in the folder, unless the system sees to
     * it that he might have copied it as well.
     */
    private boolean mayHaveNames(Inode file, Inode folder) {
        boolean ownersAlone =
                (isTrusted(folder.owner()) || folder.owner() == file.owner()) && !folder.isWrittenByOthers();
        return file.names() == 1 || guardedSystem || ownersAlone;
    }

    /**
     * The user whose files may be read in the folder to which a path leads by links that this rule allows.
     *
     * @return a user, or {@link #ANYBODY} if root has made the links
     */
    int readableBehind(ResolvedFile file) {
        boolean trusted = links == Links.ALL || file.steps().stream().allMatch(this::isTrusted);
        return trusted ? ANYBODY : file.inode().owner();
    }

    /**
     * Tells if a file may be read in a folder to which another user's link, or his moving a file, has led.
     *
     * @param mover whose files are readable there, or {@link #ANYBODY}
     */
    boolean isReadableIn(Path folder, int owner, int mover) {
        if (mover == ANYBODY || links == Links.ALL) {
            return true;
        }
        try {
            return owner == mover && (owner != ROOT || isTrustedAlone(Inode.of(folder)));
        } catch (IOException e) {
            return false;
        }
    }
}
