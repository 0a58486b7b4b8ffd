package dev.veilgate.cli;

import dev.veilgate.authority.KeyShare;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Shares of a backup, written as {@code 3-of-5}.
 *
 * @param threshold how many restore
 * @param count     how many there are
 */
record ShareCount(int threshold, int count) {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,2})-of-(\\d{1,2})");

    static ShareCount parse(String text) throws CommandFailure {
        Matcher numbers = TEXT.matcher(text);
        if (numbers.matches()) {
            ShareCount shares = new ShareCount(Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)));
            if (shares.threshold >= 2 && shares.threshold <= shares.count && shares.count <= KeyShare.MAX_SHARES) {
                return shares;
            }
        }
        throw new CommandFailure(
                ExitCode.USAGE, "--shares is written like 3-of-5: 2 to 16 shares, of which 2 to all restore");
    }

    /** Writes shares into files of their own, readable by their owner only, and closes them. */
    static void write(Path folder, List<KeyShare> shares, Function<KeyShare, String> text) throws IOException {
        for (KeyShare share : shares) {
            DurableFiles.replace(
                    folder,
                    "share-" + share.index() + ".txt",
                    null,
                    text.apply(share).getBytes(StandardCharsets.UTF_8));
            share.close();
        }
    }

    @Override
    public String toString() {
        return threshold + " of " + count;
    }
}
