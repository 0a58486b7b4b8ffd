package dev.veilgate.gateway.deliver;

import dev.veilgate.transport.smtp.SmtpReply;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Hashtable;
import java.util.List;
import java.util.random.RandomGenerator;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.directory.InitialDirContext;

/** The mail servers that DNS names for a domain (RFC 5321, section 5; RFC 7505), by the JDK's own resolver. */
final class MailServers {
    private static final Duration FIRST_TIMEOUT = Duration.ofSeconds(2);

    private final String nameServer;
    private final RandomGenerator random;

    private record Server(int preference, String host) {}

    /** @param nameServer host or host:port; empty for those of the machine */
    MailServers(String nameServer, RandomGenerator random) {
        this.nameServer = nameServer;
        this.random = random;
    }

    /**
     * Hosts in the order in which they are tried: by preference, and in random order among equals; the domain itself if it names none.
     *
     * @throws UnroutableException if the domain does not exist, or says that it takes no mail
     * @throws IOException         if DNS does not answer now
     */
    List<String> of(String domain) throws IOException, UnroutableException {
        Attribute records;
        try {
            records = query(domain);
        } catch (NameNotFoundException e) {
            throw new UnroutableException(new SmtpReply(550, "5.1.2 the domain does not exist"));
        } catch (NamingException e) {
            throw new IOException("DNS does not answer (" + e.getClass().getSimpleName() + ")", e);
        }
        if (records == null || records.size() == 0) {
            return List.of(domain);
        }
        List<Server> servers = parse(records);
        if (servers.stream().allMatch(server -> server.host().isEmpty())) {
            throw new UnroutableException(new SmtpReply(556, "5.1.10 the domain takes no mail"));
        }
        Collections.shuffle(servers, java.util.Random.from(random));
        return servers.stream()
                .filter(server -> !server.host().isEmpty())
                .sorted(Comparator.comparingInt(Server::preference))
                .map(Server::host)
                .toList();
    }

    // Only attributes of DNS are asked for, and no object is made of an answer.
    @SuppressWarnings("BanJNDI")
    private Attribute query(String domain) throws NamingException {
        var environment = new Hashtable<String, String>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.dns.DnsContextFactory");
        environment.put(Context.PROVIDER_URL, nameServer.isEmpty() ? "dns:" : "dns://" + nameServer);
        environment.put("com.sun.jndi.dns.timeout.initial", Long.toString(FIRST_TIMEOUT.toMillis()));
        environment.put("com.sun.jndi.dns.timeout.retries", "3");
        var dns = new InitialDirContext(environment);
        try {
            return dns.getAttributes(domain + ".", new String[] {"MX"}).get("MX");
        } finally {
            dns.close();
        }
    }

    private static List<Server> parse(Attribute records) throws IOException {
        var servers = new ArrayList<Server>();
        try {
            for (int i = 0; i < records.size(); i++) {
                String[] words = String.valueOf(records.get(i)).split(" ");
                if (words.length == 2 && words[0].matches("[0-9]{1,5}")) {
                    servers.add(new Server(Integer.parseInt(words[0]), words[1].replaceFirst("\\.$", "")));
                }
            }
        } catch (NamingException e) {
            throw new IOException("the answer of DNS cannot be read", e);
        }
        return servers;
    }
}
