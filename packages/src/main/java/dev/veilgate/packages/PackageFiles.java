package dev.veilgate.packages;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import picocli.AutoComplete;
import picocli.CommandLine;

/** Writes manual, completion and changelog of a package, with its program's jars on the class path. */
final class PackageFiles {
    private PackageFiles() {}

    /**
     * Writes them.
     *
     * @param arguments the package, the program's main class, the folder that is to be {@code /usr/share}, the version,
     *     the time of the build, the maintainer, and the pages of the manual, as {@link Manual.Page#of} reads them
     */
    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        Path share = Path.of(arguments[2]);
        Instant time = Instant.parse(arguments[4]);
        CommandLine root = commandLine(Class.forName(arguments[1]));
        List<Manual.Page> pages = Arrays.stream(arguments)
                .skip(6)
                .map(text -> Manual.Page.of(text, root))
                .toList();
        String day = time.toString().substring(0, 10);
        for (Map.Entry<String, String> page :
                new Manual(root, arguments[3], day, pages).write().entrySet()) {
            compress(share.resolve("man/man1/" + page.getKey() + ".1.gz"), page.getValue());
        }
        Path completion = share.resolve("bash-completion/completions/" + root.getCommandName());
        Files.createDirectories(completion.getParent());
        Files.writeString(completion, AutoComplete.bash(root.getCommandName(), root));
        compress(
                share.resolve("doc/" + arguments[0] + "/changelog.gz"),
                changelog(arguments[0], arguments[3], time, arguments[5]));
    }

    /** In Debian's form, with one entry: what changed is told elsewhere. */
    private static String changelog(String name, String version, Instant time, String maintainer) {
        return """
                %s (%s) unstable; urgency=medium

                  * See CHANGELOG.md of the source.

                 -- %s  %s
                """.formatted(
                        name,
                        version.replace("-SNAPSHOT", "~SNAPSHOT"),
                        maintainer,
                        DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss Z", Locale.ROOT)
                                .format(time.atOffset(ZoneOffset.UTC)));
    }

    /** Compresses as gzip -9 -n does, without the file's name and time inside: the same bytes each time. */
    private static void compress(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        try (var out = new BestGzip(Files.newOutputStream(file))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Gzip at its best level, which Debian asks for. */
    private static final class BestGzip extends GZIPOutputStream {
        BestGzip(OutputStream out) throws IOException {
            super(out);
            def.setLevel(Deflater.BEST_COMPRESSION);
        }
    }

    /** The commands of a program whose main class is given, which are nobody else's to see. */
    private static CommandLine commandLine(Class<?> main) throws ReflectiveOperationException {
        Constructor<?> constructor = main.getDeclaredConstructor();
        constructor.setAccessible(true);
        Object program = constructor.newInstance();
        for (Class<?> type = main; type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals("commandLine") && method.getParameterCount() == 1) {
                    method.setAccessible(true);
                    Object terminal =
                            method.getParameterTypes()[0].getMethod("ofProcess").invoke(null);
                    return (CommandLine) method.invoke(program, terminal);
                }
            }
        }
        return new CommandLine(program);
    }
}
