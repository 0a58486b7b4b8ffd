package dev.veilgate.demo;

import dev.veilgate.sender.MailSignerFile;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The demonstration, step by step. */
final class DemoRun implements AutoCloseable {
    private static final int START_SECONDS = 300;
    private static final int DELIVERY_SECONDS = 180;
    private static final String STEP = "%n== %s%n";

    private final Terminal terminal;
    private final Path root;
    private final Path gatewayLauncher;
    private final Path consoleLauncher;
    private final SecureRandom random;
    private final List<Runnable> running = new ArrayList<>();
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    DemoRun(Terminal terminal, Path root, Path gatewayLauncher, Path consoleLauncher, SecureRandom random) {
        this.terminal = terminal;
        this.root = root;
        this.gatewayLauncher = gatewayLauncher;
        this.consoleLauncher = consoleLauncher;
        this.random = random;
    }

    void story(@Nullable Path logs, @Nullable Path mail, @Nullable String query) throws Exception {
        say("keys of a tenant, a device, a mailbox: made on the authority's side; the gateway gets none of them");
        DemoSite site = DemoSite.create(root, terminal.clock(), random);
        MailSink sink = new MailSink(root.resolve("mailbox"));
        running.add(sink::close);
        site.writeGatewaySettings(sink.port());
        grantAccess(site);
        site.writeEnvironment();
        ChildProcess gateway = startGateway(site);

        say("a standing route: mail to alice about something urgent also goes to a pager");
        veilgate(site, "route", "add", "urgent", "urgent", "--scope", DemoSite.MAIL_SCOPE, "--forward", DemoSite.PAGER);

        List<byte[]> mails = mail == null
                ? SampleMails.all(ZonedDateTime.ofInstant(terminal.clock().instant(), ZoneOffset.UTC))
                : readMails(mail);
        sendMail(site, sink, mails, mail == null);
        sealLogs(site, logs);

        say("searches: trapdoors are made here, Test runs in the gateway, what it finds is opened here");
        if (logs == null) {
            veilgate(site, "search", "--explain", query == null ? "overheated AND press-2" : query);
            veilgate(site, "search", "failed AND (root OR ip:10.0.0.7) AND NOT user:amelie AND NOT number:22");
        } else {
            veilgate(site, "search", "--explain", "--limit", "10", query == null ? "error" : query);
        }
        veilgate(site, "search", "--scope", DemoSite.MAIL_SCOPE, "urgent");
        say("nothing is missing: every device's chain, as the gateway followed it");
        veilgate(site, "senders");
        say("the gateway takes %d MB of memory, and was told no keyword and no key", gateway.residentMegabytes());
        startConsole(site);
    }

    private void say(String text, Object... values) {
        terminal.out().printf(STEP, text.formatted(values));
        terminal.out().flush();
    }

    private void grantAccess(DemoSite site) throws IOException, InterruptedException {
        String token = access(site, "token", "demo", "--right", "search,routes,senders,status,ingest,access");
        DemoSite.secret(root, "token", token);
        String password = access(site, "device", DemoSite.DEVICE);
        DemoSite.secret(root, "mqtt-password", password);
    }

    private String access(DemoSite site, String kind, String name, String... more)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("sh", gatewayLauncher.toString(), "access", kind, name));
        command.addAll(List.of("--tenant", DemoSite.TENANT));
        command.addAll(List.of("--file", site.folder().resolve("gateway/access").toString()));
        command.addAll(Arrays.asList(more));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (InputStream out = process.getInputStream()) {
            String secret = new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
            if (process.waitFor() != 0) {
                throw new IOException("the gateway's access command failed");
            }
            return secret;
        }
    }

    private ChildProcess startGateway(DemoSite site) throws IOException, InterruptedException {
        say("the gateway: SMTP, MQTT broker, HTTP, index and database in one process");
        long from = System.nanoTime();
        ChildProcess gateway = new ChildProcess(
                "gateway",
                List.of(
                        "sh",
                        gatewayLauncher.toString(),
                        "run",
                        "--config",
                        root.resolve("gateway.yaml").toString()),
                Map.of(),
                root.resolve("gateway.log"));
        running.add(gateway::close);
        gateway.await(() -> isReady("http://127.0.0.1:" + site.httpPort()), START_SECONDS);
        terminal.out()
                .printf(
                        Locale.ROOT,
                        "ready after %.1f s: http 127.0.0.1:%d, smtp 127.0.0.1:%d, mqtt 127.0.0.1:%d%n",
                        seconds(from),
                        site.httpPort(),
                        site.smtpPort(),
                        site.mqttPort());
        return gateway;
    }

    private void startConsole(DemoSite site) throws IOException, InterruptedException {
        say("the console, for auditors in the browser: it has the keys, and asks the gateway");
        site.writeConsoleSettings();
        long from = System.nanoTime();
        ChildProcess console = new ChildProcess(
                "console",
                List.of(
                        "sh",
                        consoleLauncher.toString(),
                        "run",
                        "--config",
                        root.resolve("console.yaml").toString()),
                Map.of(),
                root.resolve("console.log"));
        running.add(console::close);
        console.await(() -> isReady(site.consoleUrl()), START_SECONDS);
        PrintStream out = terminal.out();
        out.printf(Locale.ROOT, "ready after %.1f s: %s%n", seconds(from), site.consoleUrl());
        out.println("log in there with the password veilgate-demo as");
        out.println(
                "  ada  who searches the logs and reads them, and finds the urgent mail; other mail takes an approval");
        out.println("  ben  who approves, and finds log lines that were not sealed for readers like him");
        out.println("  eve  who may search no mailbox");
        out.println("  kim  who keeps keys and rules; oli, who looks after the gateway");
    }

    private boolean isReady(String url) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/actuator/health/readiness"))
                .timeout(Duration.ofSeconds(5))
                .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private static List<byte[]> readMails(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            List<byte[]> mails = new ArrayList<>();
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                mails.add(Files.readAllBytes(file));
            }
            return mails;
        }
    }

    private void sendMail(DemoSite site, MailSink sink, List<byte[]> mails, boolean samples) throws Exception {
        say(
                "%d mails to alice: a proxy on the sender's side seals them, the gateway stores and forwards them",
                mails.size());
        List<String> arguments = List.of(
                "mail",
                "proxy",
                "--bundle",
                root.resolve("bundle.vgb").toString(),
                "--authority",
                site.fingerprint(),
                "--port",
                Integer.toString(site.proxyPort()),
                "--spool",
                root.resolve("mail-spool").toString(),
                "--signing-key",
                root.resolve(MailSignerFile.NAME).toString(),
                "--signing-passphrase-file",
                root.resolve(MailSignerFile.PASSPHRASE_NAME).toString(),
                "--sign-as",
                "from",
                "--smtp-url",
                "smtp+plain://127.0.0.1:" + site.smtpPort());
        show(arguments);
        ChildProcess proxy =
                new ChildProcess("mail proxy", command(arguments), site.environment(), root.resolve("mail-proxy.log"));
        running.add(proxy::close);
        proxy.await(() -> listens(site.proxyPort()), START_SECONDS);
        long from = System.nanoTime();
        int refused = MailClient.send(site.proxyPort(), "sender@plant.example", DemoSite.MAILBOX, mails);
        int sent = mails.size() - refused;
        boolean all = sink.await(DemoSite.MAILBOX, sent, DELIVERY_SECONDS);
        terminal.out()
                .printf(
                        Locale.ROOT,
                        "%d of %d arrived in alice's mailbox, sealed, %.1f s after the first was sent%n",
                        sink.count(DemoSite.MAILBOX),
                        mails.size(),
                        seconds(from));
        terminal.out()
                .println("as they came: " + root.resolve("mailbox") + "; mail programs open them with "
                        + root.resolve(DemoSite.MAILBOX_KEY) + ", passphrase " + DemoSite.MAILBOX_PASSPHRASE
                        + ", and trust "
                        + root.resolve(DemoSite.MAIL_AUTHORITY));
        if (!all) {
            terminal.out().println("the others are still on their way; see gateway.log and mail-proxy.log");
        }
        sink.await(DemoSite.PAGER, samples ? 2 : 1, samples ? DELIVERY_SECONDS : 5);
        terminal.out().printf("the pager got %d of them: those that contain \"urgent\"%n", sink.count(DemoSite.PAGER));
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private void sealLogs(DemoSite site, @Nullable Path given) throws IOException, InterruptedException {
        Path logs = given;
        if (logs == null) {
            logs = Files.createDirectories(root.resolve("logs"));
            int lines = SampleLogs.write(logs, terminal.clock().instant());
            say("%d lines of logs: an agent seals them and publishes them by MQTT", lines);
        } else {
            say("the logs of %s: an agent seals them and publishes them by MQTT", logs);
        }
        List<String> agent = new ArrayList<>(List.of("agent", "run"));
        Map<String, String> options = new LinkedHashMap<>();
        options.put("--bundle", root.resolve("bundle.vgb").toString());
        options.put("--authority", site.fingerprint());
        options.put("--identity", root.resolve("identity").toString());
        options.put("--state", root.resolve("agent").toString());
        options.put("--scope", DemoSite.LOG_SCOPE);
        options.put("--readers", DemoSite.READERS);
        options.put("--mqtt-url", "mqtt://127.0.0.1:" + site.mqttPort());
        options.put("--mqtt-user", DemoSite.DEVICE);
        options.put("--mqtt-password-file", root.resolve("mqtt-password").toString());
        options.put("--directory", logs.toAbsolutePath().toString());
        options.forEach((name, value) -> agent.addAll(List.of(name, value)));
        long from = System.nanoTime();
        List<String> once = new ArrayList<>(agent);
        once.add("--once");
        show(once);
        run(site, once);
        terminal.out().printf(Locale.ROOT, "sealed, sent and acknowledged in %.1f s%n", seconds(from));
        ChildProcess following =
                new ChildProcess("agent", command(agent), site.environment(), root.resolve("agent.log"));
        running.add(following::close);
    }

    private static double seconds(long fromNanos) {
        return (System.nanoTime() - fromNanos) / 1e9;
    }

    private void veilgate(DemoSite site, String... arguments) throws IOException, InterruptedException {
        show(List.of(arguments));
        run(site, List.of(arguments));
    }

    private void show(List<String> arguments) {
        StringBuilder line = new StringBuilder("$ veilgate");
        for (String argument : arguments) {
            String shown = argument.startsWith(root.toString())
                    ? root.relativize(Path.of(argument)).toString()
                    : argument;
            line.append(' ').append(shown.matches("[\\w./:,=@-]+") ? shown : "'" + shown + "'");
        }
        terminal.out().println(line);
        terminal.out().flush();
    }

    private void run(DemoSite site, List<String> arguments) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command(arguments)).redirectErrorStream(true);
        builder.environment().putAll(site.environment());
        Process process = builder.start();
        process.getOutputStream().close();
        try (InputStream out = process.getInputStream()) {
            out.transferTo(terminal.out());
        }
        terminal.out().flush();
        int status = process.waitFor();
        if (status > 1) {
            throw new IOException("veilgate " + arguments.getFirst() + " ended with status " + status);
        }
    }

    /** This program again, as a process of its own. */
    private static List<String> command(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xlog:disable"));
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path")));
        command.add("dev.veilgate.cli.Main");
        command.addAll(arguments);
        return command;
    }

    void sayWhatToTry() {
        say("everything stays up until Ctrl-C; in another terminal:");
        terminal.out().println("  . " + root.resolve("env"));
        terminal.out().println("  ./veilgate search 'vibration AND press-2'");
        terminal.out().println("  ./veilgate search --scope " + DemoSite.MAIL_SCOPE + " furnace");
        terminal.out().println("  ./veilgate route list");
        terminal.out().println("  less " + root.resolve("gateway.log"));
        terminal.out().flush();
    }

    @Override
    public void close() {
        running.reversed().forEach(Runnable::run);
    }
}
