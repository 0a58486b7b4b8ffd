package dev.veilgate.cli;

import dev.veilgate.terminal.Printable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Which senders a command changed: one by one, or, of very many, how many and a digest of them. */
final class SendersReport {
    /** What is to be done after a change of senders. */
    static final String CONSEQUENCE = "gateways know it with the next sender registry: veilgate keys bundle";

    private static final int MOST_NAMED = 100;

    private final String done;
    private final MessageDigest digest;
    private final List<String> named = new ArrayList<>();
    private final List<String> changedNames = new ArrayList<>();
    private int changed;
    private int unchanged;

    /** @param done what becomes of senders, as in "added 3 senders" */
    SendersReport(String done) {
        this.done = done;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }

    /** In ascending order of names. */
    void changed(String name, String fingerprint) {
        String line = line(name, fingerprint);
        digest.update((line + "\n").getBytes(StandardCharsets.UTF_8));
        changed++;
        if (changed <= MOST_NAMED) {
            changedNames.add(line);
        }
        name(line);
    }

    void unchanged(String name, String fingerprint) {
        unchanged++;
        name(line(name, fingerprint));
    }

    private static String line(String name, String fingerprint) {
        return ("sender " + Printable.of(name) + " " + fingerprint).strip();
    }

    private void name(String line) {
        if (named.size() < MOST_NAMED) {
            named.add(line);
        }
    }

    /** For people. */
    String text() {
        if (changed + unchanged <= MOST_NAMED) {
            return String.join("\n", named);
        }
        return done + " " + changed + " senders"
                + (unchanged == 0 ? "" : "; " + unchanged + " were registered with the same key already");
    }

    /** For the issuing log: a line of each sender, or one of very many, with the SHA-256 of their lines. */
    List<String> entries() {
        if (changed <= MOST_NAMED) {
            return changedNames;
        }
        byte[] of;
        try {
            of = ((MessageDigest) digest.clone()).digest();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("this Java runtime cannot copy a digest", e);
        }
        return List.of(done + " " + changed + " senders, SHA-256 of their lines "
                + HexFormat.of().formatHex(of));
    }
}
