package dev.veilgate.packages;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * All pages about a program.
 *
 * @param root    the program's command
 * @param version of the program
 * @param day     of the pages, as 2026-11-28
 * @param pages   that of the program, and those of commands below it
 */
record Manual(CommandLine root, String version, String day, List<Page> pages) {
    /**
     * A page.
     *
     * @param name    of it
     * @param command that it is about
     * @param absent  whether another package has it, so that it is named and not written
     */
    record Page(String name, CommandLine command, boolean absent) {
        /** Reads {@code NAME}, of the program, {@code NAME=COMMAND}, or {@code NAME~COMMAND} of one that is absent. */
        static Page of(String text, CommandLine root) {
            String[] parts = text.split("[=~]", 2);
            CommandLine command =
                    parts.length == 1 ? root : root.getSubcommands().get(parts[1]);
            if (command == null) {
                throw new IllegalArgumentException(root.getCommandName() + " has no command for the page " + text);
            }
            return new Page(parts[0], command, text.contains("~"));
        }
    }

    Manual {
        pages = List.copyOf(pages);
    }

    /** The pages in roff, by their names. */
    Map<String, String> write() {
        Map<String, String> written = new LinkedHashMap<>();
        for (Page page : pages) {
            if (!page.absent()) {
                written.put(page.name(), new ManualPage(this, page).write());
            }
        }
        return written;
    }

    /** The name of a command's own page. */
    Optional<String> pageOf(CommandSpec spec) {
        return pages.stream()
                .filter(page -> page.command().getCommandSpec() == spec)
                .map(Page::name)
                .findFirst();
    }

    /** Indent of running text in the help of a program, in spaces. */
    int indent() {
        boolean indented = root.getCommandSpec().usageMessage().headerHeading().startsWith("NAME");
        return indented ? 2 : 0;
    }

    /** Sections on environment and files: of this module's file with the page's name, or of the program's help. */
    String surroundings(Page page) {
        try (InputStream in = Manual.class.getResourceAsStream("/surroundings/" + page.name() + ".txt")) {
            if (in != null) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        CommandLine.IHelpSectionRenderer own = root.getHelpSectionMap().get("surroundings");
        return own == null || page.command() != root ? "" : own.render(root.getHelp());
    }
}
