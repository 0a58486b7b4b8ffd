package dev.veilgate.extract.mail;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.tika.exception.EncryptedDocumentException;
import org.apache.tika.exception.TikaException;
import org.apache.tika.parser.ParseContext;
import org.apache.tika.utils.XMLReaderUtils;
import org.xml.sax.Attributes;
import org.xml.sax.ContentHandler;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * The text of an OpenDocument file: all character data of content, styles (heads and feet of pages) and meta (title, keywords). Not by Tika's parser, which
 * wants a file on disk; by its XML reader, which has external entities off.
 */
final class OpenDocumentText extends DefaultHandler {
    private static final Set<String> READ = Set.of("content.xml", "styles.xml", "meta.xml");
    private static final Set<String> INLINE = Set.of("text:span", "text:a", "text:bookmark", "text:soft-page-break");

    private final ContentHandler out;
    private boolean encrypted;

    private OpenDocumentText(ContentHandler out) {
        this.out = out;
    }

    /** Writes the text of the file. */
    static void read(InputStream file, ContentHandler out) throws IOException, SAXException, TikaException {
        OpenDocumentText text = new OpenDocumentText(out);
        boolean content = false;
        try (ZipInputStream zip = new ZipInputStream(file)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                String name = MailHeader.leaf(entry.getName());
                if (entry.getName().equals("META-INF/manifest.xml")) {
                    XMLReaderUtils.parseSAX(new Open(zip), text.manifest(), new ParseContext());
                } else if (READ.contains(name) && !text.encrypted) {
                    content = true;
                    parse(zip, text);
                }
            }
        }
        if (text.encrypted) {
            throw new EncryptedDocumentException();
        }
        if (!content) {
            throw new TikaException("no content");
        }
    }

    private static void parse(ZipInputStream zip, OpenDocumentText text)
            throws IOException, SAXException, TikaException {
        try {
            XMLReaderUtils.parseSAX(new Open(zip), text, new ParseContext());
        } catch (SAXException e) {
            // The manifest, which says whether it is encrypted, mostly comes last.
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (entry.getName().equals("META-INF/manifest.xml")) {
                    XMLReaderUtils.parseSAX(new Open(zip), text.manifest(), new ParseContext());
                }
            }
            if (text.encrypted) {
                throw new EncryptedDocumentException();
            }
            throw e;
        }
    }

    /** A stream that stays open when the XML reader closes it. */
    private static final class Open extends FilterInputStream {
        Open(InputStream in) {
            super(in);
        }

        @Override
        public void close() {}
    }

    private DefaultHandler manifest() {
        return new DefaultHandler() {
            @Override
            public void startElement(String uri, String local, String name, Attributes attributes) {
                encrypted = encrypted || name.endsWith("encryption-data");
            }
        };
    }

    @Override
    public void characters(char[] text, int from, int length) throws SAXException {
        out.characters(text, from, length);
    }

    @Override
    public void startElement(String uri, String local, String name, Attributes attributes) throws SAXException {
        separate(name);
    }

    @Override
    public void endElement(String uri, String local, String name) throws SAXException {
        separate(name);
    }

    private void separate(String name) throws SAXException {
        if (!INLINE.contains(name)) {
            out.characters(new char[] {'\n'}, 0, 1);
        }
    }
}
