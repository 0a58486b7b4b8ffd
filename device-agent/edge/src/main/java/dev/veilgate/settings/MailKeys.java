package dev.veilgate.settings;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** All settings of the mail commands: what the file may hold, what the options are, what the help says. */
public final class MailKeys {
    static final Setting BUNDLE = AgentKeys.BUNDLE;
    static final Setting BUNDLE_EVERY = AgentKeys.BUNDLE_EVERY;
    static final Setting BUNDLE_CA = AgentKeys.BUNDLE_CA;
    static final Setting AUTHORITY = Setting.text(
            "authority",
            "",
            "Fingerprint of the authority that signs the bundle, as `veilgate keys show` prints it; or a file that holds it.");

    static final Setting LIBOQS = AgentKeys.LIBOQS;

    static final Setting LISTEN = Setting.text(
            "mail.listen",
            "127.0.0.1",
            "Address to listen on. Another than loopback needs --tls-certificate, --tls-key and --passwords.");
    static final Setting PORT = Setting.number("mail.port", "2525", 0, 65535, "Port to listen on; 0 takes a free one.");
    static final Setting CERTIFICATE =
            Setting.path("mail.tls.certificate", "", "PEM of the certificate for STARTTLS, with its chain.");
    static final Setting KEY = Setting.path("mail.tls.key", "", "PEM of its private key (PKCS 8, not encrypted).");
    static final Setting PASSWORDS =
            Setting.path("mail.passwords", "", "Users who may send, made by the command `mail password`.");
    static final Setting REVERSE_PATH = Setting.choice(
            "mail.reverse-path",
            "domain",
            List.of("any", "domain", "login"),
            "Sender addresses of users who logged in: any; those in the domain of the login, or of the bundle's recipients if it has none; or the login only.");
    static final Setting SPOOL = Setting.path("mail.spool", "", "Folder where sealed mail waits; of one proxy.");
    static final Setting MAX_SIZE = Setting.size(
            "mail.max-size", "50 MiB", 1024, ProxySettings.MAX_MESSAGE_BYTES, "Longest message that is taken.");
    static final Setting PARTIAL =
            Setting.onOff("mail.partial", "false", "Send to recipients with a key even if others have none.");
    static final Setting INDEX = Setting.onOff(
            "mail.index",
            "true",
            "Mails carry the index that the gateway searches; without it they are plain S/MIME, for mail that meets no gateway.");
    static final Setting READERS = Setting.text(
            "mail.readers",
            "",
            "Who may read besides the recipients, by their domain: 'acme.example = role:dpo; * = role:auditor AND site:plant-7'. Without it whoever has"
                    + " the tenant's key.");
    static final Setting SIGNING_KEY = Setting.path(
            "mail.signing-key",
            "",
            "The tenant's key for signing mail with its certificates, as `veilgate keys mail-signer export` writes it (PKCS 12), or in PEM (PKCS 8, not encrypted). Needed, unless"
                    + " mail.authenticated is '*'.");
    static final Setting SIGNING_PASSPHRASE = Setting.path(
            "mail.signing-passphrase-file", "", "File whose first line is the passphrase of a signing key in PKCS 12.");
    static final Setting SENDER_KEYS = Setting.path(
            "mail.sender-keys",
            "",
            "Folder of senders' own keys and certificates for signing: ADDRESS.p12, with its passphrase in ADDRESS.passphrase or in mail.signing-passphrase-file, or ADDRESS.pem.");
    static final Setting AUTHENTICATED = Setting.text(
            "mail.authenticated",
            "",
            "Recipients whose mail programs open AuthEnvelopedData: addresses and domains, as 'ada@acme.example, example.org'; * for all. Others get EnvelopedData around a"
                    + " signature, unless their certificates say that they read the former.");
    static final Setting SUBJECT = Setting.text(
            "mail.subject",
            "text",
            "Where the Subject is shown to mail programs that do not know header protection: text (first lines of the text, sealed), outside (for every server to read), both or hidden;"
                    + " other places for some recipients as 'text; acme.example = outside; ada@acme.example = hidden'.");
    static final Setting SIGN_AS = Setting.text(
            "mail.sign-as",
            "login",
            "Addresses that users own, as of which their mail is signed if the signing key signs as senders: login (the login, if it is an address), from"
                    + " (whatever From says), tenant (none), addresses, or @ and a domain; by login as 'login; ada = login, info@acme.example; scanner = tenant'.");
    static final Setting RETRY =
            Setting.time("mail.retry", "60 s", "1 s", "1 h", "First pause before trying again; doubles up to an hour.");
    static final Setting GIVE_UP =
            Setting.time("mail.give-up", "3 d", "1 s", "30 d", "When the sender gets a report instead.");

    static final Setting SMTP_URL = Setting.text(
            "mail.smtp.url",
            "",
            "Where sealed mail goes: smtp://host[:587] (STARTTLS, unless on loopback), smtps://host[:465], or smtp+plain://host[:25].");
    static final Setting SMTP_USER = Setting.text("mail.smtp.user", "", "User to log in with there.");
    static final Setting SMTP_PASSWORD_FILE =
            Setting.path("mail.smtp.password-file", "", "File whose first line is the password there.");
    static final Setting SMTP_CA =
            Setting.path("mail.smtp.ca", "", "PEM of authorities to trust there instead of the system's.");
    static final Setting SMTP_TIMEOUT =
            Setting.time("mail.smtp.timeout", "2 min", "1 s", "30 min", "For connecting and for each reply there.");

    static final Setting MONITOR_PORT =
            Setting.number("mail.monitor.port", "0", 0, 65535, "Port for /health and /metrics on 127.0.0.1; 0: none.");

    /**
     * Of {@code mail send}: those that a variable of the environment names where nothing else does, as for the other
     * commands.
     */
    static final Map<Setting, String> VARIABLES = Map.of(
            BUNDLE,
            "VEILGATE_BUNDLE",
            BUNDLE_CA,
            "VEILGATE_BUNDLE_CA",
            AUTHORITY,
            "VEILGATE_AUTHORITY",
            SIGNING_KEY,
            "VEILGATE_MAIL_SIGNING_KEY",
            SIGNING_PASSPHRASE,
            "VEILGATE_MAIL_SIGNING_PASSPHRASE_FILE");

    /** Those of {@code mail send}, in the order of the help. */
    public static final List<Setting> OF_SENDING = List.of(
            BUNDLE,
            BUNDLE_CA,
            AUTHORITY,
            LIBOQS,
            INDEX,
            READERS,
            SIGNING_KEY,
            SIGNING_PASSPHRASE,
            SENDER_KEYS,
            AUTHENTICATED,
            SUBJECT,
            SIGN_AS,
            SMTP_URL,
            SMTP_USER,
            SMTP_PASSWORD_FILE,
            SMTP_CA,
            SMTP_TIMEOUT);

    /** Those of {@code mail proxy}. */
    public static final List<Setting> ALL = List.of(
            BUNDLE,
            BUNDLE_EVERY,
            BUNDLE_CA,
            AUTHORITY,
            LIBOQS,
            LISTEN,
            PORT,
            CERTIFICATE,
            KEY,
            PASSWORDS,
            REVERSE_PATH,
            SPOOL,
            MAX_SIZE,
            PARTIAL,
            INDEX,
            READERS,
            SIGNING_KEY,
            SIGNING_PASSPHRASE,
            SENDER_KEYS,
            AUTHENTICATED,
            SUBJECT,
            SIGN_AS,
            RETRY,
            GIVE_UP,
            SMTP_URL,
            SMTP_USER,
            SMTP_PASSWORD_FILE,
            SMTP_CA,
            SMTP_TIMEOUT,
            MONITOR_PORT);

    /** What the file may hold: the identity as well, which mail has no use for, since anybody may send mail. */
    static final List<Setting> OF_THE_FILE =
            Stream.concat(ALL.stream(), Stream.of(AgentKeys.IDENTITY)).toList();

    private MailKeys() {}
}
