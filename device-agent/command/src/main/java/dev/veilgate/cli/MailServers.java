package dev.veilgate.cli;

import dev.veilgate.envelope.smime.AddressForm;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The servers that users' mail programs read and send by, kept in the key folder between commands. Nothing of them is
 * secret.
 *
 * @param imap where mail is read
 * @param smtp the mail proxy, which seals what is sent
 */
record MailServers(Optional<Server> imap, Optional<Server> smtp) {
    /** Name of the file in the key folder. */
    static final String FILE = "mail-servers";

    private static final int MAX_BYTES = 2048;
    private static final int MAX_PORT = 65535;
    private static final int IMAPS = 993;
    private static final int SUBMISSIONS = 465;

    /** Port of the mail proxy unless its settings say otherwise. */
    private static final int PROXY = 2525;

    /** Protection of the connection between a mail program and a server. */
    enum Protection {
        /** TLS from the first byte. */
        TLS,
        /** TLS after a command in clear. */
        STARTTLS,
        /** None, on the machine itself. */
        NONE
    }

    /**
     * A server.
     *
     * @param host a name or an IPv4 address, in lower case
     */
    record Server(String host, int port) {
        /** Ports 993 and 465 begin with TLS, others have STARTTLS; the machine itself has none. */
        Protection protection() {
            if (isLoopback()) {
                return Protection.NONE;
            }
            return port == IMAPS || port == SUBMISSIONS ? Protection.TLS : Protection.STARTTLS;
        }

        private boolean isLoopback() {
            return host.equals("localhost") || host.startsWith("127.");
        }

        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /** Tells if both servers are known; a mail program cannot be set up with one. */
    boolean areKnown() {
        return imap.isPresent() && smtp.isPresent();
    }

    /**
     * The servers that were kept, with those of options in their place.
     *
     * @throws CommandFailure if an option is no {@code host[:port]}, or the file is damaged
     */
    static MailServers of(Path folder, @Nullable String imap, @Nullable String smtp)
            throws IOException, CommandFailure {
        MailServers kept = kept(folder);
        return new MailServers(
                imap == null ? kept.imap : Optional.of(option("--imap", imap, IMAPS)),
                smtp == null ? kept.smtp : Optional.of(option("--smtp", smtp, PROXY)));
    }

    /** Checks what options say, before anything else is done. */
    static void check(@Nullable String imap, @Nullable String smtp) throws CommandFailure {
        if (imap != null) {
            option("--imap", imap, IMAPS);
        }
        if (smtp != null) {
            option("--smtp", smtp, PROXY);
        }
    }

    private static Server option(String option, String text, int port) throws CommandFailure {
        return server(text, port)
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.USAGE, option + ": is written host or host:port, such as mail.acme.example:" + port));
    }

    private static Optional<Server> server(String text, int unlessGiven) {
        int colon = text.indexOf(':');
        String host = (colon < 0 ? text : text.substring(0, colon)).toLowerCase(Locale.ROOT);
        int port = colon < 0 ? unlessGiven : port(text.substring(colon + 1));
        return AddressForm.isTaken("a@" + host) && port > 0 ? Optional.of(new Server(host, port)) : Optional.empty();
    }

    /** 0 if it is none. */
    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            return port > 0 && port <= MAX_PORT && String.valueOf(port).equals(text) ? port : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static MailServers kept(Path folder) throws IOException, CommandFailure {
        Path file = folder.resolve(FILE);
        if (Files.notExists(file)) {
            return new MailServers(Optional.empty(), Optional.empty());
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES);
        }
        Optional<Server> imap = Optional.empty();
        Optional<Server> smtp = Optional.empty();
        for (String line : new String(bytes, StandardCharsets.US_ASCII).split("\n")) {
            Optional<Server> server = server(line.substring(line.indexOf(' ') + 1), 0);
            if (server.isPresent() && line.startsWith("imap ")) {
                imap = server;
            } else if (server.isPresent() && line.startsWith("smtp ")) {
                smtp = server;
            } else {
                throw new CommandFailure(
                        ExitCode.IO,
                        file + " is damaged; delete it, and name the servers once more with --imap and --smtp");
            }
        }
        return new MailServers(imap, smtp);
    }

    /** Keeps them for the next command. */
    void keep(Path folder) throws IOException {
        StringBuilder lines = new StringBuilder();
        imap.ifPresent(server -> lines.append("imap ").append(server).append('\n'));
        smtp.ifPresent(server -> lines.append("smtp ").append(server).append('\n'));
        if (!lines.isEmpty()) {
            DurableFiles.replace(folder, FILE, null, lines.toString().getBytes(StandardCharsets.US_ASCII));
        }
    }
}
