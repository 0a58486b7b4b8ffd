package dev.veilgate.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/** An authority and one sender, made by commands in a folder. */
final class Site {
    final CommandRun run = new CommandRun();
    final Path folder;
    final Path keys;
    final Path bundle;
    final Path identity;
    final String authority;

    Site(Path folder) throws Exception {
        this.folder = folder;
        keys = folder.resolve("keys");
        bundle = folder.resolve("acme.vgb");
        identity = folder.resolve("press-4.identity");
        run.environment.put("VEILGATE_KEYS", keys.toString());
        String made =
                run.ok("keys", "init", "--tenant", "acme", "--memory", "8").out();
        authority = made.substring(made.indexOf("authority ") + 10).strip();
        Path publicKey = folder.resolve("press-4.pub");
        Files.write(
                publicKey,
                run.ok("identity", "init", identity, "--sender", "press-4").bytes());
        run.ok("keys", "add-sender", publicKey);
        newBundle();
        run.environment.put("VEILGATE_BUNDLE", bundle.toString());
        run.environment.put("VEILGATE_AUTHORITY", authority);
    }

    void newBundle() {
        run.ok("keys", "bundle", "-o", bundle);
    }

    /** Seals lines into a file of envelopes. */
    Path seal(String name, String... lines) throws Exception {
        Path log = folder.resolve(name + ".log");
        Files.writeString(log, lines.length == 0 ? "" : String.join("\n", lines) + "\n");
        Path sealed = folder.resolve(name + ".vge");
        run.ok("seal", "--identity", identity, "--scope", "plant-7", "-o", sealed, log);
        return sealed;
    }
}
