package dev.veilgate.gateway.broker;

import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.jspecify.annotations.Nullable;

/** The settings as HiveMQ reads them: its config.xml. */
final class EmbeddedConfiguration {
    private static final Duration LATER = Duration.ofSeconds(5);

    private final XMLStreamWriter xml;

    private EmbeddedConfiguration(XMLStreamWriter xml) {
        this.xml = xml;
    }

    /** @param password of the key store; the key's own is the same */
    static String of(MqttSettings settings, @Nullable Path keyStore, String password) {
        StringWriter out = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out);
            new EmbeddedConfiguration(xml).write(settings, keyStore, password);
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
        return out.toString();
    }

    private void write(MqttSettings settings, @Nullable Path keyStore, String password) throws XMLStreamException {
        MqttSettings.Embedded embedded = settings.embedded();
        xml.writeStartElement("hivemq");
        xml.writeStartElement("listeners");
        listener("tcp-listener", MqttSettings.Listener.parse("embedded.listen", embedded.listen()), null, password);
        listener(
                "tls-tcp-listener",
                MqttSettings.Listener.parse("embedded.tls-listen", embedded.tlsListen()),
                keyStore,
                password);
        xml.writeEndElement();

        xml.writeStartElement("mqtt");
        element("queued-messages", "max-queue-size", embedded.queue());
        element("retained-messages", "enabled", false);
        element("quality-of-service", "max-qos", 1);
        element("message-expiry", "max-interval", embedded.queueExpiry().toSeconds());
        element("session-expiry", "max-interval", embedded.queueExpiry().toSeconds());
        element("packets", "max-packet-size", embedded.maxPacket().toBytes());
        element("receive-maximum", "server-receive-maximum", settings.receiveMaximum());
        xml.writeEndElement();

        xml.writeStartElement("restrictions");
        element(
                "max-connections",
                -1); // HiveMQ would count those that nobody has logged in on: see DeviceQuota, OpenConnections
        element("max-client-id-length", 1024);
        element("max-topic-length", 2048);
        element("no-connect-idle-timeout", embedded.connectTimeout().plus(LATER).toMillis()); // see LoginWatch
        xml.writeEndElement();

        element("anonymous-usage-statistics", "enabled", false);
        element("persistence", "mode", "file");
        xml.writeEndElement();
    }

    private void listener(
            String kind, MqttSettings.@Nullable Listener listener, @Nullable Path keyStore, String password)
            throws XMLStreamException {
        if (listener == null) {
            return;
        }
        xml.writeStartElement(kind);
        element("port", listener.port());
        element("bind-address", listener.address());
        if (keyStore != null) {
            xml.writeStartElement("tls");
            xml.writeStartElement("keystore");
            element("path", keyStore);
            element("password", password);
            element("private-key-password", password);
            xml.writeEndElement();
            xml.writeStartElement("protocols");
            element("protocol", "TLSv1.3");
            element("protocol", "TLSv1.2");
            xml.writeEndElement();
            xml.writeEndElement();
        }
        xml.writeEndElement();
    }

    private void element(String parent, String name, Object value) throws XMLStreamException {
        xml.writeStartElement(parent);
        element(name, value);
        xml.writeEndElement();
    }

    private void element(String name, Object value) throws XMLStreamException {
        xml.writeStartElement(name);
        xml.writeCharacters(value.toString());
        xml.writeEndElement();
    }
}
