package dev.veilgate.enrolment;

import dev.veilgate.envelope.smime.AddressForm;
import dev.veilgate.files.DurableFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * The servers that users' mail programs read and send by, kept in the key folder from one user to the next. Nothing of
 * them is secret.
 *
 * @param imap where mail is read
 * @param smtp the mail proxy, which seals what is sent
 */
public record MailServers(Optional<Server> imap, Optional<Server> smtp) {
    /** Name of the file in the key folder. */
    public static final String FILE = "mail-servers";

    /** Port where mail is read unless another is given. */
    public static final int IMAPS = 993;

    /** Port of the mail proxy unless its settings say otherwise. */
    public static final int PROXY = 2525;

    private static final int MAX_BYTES = 2048;
    private static final int MAX_PORT = 65535;
    private static final int SUBMISSIONS = 465;

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
    public record Server(String host, int port) {
        /**
         * The server of a text.
         *
         * @param text        {@code host} or {@code host:port}
         * @param unlessGiven the port where the text has none; 0 if it must have one
         * @return empty if it is neither
         */
        public static Optional<Server> parse(String text, int unlessGiven) {
            int colon = text.indexOf(':');
            String host = (colon < 0 ? text : text.substring(0, colon)).toLowerCase(Locale.ROOT);
            int port = colon < 0 ? unlessGiven : port(text.substring(colon + 1));
            return AddressForm.isTaken("a@" + host) && port > 0
                    ? Optional.of(new Server(host, port))
                    : Optional.empty();
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
    public boolean areKnown() {
        return imap.isPresent() && smtp.isPresent();
    }

    /**
     * The servers that a key folder keeps; none if it keeps none.
     *
     * @throws IOException if the file cannot be read, or is damaged
     */
    public static MailServers kept(Path folder) throws IOException {
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
            Optional<Server> server = Server.parse(line.substring(line.indexOf(' ') + 1), 0);
            if (server.isPresent() && line.startsWith("imap ")) {
                imap = server;
            } else if (server.isPresent() && line.startsWith("smtp ")) {
                smtp = server;
            } else {
                throw new IOException(file + " is damaged; delete it, and name the servers once more");
            }
        }
        return new MailServers(imap, smtp);
    }

    /** The same with others in the place of those that are given. */
    public MailServers with(Optional<Server> otherImap, Optional<Server> otherSmtp) {
        return new MailServers(otherImap.or(() -> imap), otherSmtp.or(() -> smtp));
    }

    /** Keeps them in the key folder for the next user. */
    public void keep(Path folder) throws IOException {
        StringBuilder lines = new StringBuilder();
        imap.ifPresent(server -> lines.append("imap ").append(server).append('\n'));
        smtp.ifPresent(server -> lines.append("smtp ").append(server).append('\n'));
        if (!lines.isEmpty()) {
            DurableFiles.replace(folder, FILE, null, lines.toString().getBytes(StandardCharsets.US_ASCII));
        }
    }
}
