package dev.veilgate.benchmarks;

import dev.veilgate.benchmarks.SealedSet.Mail;
import dev.veilgate.benchmarks.gateway.Gateway;
import dev.veilgate.benchmarks.gateway.MailSink;
import dev.veilgate.benchmarks.gateway.Programs;
import dev.veilgate.benchmarks.gateway.RawMail;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Sends the sealed mails over TLS. */
final class MailIngestion {
    private static final int CONNECTIONS = 8;

    private final Gateway gateway;
    private final List<Mail> mails;

    MailIngestion(SealedSet sealed, Gateway gateway) throws Exception {
        this.gateway = gateway;
        this.mails = sealed.mails();
    }

    /** Four fifths of the mails to warm up, then the others. They go on to the sink meanwhile. */
    List<String> rate(Programs programs, MailSink sink) throws Exception {
        List<RawMail> connections = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            connections.add(connect());
        }
        int warm = mails.size() * 4 / 5;
        send(connections, 0, warm);
        programs.await("delivery", () -> sink.mails().size() == warm);
        long start = System.nanoTime();
        send(connections, warm, mails.size());
        double seconds = (System.nanoTime() - start) / 1e9;
        int delivered = sink.mails().size() - warm;
        programs.await("delivery", () -> sink.mails().size() == mails.size());
        double all = (System.nanoTime() - start) / 1e9;
        for (RawMail connection : connections) {
            connection.close();
        }
        int sent = mails.size() - warm;
        return List.of(
                GatewayFigures.row(
                        "mails over TLS",
                        sent / seconds,
                        "mails/s",
                        ">= 400",
                        "%d mails in %.2f s by %d connections; %d of them were delivered to a sink on the same cores meanwhile",
                        sent,
                        seconds,
                        CONNECTIONS,
                        delivered),
                GatewayFigures.row(
                        "mails delivered", sent / all, "mails/s", "", "the same; until the last is at the sink"));
    }

    private void send(List<RawMail> connections, int from, int to) throws Exception {
        AtomicInteger next = new AtomicInteger(from);
        List<Callable<Void>> work = new ArrayList<>();
        for (RawMail connection : connections) {
            work.add(() -> {
                for (int i = next.getAndIncrement(); i < to; i = next.getAndIncrement()) {
                    connection.send(sender(i), SealedSet.MAILBOX, mails.get(i).bytes());
                }
                return null;
            });
        }
        SealedSet.inParallel(CONNECTIONS, work);
    }

    static String sender(int mail) {
        return "m" + mail + "@elsewhere.example";
    }

    RawMail connect() throws Exception {
        SSLContext anybody = SSLContext.getInstance("TLS");
        anybody.init(null, new TrustManager[] {new Anybody()}, new SecureRandom());
        return new RawMail(anybody.getSocketFactory().createSocket("127.0.0.1", gateway.smtp));
    }

    /** The certificate is the gateway's own. */
    private static final class Anybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
