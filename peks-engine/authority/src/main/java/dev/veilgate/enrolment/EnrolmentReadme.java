package dev.veilgate.enrolment;

import dev.veilgate.enrolment.MailServers.Server;

/** Steps for a new user of mail, in words for people who know none of ours. */
final class EnrolmentReadme {
    private EnrolmentReadme() {}

    /** For a user whose key is in the folder. */
    static String withKey(String address, String key, String profile, MailServers servers) {
        return """
                Sealed mail for %1$s

                Mail to you is encrypted before it is sent. With the file %2$s your mail program opens it. The file has
                a passphrase, which you are told by another way, such as by telephone. Keep both: without them nobody
                can read your mail of before again. Give neither to anybody else.
                If you had such a file before, leave its certificate in your mail program: it opens your mail of then.

                Thunderbird
                  1. Settings, Privacy & Security, Manage Certificates, Your Certificates, Import: choose %2$s
                     and type the passphrase.
                  2. In the same window, Authorities, Import: choose authority.pem, and tick that it is trusted to
                     identify email users.
                %4$s
                macOS, iPhone, iPad
                  1. Open %3$s, and install the profile in Settings (Profile Downloaded; on a Mac, Device
                     Management). You are asked for the passphrase.
                  2. On an iPhone or iPad also: Settings, General, About, Certificate Trust Settings: switch the
                     authority on.

                Other programs
                  Import %2$s as your S/MIME certificate, and authority.pem as an authority that you trust for mail.

                Write mail as always. Leave encryption and signing off in your mail program: the server that it sends by
                does both. That a mail to you was sealed you see by the sign of encryption above it.
                """.formatted(address, key, profile, account(address, servers));
    }

    /** For a user who made the key themself. */
    static String withCertificate(String address, String certificate, MailServers servers) {
        return """
                Sealed mail for %1$s

                Mail to you is encrypted, before it is sent, for the key that you made. %2$s is its certificate.

                  1. Put key and certificate into one file for your mail program, such as with
                     openssl pkcs12 -export -inkey YOUR.key -in %2$s -out mail.p12
                  2. Import mail.p12 as your S/MIME certificate, and authority.pem as an authority that you trust
                     for mail. In Thunderbird: Settings, Privacy & Security, Manage Certificates.
                %3$s
                Write mail as always. Leave encryption and signing off in your mail program: the server that it sends by
                does both. That a mail to you was sealed you see by the sign of encryption above it.
                """.formatted(address, certificate, account(address, servers));
    }

    private static String account(String address, MailServers servers) {
        if (!servers.areKnown()) {
            return "  3. Add the account, or keep the one that you have: ask who runs your mail for the servers.\n";
        }
        return """
                  3. Add the account %s, if you have none yet. Where the program does not find the servers by itself:
                     incoming  IMAP  %s
                     outgoing  SMTP  %s
                """.formatted(
                address, said(servers.imap().orElseThrow()), said(servers.smtp().orElseThrow()));
    }

    private static String said(Server server) {
        return server.host() + ", port " + server.port() + ", "
                + switch (server.protection()) {
                    case TLS -> "SSL/TLS, normal password";
                    case STARTTLS -> "STARTTLS, normal password";
                    case NONE -> "no connection security";
                };
    }
}
