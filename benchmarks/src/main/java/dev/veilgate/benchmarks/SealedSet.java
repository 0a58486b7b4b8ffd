package dev.veilgate.benchmarks;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.benchmarks.gateway.EnvelopeFile;
import dev.veilgate.benchmarks.gateway.MailSink;
import dev.veilgate.benchmarks.gateway.Programs;
import dev.veilgate.benchmarks.gateway.RawMail;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.envelope.SenderRegistry;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.mail.MailExtractor;
import dev.veilgate.peks.Keyword;
import dev.veilgate.query.Expression;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What clients of a gateway send and whom it knows, sealed beforehand and kept in a folder: logs of several devices, mails as the mail proxy sealed them, searches of
 * routes, the tenant's bundle and the access file. The tenant's secret keys are forgotten.
 *
 * @param folder    of all
 * @param authority fingerprint
 */
record SealedSet(Path folder, String authority) {
    static final String TENANT = "bench";
    static final String MAILBOX = "alice@example.org";

    private static final String SCOPE = "mailbox-alice";
    private static final int THREADS = 2;

    /**
     * How much.
     *
     * @param devices    each seals all lines once a pass
     * @param logPasses  all but the last to warm up
     * @param logs       of {@link EdgeLog}, from the first
     * @param mailPasses the first four fifths to warm up
     * @param mails      in a pass
     * @param routes     one of them finds about half of the mails, the others none
     */
    record Size(int devices, int logPasses, int logs, int mailPasses, int mails, int routes) {}

    /** A mail as the gateway gets it; whether the route that finds something finds it. */
    @SuppressWarnings("ArrayRecordComponent")
    record Mail(boolean routed, byte[] bytes) {}

    /** What was made there before, or made now. */
    static SealedSet in(Path data, Size size) throws Exception {
        String epoch = EpochPolicy.MONTHLY.at(Instant.now()).name();
        Path folder = data.resolve("sealed-" + epoch);
        if (Files.notExists(folder.resolve("authority"))) {
            Files.createDirectories(folder);
            try (Programs programs = new Programs(folder)) {
                make(folder, size, epoch, programs);
            }
        }
        return new SealedSet(folder, Files.readString(folder.resolve("authority")));
    }

    private static void make(Path folder, Size size, String epoch, Programs programs) throws Exception {
        SecureRandom random = new SecureRandom();
        Instant now = Instant.now();
        byte[] profile = ExtractorProfile.defaults().encode();
        Path access = folder.resolve("access");
        Files.deleteIfExists(access);
        try (TenantKeys keys = TenantKeys.generate(TENANT, EpochPolicy.MONTHLY, profile, random, now)) {
            List<SigningKey> devices = new ArrayList<>();
            for (int i = 0; i < size.devices; i++) {
                devices.add(SigningKey.generate(device(i), random));
                keys.putSender(devices.get(i).publicKey());
                Files.writeString(folder.resolve(device(i)), programs.access(access, TENANT, "device", device(i)));
            }
            byte[] recipient = programs.certificate(
                    "email:" + MAILBOX, folder.resolve("alice-key.pem"), folder.resolve("alice.pem"));
            keys.putRecipient(new Recipient(MAILBOX, recipient, SCOPE));
            programs.certificate("DNS:localhost", folder.resolve("tls-key.pem"), folder.resolve("tls.pem"));
            byte[] encoded = keys.nextBundle(now, Duration.ofDays(40));
            keys.senders().publish(SenderRegistry.beside(folder.resolve("bundle")));
            Files.write(folder.resolve("bundle"), encoded);
            Files.writeString(
                    folder.resolve("token"),
                    programs.access(access, TENANT, "token", "figures", "--right", "ingest,routes,status"));
            String authority = keys.authority().fingerprint();
            sealLogs(folder, size, PublicBundle.verify(encoded, authority, now), devices);
            sealMails(folder, size, authority, programs, keys, epoch);
            Files.writeString(folder.resolve("authority"), authority); // the last: all is there
        }
    }

    private static void sealLogs(Path folder, Size size, PublicBundle bundle, List<SigningKey> devices)
            throws Exception {
        List<EdgeLog> logs = EdgeLog.readAll().subList(0, size.logs);
        List<Callable<Void>> work = new ArrayList<>();
        for (int i = 0; i < devices.size(); i++) {
            int device = i;
            work.add(() -> {
                try (EnvelopeFile file = EnvelopeFile.create(log(folder, device));
                        LogSealing sealing = new LogSealing(new LogSealing.Sender(bundle, devices.get(device)))) {
                    for (int n = 0; n < size.logPasses * logs.size(); n++) {
                        // each device begins with another log, so that the mix is even at any time
                        for (List<byte[]> batch :
                                logs.get((n + device) % logs.size()).batches()) {
                            file.add(batch.size(), sealing.seal(batch).bytes());
                        }
                    }
                }
                return null;
            });
        }
        inParallel(THREADS, work);
    }

    /** Through the proxy of the edge, into a sink. */
    private static void sealMails(
            Path folder, Size size, String authority, Programs programs, TenantKeys keys, String epoch)
            throws Exception {
        List<byte[]> plain = RawMail.all();
        plain = plain.subList(0, Math.min(size.mails, plain.size()));
        int proxy = Programs.freePort();
        List<byte[]> mails = plain;
        try (MailSink sink = new MailSink()) {
            programs.startProxy(proxy, folder.resolve("bundle"), authority, folder.resolve("spool"), sink.port());
            List<Callable<Void>> work = new ArrayList<>();
            for (int pass = 0; pass < size.mailPasses; pass++) {
                int of = pass;
                work.add(() -> {
                    try (RawMail connection = new RawMail(proxy)) {
                        for (int i = 0; i < mails.size(); i++) {
                            connection.send(sender(of, i), MAILBOX, mails.get(i));
                        }
                    }
                    return null;
                });
            }
            inParallel(size.mailPasses, work);
            int all = size.mailPasses * mails.size();
            programs.await("sealed mails", () -> sink.mails().size() == all);
            List<Boolean> routed = routes(folder, size.routes, keys, epoch, mails);
            try (DataOutputStream out =
                    new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(folder.resolve("mails"))))) {
                for (int n = 0; n < all; n++) {
                    int i = n % mails.size();
                    byte[] sealed =
                            Objects.requireNonNull(sink.mails().get(sender(n / mails.size(), i) + ">" + MAILBOX));
                    out.writeInt(routed.get(i) ? 1 : 0);
                    out.writeInt(sealed.length);
                    out.write(sealed);
                }
            }
        }
    }

    private static String sender(int pass, int mail) {
        return "m" + pass + "-" + mail + "@elsewhere.example";
    }

    /** Writes the routes' searches; which mails the first finds. */
    private static List<Boolean> routes(Path folder, int routes, TenantKeys keys, String epoch, List<byte[]> mails)
            throws Exception {
        List<HashSet<Keyword>> words = new ArrayList<>();
        Map<Keyword, Integer> count = new HashMap<>();
        try (MailExtractor extractor = new MailExtractor(ExtractorProfile.defaults())) {
            for (byte[] mail : mails) {
                HashSet<Keyword> of = new HashSet<>(extractor.extract(mail).keywords());
                words.add(of);
                of.forEach(word -> count.merge(word, 1, Integer::sum));
            }
        }
        Keyword half = count.entrySet().stream()
                .min((x, y) -> Math.abs(2 * x.getValue() - mails.size()) - Math.abs(2 * y.getValue() - mails.size()))
                .orElseThrow()
                .getKey();
        Files.createDirectories(folder.resolve("routes"));
        for (int i = 0; i < routes; i++) {
            Keyword word = i == 0 ? half : Keyword.text(half.field(), "in-no-mail-" + i);
            byte[] search = keys.request(
                            SCOPE,
                            List.of(epoch),
                            List.of(List.of(word)),
                            new Expression.Term(0),
                            new Corpus.MemoryStore())
                    .encode();
            Files.write(folder.resolve("routes/" + i), search);
        }
        return words.stream().map(of -> of.contains(half)).toList();
    }

    /** Runs them all; the first failure is thrown. */
    static void inParallel(int threads, List<Callable<Void>> work) throws Exception {
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            for (Future<Void> done : executor.invokeAll(work)) {
                done.get();
            }
        }
    }

    static String device(int number) {
        return "device-" + number;
    }

    Path log(int device) {
        return log(folder, device);
    }

    private static Path log(Path folder, int device) {
        return folder.resolve("log-" + device);
    }

    /** A file's text: token, or password of a device. */
    String secret(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    /** All passes, one behind the other. */
    List<Mail> mails() throws IOException {
        ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(folder.resolve("mails")));
        List<Mail> mails = new ArrayList<>();
        while (all.hasRemaining()) {
            boolean routed = all.getInt() == 1;
            byte[] bytes = new byte[all.getInt()];
            all.get(bytes);
            mails.add(new Mail(routed, bytes));
        }
        return mails;
    }
}
