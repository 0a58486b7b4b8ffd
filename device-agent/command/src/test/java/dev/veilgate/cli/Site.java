package dev.veilgate.cli;

import dev.veilgate.extract.ExtractorProfile;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An authority and one sender, made by commands in a folder. */
final class Site {
    final CommandRun run = new CommandRun();
    final Path folder;
    final Path keys;
    final Path bundle;
    final Path identity;
    final String authority;

    /** A copy of the one that is made once a JVM: its keys take longer than most tests. */
    Site(Path folder) throws Exception {
        this(folder, Template.SITE);
    }

    /** As the others, of a tenant that has no later rules. */
    static Site ofRules1(Path folder) throws Exception {
        return new Site(folder, TemplateOfRules1.SITE);
    }

    /** Another one, with keys of its own. */
    static Site another(Path folder) throws Exception {
        return new Site(folder, null, ExtractorProfile.NEWEST_RULES);
    }

    /** Another folder with all that this one has by now, and with commands that have an environment of their own. */
    Site copyTo(Path other) throws Exception {
        return new Site(other, this);
    }

    private Site(Path folder, Site template) throws Exception {
        this(folder, template, ExtractorProfile.NEWEST_RULES);
    }

    private Site(Path folder, @Nullable Site template, int rules) throws Exception {
        this.folder = folder;
        keys = folder.resolve("keys");
        bundle = folder.resolve("acme.vgb");
        identity = folder.resolve("press-4.identity");
        run.environment.put("VEILGATE_KEYS", keys.toString());
        authority = template == null ? make(rules) : copy(template);
        run.environment.put("VEILGATE_BUNDLE", bundle.toString());
        run.environment.put("VEILGATE_AUTHORITY", authority);
    }

    private String make(int rules) throws Exception {
        String made = run.ok("keys", "init", "--tenant", "acme", "--memory", "8", "--rules", rules)
                .out();
        CheapPassphrase.seal(keys, CommandRun.PASSPHRASE);
        Path publicKey = folder.resolve("press-4.pub");
        Files.write(
                publicKey,
                run.ok("identity", "init", identity, "--sender", "press-4").bytes());
        run.ok("keys", "add-sender", publicKey);
        newBundle();
        return made.substring(made.indexOf("authority ") + 10).strip();
    }

    /** Its files with who may read them. */
    private String copy(Site template) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(template.folder)) {
            files = all.skip(1).toList();
        }
        for (Path file : files) {
            Path copy = folder.resolve(template.folder.relativize(file).toString());
            Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
        }
        return template.authority;
    }

    /** Made when first asked for, and deleted when the JVM ends. */
    private static final class Template {
        private static final Site SITE = make(ExtractorProfile.NEWEST_RULES);

        private static Site make(int rules) {
            try {
                Path folder = Files.createTempDirectory("veilgate-site");
                Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
                return new Site(folder, null, rules);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        private static void delete(Path folder) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            } catch (IOException e) {
                System.err.println(folder + " was left behind: " + e);
            }
        }
    }

    private static final class TemplateOfRules1 {
        private static final Site SITE = Template.make(ExtractorProfile.RULES);
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
