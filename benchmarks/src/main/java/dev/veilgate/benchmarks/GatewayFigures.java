package dev.veilgate.benchmarks;

import dev.veilgate.benchmarks.SealedSet.Size;
import dev.veilgate.benchmarks.gateway.EnvelopeConnection;
import dev.veilgate.benchmarks.gateway.Gateway;
import dev.veilgate.benchmarks.gateway.HttpEnvelopes;
import dev.veilgate.benchmarks.gateway.MailSink;
import dev.veilgate.benchmarks.gateway.MqttEnvelopes;
import dev.veilgate.benchmarks.gateway.Programs;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The whole gateway as it is installed, each figure with a fresh one: logs over HTTP and MQTT, mails over TLS, how soon a route acts, start and memory. Everything is
 * sealed beforehand; clients run on the same cores. Nothing is acknowledged before it is durable. Writes {@code gateway.csv}.
 */
public final class GatewayFigures {
    private static final Size ALL = new Size(16, 5, 16, 10, 750, 1_000);
    private static final int STARTS = 5;
    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final int WINDOW = 16;
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final Pattern BACKLOG = Pattern.compile("\"backlogBytes\":(\\d+)");

    private final SealedSet sealed;
    private final Size size;
    private final Path folder;
    private int gateways;

    private GatewayFigures(SealedSet sealed, Size size, Path folder) {
        this.sealed = sealed;
        this.size = size;
        this.folder = folder;
    }

    /** @param args a folder for what is sealed, which is made if it is not there and can be used again, the output folder, and figures to take (all) */
    public static void main(String[] args) throws Exception {
        if (args.length < 2) {
            throw new IllegalArgumentException("arguments: DATA-FOLDER OUTPUT-FOLDER [http|mqtt|mail|routes|start...]");
        }
        Path data = Files.createDirectories(Path.of(args[0])).toAbsolutePath();
        List<String> which = args.length > 2
                ? List.of(args).subList(2, args.length)
                : List.of("http", "mqtt", "mail", "routes", "start");
        List<String> table = table(data, ALL, STARTS, IDLE, which);
        Files.write(Files.createDirectories(Path.of(args[1])).resolve("gateway.csv"), table);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        table.forEach(out::println);
    }

    /** The figures, as CSV with a head. */
    static List<String> table(Path data, Size size, int starts, Duration idle, List<String> which) throws Exception {
        Path folder = Files.createDirectories(data.resolve("gateways"));
        GatewayFigures figures = new GatewayFigures(SealedSet.in(data, size), size, folder);
        List<String> table = new ArrayList<>(List.of("work,measured,unit,goal,conditions"));
        for (String figure : which) {
            switch (figure) {
                case "http" -> table.add(figures.logs("HTTP", 100_000));
                case "mqtt" -> table.add(figures.logs("MQTT", 30_000));
                case "mail" -> table.addAll(figures.mails());
                case "routes" -> table.addAll(figures.routes());
                case "start" -> table.addAll(figures.starts(starts, idle));
                default -> throw new IllegalArgumentException("no figure " + figure);
            }
        }
        return table;
    }

    /** A row; no commas in names and conditions. */
    static String row(String work, double measured, String unit, String goal, String conditions, Object... of) {
        return String.format(Locale.ROOT, "%s,%.1f,%s,%s,", work, measured, unit, goal)
                + String.format(Locale.ROOT, conditions, of);
    }

    private Gateway gateway(Programs programs, Path data, String... more) throws Exception {
        List<String> settings = new ArrayList<>(List.of(
                "veilgate.access-file=" + sealed.folder().resolve("access"),
                "veilgate.smtp.listeners[0].tls=implicit",
                "veilgate.smtp.ssl-bundle=mail",
                "spring.ssl.bundle.pem.mail.keystore.certificate="
                        + sealed.folder().resolve("tls.pem"),
                "spring.ssl.bundle.pem.mail.keystore.private-key="
                        + sealed.folder().resolve("tls-key.pem"),
                "veilgate.smtp.domains[example.org].plain=refuse"));
        settings.addAll(List.of(more));
        return new Gateway(
                programs,
                data,
                sealed.folder().resolve("bundle"),
                sealed.authority(),
                sealed.secret("token"),
                settings);
    }

    private Path fresh() throws IOException {
        return Files.createDirectories(folder.resolve(ProcessHandle.current().pid() + "-" + gateways++));
    }

    /** What is measured with a gateway. */
    private interface Measurement<T> {
        T take(Programs programs, Path data) throws Exception;
    }

    private <T> T withFresh(Measurement<T> measurement) throws Exception {
        Path data = fresh();
        T taken;
        try (Programs programs = new Programs(data)) {
            taken = measurement.take(programs, data.resolve("data"));
        }
        delete(data); // what failed stays, with its log
        return taken;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private String logs(String protocol, int goal) throws Exception {
        return withFresh((programs, data) -> {
            Gateway gateway = gateway(
                    programs,
                    data,
                    "veilgate.ingest.envelopes-per-minute=1000000",
                    "veilgate.ingest.bytes-per-minute=100GB");
            LogIngestion ingestion = new LogIngestion(sealed, size, device -> connect(gateway, protocol, device));
            LogIngestion.Result result = ingestion.run(gateway.process);
            long acknowledged = System.nanoTime();
            programs.await("everything in the store", () -> backlog(gateway) == 0);
            return row(
                    "log lines over " + protocol,
                    result.lines() / result.seconds(),
                    "lines/s",
                    ">= " + goal,
                    "%d lines in %.2f s by %d connections; gateway used %.2f cores; store and database done %.2f s later",
                    result.lines(),
                    result.seconds(),
                    size.devices(),
                    result.cores(),
                    (System.nanoTime() - acknowledged) / 1e9);
        });
    }

    private EnvelopeConnection connect(Gateway gateway, String protocol, int device) throws IOException {
        String name = SealedSet.device(device);
        return protocol.equals("HTTP")
                ? new HttpEnvelopes(gateway.http, SealedSet.TENANT, sealed.secret("token"))
                : new MqttEnvelopes(gateway.mqtt, SealedSet.TENANT, name, sealed.secret(name), WINDOW);
    }

    private static long backlog(Gateway gateway) throws IOException, InterruptedException {
        byte[] status =
                gateway.get("/v1/tenants/" + SealedSet.TENANT + "/status").body();
        Matcher backlog = BACKLOG.matcher(new String(status, StandardCharsets.UTF_8));
        if (!backlog.find()) {
            throw new IllegalStateException("the status does not say the backlog");
        }
        return Long.parseLong(backlog.group(1));
    }

    private Gateway mailGateway(Programs programs, Path data, MailSink sink) throws Exception {
        return gateway(
                programs,
                data,
                "veilgate.smtp.limits.messages-per-connection=1000000",
                "veilgate.smtp.limits.messages-per-minute-per-client=1000000",
                "veilgate.smtp.limits.messages-per-minute-per-sender=1000000",
                "veilgate.smtp.limits.recipients-per-minute-per-sender=1000000",
                "veilgate.ingest.strangers.mails-per-minute=1000000",
                "veilgate.ingest.strangers.bytes-per-minute=100GB",
                "veilgate.ingest.strangers.blocks-per-minute=1000000",
                "veilgate.ingest.envelopes-per-minute=1000000",
                "veilgate.route.webhook.allow-private=true",
                "veilgate.deliver.relays[example.org].host=127.0.0.1",
                "veilgate.deliver.relays[example.org].port=" + sink.port(),
                "veilgate.deliver.relays[example.org].tls=none");
    }

    private List<String> mails() throws Exception {
        return withFresh((programs, data) -> {
            try (MailSink sink = new MailSink()) {
                Gateway gateway = mailGateway(programs, data, sink);
                return new MailIngestion(sealed, gateway).rate(programs, sink);
            }
        });
    }

    private List<String> routes() throws Exception {
        return withFresh((programs, data) -> {
            try (MailSink sink = new MailSink()) {
                Gateway gateway = mailGateway(programs, data, sink);
                return new RouteReaction(sealed, gateway, size).rows(programs);
            }
        });
    }

    private List<String> starts(int starts, Duration idle) throws Exception {
        Path data = fresh();
        List<Double> seconds = new ArrayList<>();
        double resident = 0;
        for (int i = 0; i <= starts; i++) { // the first makes the archive of classes and the database
            try (Programs programs = new Programs(data)) {
                Gateway gateway = gateway(programs, data.resolve("data"));
                if (i > 0) {
                    seconds.add(gateway.startNanos / 1e9);
                }
                if (i == starts) {
                    Thread.sleep(idle);
                    Matcher status =
                            RESIDENT.matcher(Files.readString(Path.of("/proc/" + gateway.process.pid() + "/status")));
                    resident = status.find() ? Long.parseLong(status.group(1)) * 1024 / 1e6 : Double.NaN;
                }
            }
        }
        delete(data);
        seconds.sort(null);
        String of = "of %d starts until ready with HTTP; SMTP and the embedded broker";
        return List.of(
                row("start median", seconds.get(starts / 2), "s", "<= 6", of, starts),
                row("start best", seconds.getFirst(), "s", "", of, starts),
                row("resident memory idle", resident, "MB", "<= 450", "%d s after a start", idle.toSeconds()));
    }
}
