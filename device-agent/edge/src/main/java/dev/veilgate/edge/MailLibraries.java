package dev.veilgate.edge;

/**
 * The libraries that only mail needs, an SMTP server and readers of attachments among them: devices are installed
 * without them.
 */
final class MailLibraries {
    private static final String ONE_OF_THEM = "org/apache/james/protocols/netty/NettyServer.class";

    private MailLibraries() {}

    static boolean areInstalled() {
        return MailLibraries.class.getClassLoader().getResource(ONE_OF_THEM) != null;
    }
}
