package dev.veilgate.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Seven documents for archives: two mails of a Maildir, two of an mbox, a text file, and two rows of a table. */
final class ArchivedSamples {
    private static final String MAIL = "From: Ada <ada@example.org>\nTo: bob@example.org\n"
            + "Date: Sat, 21 Nov 2026 12:00:00 +0000\nSubject: The %s report\n\nSeen near the root.\n";

    private ArchivedSamples() {}

    static void write(Path folder) throws IOException {
        write(folder, "mail/cur/1:2,S", MAIL.formatted("owl"));
        write(folder, "mail/new/2", MAIL.formatted("lark"));
        write(folder, "inbox.mbox", "From a\n" + MAIL.formatted("owlet") + "\nFrom b\n" + MAIL.formatted("heron"));
        write(folder, "notes.txt", "An owl, a second owl, and a heron.");
        write(folder, "birds.csv", "name,city\nowl,Lima\nlark,Oslo\n");
    }

    static void write(Path folder, String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }
}
