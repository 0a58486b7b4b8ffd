package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.enrolment.CertificatePem;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.PrintStream;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows certificates. */
@Command(
        name = "show",
        header = "Show the certificates that the tenant's mail is signed with",
        description = {
            "  Prints nothing secret. --pem prints the present certificate and those that it stands on, to be imported where mail",
            "  programs are to trust it. The exit status is 1 if there is none.",
        },
        footer = {
            "  veilgate keys mail-signer show",
            "  veilgate keys mail-signer show --pem > acme-mail.pem",
        })
final class MailSignerShowCommand extends AuthorityCommand {
    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Option(names = "--pem", description = "Print the present certificate and its chain as PEM.")
    private boolean pem;

    MailSignerShowCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.READ);
    }

    @Override
    void checkArguments() throws CommandFailure {
        if (json && pem) {
            throw new CommandFailure(ExitCode.USAGE, "--json or --pem, not both");
        }
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        List<List<X509Certificate>> signers = folder.keys().mailSigners();
        if (json) {
            terminal.out().println(Json.of(Map.of("mailSigners", facts(signers))));
        }
        if (signers.isEmpty()) {
            terminal.err().println("no mail is signed yet; veilgate keys mail-signer new makes a key for it");
            return ExitCode.NO_MATCH;
        }
        if (pem) {
            for (X509Certificate certificate : signers.getFirst()) {
                terminal.out().print(CertificatePem.of(certificate));
            }
        } else if (!json) {
            print(signers, folder.keys().mailSigner().orElseThrow(), terminal.out());
        }
        MailSignerNotice.warn(terminal, folder.keys());
        return ExitCode.OK;
    }

    /** Of each signer, the present one first, its certificates. */
    static List<Object> facts(List<List<X509Certificate>> signers) {
        List<Object> all = new ArrayList<>();
        for (List<X509Certificate> chain : signers) {
            List<Object> certificates = new ArrayList<>();
            for (X509Certificate certificate : chain) {
                Map<String, Object> fact = new LinkedHashMap<>();
                fact.put("fingerprint", MailSigner.fingerprint(certificate));
                fact.put("subject", certificate.getSubjectX500Principal().getName());
                fact.put("notBefore", certificate.getNotBefore().toInstant().toString());
                fact.put("notAfter", certificate.getNotAfter().toInstant().toString());
                certificates.add(fact);
            }
            all.add(Map.of("chain", certificates));
        }
        return all;
    }

    private static String signsAs(MailSigner signer) {
        if (!signer.isAuthority()) {
            return "the tenant; mail programs want the sender: keys mail-signer new --domain";
        }
        List<String> domains = signer.domains();
        return domains.isEmpty() ? "senders" : "senders in " + Printable.of(String.join(", ", domains));
    }

    private static void print(List<List<X509Certificate>> signers, MailSigner signer, PrintStream out) {
        List<X509Certificate> present = signers.getFirst();
        X509Certificate leaf = present.getFirst();
        out.printf("fingerprint  %s%n", MailSigner.fingerprint(leaf));
        out.printf("subject      %s%n", name(leaf));
        out.printf("signs as     %s%n", signsAs(signer));
        out.printf(
                "valid        %s to %s%n",
                leaf.getNotBefore().toInstant(), leaf.getNotAfter().toInstant());
        out.println("issued by" + (present.size() == 1 ? "    not in its chain" : ""));
        present.stream().skip(1).forEach(certificate -> line(certificate, out));
        out.println("former" + (signers.size() == 1 ? "       none" : ""));
        signers.stream().skip(1).forEach(chain -> line(chain.getFirst(), out));
    }

    private static void line(X509Certificate certificate, PrintStream out) {
        out.printf(
                "  %s  %s  to %s%n",
                MailSigner.fingerprint(certificate),
                name(certificate),
                certificate.getNotAfter().toInstant());
    }

    private static String name(X509Certificate certificate) {
        return Printable.of(certificate.getSubjectX500Principal().getName());
    }

    /** The certificate as mail programs import it. */
}
