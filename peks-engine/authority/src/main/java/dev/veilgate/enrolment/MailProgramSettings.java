package dev.veilgate.enrolment;

import dev.veilgate.enrolment.MailServers.Protection;
import dev.veilgate.enrolment.MailServers.Server;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;

/** Files by which mail programs are set up for a user. No password and no passphrase is in any of them. */
final class MailProgramSettings {
    private MailProgramSettings() {}

    /**
     * The settings that Thunderbird looks for at {@code https://autoconfig.DOMAIN/mail/config-v1.1.xml}: the same for
     * all users of a domain, as it puts in their addresses itself.
     *
     * @param servers both known
     */
    static String autoconfig(String domain, MailServers servers) {
        return """
                <?xml version="1.0" encoding="UTF-8"?>
                <clientConfig version="1.1">
                  <emailProvider id="%1$s">
                    <domain>%1$s</domain>
                    <displayName>%1$s</displayName>
                    <displayShortName>%1$s</displayShortName>
                    <incomingServer type="imap">
                %2$s
                      <authentication>password-cleartext</authentication>
                      <username>%%EMAILADDRESS%%</username>
                    </incomingServer>
                    <outgoingServer type="smtp">
                %3$s
                %4$s
                    </outgoingServer>
                  </emailProvider>
                </clientConfig>
                """.formatted(
                        escaped(domain),
                        place(servers.imap().orElseThrow()),
                        place(servers.smtp().orElseThrow()),
                        login(servers.smtp().orElseThrow()));
    }

    private static String place(Server server) {
        String type = switch (server.protection()) {
            case TLS -> "SSL";
            case STARTTLS -> "STARTTLS";
            case NONE -> "plain";
        };
        return "      <hostname>" + escaped(server.host()) + "</hostname>\n      <port>" + server.port()
                + "</port>\n      <socketType>" + type + "</socketType>";
    }

    /** A proxy on the machine itself asks for no password. */
    private static String login(Server smtp) {
        return smtp.protection() == Protection.NONE
                ? "      <authentication>none</authentication>"
                : "      <authentication>password-cleartext</authentication>\n"
                        + "      <username>%EMAILADDRESS%</username>";
    }

    /**
     * A configuration profile for macOS, iOS and iPadOS: the key, which asks for its passphrase, the authority, and the
     * mail account if both servers are known.
     *
     * @param address   of the user
     * @param keyName   of the PKCS #12 file
     * @param key       PKCS #12
     * @param authority certificate, DER
     */
    static String appleProfile(String address, String keyName, byte[] key, byte[] authority, MailServers servers) {
        String keyId = id();
        String account = servers.areKnown() ? account(address, servers, keyId) : "";
        return """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
                <plist version="1.0">
                <dict>
                  <key>PayloadType</key><string>Configuration</string>
                  <key>PayloadVersion</key><integer>1</integer>
                  <key>PayloadIdentifier</key><string>veilgate.mail.%1$s</string>
                  <key>PayloadUUID</key><string>%2$s</string>
                  <key>PayloadDisplayName</key><string>Sealed mail of %1$s</string>
                  <key>PayloadContent</key>
                  <array>
                    <dict>
                      <key>PayloadType</key><string>com.apple.security.root</string>
                      <key>PayloadVersion</key><integer>1</integer>
                      <key>PayloadIdentifier</key><string>veilgate.mail.%1$s.authority</string>
                      <key>PayloadUUID</key><string>%3$s</string>
                      <key>PayloadCertificateFileName</key><string>authority.cer</string>
                      <key>PayloadContent</key><data>%4$s</data>
                    </dict>
                    <dict>
                      <key>PayloadType</key><string>com.apple.security.pkcs12</string>
                      <key>PayloadVersion</key><integer>1</integer>
                      <key>PayloadIdentifier</key><string>veilgate.mail.%1$s.key</string>
                      <key>PayloadUUID</key><string>%5$s</string>
                      <key>PayloadCertificateFileName</key><string>%6$s</string>
                      <key>PayloadContent</key><data>%7$s</data>
                    </dict>
                %8$s  </array>
                </dict>
                </plist>
                """.formatted(
                        escaped(address),
                        id(),
                        id(),
                        Base64.getEncoder().encodeToString(authority),
                        keyId,
                        escaped(keyName),
                        Base64.getEncoder().encodeToString(key),
                        account);
    }

    private static String account(String address, MailServers servers, String keyId) {
        return """
                    <dict>
                      <key>PayloadType</key><string>com.apple.mail.managed</string>
                      <key>PayloadVersion</key><integer>1</integer>
                      <key>PayloadIdentifier</key><string>veilgate.mail.%1$s.account</string>
                      <key>PayloadUUID</key><string>%2$s</string>
                      <key>EmailAccountType</key><string>EmailTypeIMAP</string>
                      <key>EmailAccountDescription</key><string>%1$s</string>
                      <key>EmailAddress</key><string>%1$s</string>
                %3$s%4$s      <key>OutgoingPasswordSameAsIncomingPassword</key><true/>
                      <key>SMIMEEnabled</key><true/>
                      <key>SMIMESigningEnabled</key><false/>
                      <key>SMIMEEncryptionEnabled</key><false/>
                      <key>SMIMEEncryptionCertificateUUID</key><string>%5$s</string>
                    </dict>
                """.formatted(
                        escaped(address),
                        id(),
                        appleServer("Incoming", servers.imap().orElseThrow(), Optional.of(address)),
                        appleServer(
                                "Outgoing",
                                servers.smtp().orElseThrow(),
                                Optional.of(address)
                                        .filter(_ -> servers.smtp()
                                                .filter(each -> each.protection() == Protection.NONE)
                                                .isEmpty())),
                        keyId);
    }

    /** @param login empty if the server asks for none */
    private static String appleServer(String direction, Server server, Optional<String> login) {
        String user = login.map(name -> "      <key>%sMailServerUsername</key><string>%s</string>\n"
                        .formatted(direction, escaped(name)))
                .orElse("");
        return """
                      <key>%1$sMailServerHostName</key><string>%2$s</string>
                      <key>%1$sMailServerPortNumber</key><integer>%3$d</integer>
                      <key>%1$sMailServerUseSSL</key><%4$s/>
                      <key>%1$sMailServerAuthentication</key><string>%5$s</string>
                %6$s""".formatted(
                        direction,
                        escaped(server.host()),
                        server.port(),
                        server.protection() != Protection.NONE,
                        login.isPresent() ? "EmailAuthPassword" : "EmailAuthNone",
                        user);
    }

    private static String id() {
        return UUID.randomUUID().toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&apos;");
    }
}
