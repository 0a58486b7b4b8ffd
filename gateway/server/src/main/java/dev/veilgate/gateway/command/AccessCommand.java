package dev.veilgate.gateway.command;

import dev.veilgate.gateway.access.AccessFile;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Principal.Kind;
import dev.veilgate.gateway.access.Right;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "access",
        header = "Say who may use the gateway",
        description = {
            "",
            "Prints the new secret once; the file keeps a digest only. A running gateway reads the file again by itself. A name that is there",
            "already gets a new secret and loses the old one.",
        })
final class AccessCommand {
    /** The file, and how to find it. */
    static final class FileOption {
        @Option(
                names = "--file",
                paramLabel = "FILE",
                defaultValue = "${env:VEILGATE_ACCESS_FILE:-veilgate-data/access}",
                description = "The access file: ${DEFAULT-VALUE}.")
        private Path file = Path.of("");
    }

    /** Whose. */
    static final class Holder {
        @Parameters(index = "0", paramLabel = "NAME")
        private String name = "";

        @Option(
                names = "--tenant",
                required = true,
                paramLabel = "TENANT",
                description = "The only tenant it acts for.")
        private String tenant = "";
    }

    @Command(name = "token", header = "A bearer token for HTTP")
    int token(
            @Mixin FileOption access,
            @Mixin Holder holder,
            @Option(
                            names = "--right",
                            required = true,
                            split = ",",
                            paramLabel = "RIGHT",
                            description =
                                    "ingest, search, routes, senders, retention, status, access; several with commas.")
                    Set<String> rights,
            @Option(
                            names = "--scope",
                            split = ",",
                            paramLabel = "SCOPE",
                            description = "The only scopes it may search; without it all of the tenant.")
                    LinkedHashSet<String> scopes)
            throws IOException {
        Set<Right> parsed = rights.stream().map(AccessCommand::right).collect(Collectors.toSet());
        return grant(
                access,
                new Principal(Kind.TOKEN, holder.name, holder.tenant, parsed, scopes == null ? Set.of() : scopes));
    }

    @Command(name = "device", header = "A password for MQTT; the name is the sender that the device seals as")
    int device(
            @Mixin FileOption access,
            @Mixin Holder holder,
            @Option(
                            names = "--topic",
                            split = ",",
                            paramLabel = "FILTER",
                            description =
                                    "Topics of its tenant that it may subscribe to, such as veilgate/tenants/TENANT/#.")
                    LinkedHashSet<String> topics)
            throws IOException {
        return grant(
                access,
                new Principal(
                        Kind.DEVICE,
                        holder.name,
                        holder.tenant,
                        Set.of(Right.INGEST),
                        Set.of(),
                        topics == null ? Set.of() : topics));
    }

    @Command(name = "mail", header = "A password for SMTP")
    int mail(@Mixin FileOption access, @Mixin Holder holder) throws IOException {
        return grant(access, new Principal(Kind.MAIL, holder.name, holder.tenant, Set.of(Right.INGEST), Set.of()));
    }

    @Command(name = "list", header = "Who has access, and to what")
    int list(@Mixin FileOption access) throws IOException {
        AccessFile.list(access.file).stream()
                .sorted(Comparator.comparing(Principal::kind).thenComparing(Principal::name))
                .map(AccessCommand::describe)
                .forEach(System.out::println);
        return Main.OK;
    }

    @Command(name = "revoke", header = "Take access away")
    int revoke(
            @Mixin FileOption access,
            @Parameters(index = "0", paramLabel = "KIND", description = "token, device or mail") String kind,
            @Parameters(index = "1", paramLabel = "NAME") String name)
            throws IOException {
        if (AccessFile.revoke(access.file, Kind.valueOf(kind.toUpperCase(Locale.ROOT)), name)) {
            return Main.OK;
        }
        System.err.println("there is no " + kind + " of this name");
        return Main.NO;
    }

    private static Right right(String label) {
        try {
            return Right.valueOf(label.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("there is no right " + label + "; there are " + Right.labels(), e);
        }
    }

    private static int grant(FileOption access, Principal principal) throws IOException {
        System.out.println(AccessFile.grant(access.file, principal, new SecureRandom()));
        return Main.OK;
    }

    private static String describe(Principal principal) {
        StringBuilder line = new StringBuilder("%-6s %-30s tenant=%s"
                .formatted(principal.kind().name().toLowerCase(Locale.ROOT), principal.name(), principal.tenant()));
        if (principal.kind() == Kind.TOKEN) {
            line.append(" rights=")
                    .append(principal.rights().stream()
                            .map(Right::label)
                            .sorted()
                            .collect(Collectors.joining(",")));
        }
        if (!principal.scopes().isEmpty()) {
            line.append(" scopes=").append(String.join(",", new TreeSet<>(principal.scopes())));
        }
        if (!principal.topics().isEmpty()) {
            line.append(" topics=").append(String.join(",", new TreeSet<>(principal.topics())));
        }
        return line.toString();
    }
}
