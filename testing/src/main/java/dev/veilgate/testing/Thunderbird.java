package dev.veilgate.testing;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Thunderbird without a screen that shows mails in windows of its own, with the keys of a recipient. What it says
 * of them is read from its
 * window, and the window is photographed.
 */
public final class Thunderbird implements AutoCloseable {
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final Duration LONGEST_OPENING = Duration.ofSeconds(20);
    private static final Duration UNCHANGED = Duration.ofSeconds(1);
    private static final Duration INCOMPLETE = Duration.ofMillis(2_500);
    private static final long LOOK_EVERY_MILLIS = 100;

    private static final Pattern PORT = Pattern.compile("\"marionette.port\", (\\d+)");

    private static final String FOLDER = """
            const {MailServices} = ChromeUtils.importESModule("resource:///modules/MailServices.sys.mjs");
            const root = MailServices.accounts.localFoldersServer.rootFolder;
            if (!root.containsChildNamed("Mails")) {
              root.createSubfolder("Mails", null);
            }
            const folder = root.getChildNamed("Mails");
            """;

    private static final String KEEP = FOLDER + """
            const file = Components.classes["@mozilla.org/file/local;1"].createInstance(Components.interfaces.nsIFile);
            file.initWithPath(arguments[0]);
            MailServices.copy.copyFileMessage(file, folder, null, false, 0, "", null, null);
            """;

    private static final String COUNT = FOLDER + "return [...folder.messages].length;";
    private static final String MORE = FOLDER + "return [...folder.messages].length > arguments[0];";

    private static final String OPEN = FOLDER + """
            const mail = [...folder.messages].reduce((a, b) => a.messageKey > b.messageKey ? a : b);
            window.veilgateMail = window.openDialog("chrome://messenger/content/messageWindow.xhtml", "_blank",
                "all,chrome,dialog=no,status,toolbar", mail);
            """;

    private static final String OPEN_FILE = """
            const file = Components.classes["@mozilla.org/file/local;1"].createInstance(Components.interfaces.nsIFile);
            file.initWithPath(arguments[0]);
            const url = Services.io.newFileURI(file).mutate().setQuery("type=application/x-message-display").finalize();
            window.veilgateMail = window.openDialog("chrome://messenger/content/messageWindow.xhtml", "_blank",
                "all,chrome,dialog=no,status,toolbar", url);
            """;

    private static final String SELECT = FOLDER + """
            const main = document.getElementById("tabmail").currentAbout3Pane;
            if (!main || !main.displayFolder) {
              return false;
            }
            main.displayFolder(folder.URI);
            const newest = [...folder.messages].reduce((a, b) => a.messageKey > b.messageKey ? a : b);
            if (!main.gDBView || main.gFolder !== folder) {
              return false;
            }
            main.selectMessage(newest);
            return true;
            """;

    private static final String IS_SELECTED = FOLDER + """
            const shown = document.getElementById("tabmail").currentAboutMessage;
            const newest = [...folder.messages].reduce((a, b) => a.messageKey > b.messageKey ? a : b);
            const isNewest = shown && shown.gMessage && shown.gMessage.messageKey == newest.messageKey;
            return Boolean(isNewest && shown.msgLoaded);
            """;

    private static final String REPLY = """
            window.veilgateMail.document.getElementById("messageBrowser").contentWindow
                .commandController.doCommand("cmd_reply");
            """;

    private static final String LOOK_AT_REPLY = """
            const writing = Services.wm.getMostRecentWindow("msgcompose");
            const editor = writing && writing.document.getElementById("messageEditor");
            const body = editor && editor.contentDocument && editor.contentDocument.body;
            if (!writing || !writing.gMsgCompose || !body || !body.innerText.trim()) {
              return null;
            }
            return {
              subject: writing.document.getElementById("msgSubject").value,
              recipient: writing.gMsgCompose.compFields.to,
              text: body.innerText,
            };
            """;

    private static final String END_REPLY = """
            const writing = Services.wm.getMostRecentWindow("msgcompose");
            writing.gContentChanged = false;
            writing.close();
            """;

    private static final String LOOK = """
            const browser = window.veilgateMail.document.getElementById("messageBrowser");
            const page = browser && browser.contentDocument;
            const pane = page && page.getElementById("messagepane");
            const body = pane && pane.contentDocument;
            if (!page || !page.getElementById("expandedsubjectBox")) {
              return null;
            }
            const isShown = body && body.body && body.readyState == "complete" && body.location.href != "about:blank";
            const said = id => {
              const icon = page.getElementById(id);
              return icon && !icon.hidden ? icon.getAttribute("alt") || icon.title || icon.textContent : "";
            };
            const invitation = page.getElementById("imip-bar");
            const attached = page.getElementById("attachmentList");
            return {
              isEmpty: !isShown,
              text: isShown ? body.body.innerText : "",
              subject: said("expandedsubjectBox").replace(/^Subject:/, ""),
              from: Array.from(
                  page.getElementById("expandedfromBox").querySelectorAll("li"), each => each.textContent.trim()),
              signature: said("signedHdrIcon"),
              encryption: said("encryptedHdrIcon"),
              attachments: Array.from(
                  attached ? attached.querySelectorAll(".attachmentcell-name") : [], each => each.textContent),
              notices: Array.from(page.querySelectorAll("notification-message"), each => each.messageText)
                  .concat(invitation.collapsed ? [] : [invitation])
                  .map(each => each ? each.textContent.trim() : ""),
            };
            """;

    private static final String READ = """
            const { MailServices } = ChromeUtils.importESModule("resource:///modules/MailServices.sys.mjs");
            const converter = Components.classes["@mozilla.org/messenger/mimeconverter;1"]
                .getService(Components.interfaces.nsIMimeConverter);
            const parser = MailServices.headerParser;
            return arguments[0].map(field => {
              const decoded = converter.decodeMimeHeader(field, null, false, true);
              return parser.parseEncodedHeader(field).concat(parser.parseDecodedHeader(decoded))
                  .flatMap(each => each.group ? each.group.concat(each) : [each])
                  .flatMap(each => [each.name || "", each.email || ""])
                  .concat(parser.extractHeaderAddressMailboxes(field))
                  .filter(text => text.includes("@"));
            });
            """;

    private static final String IMPORT_KEY = """
            const file = Components.classes["@mozilla.org/file/local;1"].createInstance(Components.interfaces.nsIFile);
            file.initWithPath(arguments[0]);
            return Components.classes["@mozilla.org/security/x509certdb;1"]
                .getService(Components.interfaces.nsIX509CertDB).importPKCS12File(file, arguments[1]);
            """;

    private static final String TRUST = """
            Components.classes["@mozilla.org/security/x509certdb;1"]
                .getService(Components.interfaces.nsIX509CertDB).addCertFromBase64(arguments[0], ",C,");
            """;

    /** No server keeps what was sent, so none is asked to. */
    private static final String ADD_ACCOUNT = """
            const [text, name, address, password] = arguments;
            return (async () => {
              const load = name => ChromeUtils.importESModule("resource:///modules/" + name + ".sys.mjs");
              const { JXON } = load("JXON");
              const { readFromXML } = load("accountcreation/readFromXML");
              const { AccountConfig } = load("accountcreation/AccountConfig");
              const { CreateInBackend } = load("accountcreation/CreateInBackend");
              const config = readFromXML(JXON.build(new DOMParser().parseFromString(text, "text/xml")), "disk");
              AccountConfig.replaceVariables(config, name, address, password);
              config.rememberPassword = false;
              const account = await CreateInBackend.createAccountInBackend(config);
              account.defaultIdentity.doFcc = false;
              const server = account.incomingServer;
              return {
                incoming: server.type + "://" + server.username + "@" + server.hostname + ":" + server.port,
                outgoing: config.outgoing.hostname + ":" + config.outgoing.port,
              };
            })();
            """;

    private static final String WRITE = """
            const { MailServices } = ChromeUtils.importESModule("resource:///modules/MailServices.sys.mjs");
            const made = (name, type) => Components.classes["@mozilla.org/messengercompose/" + name + ";1"]
                .createInstance(Components.interfaces[type]);
            const fields = made("composefields", "nsIMsgCompFields");
            [, fields.to, fields.subject, fields.body] = arguments;
            const params = made("composeparams", "nsIMsgComposeParams");
            params.type = Components.interfaces.nsIMsgCompType.New;
            params.format = Components.interfaces.nsIMsgCompFormat.PlainText;
            params.identity = MailServices.accounts.allIdentities
                .find(each => each.email == arguments[0] && each.smtpServerKey);
            params.composeFields = fields;
            MailServices.compose.OpenComposeWindowWithParams(null, params);
            """;

    private static final String SEND = """
            Services.wm.getMostRecentWindow("msgcompose").goDoCommand("cmd_sendNow");
            """;

    private static final String IS_SENT = "return !Services.wm.getMostRecentWindow(\"msgcompose\");";

    private static final String TRUST_OPENPGP = """
            const load = name => ChromeUtils.importESModule("chrome://openpgp/content/modules/" + name + ".sys.mjs");
            const { EnigmailKeyRing: ring } = load("keyRing");
            const { PgpSqliteDb2: decisions } = load("sqliteDb");
            return (async () => {
              await load("core").EnigmailCore.init();
              await ring.importKeyAsync(window, false, arguments[0], false, null, {}, {}, false, [], "verified");
              const keys = ring.getAllKeys().keyList;
              for (const key of keys) {
                await decisions.updateAcceptance(key.fpr, [key.userId.replace(/.*<|>.*/g, "")], "verified");
              }
              return keys.length;
            })();
            """;

    private final Path folder;
    private final Process process;
    private final Marionette marionette;

    /**
     * A window with a mail.
     *
     * @param subject     above the message
     * @param from        names and addresses of who is shown as having written it
     * @param text        of the message
     * @param signature   what it says of the signature, such as "Good signature"; empty if it says nothing
     * @param encryption  what it says of the encryption; empty if it says nothing
     * @param attachments their names
     * @param notices     what it says above the text, such as that a receipt is asked for
     */
    public record Shown(
            String subject,
            List<String> from,
            String text,
            String signature,
            String encryption,
            List<String> attachments,
            List<String> notices) {}

    /** The window of a reply, as it begins. */
    public record Reply(String subject, String recipient, String text) {}

    private Thunderbird(Path folder, Process process, Marionette marionette) {
        this.folder = folder;
        this.process = process;
        this.marionette = marionette;
    }

    /**
     * Starts it.
     *
     * @param folder      for its profile and what it says, which must be empty
     * @param authorities PEM, each of the certificate of an authority that is trusted for mail
     * @param recipients  PKCS #12 files, each with a key and certificate of who reads
     * @param passphrase  of the latter, each
     * @param address     of who reads
     */
    public static Thunderbird start(
            Path folder, List<Path> authorities, List<Path> recipients, String passphrase, String address)
            throws IOException, InterruptedException {
        Path profile = Files.createDirectories(folder.resolve("profile"));
        String database = "sql:" + profile;
        run("certutil", "-N", "-d", database, "--empty-password");
        for (Path each : authorities) {
            String name = each.getFileName().toString();
            run("certutil", "-A", "-d", database, "-n", name, "-t", "C,C,", "-i", each.toString());
        }
        for (Path recipient : recipients) {
            run("pk12util", "-i", recipient.toString(), "-d", database, "-W", passphrase, "-K", "");
        }
        Files.writeString(profile.resolve("user.js"), preferences(FreePort.choose(), address));
        return launch(folder);
    }

    /** Ends it as its user would, and starts it again. */
    public Thunderbird restart() throws IOException, InterruptedException {
        marionette.run("Marionette:Quit", Map.of("flags", List.of("eForceQuit")));
        marionette.close();
        process.waitFor();
        return launch(folder);
    }

    private static Thunderbird launch(Path folder) throws IOException, InterruptedException {
        Path profile = folder.resolve("profile");
        ProcessBuilder builder = new ProcessBuilder(
                ThunderbirdFolder.find().resolve("thunderbird").toString(),
                "--headless",
                "--no-remote",
                "--profile",
                profile.toString(),
                "--marionette",
                "--remote-allow-system-access");
        Map<String, String> environment = builder.environment();
        environment.put("HOME", Files.createDirectories(folder.resolve("home")).toString());
        environment.put("MOZ_HEADLESS_WIDTH", "1000");
        environment.put("MOZ_HEADLESS_HEIGHT", "600");
        environment.put("LC_ALL", "C.UTF-8");
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
        boolean started = false;
        try {
            Marionette marionette = connect(port(profile), process);
            marionette.run("WebDriver:NewSession", Map.of("capabilities", Map.of()));
            marionette.run("Marionette:SetContext", Map.of("value", "chrome"));
            started = true;
            return new Thunderbird(folder, process, marionette);
        } finally {
            if (!started) {
                process.destroyForcibly();
            }
        }
    }

    /** The port that the settings of a profile name. */
    private static int port(Path profile) throws IOException {
        Matcher port = PORT.matcher(Files.readString(profile.resolve("user.js")));
        if (!port.find()) {
            throw new IOException("no port in the settings of " + profile);
        }
        return Integer.parseInt(port.group(1));
    }

    private static Marionette connect(int port, Process process) throws IOException, InterruptedException {
        Instant end = Instant.now().plus(LONGEST_START);
        while (true) {
            try {
                return new Marionette(port);
            } catch (IOException e) {
                if (!process.isAlive() || Instant.now().isAfter(end)) {
                    throw new IOException("Thunderbird does not start", e);
                }
                Thread.sleep(LOOK_EVERY_MILLIS);
            }
        }
    }

    /** Settings: an account without a server, no questions at the start, and nothing that goes out. */
    private static String preferences(int port, String address) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("marionette.port", port);
        all.put("mail.provider.suppress_dialog_on_startup", true);
        all.put("mail.accounthub.enabled", false);
        all.put("mail.spotlight.firstRunDone", true);
        all.put("mail.rights.version", 1);
        all.put("mail.shell.checkDefaultClient", false);
        all.put("mailnews.start_page.enabled", false);
        all.put("datareporting.policy.dataSubmissionEnabled", false);
        all.put("app.donation.eoy.version.viewed", 999);
        all.put("app.update.enabled", false);
        all.put("extensions.update.enabled", false);
        all.put("security.OCSP.enabled", 0);
        all.put("network.proxy.type", 1);
        all.put("network.proxy.socks", "127.0.0.1");
        all.put("network.proxy.socks_port", 9);
        all.put("mail.accountmanager.accounts", "account1");
        all.put("mail.accountmanager.localfoldersserver", "server1");
        all.put("mail.accountmanager.defaultaccount", "account1");
        all.put("mail.account.account1.server", "server1");
        all.put("mail.account.account1.identities", "id1");
        all.put("mail.identity.id1.useremail", address);
        all.put("mail.server.server1.type", "none");
        all.put("mail.server.server1.hostname", "Local Folders");
        all.put("mail.server.server1.userName", "nobody");
        all.put("mail.server.server1.name", "Local Folders");
        all.put("mail.server.server1.directory-rel", "[ProfD]Mail/Local Folders");
        StringBuilder lines = new StringBuilder();
        all.forEach((name, value) -> lines.append("user_pref(\"")
                .append(name)
                .append("\", ")
                .append(value instanceof String text ? "\"" + text + "\"" : value)
                .append(");\n"));
        return lines.toString();
    }

    /**
     * Opens a mail, and closes it when its window says no more.
     *
     * @param mail    as a server keeps it
     * @param picture where a photograph of the window goes, a PNG; null for none
     */
    public Shown open(byte[] mail, @Nullable Path picture) throws IOException, InterruptedException {
        List<String> before = windows();
        JsonNode seen = show(mail);
        if (picture != null) {
            photograph(before, picture);
        }
        closeMail();
        return shown(seen);
    }

    /** A window with a mail, from what {@link #show} read in it. */
    static Shown shown(JsonNode seen) {
        return new Shown(
                seen.get("subject").asText(),
                texts(seen.get("from")),
                seen.get("text").asText(),
                seen.get("signature").asText(),
                seen.get("encryption").asText(),
                texts(seen.get("attachments")),
                texts(seen.get("notices")));
    }

    /**
     * Takes an OpenPGP key of somebody whose fingerprint was compared.
     *
     * @param key in ASCII armor
     */
    public void trust(String key) throws IOException {
        int keys = marionette.script(TRUST_OPENPGP, key).asInt();
        if (keys == 0) {
            throw new IOException("Thunderbird does not take the OpenPGP key");
        }
    }

    /** Photographs the window that came after others. */
    void photograph(List<String> before, Path picture) throws IOException {
        List<String> after = new ArrayList<>(windows());
        after.removeAll(before);
        marionette.run("WebDriver:SwitchToWindow", Map.of("handle", after.getLast()));
        String png = marionette
                .run("WebDriver:TakeScreenshot", Map.of("full", false))
                .get("value")
                .asText();
        Files.write(picture, Base64.getDecoder().decode(png));
        marionette.run("WebDriver:SwitchToWindow", Map.of("handle", before.getFirst()));
    }

    void closeMail() throws IOException {
        marionette.script("window.veilgateMail.close();");
    }

    /** The value that a script gives which has all rights of the program. */
    JsonNode script(String script, Object... arguments) throws IOException {
        return marionette.script(script, arguments);
    }

    /**
     * Installs an add-on as its user would from a file: for good, and signed by nobody.
     *
     * @param file an .xpi
     */
    public ThunderbirdAddOn install(Path file) throws IOException {
        String id = marionette
                .run("Addon:Install", Map.of("path", file.toAbsolutePath().toString(), "temporary", false))
                .get("value")
                .asText();
        return new ThunderbirdAddOn(this, id);
    }

    static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(each -> texts.add(each.asText()));
        return texts;
    }

    /**
     * Imports a key with its certificate, as the button of its settings does.
     *
     * @throws IOException if it cannot read the file, or the passphrase is wrong
     */
    public void importKey(Path pkcs12, String passphrase) throws IOException {
        long code = marionette.script(IMPORT_KEY, pkcs12.toString(), passphrase).asLong();
        if (code != 0) {
            throw new IOException("Thunderbird does not import the key: " + code);
        }
    }

    /**
     * Trusts an authority to identify email users, and for nothing else.
     *
     * @param pem with its certificate alone
     */
    public void trust(Path pem) throws IOException {
        String base64 = Files.readString(pem).replaceAll("-----[A-Z ]+-----|\\s", "");
        marionette.script(TRUST, base64);
    }

    /** The servers of an account. */
    public record Account(String incoming, String outgoing) {}

    /** Adds an account by the settings that a provider publishes (config-v1.1.xml), with its own code. */
    public Account addAccount(Path settings, String name, String address, String password) throws IOException {
        JsonNode made = marionette.script(ADD_ACCOUNT, Files.readString(settings), name, address, password);
        return new Account(made.get("incoming").asText(), made.get("outgoing").asText());
    }

    /** Writes a plain mail in a window, and sends it by the account of an address. */
    public void send(String from, String to, String subject, String text) throws IOException, InterruptedException {
        marionette.script(WRITE, from, to, subject, text);
        awaited(LOOK_AT_REPLY);
        marionette.script(SEND);
        awaited(IS_SENT);
    }

    /** Begins a reply to a mail, and throws it away. */
    public Reply reply(byte[] mail) throws IOException, InterruptedException {
        show(mail);
        marionette.script(REPLY);
        JsonNode seen = awaited(LOOK_AT_REPLY);
        marionette.script(END_REPLY);
        closeMail();
        return new Reply(
                seen.get("subject").asText(),
                seen.get("recipient").asText(),
                seen.get("text").asText());
    }

    /** Puts a mail into a folder, and opens it from there. */
    JsonNode show(byte[] mail) throws IOException, InterruptedException {
        keep(mail);
        marionette.script(OPEN);
        return lastLook();
    }

    /** Opens a mail from a file, as one that somebody kept or forwarded. */
    JsonNode showFile(byte[] mail) throws IOException, InterruptedException {
        Path file = Files.write(folder.resolve("opened.eml"), mail);
        marionette.script(OPEN_FILE, file.toString());
        return lastLook();
    }

    /** Puts a mail into a folder. */
    private void keep(byte[] mail) throws IOException, InterruptedException {
        Path file = Files.write(folder.resolve("mail.eml"), mail);
        int before = marionette.script(COUNT).asInt();
        marionette.script(KEEP, file.toString());
        awaited(MORE, before);
    }

    /** Puts a mail into a folder, and shows it below the list of mails, in the window that is there already. */
    void showInMainWindow(byte[] mail) throws IOException, InterruptedException {
        keep(mail);
        awaited(SELECT);
        awaited(IS_SELECTED);
    }

    /** Runs a script until what it returns is neither null nor false. */
    JsonNode awaited(String script, Object... arguments) throws IOException, InterruptedException {
        Instant end = Instant.now().plus(LONGEST_OPENING);
        JsonNode seen = marionette.script(script, arguments);
        while (seen.isNull() || seen.isBoolean() && !seen.asBoolean()) {
            if (Instant.now().isAfter(end)) {
                throw new IOException("Thunderbird does not get ready");
            }
            Thread.sleep(LOOK_EVERY_MILLIS);
            seen = marionette.script(script, arguments);
        }
        return seen;
    }

    /**
     * Addresses, and names with an {@code @}, that it reads in fields such as From: as its window and as its list of
     * mails do, which decodes first.
     */
    public List<List<String>> addresses(List<String> fields) throws IOException {
        List<List<String>> all = new ArrayList<>();
        marionette.script(READ, fields).forEach(each -> all.add(texts(each)));
        return all;
    }

    /**
     * Looks until nothing changed for a while, as signatures are checked beside; for longer while there is no message
     * or no
     * sign of a signature, as neither may ever come.
     */
    private JsonNode lastLook() throws IOException, InterruptedException {
        Instant start = Instant.now();
        JsonNode last = marionette.script("return null;");
        Instant since = start;
        while (last.isNull() || Instant.now().isBefore(since.plus(patience(last)))) {
            if (last.isNull() && Instant.now().isAfter(start.plus(LONGEST_OPENING))) {
                throw new IOException("Thunderbird opens no window");
            }
            Thread.sleep(LOOK_EVERY_MILLIS);
            JsonNode now = marionette.script(LOOK);
            if (!now.equals(last)) {
                last = now;
                since = Instant.now();
            }
        }
        return last;
    }

    private static Duration patience(JsonNode look) {
        boolean isWhole = !look.get("isEmpty").asBoolean()
                && !look.get("signature").asText().isEmpty();
        return isWhole ? UNCHANGED : INCOMPLETE;
    }

    List<String> windows() throws IOException {
        List<String> handles = new ArrayList<>();
        marionette.run("WebDriver:GetWindowHandles", Map.of()).forEach(each -> handles.add(each.asText()));
        return handles;
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + said);
        }
    }

    @Override
    public void close() throws IOException {
        try (Marionette _ = marionette) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().onExit().join();
        }
    }
}
